// A labelled control with its hint and its error; the error comes by the field's name from the form around it.
import { createContext, use, useId, type ComponentProps, type ReactNode } from 'react'

/** What is wrong with which field of a form, by JSON pointer (`/lines/0/quantity`). */
export interface FieldErrors {
  at(pointer: string): string | undefined
  /** The person types into it: what was wrong there is being mended. */
  touch(pointer: string): void
  /** Something was begun here and not finished: it is said at the field, and the form is not sent before it is mended; null when it is. */
  hold(pointer: string, message: string | null): void
  /** What was refused before the form was opened, by pointer. */
  before?: ReadonlyMap<string, string>
}

export const noFieldErrors: FieldErrors = { at: () => undefined, touch: () => {}, hold: () => {} }
export const FieldErrorsContext = createContext<FieldErrors>(noFieldErrors)

interface Shared {
  label: string
  /** Path of the value in the form, such as `lines.0.quantity`. */
  name: string
  hint?: ReactNode
  /** Said only to screen readers: a table's head shows it already. */
  hiddenLabel?: boolean
  className?: string
}

function useField(name: string, hint: ReactNode) {
  const id = useId()
  const errors = use(FieldErrorsContext)
  const pointer = `/${name.replaceAll('.', '/')}`
  const error = errors.at(pointer)
  const describedBy = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  const control = {
    id,
    name,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy || undefined,
    onInput: () => errors.touch(pointer),
  }
  return { id, error, control }
}

function Frame({
  id,
  label,
  hint,
  error,
  hiddenLabel,
  className = '',
  children,
}: Omit<Shared, 'name'> & { id: string; error: string | undefined; children: ReactNode }) {
  return (
    <div className={`grid min-w-0 content-start gap-1 ${className}`}>
      <label htmlFor={id} className={hiddenLabel ? 'sr-only' : 'text-sm font-medium text-muted'}>
        {label}
      </label>
      {children}
      {error && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

type InputProps = Shared & {
  /** Digits of one width, to the right. */
  figures?: boolean
  /** Stands inside the control, at its end. */
  end?: ReactNode
} & Omit<ComponentProps<'input'>, 'name' | 'id'>

export function TextField({ label, name, hint, hiddenLabel, className, figures, end, ...input }: InputProps) {
  const { id, error, control } = useField(name, hint)
  const look = `control ${figures ? 'amount' : ''} ${end ? 'pr-18' : ''}`
  return (
    <Frame {...{ id, label, hint, error, className: className ?? '', hiddenLabel: hiddenLabel ?? false }}>
      {end ? (
        <div className="relative">
          <input className={look} {...control} {...input} />
          {end}
        </div>
      ) : (
        <input className={look} {...control} {...input} />
      )}
    </Frame>
  )
}

export function TextAreaField({
  label,
  name,
  hint,
  hiddenLabel,
  className,
  ...input
}: Shared & Omit<ComponentProps<'textarea'>, 'name' | 'id'>) {
  const { id, error, control } = useField(name, hint)
  return (
    <Frame {...{ id, label, hint, error, className: className ?? '', hiddenLabel: hiddenLabel ?? false }}>
      <textarea className="control" rows={3} {...control} {...input} />
    </Frame>
  )
}

export interface Choice {
  value: string
  label: string
}

export function SelectField({
  label,
  name,
  hint,
  hiddenLabel,
  className,
  choices,
  ...input
}: Shared & { choices: readonly Choice[] } & Omit<ComponentProps<'select'>, 'name' | 'id'>) {
  const { id, error, control } = useField(name, hint)
  return (
    <Frame {...{ id, label, hint, error, className: className ?? '', hiddenLabel: hiddenLabel ?? false }}>
      <select className="control" {...control} {...input}>
        {choices.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  )
}
