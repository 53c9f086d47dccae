import { CloudOff } from 'lucide-react'
import { useAsOf, useReachable } from '#page/connection.ts'
import { formatClock } from '#page/format.ts'
import { text } from '#page/text.ts'
import { Button } from '#page/ui/button.tsx'
import { useUnsentCounts } from '#page/unsent.ts'
import { useUpdate } from '#page/update.ts'

/** What the connection and the worker have to say to everybody. */
export function Announcements() {
  const reachable = useReachable()
  const asOf = useAsOf()
  const counts = useUnsentCounts()
  const waiting = counts ? counts.waiting : 0
  const update = useUpdate()
  return (
    <div className="screen-only">
      <output className="block">
        {!reachable && (
          <span className="flex items-center gap-2 bg-warn-soft px-4 py-1 text-sm text-warn">
            <CloudOff className="size-4 shrink-0" aria-hidden />
            <span>
              {text.connection.offline}
              {waiting > 0 && text.connection.willBeSent(waiting)}
              {asOf !== null && text.connection.asOf(formatClock(asOf))}
            </span>
          </span>
        )}
      </output>
      {update && (
        <div className="flex flex-wrap items-center justify-between gap-2 bg-info-soft px-4 py-1 text-info">
          <span>{text.connection.update}</span>
          <Button look="quiet" onClick={() => update.apply()}>
            {text.connection.updateNow}
          </Button>
        </div>
      )}
    </div>
  )
}
