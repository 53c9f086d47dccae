import { CloudOff } from 'lucide-react'
import { useReachable } from '#page/connection.ts'
import { text } from '#page/text.ts'
import { Button } from '#page/ui/button.tsx'
import { useUpdate } from '#page/update.ts'

/** What the connection and the worker have to say to everybody. */
export function Announcements() {
  const reachable = useReachable()
  const update = useUpdate()
  return (
    <div className="screen-only">
      <output className="block">
        {!reachable && (
          <span className="flex items-center gap-2 bg-warn-soft px-4 py-2 text-sm text-warn">
            <CloudOff className="size-4 shrink-0" aria-hidden />
            {text.connection.offline}
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
