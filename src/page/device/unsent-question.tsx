// What stands before a step that would lose unsent work (OFFLINE.md "What the person sees"): the counts are named, and what becomes of it is the
// person's choice.
import { useEffect, useState } from 'react'
import { useReachable } from './connection.ts'
import { exportUnsent, retryUnsent } from './outbox-calls.ts'
import { shownPerson } from '#page/person.ts'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog } from '#page/ui/dialog.tsx'
import { Notice } from '#page/ui/screen.tsx'
import { useUnsentCounts } from './unsent.ts'
import { askUnsent } from './unsent-counts.ts'

const t = text.leaving
/** A call to the server ends after 20 s; nothing more is sent by then if none was. */
const patienceMs = 25_000
const patienceOfflineMs = 5000

interface Props {
  /** What would become of it. */
  lead: string
  /** The word for going on without it. */
  discard: string
  /** Goes on without it. */
  onDiscard: () => Promise<unknown>
  /** All of it was sent; stays the same function. */
  onSent: () => Promise<unknown>
  onStay: () => void
}

export function UnsentQuestion({ lead, discard, onDiscard, onSent, onStay }: Props) {
  const counted = useUnsentCounts()
  const { waiting, attention } = counted ?? { waiting: 0, attention: 0 }
  const reachable = useReachable()
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const syncing = asked && waiting > 0
  const isUnread = counted === null

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
  const readAgain = () =>
    run(async () => {
      const person = shownPerson()
      const found = person === null ? null : await askUnsent(person).catch(() => null)
      if (!found) setMessage(t.stillUnread)
      else if (found.entries.length === 0) await onSent()
    })
  const sync = () =>
    run(async () => {
      await retryUnsent()
      setAsked(true)
    })

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
  // It may go by itself meanwhile: then there is nothing to be asked any more.
  const [wasThere, setWasThere] = useState(false)
  if (!wasThere && waiting + attention > 0) setWasThere(true)
  const isDone = !busy && (asked || wasThere) && counted !== null && waiting + attention === 0
  useEffect(() => {
    if (isDone) onSent().catch((error: unknown) => setMessage(problemText(error, 'action')))
  }, [isDone, onSent])

  const said = asked && waiting === 0 && attention > 0 ? t.person : message
  const counts = [
    ...(waiting > 0 ? [text.unsent.waiting(waiting)] : []),
    ...(attention > 0 ? [text.unsent.attention(attention)] : []),
  ]
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onStay()}
      title={isUnread ? t.unreadTitle : t.title(waiting + attention)}
    >
      <p className="font-medium">{isUnread ? t.unread : counts.join(', ')}</p>
      <p className="text-muted">{lead}</p>
      <output className="text-muted empty:hidden">{syncing && t.syncing(waiting)}</output>
      {said && <Notice tone="warn">{said}</Notice>}
      <div className="grid gap-3 sm:grid-cols-2">
        <Button look="primary" busy={busy || syncing} onClick={() => void (isUnread ? readAgain() : sync())}>
          {isUnread ? text.tryAgain : t.sync}
        </Button>
        {!isUnread && <Button onClick={() => void run(exportUnsent)}>{text.unsent.export}</Button>}
        <Button look="danger" className="px-2" disabled={busy} onClick={() => void run(onDiscard)}>
          {discard}
        </Button>
        <Button onClick={onStay}>{text.cancel}</Button>
      </div>
    </Dialog>
  )
}
