// A link may name the field it is about (`…/settings#bank.iban`): the form brings it to the person.
import { useEffect } from 'react'

/** Selects what no dialog lies over. */
export const inFront = ':not([aria-hidden] *)'
const patienceMs = 5000
const betweenMs = 100

export function useNamedField(): void {
  useEffect(() => {
    const name = decodeURIComponent(location.hash.slice(1))
    if (name === '') return
    const quoted = CSS.escape(name)
    const until = Date.now() + patienceMs
    // A part of the form may still be on its way.
    const timer = setInterval(() => {
      const field = document.querySelector<HTMLElement>(
        `form :is([name="${quoted}"],[data-field="${quoted}"])${inFront}`,
      )
      if (field === null && Date.now() < until) return
      clearInterval(timer)
      field?.focus()
      field?.scrollIntoView({ block: 'center' })
    }, betweenMs)
    return () => clearInterval(timer)
  }, [])
}
