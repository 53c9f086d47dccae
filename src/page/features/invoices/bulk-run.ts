// How far a work on several invoices has come, and what becomes of those that it left waiting for a connection.
import type { QueryClient } from '@tanstack/react-query'
import type { Invoice, InvoiceSummary } from '#shared/contract/invoices.ts'
import { isUnsentOf, needsPerson, type UnsentEntry } from '#shared/outbox.ts'
import { ProblemError } from '#shared/problem.ts'
import { formatMoney } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import type { WorkName } from './bulk-works.ts'
import { invoiceQuery } from './queries.ts'

const t = text.invoices.bulk

export interface Run {
  work: WorkName
  done: number
  total: number
  /** Of those that went: as far as this device can without a connection. */
  waiting: readonly InvoiceSummary[]
  failed: { what: string; why: string }[]
  isOver: boolean
}

/** The call that waits, and whether it was done where it waits no more; null for an invoice that is not there any more. */
const arrivals: Partial<
  Record<WorkName, readonly [UnsentEntry['name'], (now: Invoice | null, then: InvoiceSummary) => boolean]>
> = {
  issue: ['issueInvoice', (now) => now !== null && now.status !== 'draft'],
  send: ['sendInvoice', (now, then) => now !== null && now.sentAt !== then.sentAt],
  delete: ['deleteInvoice', (now) => now === null],
}

/** Those of a run that wait still, and of the others, which were not done and why. `entries`: what is unsent. */
export async function sortOut(
  queryClient: QueryClient,
  { work, waiting }: Run,
  entries: readonly UnsentEntry[],
  locale: string,
): Promise<[waiting: InvoiceSummary[], failed: Run['failed']]> {
  const [name, isDone] = arrivals[work] ?? []
  const outcome: [InvoiceSummary[], Run['failed']] = [[], []]
  const [still, failed] = outcome
  for (const invoice of waiting) {
    const ofIt = entries.filter((entry) => isUnsentOf(entry, invoice))
    const fail = (why: string) => failed.push({ what: nameOf(invoice, locale), why })
    // What waits behind something that is to be decided will not go by itself either.
    const isAsked = ofIt.some(({ state }) => needsPerson(state) || state === 'waiting-for-decision')
    if (isAsked) fail(text.unsent.marks.attention)
    else if (ofIt.some((entry) => entry.name === name)) still.push(invoice)
    else {
      const now = await asItIs(queryClient, invoice)
      if (now === undefined) still.push(invoice)
      else if (!isDone?.(now, invoice)) fail(t.takenBack)
    }
  }
  return outcome
}

/** Null where there is none any more; undefined where nobody can say. */
function asItIs(queryClient: QueryClient, { organizationId, id }: InvoiceSummary): Promise<Invoice | null | undefined> {
  return queryClient
    .fetchQuery({ ...invoiceQuery(organizationId, id), staleTime: 0, retry: false })
    .catch((error: unknown) => (error instanceof ProblemError && error.code === 'not_found' ? null : undefined))
}

export function nameOf({ number, customerName, gross }: InvoiceSummary, locale: string): string {
  return [number, customerName ?? text.invoices.noCustomer, formatMoney(gross, locale)].filter(Boolean).join(', ')
}
