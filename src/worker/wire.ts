// One try of one call on the network: what goes out is ours alone, what comes back is ours or it is nothing (SESSION.md "Only our calls").
import { personHeader } from '#shared/endpoint.ts'
import { holdHeader } from '#shared/outbox.ts'
import {
  asProblem,
  deviceCatalogue,
  problemIn,
  problemMediaType,
  type DeviceProblemCode,
  type Problem,
  type ProblemExtras,
} from '#shared/problem-form.ts'

/** A call with its body read, so that it can be tried again. */
export interface Call {
  method: string
  url: string
  headers: Headers
  body: ArrayBuffer | null
  signal: AbortSignal | null
  /** Whose screen made it; null when nobody was signed in there, or for a call of the gateway's own. */
  person?: string | null
  /** The page wants the server's own word (`cache: 'reload'`), not what the device knows. */
  fresh?: boolean
  /** The page may take it back (`holdHeader`). */
  isHeld?: boolean
}

/** A read of the gateway's own. */
export function getCall(url: string, limitMs: number): Call {
  return { method: 'GET', url, headers: new Headers(), body: null, signal: AbortSignal.timeout(limitMs) }
}

/** The API did not answer: no network, a time-out, a captive portal, a redirect, a proxy's error page. */
export class Undeliverable extends Error {}

/** What was heard, or this where the API did not answer. */
export function ifUndeliverable<Heard, Otherwise>(
  work: Promise<Heard>,
  otherwise: Otherwise,
): Promise<Heard | Otherwise> {
  return work.catch((error: unknown) => {
    if (error instanceof Undeliverable) return otherwise
    throw error
  })
}

export interface Wire {
  /** Sends with these headers set besides. Throws Undeliverable, or the abort of the call's own signal. */
  send(call: Call, headers?: Record<string, string>): Promise<Response>
  /** The server's time as far as known, in milliseconds: a phone whose clock is days off works all the same. */
  now(): number
  /** The nonce of the latest answer, for the next proof. */
  nonce(): string | null
}

export function createWire(fetch: typeof globalThis.fetch, clock: () => number): Wire {
  let skewMs = 0
  let nonce: string | null = null
  return {
    now: () => clock() + skewMs,
    nonce: () => nonce,
    async send(call, more = {}) {
      const headers = new Headers(call.headers)
      for (const [name, value] of Object.entries(more)) headers.set(name, value)
      const answer = await fetch(call.url, {
        method: call.method,
        headers,
        body: call.body,
        signal: call.signal,
        // A redirect would carry the Bearer elsewhere; ours never redirects. It also tells a worker that this is a gateway's own call.
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
      }).catch((error: unknown) => {
        if (call.signal?.aborted) throw error
        throw new Undeliverable()
      })
      if (answer.headers.get('x-docket') !== '1') throw new Undeliverable()
      nonce = answer.headers.get('dpop-nonce') ?? nonce
      const date = Date.parse(answer.headers.get('date') ?? '')
      if (!Number.isNaN(date) && !answer.headers.has('age')) skewMs = date - clock()
      return answer
    },
  }
}

/** Reads the whole request once. */
export async function readCall(request: Request): Promise<Call> {
  const body = request.method === 'GET' || request.method === 'HEAD' ? null : await request.arrayBuffer()
  const headers = new Headers(request.headers)
  // The page has no business with these: whatever it sets is dropped.
  headers.delete('authorization')
  headers.delete('dpop')
  const person = headers.get(personHeader)
  headers.delete(personHeader)
  const isHeld = headers.has(holdHeader)
  headers.delete(holdHeader)
  return {
    method: request.method,
    url: request.url,
    headers,
    body: body?.byteLength ? body : null,
    signal: request.signal,
    person,
    isHeld,
    fresh: request.cache === 'reload',
  }
}

/** The problem in an answer of ours; null when it is none. Leaves the answer readable. */
export async function problemOf(answer: Response): Promise<Problem | null> {
  const [type = ''] = answer.headers.get('content-type')?.split(';') ?? []
  if (type.trim().toLowerCase() !== problemMediaType) return null
  return asProblem(
    await answer
      .clone()
      .json()
      .catch(() => null),
  )
}

/** An answer made on the device. */
export function deviceProblem(code: DeviceProblemCode, extras?: ProblemExtras): Response {
  const problem = problemIn(deviceCatalogue, code, extras)
  return deviceAnswer(problem, problem.status, problemMediaType)
}

export function deviceAnswer(body: unknown, status = 200, contentType = 'application/json'): Response {
  const headers = {
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-docket': '1',
    'x-docket-source': 'device',
  }
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers })
}
