import { useEffect } from 'react'

const product = 'Docket'

/** The tab's title while this screen stands; whoever signs out must not leave a customer's name in it. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${product}`
    return () => {
      document.title = product
    }
  }, [title])
}
