import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, ShieldAlert, Smartphone, Terminal } from 'lucide-react'
import { useId, useState } from 'react'
import type { DeviceSession } from '#shared/contract/account.ts'
import { formatInstant } from '#page/words/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Badge } from '#page/ui/badge.tsx'
import { Button } from '#page/ui/button.tsx'
import { Dialog, DialogButtons } from '#page/ui/dialog.tsx'
import { notify } from '#page/ui/notify.ts'
import { Section } from '#page/ui/screen.tsx'
import { endOtherSessions, endSession, sessionsQuery } from './queries.ts'
import { When } from './when.tsx'

const t = text.devices

/** Where the person is signed in: this device first, then whoever was seen last. */
export function Devices() {
  const query = useQuery(sessionsQuery)
  return (
    <Section title={t.title}>
      <p className="text-sm text-muted">{t.lead}</p>
      <Loaded query={query} rows={2} atServer="devices" isPart>
        {(sessions) => (
          <>
            <ul className="divide-y divide-line rounded-lg border border-line" aria-label={t.title}>
              {sessions.toSorted(byImportance).map((session) => (
                <Row key={session.id} session={session} />
              ))}
            </ul>
            {sessions.some(({ current }) => !current) ? <EndOthers /> : <p className="text-muted">{t.onlyThis}</p>}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function Row({ session }: { session: DeviceSession }) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const seen = useId()
  const name = nameOf(session)
  const Icon = !session.bound ? Terminal : /android|ios|iphone|ipad/i.test(session.system ?? '') ? Smartphone : Monitor
  async function end(): Promise<void> {
    setBusy(true)
    await endSession(queryClient, session.id).then(
      () => notify('success', t.ended(name)),
      (error: unknown) => {
        setBusy(false)
        notify('error', problemText(error, 'action'))
      },
    )
  }
  return (
    <li className="grid gap-3 p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Icon className="size-5 shrink-0 text-muted" aria-hidden />
        <div className="min-w-0 grow basis-40">
          <p className="font-medium">{name}</p>
          <p id={seen} className="text-sm text-muted">
            {session.current ? (
              t.now
            ) : (
              <>
                {t.lastSeen} <When at={session.lastSeenAt} />
              </>
            )}
            {', '}
            {t.firstSeen} <When at={session.firstSeenAt} />
          </p>
        </div>
        {session.current ? (
          <Badge tone="info" icon={null}>
            {t.current}
          </Badge>
        ) : (
          <Button
            className="ml-8 sm:ml-0"
            busy={busy}
            aria-label={t.endNamed(name)}
            aria-describedby={seen}
            onClick={() => void end()}
          >
            {t.end}
          </Button>
        )}
      </div>
      {session.refusedAt && (
        <p className="flex items-start gap-2 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
          <ShieldAlert className="size-5 shrink-0" aria-hidden />
          <span>{t.refused(formatInstant(session.refusedAt))}</span>
        </p>
      )}
    </li>
  )
}

function EndOthers() {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  async function end(): Promise<void> {
    setAsking(false)
    setBusy(true)
    await endOtherSessions(queryClient).then(
      (ended) => notify('success', t.othersEnded(ended)),
      (error: unknown) => notify('error', problemText(error, 'action')),
    )
    setBusy(false)
  }
  return (
    <>
      <Button look="danger" className="justify-self-start" busy={busy} onClick={() => setAsking(true)}>
        {t.endOthers}
      </Button>
      <Dialog open={asking} onOpenChange={setAsking} title={t.endOthersTitle} description={t.endOthersLead}>
        <DialogButtons>
          <Button onClick={() => setAsking(false)}>{text.cancel}</Button>
          <Button look="danger" onClick={() => void end()}>
            {t.endOthers}
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  )
}

function nameOf({ browser, system, bound }: DeviceSession): string {
  if (!bound) return t.program
  if (browser && system) return t.on(browser, system)
  return browser ?? (system ? t.someBrowser(system) : t.unknown)
}

function byImportance(a: DeviceSession, b: DeviceSession): number {
  return Number(b.current) - Number(a.current) || b.lastSeenAt.localeCompare(a.lastSeenAt)
}
