// What a request handler is given: the services of this process, and what the pipeline has learnt of the call.
import type { ReadableStream } from 'node:stream/web'
import type { Organization } from '#shared/contract/organizations.ts'
import type { Standing } from '#shared/permissions.ts'
import type { UserStatus } from '#shared/jwt.ts'
import type { Database, Tx } from './db/database.ts'
import type { WorkKind } from '#server/jobs/due-work.ts'
import type { Named } from '#server/rows/named-row.ts'
import type { Limits } from '#server/http/limits.ts'
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
  /** Called after a commit that wants due work done now, whatever it waits for. */
  workDue: (kind: WorkKind, organizationId: string) => void
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
  /** As it came: empty for a GET. */
  bodyText: string
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
  standing: Standing
  /** Today in the organization's time zone, `YYYY-MM-DD`. */
  today: string
  /** The version that If-Match named; null for calls that want none. */
  ifMatch: number | null
  /** Where the call asked for it along with the membership; else `organizationOf` reads it. */
  organization: Organization | null
  /** Of a write: the row that its path names, as the pipeline read it before the work (`namedRow`). Null for a read, which reads it itself. */
  named: Named | null
  /** Has this done once the transaction is committed; the answer does not wait for it. Not for what must not be lost. */
  afterCommit(work: () => void): void
}

/** What a handler answers. `etag` is the row's version. */
export interface Answer {
  /** 404 with a page for a person; problems are thrown. */
  status: 200 | 201 | 202 | 204 | 404
  body?: unknown
  etag?: number
  /** In place of a body: a document to be kept as a file. Only reads answer one: what is kept under an idempotency key is JSON. */
  file?: AnsweredFile
}

export interface AnsweredFile {
  type: string
  name: string
  /**
   * A stream goes on after the call's transaction: what it reads it reads in transactions of its own. A function is called after it: what takes long
   * to make keeps no connection.
   */
  content:
    | string
    | Uint8Array<ArrayBuffer>
    | ReadableStream<Uint8Array<ArrayBuffer>>
    | (() => Promise<Uint8Array<ArrayBuffer>>)
  /** Shown by the browser rather than kept; with headers of its own. */
  inline?: Readonly<Record<string, string>>
}

/** A row with its version as ETag. */
export function row(body: { version: number }, status: 200 | 201 = 200): Answer {
  return { status, body, etag: body.version }
}
