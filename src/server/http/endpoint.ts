// Binds a row of shared/endpoints to schemas and a handler: parse -> caller -> transaction -> permission -> handler -> encode.
import type * as z from 'zod'
import type { Endpoint } from '#shared/endpoint.ts'
import { endpoints, type EndpointName } from '#shared/endpoints.ts'
import { todayIn } from '#shared/dates.ts'
import { isUuid } from '#shared/ids.ts'
import { may } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Answer, Call, Caller, Services, TenantCall } from '#server/context.ts'
import { recordWrite } from '#server/rows/activity-log.ts'
import { findMembership } from '#server/rows/organization-row.ts'
import { readNamed } from '#server/rows/named-row.ts'
import { idempotentRequest, keptForCaller, once } from './idempotency.ts'
import { fieldErrors } from './problems.ts'

/** Of a call whose contract says no more. */
const usualBodyBytes = 1024 * 1024

type Schema = z.ZodType

interface Schemas<Body extends Schema, Query extends Schema> {
  body?: Body
  /** What the largest body that its contract allows takes. */
  bodyBytes?: number
  query?: Query
  /** Its handler needs all of the organization, and before it locks anything: so it is read in one statement with the caller's membership. */
  wholeOrganization?: true
  /** Status -> schema of the answer, for the OpenAPI document; null for an empty one. */
  answers: Partial<Record<Answer['status'], Schema | null>>
  /** Media type of a file that is answered with 200 in place of JSON. */
  file?: string
  summary: string
}

/** A call bound to its handler, ready for the router and the OpenAPI document. */
export interface Route {
  name: EndpointName
  endpoint: Endpoint
  schemas: Schemas<Schema, Schema>
  run(arrival: Arrival): Promise<Answer>
}

/** What the router knows of a request before anything is parsed. */
interface Arrival {
  services: Services
  request: Request
  params: Readonly<Record<string, string>>
  caller: Caller | null
  /** Throws when the caller's session has ended since the headers came: a body may take its time. */
  confirmCaller(): Promise<void>
  address: string
  now: string
}

/** A call outside any organization; opens its own transactions. */
export function endpoint<Body extends Schema, Query extends Schema>(
  name: EndpointName,
  schemas: Schemas<Body, Query>,
  handle: (call: Call<z.infer<Body>, z.infer<Query>>) => Promise<Answer>,
): Route {
  return {
    name,
    endpoint: endpoints[name],
    schemas,
    async run(arrival) {
      const { call, refused } = await parse(arrival, schemas)
      if (!refused) return handle(call)
      const answer = await answeredBefore(call)
      if (!answer) throw refused
      return answer
    },
  }
}

/** A call inside the organization that the path names: one transaction, idempotent by its key, refused by membership and role. */
export function tenantEndpoint<Body extends Schema, Query extends Schema>(
  name: EndpointName,
  schemas: Schemas<Body, Query>,
  handle: (call: TenantCall<z.infer<Body>, z.infer<Query>>) => Promise<Answer>,
): Route {
  const endpoint: Endpoint = endpoints[name]
  return {
    name,
    endpoint,
    schemas,
    async run(arrival) {
      for (const value of Object.values(arrival.params)) if (!isUuid(value)) throw new ProblemError('not_found')
      const { call, refused } = await parse(arrival, schemas)
      const caller = call.caller!
      const organizationId = call.params['organizationId']!.toLowerCase()
      const idempotent = idempotentRequest(call)
      let later: (() => void)[] = []
      const scope = { userId: caller.userId, organizationIds: [organizationId] }
      const answer = await call.services.db.asApp(scope, async (tx) => {
        // A transaction that collided is tried again.
        later = []
        const afterCommit = (next: () => void) => void later.push(next)
        // Before a kept answer is looked up: what a member was once told is not for who has left.
        const membership = await findMembership(tx, caller.userId, organizationId, schemas.wholeOrganization ?? false)
        if (!membership) throw new ProblemError('not_found')
        const work = async () => {
          // Not before its kept answer was looked for: by an older contract it was done.
          if (refused) throw refused
          const { role, membersMayIssue, timeZone, deletedAt, organization } = membership
          if (deletedAt !== null) throw new ProblemError('not_found')
          const standing = { role, membersMayIssue }
          if (endpoint.permission && !may(standing, endpoint.permission)) throw new ProblemError('forbidden')
          const ifMatch = endpoint.ifMatch ? namedVersion(call.request) : null
          const today = todayIn(timeZone, Date.parse(call.now))
          const inside = { ...call, caller, tx, organizationId, organization, standing, today, ifMatch, afterCommit }
          if (endpoint.method === 'GET') return handle({ ...inside, named: null })
          const place = { tx, organizationId, userId: caller.userId, today, now: call.now }
          const named = await readNamed(place, endpoint, call.params, call.body)
          const answer = await handle({ ...inside, named })
          await recordWrite(place, name, endpoint, named, answer)
          return answer
        }
        return idempotent ? once(tx, caller, organizationId, idempotent, call.now, work) : work()
      })
      for (const each of later) each()
      return answer
    },
  }
}

/** Runs a write that names no organization in its path, such as making one, once per Idempotency-Key. */
export function onceForCaller(
  call: Call<unknown, unknown>,
  organizationId: string,
  work: (tx: TenantCall<unknown, unknown>['tx']) => Promise<Answer>,
): Promise<Answer> {
  const caller = call.caller!
  const idempotent = idempotentRequest(call)
  return call.services.db.asApp({ userId: caller.userId, organizationIds: [organizationId] }, (tx) =>
    idempotent ? once(tx, caller, null, idempotent, call.now, () => work(tx)) : work(tx),
  )
}

/** By an older contract the same was done: what `onceForCaller` kept of it. */
async function answeredBefore({ caller, services, ...call }: Call<unknown, unknown>): Promise<Answer | null> {
  const idempotent = caller && idempotentRequest(call)
  return idempotent ? services.db.asApp({ userId: caller.userId }, (tx) => keptForCaller(tx, caller, idempotent)) : null
}

/** `refused`: body or query is not as the contract wants it, and is not to be looked at. Throws for what can be no call at all. */
async function parse<Body extends Schema, Query extends Schema>(
  arrival: Arrival,
  schemas: Schemas<Body, Query>,
): Promise<{ call: Call<z.infer<Body>, z.infer<Query>>; refused: ProblemError | null }> {
  const { request } = arrival
  const bodyText = request.method === 'GET' ? '' : await readBody(request, schemas.bodyBytes ?? usualBodyBytes)
  // However empty it was, it may have been held open for minutes: what has ended meanwhile has ended, and time has passed.
  if (request.method !== 'GET') await arrival.confirmCaller()
  const now = request.method === 'GET' ? arrival.now : new Date(arrival.services.clock()).toISOString()
  // A body that nobody asked for must at least be one.
  const sent = schemas.body || bodyText !== '' ? parseJson(request, bodyText) : undefined
  const asked = Object.fromEntries(new URL(request.url).searchParams)
  const body = schemas.body?.safeParse(sent)
  const query = schemas.query?.safeParse(asked)
  const errors = [...fieldErrors(body?.error?.issues ?? [], ''), ...fieldErrors(query?.error?.issues ?? [], '/query')]
  return {
    call: { ...arrival, now, body: body?.data as z.infer<Body>, bodyText, query: query?.data as z.infer<Query> },
    refused: errors.length > 0 ? new ProblemError('validation_failed', { errors }) : null,
  }
}

/** Reads at most the limit, whatever Content-Length claims. */
async function readBody(request: Request, mostBytes: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw new ProblemError('body_too_large')
  if (!request.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > mostBytes) throw new ProblemError('body_too_large')
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new ProblemError('invalid_json', { detail: 'The body is not UTF-8 text.' })
  }
}

function parseJson(request: Request, text: string): unknown {
  // An empty body is a body with nothing in it: the contract says what is missing.
  if (text === '') return {}
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/(\w+\+)?json\s*(;|$)/i.test(type)) throw new ProblemError('unsupported_media_type')
  try {
    return JSON.parse(text)
  } catch {
    throw new ProblemError('invalid_json')
  }
}

/** The version in If-Match; quotes and a weak mark are taken off, because proxies add them. */
function namedVersion(request: Request): number {
  const header = request.headers.get('if-match')
  if (header === null) throw new ProblemError('if_match_required')
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim())?.[1]
  if (version === undefined) throw new ProblemError('stale')
  return Number(version)
}
