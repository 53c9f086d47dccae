// Signing out with unsent work (OFFLINE.md "What the person sees"): the counts are named, and what becomes of it is the person's choice.
import { useEffect, useState } from 'react'
import { useReachable } from '#page/connection.ts'
import { exportUnsent, retryUnsent } from '#page/outbox-calls.ts'
import { shownPerson } from '#page/person.ts'
import { problemText } from '#page/problem-text.ts'
import { signOut } from '#page/session.ts'
import { text } from '#page/text.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog } from '#page/ui/dialog.tsx'
import { Notice } from '#page/ui/screen.tsx'
import { useUnsentCounts } from '#page/unsent.ts'

const t = text.leaving
/** A call to the server ends after 20 s; nothing more is sent by then if none was. */
const patienceMs = 25_000
const patienceOfflineMs = 5000

export function Leaving({ onStay }: { onStay: () => void }) {
  const [leaver] = useState(shownPerson)
  const counted = useUnsentCounts()
  const { waiting, attention } = counted ?? { waiting: 0, attention: 0 }
  const reachable = useReachable()
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const syncing = asked && waiting > 0

  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    setMessage(null)
    try {
      await work()
    } catch (error) {
      setMessage(problemText(error, 'action'))
    }
    setBusy(false)
  }
  const sync = () =>
    run(async () => {
      await retryUnsent()
      setAsked(true)
    })
  // Signing out takes everything of theirs off the device.
  const discard = () => run(() => signOut(leaver))

  useEffect(() => {
    if (!syncing) return
    // Begun anew with every one that is sent.
    const timer = setTimeout(
      () => {
        setAsked(false)
        setMessage(t.notSent)
      },
      reachable ? patienceMs : patienceOfflineMs,
    )
    return () => clearTimeout(timer)
  }, [syncing, waiting, reachable])
  const isDone = asked && counted !== null && waiting + attention === 0
  useEffect(() => {
    if (isDone) signOut(leaver).catch((error: unknown) => setMessage(problemText(error, 'action')))
  }, [isDone, leaver])

  const said = asked && waiting === 0 && attention > 0 ? t.person : message
  const counts = [
    ...(waiting > 0 ? [text.unsent.waiting(waiting)] : []),
    ...(attention > 0 ? [text.unsent.attention(attention)] : []),
  ]
  return (
    <Dialog open onOpenChange={(open) => !open && onStay()} title={t.title(waiting + attention)}>
      <p className="font-medium">{counts.join(', ')}</p>
      <p className="text-muted">{t.lead}</p>
      <output className="text-muted empty:hidden">{syncing && t.syncing(waiting)}</output>
      {said && <Notice tone="warn">{said}</Notice>}
      <div className="grid gap-3 sm:grid-cols-2">
        <Button look="primary" busy={busy || syncing} onClick={() => void sync()}>
          {t.sync}
        </Button>
        <Button onClick={() => void run(exportUnsent)}>{text.unsent.export}</Button>
        <Button look="danger" className="px-2" disabled={busy} onClick={() => void discard()}>
          {t.discard}
        </Button>
        <Button onClick={onStay}>{text.cancel}</Button>
      </div>
    </Dialog>
  )
}
