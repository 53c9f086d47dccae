import type { Problem } from '#shared/problem-form.ts'
import { ProblemError } from '#shared/problem.ts'
import { isUndelivered } from '#page/undelivered.ts'
import { said } from './said.ts'
import { text } from './text.ts'

export type Kind = 'form' | 'action' | 'signIn'

/**
 * What happened, what is safe, what to do, in a person's words. An `action` is a press alone: nothing was typed that could be lost. What a `signIn` needs room
 * for is the session.
 */
export function problemText(error: unknown, kind: Kind = 'form'): string {
  if (isUndelivered(error)) return undelivered(kind)
  return error instanceof ProblemError ? problemWords(error.problem, kind) : text.errors.generic
}

function undelivered(kind: Kind): string {
  return kind === 'action' ? text.errors.unreachable : text.errors.undeliverable
}

export function problemWords({ code, title, detail }: Problem, kind: Kind = 'form'): string {
  if (code === 'undeliverable') return undelivered(kind)
  if (code === 'device_full') return text.errors.deviceFull[kind]
  if (code === 'stale') return kind === 'action' ? text.errors.stale : `${text.errors.stale} ${text.errors.kept}`
  if (code === 'validation_failed') return text.errors.fields
  return detail ? `${said(title)}. ${said(detail)}` : `${said(title)}.`
}
