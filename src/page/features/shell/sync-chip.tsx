import { Link } from '@tanstack/react-router'
import { Clock, CloudCheck, CloudDownload, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { FirstSync, UnsentCounts } from '#shared/outbox.ts'
import { useFirstSync } from '#page/device/first-sync.ts'
import { formatCount } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { useUnsentCounts } from '#page/device/unsent.ts'

const t = text.unsent
const looks = {
  synced: { Icon: CloudCheck, look: 'text-muted hover:bg-raised' },
  loading: { Icon: CloudDownload, look: 'bg-info-soft text-info' },
  waiting: { Icon: Clock, look: 'bg-warn-soft text-warn' },
  attention: { Icon: TriangleAlert, look: 'bg-danger-soft text-danger' },
} as const

type Kind = keyof typeof looks

/** What is not at the server yet, or not here yet, in a word and a number; the way to the Unsent screen. */
export function SyncChip() {
  const counts = useUnsentCounts()
  const { progress: loading, isUnderWay } = useFirstSync()
  const kind = counts && kindOf(counts, loading, isUnderWay)
  const words = counts && kind ? wordsOf(kind, counts, loading) : ''
  // Of a long loading each quarter is worth saying, not each page; of what waits the number that it comes to rest at.
  const said = useTold(kind && (kind === 'loading' ? kind + quarterOf(loading) : words), words)
  const { Icon, look } = looks[kind ?? 'synced']
  return (
    <>
      {kind && (
        <Link
          to="/unsent"
          className={`grid min-h-11 max-w-21 min-[22rem]:max-w-28 min-w-11 shrink-0 place-content-center rounded-lg px-1.5 text-center text-xs leading-tight font-medium no-underline sm:max-w-none sm:px-2 sm:text-sm ${look}`}
        >
          <span>
            <Icon className="mr-1 inline size-3.5 align-[-2px] sm:size-4 sm:align-[-3px]" aria-hidden />
            {/* On the smallest screens the organization's name needs the room more than the good news. */}
            <span className={kind === 'synced' ? 'max-[23rem]:sr-only' : 'tabular-nums'}>{words}</span>
          </span>
          {kind === 'loading' && loading && loading.total > 0 && (
            <progress
              className="h-1 w-full appearance-none bg-line [&::-moz-progress-bar]:bg-info [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-info"
              value={loading.told}
              max={loading.total}
              aria-hidden
            />
          )}
        </Link>
      )}
      <output className="sr-only">{said}</output>
    </>
  )
}

/** Null: nothing is unsent, and what is not here yet may come in a moment. */
function kindOf({ waiting, attention }: UnsentCounts, loading: FirstSync | null, isUnderWay: boolean): Kind | null {
  if (attention > 0) return 'attention'
  if (waiting > 0) return 'waiting'
  if (isUnderWay) return loading && 'loading'
  return 'synced'
}

function wordsOf(kind: Kind, { waiting, attention }: UnsentCounts, loading: FirstSync | null): string {
  if (kind === 'loading' && loading)
    return loading.total === 0 ? text.loading : t.loading(formatCount(loading.told), formatCount(loading.total))
  if (kind === 'attention') return t.attention(attention)
  return kind === 'waiting' ? t.waiting(waiting) : t.synced
}

function quarterOf(loading: FirstSync | null): string {
  return loading?.total ? String(Math.floor((4 * loading.told) / loading.total)) : ''
}

const restMs = 1000

/** Said when it has come to rest as something else (`state`) than it was: not each count on the way, and not what stood there at the beginning. */
function useTold(state: string | null, words: string): string {
  const [said, setSaid] = useState('')
  const last = useRef<string | null>(null)
  const latest = useRef(words)
  useEffect(() => {
    latest.current = words
  })
  useEffect(() => {
    if (state === null || state === last.current) return
    const timer = setTimeout(() => {
      const isFirst = last.current === null
      last.current = state
      if (!isFirst) setSaid(latest.current)
    }, restMs)
    return () => clearTimeout(timer)
  }, [state])
  return said
}
