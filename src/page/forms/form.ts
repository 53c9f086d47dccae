// What every form has in common: the contract's words at the field, the server's words at the field, and nothing typed ever lost.
import { use, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { asFieldErrors, type ContractLike } from './form-errors.ts'
import type { FieldError } from '#shared/problem-form.ts'
import { ProblemError } from '#shared/problem.ts'
import { FieldErrorsContext, type FieldErrors } from '#page/ui/field.tsx'
import type { Kept } from './kept.ts'
import { inFront, useNamedField } from './named-field.ts'
import { problemText, type Kind } from '#page/words/problem-text.ts'
import { holdReload } from '#page/start/reload.ts'
import { text } from '#page/words/text.ts'
import { useWait, type Wait } from './wait.ts'

export interface FormState {
  errors: FieldErrors
  /** What concerns the whole form; null while there is nothing to say. */
  message: string | null
  busy: boolean
  /** True when the server refused the change because of a newer version. */
  stale: boolean
  /** Set when the server heard too many tries: nothing is sent before it is over. */
  wait: Wait
  /** Runs the work unless `values` break the contract; afterwards the errors stand at their fields. Resolves to whether it succeeded. */
  submit<Values>(
    values: Values,
    contract: ContractLike | (() => Promise<ContractLike>) | null,
    work: () => Promise<void>,
  ): Promise<boolean>
}

/** `kept`: of a form whose text is kept on the device, and so outlives the page. */
export function useFormState(kept?: Pick<Kept<unknown>, 'flush' | 'submitted'> | null, kind?: Kind): FormState {
  const { before } = use(FieldErrorsContext)
  const [pointers, setPointers] = useState<ReadonlyMap<string, string>>(before ?? new Map())
  const [message, setMessage] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [stale, setStale] = useState(false)
  const wait = useWait()
  useNamedField()
  const held = useRef(new Map<string, string>())
  /** `sentAt`: the address at which it was last sent; null from the next change on. */
  const open = useRef({ isTyped: false, isSending: false, sentAt: null as string | null })
  useEffect(
    () =>
      holdReload(() => {
        const { isTyped, isSending } = open.current
        return isSending || (kept ? !kept.flush() : isTyped)
      }),
    [kept],
  )
  const show = (found: ReadonlyMap<string, string>) => {
    // Drawn at once: the first wrong field is brought to the person; what has no field here is said for itself.
    flushSync(() => setPointers(found))
    const wrong = document.querySelector<HTMLElement>(`[aria-invalid="true"]${inFront}`)
    wrong?.focus()
    if (!wrong && found.size > 0) setMessage([...found.values()].join(' '))
  }
  return {
    message,
    busy,
    stale,
    wait,
    errors: {
      at: (pointer) => pointers.get(pointer),
      touch(pointer) {
        Object.assign(open.current, { isTyped: true, sentAt: null })
        if (pointers.has(pointer)) setPointers((before) => new Map([...before].filter(([each]) => each !== pointer)))
      },
      hold(pointer, message) {
        if (message === null) held.current.delete(pointer)
        else held.current.set(pointer, message)
        setPointers((before) => {
          const others = [...before].filter(([each]) => each !== pointer)
          return new Map(message === null ? others : [...others, [pointer, message]])
        })
      },
    },
    async submit(values, contract, work) {
      const { isSending, sentAt } = open.current
      // Of two presses the second comes while the first is under way, or after it, before the screen that it leads to is there.
      if (isSending || wait.isWaiting || (sentAt !== null && sentAt !== location.pathname)) return false
      kept?.submitted()
      setMessage(null)
      wait.clear()
      let broken: FieldError[]
      if (typeof contract === 'function') {
        setBusy(true)
        open.current.isSending = true
        try {
          broken = asFieldErrors(await contract(), values)
        } catch (error) {
          setMessage(problemText(error))
          return false
        } finally {
          open.current.isSending = false
          setBusy(false)
        }
      } else broken = contract ? asFieldErrors(contract, values) : []
      const found = new Map([...broken.map(({ pointer, detail }) => [pointer, detail] as const), ...held.current])
      if (found.size > 0) {
        setMessage(text.errors.fields)
        show(found)
        return false
      }
      setBusy(true)
      const at = location.pathname
      Object.assign(open.current, { isTyped: false, isSending: true })
      try {
        await work()
        open.current.sentAt = at
        return true
      } catch (error) {
        open.current.isTyped = true
        const errors = error instanceof ProblemError ? (error.problem.errors ?? []) : []
        setMessage(wait.beginsWith(error) ? null : problemText(error, kind))
        setStale(error instanceof ProblemError && error.code === 'stale')
        show(new Map(errors.map(({ pointer, detail }) => [pointer, detail])))
        return false
      } finally {
        open.current.isSending = false
        setBusy(false)
      }
    },
  }
}
