import { useState, type ComponentProps } from 'react'
import { TextField } from './field.tsx'

type Props = Omit<ComponentProps<typeof TextField>, 'type' | 'end' | 'onChange' | 'value'> & {
  value: string
  onValue: (typed: string) => void
  /** What the toggle says and is called; its name must not hold the word of the field's own label. */
  toggle: { show: string; hide: string; name: string }
}

/** A password that can be looked at while it is typed. */
export function PasswordField({ toggle, value, onValue, ...field }: Props) {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...field}
      type={shown ? 'text' : 'password'}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button
          type="button"
          aria-label={`${shown ? toggle.hide : toggle.show} ${toggle.name}`}
          className="absolute inset-y-0 right-0 min-w-16 rounded-lg px-3 text-sm font-medium text-accent"
          onClick={() => setShown(!shown)}
        >
          {shown ? toggle.hide : toggle.show}
        </button>
      }
    />
  )
}
