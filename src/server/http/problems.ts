// The one funnel from a thrown error to an answer (HOUSE.md "Errors").
import type { core } from 'zod'
import { problemMediaType, type FieldError, type Problem } from '#shared/problem-form.ts'
import { problem, ProblemError } from '#shared/problem.ts'
import type { Log } from '#server/log.ts'

/** A ProblemError says what it is; anything else is a bug: 500, logged with the request's id, without SQL or tokens. */
export function problemResponse(error: unknown, requestId: string, log: Log): Response {
  if (error instanceof ProblemError) return answer({ ...error.problem, instance: requestId }, error.headers)
  log.error({ requestId, error: describe(error) }, 'unexpected error')
  return answer(problem('internal', { instance: requestId }))
}

function answer(body: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: { ...headers, 'content-type': problemMediaType },
  })
}

/** Name, SQLSTATE and stack, but not the message of a database error: it may hold a person's data. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const state = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '))
  return { name: error.name, state, ...(state === undefined && { message: error.message }), frames: frames.slice(0, 8) }
}

/** zod's issues as JSON pointers (RFC 6901) below `root`. */
export function fieldErrors(issues: readonly core.$ZodIssue[], root = ''): FieldError[] {
  return issues.map(({ path, message }) => ({
    pointer: root + path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    detail: message,
  }))
}

/** One field that the contract alone could not judge. */
export function fieldProblem(pointer: string, detail: string): ProblemError {
  return new ProblemError('validation_failed', { errors: [{ pointer, detail }] })
}
