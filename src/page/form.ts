// What every form has in common: the contract's words at the field, the server's words at the field, and nothing typed ever lost.
import { useState } from 'react'
import { asFieldErrors, type ContractLike } from './form-errors.ts'
import { ProblemError } from '#shared/problem.ts'
import type { FieldErrors } from './ui/field.tsx'
import { problemText } from './problem-text.ts'
import { text } from './text.ts'

export interface FormState {
  errors: FieldErrors
  /** What concerns the whole form; null while there is nothing to say. */
  message: string | null
  busy: boolean
  /** True when the server refused the change because of a newer version. */
  stale: boolean
  /** Runs the work unless `values` break the contract; afterwards the errors stand at their fields. Resolves to whether it succeeded. */
  submit<Values>(values: Values, contract: ContractLike | null, work: () => Promise<void>): Promise<boolean>
}

export function useFormState(): FormState {
  const [pointers, setPointers] = useState<ReadonlyMap<string, string>>(new Map())
  const [message, setMessage] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [stale, setStale] = useState(false)
  const show = (found: ReadonlyMap<string, string>) => {
    setPointers(found)
    // After React has drawn them: the first wrong field is brought to the person.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  return {
    message,
    busy,
    stale,
    errors: {
      at: (pointer) => pointers.get(pointer),
      clear: (pointer) => setPointers((before) => new Map([...before].filter(([each]) => each !== pointer))),
    },
    async submit(values, contract, work) {
      if (busy) return false
      setMessage(null)
      const found = contract ? asFieldErrors(contract, values) : []
      if (found.length > 0) {
        setMessage(text.errors.fields)
        show(new Map(found.map(({ pointer, detail }) => [pointer, detail])))
        return false
      }
      setBusy(true)
      try {
        await work()
        return true
      } catch (error) {
        const errors = error instanceof ProblemError ? (error.problem.errors ?? []) : []
        setMessage(problemText(error))
        setStale(error instanceof ProblemError && error.code === 'stale')
        show(new Map(errors.map(({ pointer, detail }) => [pointer, detail])))
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
