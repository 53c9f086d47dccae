import { Link } from '@tanstack/react-router'
import { Clock, CloudCheck, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { UnsentCounts } from '#shared/outbox.ts'
import { text } from '#page/text.ts'
import { useUnsentCounts } from '#page/unsent.ts'

const t = text.unsent
const looks = {
  synced: { Icon: CloudCheck, look: 'text-muted hover:bg-raised' },
  waiting: { Icon: Clock, look: 'bg-warn-soft text-warn' },
  attention: { Icon: TriangleAlert, look: 'bg-danger-soft text-danger' },
} as const

/** What is not at the server yet, in a word and a number; the way to the Unsent screen. */
export function SyncChip() {
  const counts = useUnsentCounts()
  const kind = counts && kindOf(counts)
  const said = useTold(kind, counts)
  const { Icon, look } = looks[kind ?? 'synced']
  return (
    <>
      {counts && kind && (
        <Link
          to="/unsent"
          className={`grid min-h-11 max-w-21 shrink-0 place-content-center rounded-lg px-1.5 text-center text-xs leading-tight font-medium no-underline sm:max-w-none sm:px-2 sm:text-sm ${look}`}
        >
          <span>
            <Icon className="mr-1 inline size-3.5 align-[-2px] sm:size-4 sm:align-[-3px]" aria-hidden />
            {/* On the smallest screens the organization's name needs the room more than the good news. */}
            <span className={kind === 'synced' ? 'max-[23rem]:sr-only' : ''}>{wordsOf(kind, counts)}</span>
          </span>
        </Link>
      )}
      <output className="sr-only">{said}</output>
    </>
  )
}

type Kind = keyof typeof looks

function kindOf({ waiting, attention }: UnsentCounts): Kind {
  if (attention > 0) return 'attention'
  return waiting > 0 ? 'waiting' : 'synced'
}

function wordsOf(kind: Kind, { waiting, attention }: UnsentCounts): string {
  if (kind === 'synced') return t.synced
  return kind === 'attention' ? t.attention(attention) : t.waiting(waiting)
}

const restMs = 1000

/** Said when it has come to rest as something else than it was: not each count, and not what stood there at the beginning. */
function useTold(kind: Kind | null, counts: UnsentCounts | null): string {
  const [said, setSaid] = useState('')
  const last = useRef<Kind | null>(null)
  useEffect(() => {
    if (kind === null || counts === null || kind === last.current) return
    const timer = setTimeout(() => {
      const isFirst = last.current === null
      last.current = kind
      if (!isFirst) setSaid(wordsOf(kind, counts))
    }, restMs)
    return () => clearTimeout(timer)
  }, [kind, counts])
  return said
}
