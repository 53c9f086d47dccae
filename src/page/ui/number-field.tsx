// Numbers are text while they are typed: a decimal keyboard, a comma or a point, and nothing rewritten under the person's fingers.
import type { ComponentProps } from 'react'
import { TextField } from './field.tsx'

type Props = Omit<ComponentProps<typeof TextField>, 'onChange' | 'value'> & {
  value: string
  onValue: (typed: string) => void
}

export function NumberField({ value, onValue, ...rest }: Props) {
  return (
    <TextField
      inputMode="decimal"
      figures
      autoComplete="off"
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      {...rest}
    />
  )
}
