import { useCallback, useState } from 'react'
import { ProblemError } from '#shared/problem.ts'
import { discardEntry } from '#page/outbox-calls.ts'
import { shownPerson } from '#page/person.ts'
import { signOut } from '#page/session.ts'
import { text } from '#page/text.ts'
import { UnsentQuestion } from '#page/unsent-question.tsx'
import { askUnsent } from '#page/unsent.ts'

const t = text.leaving

/** Signing out with unsent work. */
export function Leaving({ onStay }: { onStay: () => void }) {
  const [leaver] = useState(shownPerson)
  const leave = useCallback(() => signOut(leaver), [leaver])
  async function discard(): Promise<void> {
    const { entries } = await askUnsent(shownPerson()!)
    for (const { key } of entries) {
      await discardEntry(key).catch((error: unknown) => {
        // It went with the one that it built on.
        if (!(error instanceof ProblemError) || error.code !== 'not_found') throw error
      })
    }
    await leave()
  }
  return <UnsentQuestion lead={t.lead} discard={t.discard} onDiscard={discard} onSent={leave} onStay={onStay} />
}
