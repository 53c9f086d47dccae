// The shipped server as two processes on one database, under a clock that the model moves, with a ledger of what it minted and ended.
import { createApp } from '#server/app.ts'
import { revoke } from '#server/auth/sessions.ts'
import type { Database } from '#server/db/database.ts'
import { defaultLimits, type Limits } from '#server/http/limits.ts'
import { createLog } from '#server/log.ts'
import { loadStaticFiles } from '#server/http/static.ts'
import { endpointPath } from '#shared/endpoints.ts'
import { uuidv7 } from '#shared/ids.ts'
import { decodeJwt, type AccessTokenClaims } from '#shared/jwt.ts'
import type { Rule, WatchOf } from './watch.ts'

export const origin = 'http://localhost:8080'
export const password = 'correct horse'
const day = 24 * 60 * 60_000

/** A request that can be sent again: a network may deliver what it once was given at any time. */
export interface Sent {
  method: string
  url: string
  headers: Headers
  body: ArrayBuffer | null
}

export interface Person {
  email: string
  userId: string
}

export interface SoakServer {
  people: Person[]
  nowMs(): number
  pass(ms: number): void
  /** Puts the clock back to the start, for a new run. */
  reset(): void
  /** Answered by one of the processes. */
  fetch(sent: Sent): Promise<Response>
  /** Ends a session at the server, as its owner may from another device; the other process learns of it from the row. */
  endRemotely(sessionId: string): Promise<void>
  /** Whether the server has answered that it ended this session. */
  hasEnded(sessionId: string): boolean
  /** Whether 90 days without a renewal, or 365 in all, may be over. */
  mayHaveExpired(sessionId: string): boolean
  userOf(sessionId: string): string | undefined
  /** Why the server's own row says it was revoked; null when it was not. */
  revokedFor(sessionId: string): Promise<string | null>
  /** Rows of refresh tokens of this session. */
  tokensOf(sessionId: string): Promise<number>
}

export interface SoakServerOptions {
  limits?: Partial<Limits>
}

/** Signing in is limited elsewhere; the limit of refreshing is the shipped one, which no honest device may meet. */
const loose = { most: 1_000_000, windowMs: 60_000 }
const limits: Limits = {
  ...(Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, loose])) as Limits),
  refreshPerSession: defaultLimits.refreshPerSession,
}

/** What the server itself has to say of a run. */
type ServerWatch = Pick<
  WatchOf<
    'refreshes minted by the server' | 'rotations',
    Extract<Rule, 'server-error' | 'served-after-revocation' | 'minted-after-revocation'>
  >,
  'count' | 'broke'
>

export async function startSoakServer(
  db: Database,
  watch: ServerWatch,
  options: SoakServerOptions = {},
): Promise<SoakServer> {
  // The same moment for every run, because nonces and tokens go by the clock.
  const startedMs = Date.UTC(2027, 0, 1)
  let nowMs = startedMs
  const services = {
    db,
    clock: () => nowMs,
    limits: { ...limits, ...options.limits },
    log: createLog({ write: noteErrors }),
    mailQueued: () => {},
    workDue: () => {},
    publicUrl: origin,
    apiPublicUrl: origin,
  }
  const settings = { publicUrl: origin, apiPublicUrl: origin, corsOrigins: [], trustProxy: 0 }
  const parts = { services, settings, files: loadStaticFiles('no such folder'), mailbox: null }
  const processes = [await createApp(parts), await createApp(parts)]

  /** Orders what happened: a request began before or after an end was answered. */
  let moment = 0
  let turn = 0
  const ended = new Map<string, { moment: number; atMs: number }>()
  const renewed = new Map<string, { createdMs: number; lastMs: number; userId: string }>()
  const sessionOfToken = new Map<string, string>()

  function noteErrors(line: string): void {
    if (line.includes('"level":50')) watch.broke('server-error', line)
  }

  const end = (sessionId: string) => {
    if (!ended.has(sessionId)) ended.set(sessionId, { moment: (moment += 1), atMs: nowMs })
  }

  async function fetch({ method, url, headers, body }: Sent): Promise<Response> {
    const { pathname } = new URL(url)
    const began = (moment += 1)
    const beganMs = nowMs
    turn += 1
    const answer = await processes[turn % processes.length]!.fetch(new Request(url, { method, headers, body }))
    if (answer.status >= 500) watch.broke('server-error', `${method} ${pathname} ${answer.status}`)
    const bearer = claimsOf(headers.get('authorization')?.slice('Bearer '.length) ?? '')
    if (pathname === endpointPath('logout')) {
      if (answer.ok)
        for (const sessionId of [bearer.sid, sessionOfToken.get(bodyOf(body).refreshToken ?? '')])
          if (sessionId) end(sessionId)
      return answer
    }
    if (!answer.ok) return answer
    const endedBefore = (sessionId: string) => {
      const known = ended.get(sessionId)
      return known !== undefined && known.moment < began ? known : null
    }
    if (bearer.sid) {
      const end = endedBefore(bearer.sid)
      if (end && beganMs >= end.atMs + 1000)
        watch.broke('served-after-revocation', `${method} ${pathname}, ${beganMs - end.atMs} ms after it was ended`)
    }
    if (answer.status === 204) return answer
    const { accessToken, refreshToken } = (await answer.clone().json()) as {
      accessToken?: string
      refreshToken?: string
    }
    const { sid, sub } = claimsOf(accessToken ?? '')
    if (sid === undefined || sub === undefined || refreshToken === undefined) return answer
    if (endedBefore(sid)) watch.broke('minted-after-revocation', `${method} ${pathname} for a session that was over`)
    sessionOfToken.set(refreshToken, sid)
    renewed.set(sid, { createdMs: renewed.get(sid)?.createdMs ?? beganMs, lastMs: beganMs, userId: sub })
    if (pathname === endpointPath('refreshToken')) {
      watch.count('refreshes minted by the server')
      if (refreshToken !== bodyOf(body).refreshToken) watch.count('rotations')
    }
    return answer
  }

  const people: Person[] = []
  for (const name of ['Ann', 'Bob']) {
    const email = `${uuidv7()}@example.com`
    const answer = await fetch({
      method: 'POST',
      url: origin + endpointPath('register'),
      headers: new Headers({ 'content-type': 'application/json' }),
      body: asBody({ name, email, password }),
    })
    const userId = claimsOf(((await answer.json()) as { accessToken: string }).accessToken).sub!
    const now = new Date(nowMs).toISOString()
    await db.asAuth((tx) => tx.updateTable('users').set({ emailVerifiedAt: now }).where('id', '=', userId).execute())
    people.push({ email, userId })
  }

  return {
    people,
    fetch,
    nowMs: () => nowMs,
    pass: (ms) => void (nowMs += ms),
    reset() {
      nowMs = startedMs
      turn = 0
    },
    async endRemotely(sessionId) {
      await db.asAuth((tx) => revoke(tx, sessionId, 'ended_elsewhere', new Date(nowMs).toISOString()))
      end(sessionId)
    },
    hasEnded: (sessionId) => ended.has(sessionId),
    mayHaveExpired(sessionId) {
      const known = renewed.get(sessionId)
      return !known || nowMs >= known.lastMs + 90 * day || nowMs >= known.createdMs + 365 * day
    },
    userOf: (sessionId) => renewed.get(sessionId)?.userId,
    async revokedFor(sessionId) {
      const row = await db.asAuth((tx) =>
        tx.selectFrom('sessions').select('revokeReason').where('id', '=', sessionId).executeTakeFirstOrThrow(),
      )
      return row.revokeReason
    },
    async tokensOf(sessionId) {
      const rows = await db.asAuth((tx) =>
        tx.selectFrom('refreshTokens').select('generation').where('sessionId', '=', sessionId).execute(),
      )
      return rows.length
    },
  }
}

export function claimsOf(token: string): AccessTokenClaims {
  const decoded = decodeJwt(token)
  return decoded.ok ? decoded.value : {}
}

export function asBody(value: unknown): ArrayBuffer {
  return new TextEncoder().encode(JSON.stringify(value)).buffer
}

function bodyOf(body: ArrayBuffer | null): { refreshToken?: string } {
  return body?.byteLength ? (JSON.parse(new TextDecoder().decode(body)) as { refreshToken?: string }) : {}
}
