// The devices that are signed in: shown in words, ended one by one or all others at once (SESSION.md "Signing out").
import Bowser from 'bowser'
import { deviceSessions, sessionsEnded, type DeviceSession } from '#shared/contract/account.ts'
import { isUuid } from '#shared/ids.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Tx } from '#server/db/database.ts'
import type { Sessions } from '#server/db/tables.ts'
import { endpoint, type Route } from '#server/http/endpoint.ts'
import type { AnyCall, AuthParts } from './parts.ts'
import { revoke, revokeAll } from './sessions.ts'

const mostShown = 200

export function deviceRoutes({ callers }: AuthParts): Route[] {
  return [
    endpoint('listSessions', { summary: 'Where I am signed in', answers: { 200: deviceSessions } }, async (call) => ({
      status: 200,
      body: { data: await call.services.db.asAuth((tx) => sessionsOf(tx, call)) },
    })),

    endpoint('endSession', { summary: 'Sign a device out', answers: { 204: null } }, async (call) => {
      const sessionId = call.params['sessionId']!
      if (!isUuid(sessionId)) throw new ProblemError('not_found')
      const ended = await call.services.db.asAuth(async (tx) => {
        const own = await tx
          .selectFrom('sessions')
          .select(['id', 'deviceKey'])
          .where('id', '=', sessionId)
          .where('userId', '=', call.caller!.userId)
          .executeTakeFirst()
        if (!own) throw new ProblemError('not_found')
        const onDevice = { reason: 'ended_elsewhere', except: null, deviceKey: own.deviceKey }
        if (own.deviceKey !== null) return revokeAll(tx, call.caller!.userId, onDevice, call.now)
        await revoke(tx, sessionId, 'ended_elsewhere', call.now)
        return [sessionId]
      })
      for (const each of ended) callers.forget(each)
      return { status: 204 }
    }),

    endpoint(
      'endOtherSessions',
      { summary: 'Sign all other devices out', answers: { 200: sessionsEnded } },
      async (call) => {
        const { userId, sessionId } = call.caller!
        const ended = await call.services.db.asAuth((tx) =>
          revokeAll(tx, userId, { reason: 'ended_elsewhere', except: sessionId }, call.now),
        )
        for (const each of ended) callers.forget(each)
        return { status: 200, body: { ended: ended.length } }
      },
    ),
  ]
}

/** The caller's sessions that live, the one used last first. */
export async function sessionsOf(tx: Tx, { caller, now }: AnyCall): Promise<DeviceSession[]> {
  const rows = await tx
    .selectFrom('sessions')
    .selectAll()
    .where('userId', '=', caller!.userId)
    .where('revokedAt', 'is', null)
    .where('idleExpiresAt', '>', now)
    .where('endsAt', '>', now)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id')
    .limit(mostShown)
    .execute()
  // A device may have more than one (a sign-in whose answer was lost): it is shown once, as what it uses, or used last.
  const isOwn = ({ id }: Sessions) => id === caller!.sessionId
  const shown = new Map<string, Sessions>()
  for (const row of rows.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))) {
    const device = row.deviceKey ?? row.id
    if (!shown.has(device)) shown.set(device, row)
  }
  return [...shown.values()].map((row) => fromRow(row, caller!.sessionId))
}

function fromRow(row: Sessions, currentId: string): DeviceSession {
  return {
    id: row.id,
    ...inWords(row.userAgent),
    current: row.id === currentId,
    bound: row.deviceKey !== null,
    firstSeenAt: row.createdAt,
    lastSeenAt: row.lastSeenAt,
    refusedAt: row.refusedAt,
  }
}

/** "Chrome" and "Android" from a User-Agent; null for what says neither, such as a script. */
export function inWords(userAgent: string): { browser: string | null; system: string | null } {
  if (userAgent === '') return { browser: null, system: null }
  const { browser, os } = Bowser.parse(userAgent)
  return { browser: browser.name || null, system: os.name || null }
}
