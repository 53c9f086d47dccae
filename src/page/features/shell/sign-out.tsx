import { Suspense, useState, type ReactNode } from 'react'
import { Late } from '#page/late.tsx'
import { lazily } from '#page/lazily.ts'
import { problemText } from '#page/words/problem-text.ts'
import { shownPerson } from '#page/person.ts'
import { signOut } from '#page/session.ts'
import { notify } from '#page/ui/notify.ts'
import { hasUnsent } from '#page/device/unsent.ts'
import { hasTyped } from '#page/forms/typed.ts'

const Leaving = lazily(() => import('./leaving.tsx').then((module) => module.Leaving))

/** One press signs out, unless something would be lost by it: then the person decides. `children` draws the button. */
export function SignOut({ children }: { children: (press: () => void) => ReactNode }) {
  const [lost, setLost] = useState<'unsent' | 'typed' | null>(null)
  async function press(): Promise<void> {
    try {
      const person = shownPerson()
      if (person !== null && (await hasUnsent(person))) setLost('unsent')
      else if (person !== null && hasTyped(person)) setLost('typed')
      else await signOut(person)
    } catch (error) {
      notify('error', problemText(error, 'action'))
    }
  }
  return (
    <>
      {children(() => void press())}
      {lost && (
        <Suspense fallback={<Late onClose={() => setLost(null)} />}>
          <Leaving lost={lost} onStay={() => setLost(null)} />
        </Suspense>
      )}
    </>
  )
}
