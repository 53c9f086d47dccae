import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { dashboardQuery } from './queries.ts'

const t = text.organizations
/** The dashboard names no more (contract/dashboard.ts). */
const most = 6

/** What needs a person today in one organization, counted; nothing when nothing does. */
export function Attention({ organizationId }: { organizationId: string }) {
  const { data } = useQuery(dashboardQuery(organizationId))
  const attention = data?.attention ?? []
  const overdue = attention.filter((invoice) => invoice.overdue).length
  const drafts = attention.filter(({ status }) => status === 'draft').length
  const paidTooMuch = attention.length - overdue - drafts
  // The last of those that are counted stands for more when the list is full.
  const isFull = attention.length >= most
  const count = (found: number, isLast: boolean) => formatCount(found) + (isFull && isLast ? '+' : '')
  const words = [
    overdue > 0 && t.overdue(count(overdue, drafts === 0)),
    paidTooMuch > 0 && t.paidTooMuch(count(paidTooMuch, overdue + drafts === 0)),
    drafts > 0 && t.draftsWaiting(count(drafts, true)),
  ].filter(Boolean)
  return words.length > 0 && <span className="block text-sm text-warn">{words.join(' · ')}</span>
}
