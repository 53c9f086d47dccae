import { ProblemError } from '#shared/problem.ts'
import { text } from './text.ts'

/** What happened, what is safe, what to do, in a person's words. An `action` is a press alone: nothing was typed that could be lost. */
export function problemText(error: unknown, kind: 'form' | 'action' = 'form'): string {
  if (!(error instanceof ProblemError)) return text.errors.generic
  if (error.code === 'undeliverable') return kind === 'form' ? text.errors.undeliverable : text.errors.unreachable
  if (error.code === 'device_full') return kind === 'form' ? text.errors.deviceFull : text.errors.deviceFullAction
  if (error.code === 'stale') return text.errors.stale
  if (error.code === 'validation_failed') return text.errors.fields
  return error.problem.detail ? `${error.problem.title}. ${error.problem.detail}` : `${error.problem.title}.`
}
