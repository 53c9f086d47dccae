import { text } from '#page/words/text.ts'
import { PasswordField } from '#page/ui/password-field.tsx'

const toggle = { show: text.account.show, hide: text.account.hide, name: text.account.typed }

/** Shows that it is the person who is there, not only their unlocked device. */
export function OwnPassword(props: { label: string; name: string; value: string; onValue: (typed: string) => void }) {
  return <PasswordField {...props} autoComplete="current-password" toggle={toggle} required />
}

export function NewPassword(props: { value: string; onValue: (typed: string) => void }) {
  return (
    <PasswordField
      {...props}
      label={text.password.new}
      name="password"
      autoComplete="new-password"
      hint={text.account.passwordHint}
      toggle={toggle}
      required
    />
  )
}
