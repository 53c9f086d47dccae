// Views of the list that this device keeps: what is searched for, which are shown, in which order.
import { Bookmark, X } from 'lucide-react'
import { useState } from 'react'
import { keyPrefix } from '#page/forms/kept.ts'
import { shownPerson } from '#page/person.ts'
import { text } from '#page/words/app-text.ts'
import type { InvoiceSearch } from './queries.ts'

const t = text.invoices
const most = 12

type View = Pick<InvoiceSearch, 'q' | 'status' | 'sort'>

export function SavedFilters({
  organizationId,
  search,
  onChoose,
}: {
  organizationId: string
  search: View
  onChoose: (view: View) => void
}) {
  // With what goes with the person at sign-out.
  const key = `${keyPrefix}${shownPerson()}.views.${organizationId}`
  const [views, setViews] = useState(() => read(key))
  const now = nameOf(search)
  const isKept = views.some((view) => nameOf(view) === now)
  function keep(next: readonly View[]): void {
    setViews(next)
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      // A full device: the view is there as long as this page is.
    }
  }
  if (views.length === 0 && now === '') return null
  return (
    <ul className="-mt-2 flex flex-wrap gap-2" aria-label={t.views}>
      {views.map((view) => {
        const name = nameOf(view)
        const isCurrent = name === now
        return (
          <li
            key={name}
            className={`inline-flex items-center rounded-full border ${isCurrent ? 'border-accent bg-accent-soft' : 'border-line'}`}
          >
            <button
              type="button"
              aria-pressed={isCurrent}
              className="min-h-11 max-w-64 truncate rounded-full pl-4"
              onClick={() => onChoose(isCurrent ? {} : view)}
            >
              {name}
            </button>
            <button
              type="button"
              aria-label={t.forgetView(name)}
              className="grid min-h-11 min-w-11 place-items-center rounded-full text-muted hover:text-ink"
              onClick={() => keep(views.filter((each) => each !== view))}
            >
              <X className="size-4" aria-hidden />
            </button>
          </li>
        )
      })}
      {now !== '' && !isKept && views.length < most && (
        <li>
          <button
            type="button"
            className="inline-flex min-h-11 items-center gap-2 rounded-full px-3 text-sm text-muted hover:text-ink"
            onClick={() => keep([...views, search])}
          >
            <Bookmark className="size-4" aria-hidden />
            {t.keepView}
          </button>
        </li>
      )}
    </ul>
  )
}

/** What a view shows, in words; empty for the list as it is. */
function nameOf({ q, status, sort }: View): string {
  const parts = [status && t.status[status], q && `“${q}”`, sort && (t.sorts as Partial<Record<string, string>>)[sort]]
  return parts.filter(Boolean).join(' · ')
}

function read(key: string): readonly View[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? (kept as View[]) : []
  } catch {
    return []
  }
}
