// Numbers are text while they are typed: a decimal keyboard, a comma or a point, and nothing rewritten under the person's fingers.
import type { ComponentProps } from 'react'
import { TextField } from './field.tsx'

/** What was typed in the wire form: `1.234,50` and `1234.5` alike; what is no number stays as it is, for the contract to name. */
export function typedDecimal(text: string): string {
  const bare = text.trim().replace(/[\s\u00a0\u202f']/g, '')
  const decimalMark = Math.max(bare.lastIndexOf(','), bare.lastIndexOf('.'))
  const marks = bare.match(/[.,]/g) ?? []
  if (marks.length === 0) return bare
  // One mark again and again can only part thousands.
  if (marks.length > 1 && new Set(marks).size === 1) return bare.replace(/[.,]/g, '')
  const whole = bare.slice(0, decimalMark).replace(/[.,]/g, '')
  return `${whole || '0'}.${bare.slice(decimalMark + 1)}`
}

type Props = Omit<ComponentProps<typeof TextField>, 'onChange' | 'value'> & {
  value: string
  onValue: (typed: string) => void
}

export function NumberField({ value, onValue, ...rest }: Props) {
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      onBlur={() => onValue(typedDecimal(value))}
      {...rest}
    />
  )
}
