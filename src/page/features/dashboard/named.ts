// Which invoices are named as what needs a person. Money to give back comes first in the answer, of six in all: much of it would leave no room for what is
// overdue. So two of it come first here, then what is overdue, which is asked for where the answer has no room for it, and then the rest.
import type { Dashboard } from '#shared/contract/dashboard.ts'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import { attentionShown } from '#shared/dashboard.ts'

const backFirst = 2
const lateShown = attentionShown - backFirst

/** They are named first, and the figures do not count them. */
export function toGiveBack(attention: readonly InvoiceSummary[]): InvoiceSummary[] {
  return attention.filter(({ overdue, status }) => !overdue && status !== 'draft')
}

/** How many there are, whether they are named or not. */
export function allOf(kind: 'overdue' | 'drafts', { currencies }: Pick<Dashboard, 'currencies'>): number {
  return currencies.reduce((sum, figures) => sum + figures[kind].count, 0)
}

/** Whether what is to be given back leaves no room for something that is overdue. */
export function isLateHidden(dashboard: Dashboard): boolean {
  const late = dashboard.attention.filter(({ overdue }) => overdue).length
  return late < Math.min(allOf('overdue', dashboard), lateShown) && toGiveBack(dashboard.attention).length > backFirst
}

/** `asked`: what is overdue, the oldest first, where it was asked for. */
export function namedOf(attention: readonly InvoiceSummary[], asked: readonly InvoiceSummary[] | undefined) {
  const back = toGiveBack(attention)
  return [
    ...back.slice(0, backFirst),
    ...(asked?.slice(0, lateShown) ?? attention.filter(({ overdue }) => overdue)),
    ...back.slice(backFirst),
    ...attention.filter(({ status }) => status === 'draft'),
  ]
}
