// What a request handler is given: the services of this process, and what the pipeline has learnt of the call.
import type { Role } from '#shared/permissions.ts'
import type { UserStatus } from '#shared/jwt.ts'
import type { Database, Tx } from './db/database.ts'
import type { Limits } from './limits.ts'
import type { Log } from './log.ts'

/** One process's services and settings; made once by server.ts, or by a test. */
export interface Services {
  db: Database
  /** Now, in milliseconds since 1970. */
  clock: () => number
  limits: Limits
  log: Log
  /** Called after a commit that left a mail in the queue. */
  mailQueued: () => void
  /** Origin of the page, for links in mails. */
  publicUrl: string
  /** Origin of the API, which proofs name. */
  apiPublicUrl: string
}

/** The signed-in caller, as the server's own rows say. */
export interface Caller {
  userId: string
  sessionId: string
  status: UserStatus
  /** Of the access token that called, or a later one that was seen: it has arrived at the client. */
  generation: number
}

/** What every handler gets. `Body` and `Query` are what the contract made of the request. */
export interface Call<Body, Query> {
  services: Services
  request: Request
  params: Readonly<Record<string, string>>
  body: Body
  query: Query
  caller: Caller | null
  /** The client's address, for limits. */
  address: string
  /** ISO 8601 text of the request's time. */
  now: string
}

/** A call inside an organization: membership and permission are checked, the transaction is open. */
export interface TenantCall<Body, Query> extends Call<Body, Query> {
  caller: Caller
  tx: Tx
  organizationId: string
  role: Role
  /** Today in the organization's time zone, `YYYY-MM-DD`. */
  today: string
  /** The version that If-Match named; null for calls that want none. */
  ifMatch: number | null
}

/** What a handler answers. `etag` is the row's version. */
export interface Answer {
  status: 200 | 201 | 202 | 204
  body?: unknown
  etag?: number
}

/** A row with its version as ETag. */
export function row(body: { version: number }, status: 200 | 201 = 200): Answer {
  return { status, body, etag: body.version }
}
