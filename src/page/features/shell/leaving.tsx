import { useCallback, useState } from 'react'
import { shownPerson } from '#page/person.ts'
import { signOut } from '#page/session.ts'
import { text } from '#page/words/app-text.ts'
import { UnsentQuestion } from '#page/device/unsent-question.tsx'

const t = text.leaving

/** Signing out with unsent work. It takes everything of theirs off the device: discarding is no more than that. */
export function Leaving({ onStay }: { onStay: () => void }) {
  const [leaver] = useState(shownPerson)
  const leave = useCallback(() => signOut(leaver), [leaver])
  return <UnsentQuestion lead={t.lead} discard={t.discard} onDiscard={leave} onSent={leave} onStay={onStay} />
}
