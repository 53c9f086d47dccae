// Views of a list that this device keeps: what is searched for, which rows are shown, in which order.
import { Bookmark, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { keyPrefix, shownPerson } from '#page/person.ts'
import { text } from '#page/words/app-text.ts'

const t = text.savedFilters
const most = 12

interface Props<View> {
  list: 'invoices' | 'quotes' | 'payments' | 'customers' | 'items'
  organizationId: string
  search: View
  /** What a view shows, in words; what is left empty or out is not part of it. */
  wordsOf: (view: View) => readonly (string | undefined)[]
  onChoose: (view: View) => void
}

/** Of one list of one organization: another has its own. */
export function SavedFilters<View extends { q?: string | undefined }>(props: Props<View>) {
  return <Views key={`${props.list} ${props.organizationId}`} {...props} />
}

/** Where a list is searched and nothing else. */
export function SavedSearches({
  q,
  onSearch,
  ...place
}: Pick<Props<object>, 'list' | 'organizationId'> & { q: string; onSearch: (q: string) => void }) {
  return (
    <SavedFilters
      {...place}
      search={{ q }}
      wordsOf={() => []}
      onChoose={(view: { q?: string }) => onSearch(view.q ?? '')}
    />
  )
}

function Views<View extends { q?: string | undefined }>({
  list,
  organizationId,
  search,
  wordsOf,
  onChoose,
}: Props<View>) {
  // With what goes with the person at sign-out. Those of invoices were there before the others.
  const key = `${keyPrefix}${shownPerson()}.views.${organizationId}${list === 'invoices' ? '' : `.${list}`}`
  const [views, setViews] = useState(() => read<View>(key))
  const nameOf = (view: View): string => [...wordsOf(view), view.q && `“${view.q}”`].filter(Boolean).join(' · ')
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
  const shown = useRef<HTMLUListElement>(null)
  const [opened] = useState(views)
  useEffect(() => {
    // What was pressed is gone: kept or forgotten, the next is at hand.
    if (views !== opened && document.activeElement === document.body)
      shown.current?.querySelector<HTMLElement>('[aria-pressed=true], button')?.focus()
  }, [views, opened])
  if (views.length === 0 && now === '') return null
  return (
    <ul ref={shown} className="-mt-2 flex flex-wrap gap-2" aria-label={t.title}>
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
              onClick={() => onChoose(isCurrent ? ({} as View) : view)}
            >
              {name}
            </button>
            <button
              type="button"
              aria-label={t.forget(name)}
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
            {t.keep}
          </button>
        </li>
      )}
    </ul>
  )
}

function read<View>(key: string): readonly View[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? (kept as View[]) : []
  } catch {
    return []
  }
}
