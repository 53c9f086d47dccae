// Says before several invoices are sent which of them go out without their XML, as the dialog of a single one does. What cannot be asked, without a
// connection, is not said there either.
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import { text } from '#page/words/app-text.ts'
import { said } from '#page/words/said.ts'
import { Notice } from '#page/ui/screen.tsx'

const t = text.invoices.bulk

/** In words why it goes out without; none where it does not, or nobody wants one. */
export type WhyWithoutXml = (queryClient: QueryClient, invoice: InvoiceSummary) => Promise<readonly string[]>

interface Props {
  invoices: readonly InvoiceSummary[]
  why: WhyWithoutXml
}

export function WithoutXml({ invoices, why }: Props) {
  const queryClient = useQueryClient()
  const [asked] = useState(invoices)
  const [found, setFound] = useState<{ number: string; words: string }[]>([])
  const [isAsking, setAsking] = useState(true)
  useEffect(() => {
    let isOpen = true
    async function askAll() {
      for (const invoice of asked) {
        const reasons = isOpen ? await why(queryClient, invoice) : []
        const lacking = { number: invoice.number!, words: reasons.map(said).join('; ') }
        if (isOpen && reasons.length > 0) setFound((before) => [...before, lacking])
      }
    }
    void askAll()
      .catch(() => {})
      .finally(() => isOpen && setAsking(false))
    return () => {
      isOpen = false
    }
    // Once, when the dialog opens.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return (
    <>
      {isAsking && <output className="text-sm text-muted">{t.askingXml}</output>}
      {found.length > 0 && (
        <Notice tone="warn">
          <p>{t.withoutXml(found.length)}</p>
          <ul className="max-h-48 list-disc overflow-y-auto pl-5">
            {found.map(({ number, words }) => (
              <li key={number}>
                {number}: {words}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}
