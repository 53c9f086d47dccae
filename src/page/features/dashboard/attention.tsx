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
  const counted = (kind: Parameters<typeof countOf>[0], words: (count: string) => string) => {
    const count = countOf(kind, data)
    return count > 0 && words(formatCount(count))
  }
  const words = [
    counted('overdue', t.overdue),
    counted('toGiveBack', t.paidTooMuch),
    counted('drafts', t.draftsWaiting),
  ].filter(Boolean)
  return words.length > 0 && <span className="block text-sm text-warn">{words.join(' · ')}</span>
}
