import { use, type ReactNode } from 'react'
import { FieldErrorsContext } from '#page/ui/field.tsx'

/** The one field in it says its problem, once it was left; what the form as a whole was told of it comes first. */
export function NamedWhenLeft({ problem, children }: { problem: string | null; children: ReactNode }) {
  const errors = use(FieldErrorsContext)
  const at = (pointer: string) => errors.at(pointer) ?? problem ?? undefined
  return <FieldErrorsContext value={{ ...errors, at }}>{children}</FieldErrorsContext>
}
