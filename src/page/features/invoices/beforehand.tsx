// Says before something is done to several invoices what is to be known of some of them, as the dialog or the screen of a single one does. What cannot be
// asked, without a connection, is not said there either.
import { useEffect, useState } from 'react'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import { Notice } from '#page/ui/screen.tsx'

/** `of`: an invoice, its customer or the organization, by name; `isUrgent`: it is not done without, and stands first. */
export interface Remark {
  of: string
  words: string
  isUrgent?: boolean
}

interface Props {
  invoices: readonly InvoiceSummary[]
  remarksOn: (invoice: InvoiceSummary) => Promise<readonly Remark[]>
  /** Said while they are looked through. */
  asking: string
  /** Stands over what was found, of so many. */
  title: (count: number) => string
}

/** What was found, by what it is of: said once of a customer or the organization, whose invoices have it in common. */
type Found = ReadonlyMap<string, { words: ReadonlySet<string>; isUrgent: boolean }>

export function Beforehand({ invoices, remarksOn, asking, title }: Props) {
  const [asked] = useState(invoices)
  const [found, setFound] = useState<Found>(new Map())
  const [isAsking, setAsking] = useState(true)
  useEffect(() => {
    let isOpen = true
    async function askAll() {
      for (const invoice of asked) {
        // Of one that cannot be asked about nothing is said; of the others all.
        const remarks = isOpen ? await remarksOn(invoice).catch(() => []) : []
        if (isOpen && remarks.length > 0) setFound((before) => withRemarks(before, remarks))
      }
    }
    void askAll().finally(() => isOpen && setAsking(false))
    return () => {
      isOpen = false
    }
    // Once, when the dialog opens.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return (
    <>
      {isAsking && <output className="text-sm text-muted">{asking}</output>}
      {found.size > 0 && (
        <Notice tone="warn">
          <p>{title(found.size)}</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Whoever has no mouse scrolls it. */}
          <ul className="max-h-48 list-disc overflow-y-auto pl-5" tabIndex={0}>
            {[...found].toSorted(urgentFirst).map(([of, { words }]) => (
              <li key={of}>
                {of}:{' '}
                {[...words].map((each) => (
                  <span key={each} className={words.size > 1 ? 'block' : ''}>
                    {each}
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}

function withRemarks(found: Found, remarks: readonly Remark[]): Found {
  const all = new Map(found)
  for (const { of, words, isUrgent = false } of remarks) {
    const before = all.get(of)
    all.set(of, { words: new Set(before?.words).add(words), isUrgent: isUrgent || before?.isUrgent === true })
  }
  return all
}

type Entry = readonly [string, { isUrgent: boolean }]
const urgentFirst = ([, one]: Entry, [, other]: Entry) => Number(other.isUrgent) - Number(one.isUrgent)
