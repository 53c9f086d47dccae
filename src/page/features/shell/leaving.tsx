import { useCallback, useRef, useState } from 'react'
import { shownPerson } from '#page/person.ts'
import { signOut } from '#page/session.ts'
import { text } from '#page/words/app-text.ts'
import { problemText } from '#page/words/problem-text.ts'
import { hasTyped } from '#page/forms/typed.ts'
import { hasUnsent } from '#page/device/unsent.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog, DialogButtons } from '#page/ui/dialog.tsx'
import { notify } from '#page/ui/notify.ts'
import { UnsentQuestion } from '#page/device/unsent-question.tsx'

const t = text.leaving

/** Signing out with work that is nowhere else. It takes everything of theirs off the device: discarding is no more than that. */
export function Leaving({ lost: first, onStay }: { lost: 'unsent' | 'typed'; onStay: () => void }) {
  const [leaver] = useState(shownPerson)
  const [lost, setLost] = useState(first)
  const leave = useCallback(() => signOut(leaver), [leaver])
  /** They do without what waits. */
  const isDecided = useRef(false)
  // Another tab may have saved something since this was asked.
  const leaveTyped = useCallback(async () => {
    if (leaver !== null && !isDecided.current && (await hasUnsent(leaver))) setLost('unsent')
    else await leave()
  }, [leaver, leave])
  // What waited is sent, or is done without; what is half typed has yet to be asked about.
  const leaveUnsent = useCallback(async () => {
    if (leaver !== null && hasTyped(leaver)) setLost('typed')
    else await leave()
  }, [leaver, leave])
  const leaveDecided = () => {
    isDecided.current = true
    return leaveUnsent()
  }
  if (lost === 'typed')
    return (
      <Dialog open onOpenChange={(open) => !open && onStay()} title={t.typedTitle} description={t.typedLead}>
        <DialogButtons>
          <Button onClick={onStay}>{text.cancel}</Button>
          <Button
            look="danger"
            onClick={() => void leaveTyped().catch((error: unknown) => notify('error', problemText(error, 'action')))}
          >
            {t.discard}
          </Button>
        </DialogButtons>
      </Dialog>
    )
  return (
    <UnsentQuestion lead={t.lead} discard={t.discard} onDiscard={leaveDecided} onSent={leaveUnsent} onStay={onStay} />
  )
}
