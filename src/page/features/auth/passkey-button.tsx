import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ProblemError } from '#shared/problem.ts'
import { Countdown } from '#page/forms/countdown.tsx'
import { useFormState } from '#page/forms/form.ts'
import { askForPasskey, knowsPasskeys } from '#page/passkeys.ts'
import { text } from '#page/words/text.ts'
import { Button } from '#page/ui/button.tsx'
import { Notice } from '#page/ui/screen.tsx'
import { passkeyLogin, startPasskeyLogin } from './queries.ts'

/**
 * A form of its own that asks for its own address: pressed before the script has run, the screen is loaded anew and `begins` at once. A press is
 * never lost, and nothing had to be typed.
 */
export function PasskeyButton({ begins, onSignedIn }: { begins: boolean; onSignedIn: () => void }) {
  const form = useFormState(null, 'signIn')
  const [refused, setRefused] = useState<string | null>(null)

  async function signIn(): Promise<void> {
    setRefused(null)
    await form.submit(null, null, async () => {
      const answered = await askForPasskey(await startPasskeyLogin())
      if (!answered.ok) return setRefused(answered.refusal)
      try {
        await passkeyLogin(answered.response)
      } catch (error) {
        if (!(error instanceof ProblemError) || error.code !== 'invalid_credentials') throw error
        return setRefused(text.passkeys.unknown)
      }
      onSignedIn()
    })
  }

  useEffect(() => {
    if (begins) void signIn()
    // oxlint-disable-next-line react/exhaustive-deps -- Once, for the press that loaded this screen.
  }, [begins])

  if (!knowsPasskeys()) return null
  const message = refused ?? form.message
  return (
    <form
      action="/login"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void signIn()
      }}
    >
      <p
        aria-hidden
        className="flex items-center gap-3 text-sm text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line"
      >
        {text.passkeys.or}
      </p>
      {message && <Notice tone="danger">{message}</Notice>}
      <Countdown wait={form.wait} />
      <Button
        type="submit"
        name="with"
        value="passkey"
        icon={<KeyRound className="size-5" aria-hidden />}
        busy={form.busy}
        disabled={form.wait.isWaiting}
      >
        {text.passkeys.signIn}
      </Button>
    </form>
  )
}
