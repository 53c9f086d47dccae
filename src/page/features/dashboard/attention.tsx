import { useQuery } from '@tanstack/react-query'
import { countOf } from '#shared/dashboard.ts'
import { formatCount } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { dashboardQuery } from './queries.ts'

const t = text.organizations

/** What needs a person today in one organization, counted; nothing when nothing does. */
export function Attention({ organizationId }: { organizationId: string }) {
  const { data } = useQuery(dashboardQuery(organizationId))
  if (!data) return null
  const [overdue, paidTooMuch, drafts] = (['overdue', 'toGiveBack', 'drafts'] as const).map((kind) =>
    countOf(kind, data),
  ) as [number, number, number]
  const words = [
    overdue > 0 && t.overdue(formatCount(overdue)),
    paidTooMuch > 0 && t.paidTooMuch(formatCount(paidTooMuch)),
    drafts > 0 && t.draftsWaiting(formatCount(drafts)),
  ].filter(Boolean)
  return words.length > 0 && <span className="block text-sm text-warn">{words.join(' · ')}</span>
}
