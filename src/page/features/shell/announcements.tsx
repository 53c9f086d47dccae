import { CloudOff } from 'lucide-react'
import { Suspense, useDeferredValue, useEffect, useState, type ReactNode } from 'react'
import { lazily } from '#page/lazily.ts'
import { useAsOf, useIncomplete, useReachable } from '#page/device/connection.ts'
import { useCurrentOrganization } from '#page/current-organization.ts'
import { formatClock } from '#page/words/format.ts'
import { noteSession, useInstallOffer } from '#page/start/install.ts'
import { useReloadWaits } from '#page/start/reload.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { useUnsentCounts } from '#page/device/unsent.ts'
import { useUpdate } from '#page/start/update.ts'

const InstallOffer = lazily(() => import('./install-offer.tsx').then((module) => module.InstallOffer))

/** What the worker and the browser have to say to everybody, and the connection. */
export function Announcements() {
  const way = useInstallOffer()
  const update = useUpdate()
  useEffect(noteSession, [])
  return (
    <div className="screen-only">
      <Connection />
      <Incomplete />
      <Update />
      {way && !update && (
        <Suspense fallback={null}>
          <InstallOffer way={way} />
        </Suspense>
      )}
    </div>
  )
}

/**
 * At the foot of the screen, above a phone's tabs: on a network that comes and goes it does too, and nothing may move from under a finger for that. Its room
 * below the content is always there (app-shell.tsx).
 */
function Connection() {
  const reachable = useReachable()
  // The first time that is put into words costs a cheap phone 60 ms: the screen does not wait for it.
  const asOf = useDeferredValue(useAsOf(), null)
  const counts = useUnsentCounts()
  const { waiting, attention } = counts ?? { waiting: 0, attention: 0 }
  return (
    <output className="pointer-events-none fixed inset-x-0 bottom-0 z-20 block pb-[calc(3.5rem+1px+env(safe-area-inset-bottom))] lg:left-60 lg:pb-[env(safe-area-inset-bottom)]">
      {!reachable && (
        <Line className="pointer-events-auto border-t border-warn/30">
          {text.connection.offline}
          {attention > 0
            ? // Part of what waits may wait for what the person has yet to decide.
              text.connection.waits(waiting + attention)
            : waiting > 0 && text.connection.willBeSent(waiting)}
          {asOf !== null && text.connection.asOf(formatClock(asOf))}
        </Line>
      )}
    </output>
  )
}

/** That not everything is on this device does not come and go with the network. */
function Incomplete() {
  const incomplete = useIncomplete(useCurrentOrganization()?.id)
  return <output className="block">{incomplete && <Line>{text.connection.incomplete}</Line>}</output>
}

function Line({ className = '', children }: { className?: string; children: ReactNode }) {
  return (
    <span className={`flex items-center gap-2 bg-warn-soft px-4 py-1 text-sm text-warn ${className}`}>
      <CloudOff className="size-4 shrink-0" aria-hidden />
      <span>{children}</span>
    </span>
  )
}

/** The new version: ready, on its way, or waiting for what is typed here. */
function Update() {
  const update = useUpdate()
  const waits = useReloadWaits()
  const [agreed, setAgreed] = useState<typeof update>(null)
  const words = waits ? text.updates.waits : update && (agreed === update ? text.updates.loading : text.updates.ready)
  return (
    <div
      className={
        words ? 'flex min-h-12 items-center justify-between gap-2 bg-info-soft py-1 pr-1 pl-4 text-info sm:px-4' : ''
      }
    >
      <output>{words}</output>
      {update && !waits && (
        <Button
          look="quiet"
          className="shrink-0"
          busy={agreed === update}
          onClick={() => {
            setAgreed(update)
            update.apply()
          }}
        >
          {text.updates.now}
        </Button>
      )}
    </div>
  )
}
