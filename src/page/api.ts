// The only place that speaks to the API: one function, by the name of the call.
import { apiOriginOf, apiPath, personHeader, sessionPath } from '#shared/endpoint.ts'
import { endpointPath, endpoints, type EndpointName } from '#shared/endpoints.ts'
import { uuidv7 } from '#shared/ids.ts'
import { holdHeader, outboxPath, type Marked } from '#shared/outbox.ts'
import { asProblem } from '#shared/problem-form.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Session } from '#shared/session.ts'
import { send } from '#page/start/boot.ts'
import { reportNow } from '#page/device/clock.ts'
import { reportAsOf, reportComplete, reportReachable } from '#page/device/connection.ts'
import { noteOfflineSave } from '#page/start/install.ts'
import { language } from '#page/words/language.ts'
import { shownPerson } from './person.ts'
import { said } from '#page/words/said.ts'
import { whenStored, type Writer } from '#page/device/stored.ts'
import { viewNow } from './ui/view.ts'

const origin = () => apiOriginOf(import.meta.env.VITE_API_BASE_URL, location.origin)

export interface CallOptions {
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  body?: unknown
  /** The version that the change is based on. */
  ifMatch?: number
  /** Names the write, so that it happens once however often it is sent; made here when left out. */
  key?: string | undefined
  signal?: AbortSignal | undefined
  /** The server's own word, not what this device knows. */
  isFresh?: boolean
  writer?: Writer | undefined
  /** The caller leads to the question where somebody else was faster (device/decision.ts): the write stays on the device until it is answered. */
  decides?: boolean
  /** Of a deletion: this device keeps it to itself for a moment, so that it can be taken back (device/deletion.ts). */
  isHeld?: boolean
  /** Whose call it is, where that was settled before: the screen may be somebody else's by now. */
  person?: string | null
}

/** Keys of writes of which it is not known whether they arrived, by what they are: asked for once more each is the same, and done once. */
const unheard = new Map<string, string>()

/**
 * Resolves to the answer's body; what is kept on the device and not yet at the server (202) carries `unsent`. Throws a ProblemError, or the abort of the
 * signal. No time-out: calls can be cancelled.
 */
export async function call<Answer>(name: EndpointName, options: CallOptions = {}): Promise<Answer> {
  const { params, query = {}, body, ifMatch, signal, writer } = options
  const { method } = endpoints[name]
  const url = new URL(endpointPath(name, params), origin())
  for (const [param, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(param, String(value))
  const sent: string | undefined = JSON.stringify(body)
  const what = method + url + ifMatch + sent
  const key = unheard.get(what) ?? options.key ?? uuidv7()
  const headers = new Headers()
  if (options.person) headers.set(personHeader, options.person)
  if (ifMatch !== undefined) headers.set('if-match', `"${ifMatch}"`)
  if (method !== 'GET') headers.set('idempotency-key', key)
  if (options.isHeld) headers.set(holdHeader, '1')
  const endWaiting = writer && whenStored(key, () => writer.stored())
  unheard.delete(what)
  return read<Answer>(requestOf(url, method, headers, sent, signal, options.isFresh), writer, options.decides)
    .catch((error: unknown) => {
      if (method !== 'GET' && (error as Partial<ProblemError>).code === 'undeliverable') unheard.set(what, key)
      throw error
    })
    .finally(endWaiting)
}

/** A call that never leaves the device (shared/outbox.ts); `path` goes on from the outbox's own. */
export function callOutbox<Answer>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path = '',
  body?: unknown,
): Promise<Answer> {
  const url = new URL(apiPath + outboxPath + path, origin())
  return read<Answer>(requestOf(url, method, new Headers(), JSON.stringify(body)))
}

function requestOf(
  url: URL,
  method: string,
  headers: Headers,
  body: string | undefined,
  signal?: AbortSignal,
  isFresh = false,
): Request {
  if (body !== undefined) headers.set('content-type', 'application/json')
  // For mails that the call causes: what was chosen here may not be what the browser says of itself.
  headers.set('accept-language', language())
  // Whose screen this is: another tab may have signed somebody else in, and their token must not do what this person asked.
  const person = shownPerson()
  if (person !== null && !headers.has(personHeader)) headers.set(personHeader, person)
  return new Request(url, {
    method,
    headers,
    body: body ?? null,
    signal: signal ?? null,
    cache: isFresh ? 'reload' : 'default',
  })
}

/** Who is signed in on this device, as the gateway knows without asking anybody. */
export function askSession(): Promise<Session> {
  return read<Session>(new Request(new URL(apiPath + sessionPath, origin())))
}

/** What the outbox keeps as a conflict: it was changed, deleted or issued elsewhere meanwhile. */
const overtaken: readonly string[] = ['stale', 'not_found', 'invalid_transition']

async function read<Answer>(request: Request, writer?: Writer, decides = false): Promise<Answer> {
  const view = viewNow()
  const sentMs = Date.now()
  const answer = await send(request).catch((error: unknown) => {
    if (request.signal.aborted) throw error
    reportReachable(false)
    throw new ProblemError('undeliverable')
  })
  // What the device answers itself says nothing of the server, but for "it could not be reached".
  const isTheirs = answer.headers.get('x-docket-source') !== 'device'
  const asOfMs = Date.parse(answer.headers.get('x-docket-as-of') ?? '')
  if (isTheirs) {
    reportReachable(true)
    reportNow(asOfMs, sentMs)
  } else if (answer.status === 503) reportReachable(false)
  else if (answer.status === 202) {
    // What is held for a moment waits for no network.
    if (!request.headers.has(holdHeader)) noteOfflineSave()
  } else reportAsOf(asOfMs)
  const isPartial = answer.headers.get('x-docket-complete') === 'false'
  if (isPartial || (isTheirs && request.method === 'GET')) reportComplete(request.url, !isPartial)
  if (answer.status === 204) return undefined as Answer
  // A document: the caller gets a Blob.
  if (answer.ok && !/json/.test(answer.headers.get('content-type') ?? 'json')) return (await answer.blob()) as Answer
  const body: unknown = await answer.json().catch(() => null)
  if (answer.status === 202) return { unsent: 'waiting', ...(body as Marked | null) } as Answer
  if (answer.ok && body !== null) return body as Answer
  const refused = answer.headers.get('x-docket-unsent')
  const problem = asProblem(body)
  // Who has gone on meanwhile would not see it: it stays on the device, and the Unsent screen says so.
  const isSeen = refused !== null && viewNow() === view
  const asked = isSeen && decides && problem && overtaken.includes(problem.code) ? refused : null
  if (asked !== null) writer?.stored()
  else if (isSeen) {
    // First where the page keeps it: whoever closes it now, or has its worker killed, finds it there or on the Unsent screen.
    writer?.returned()
    if (!(await takeBack(refused))) writer?.stored()
  }
  if (!problem) throw new ProblemError('undeliverable')
  const { detail, instance, errors, sid } = problem
  const retryAfter = answer.headers.get('retry-after')
  throw new ProblemError(
    problem.code,
    {
      ...(detail !== undefined && { detail: said(detail) }),
      ...(instance !== undefined && { instance }),
      ...(errors && { errors: errors.map((each) => ({ ...each, detail: said(each.detail) })) }),
      ...(sid !== undefined && { sid }),
    },
    {
      ...(retryAfter !== null && { 'retry-after': retryAfter }),
      ...(asked !== null && { 'x-docket-unsent': asked }),
    },
  )
}

/**
 * A refused write that this very page still shows need not wait on the device: who closed the page meanwhile finds it there. False: something was saved
 * upon it elsewhere, and it stays with that; sent again, it takes its own place.
 */
function takeBack(key: string): Promise<boolean> {
  return callOutbox('DELETE', `/${key}?alone`).then(
    () => true,
    // Asked once more by a new worker after the old one had taken it out.
    (error: unknown) => error instanceof ProblemError && error.code === 'not_found',
  )
}
