// How often something may happen, counted in rows that all processes share (SESSION.md "Limits").
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { uuidv7 } from '#shared/ids.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Tx } from '#server/db/database.ts'

export interface Limit {
  most: number
  windowMs: number
}

const minute = 60_000

export const defaultLimits = {
  signInPerAccount: { most: 10, windowMs: 15 * minute },
  signInPerAddress: { most: 100, windowMs: 15 * minute },
  registerPerAddress: { most: 60, windowMs: 60 * minute },
  mailPerMinute: { most: 1, windowMs: minute },
  mailPerHour: { most: 5, windowMs: 60 * minute },
  /** Mails to ever other people, asked for from one place. */
  mailPerAddress: { most: 60, windowMs: 60 * minute },
  /** Mails to people who may never have heard of Docket: of one inviter, and to one address by anybody. */
  invitePerPerson: { most: 60, windowMs: 60 * minute },
  invitePerRecipient: { most: 5, windowMs: 60 * minute },
  passkeyPerAddress: { most: 300, windowMs: 15 * minute },
  /** By whoever has a link; drawn anew where it is a quote's. */
  publicPdfPerAddress: { most: 30, windowMs: 15 * minute },
  /** Far above what a device does, so that no honest one is locked out. */
  refreshPerSession: { most: 120, windowMs: 10 * minute },
} satisfies Record<string, Limit>

export type Limits = Record<keyof typeof defaultLimits, Limit>

/**
 * Counts one event against the limit and answers its id; too many already: 429 with Retry-After. An `id` that is given and was counted
 * before is the same event sent again: null.
 */
export async function takeTurn(tx: Tx, bucket: string, limit: Limit, now: string): Promise<string>
export async function takeTurn(tx: Tx, bucket: string, limit: Limit, now: string, id: string): Promise<string | null>
export async function takeTurn(
  tx: Tx,
  bucket: string,
  limit: Limit,
  now: string,
  id: string = uuidv7(),
): Promise<string | null> {
  // Until the commit, whoever else takes a turn here waits: parallel tries are counted one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${bucket}, 0))`.execute(tx)
  const since = new Date(Date.parse(now) - limit.windowMs).toISOString()
  const events = await tx
    .selectFrom('limitedEvents')
    .select(['at', 'id'])
    .where('bucket', '=', bucket)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(limit.most)
    .execute()
  if (events.some((event) => event.id === id)) return null
  if (events.length >= limit.most) {
    const freeAt = Date.parse(events.at(-1)!.at) + limit.windowMs
    const seconds = Math.max(1, Math.ceil((freeAt - Date.parse(now)) / 1000))
    throw new ProblemError(
      'too_many_requests',
      { detail: `Try again in ${seconds} seconds.` },
      { 'retry-after': String(seconds) },
    )
  }
  await tx
    .insertInto('limitedEvents')
    .values({ bucket, id, at: now })
    // The id of a call from long ago: counted anew.
    .onConflict((conflict) => conflict.columns(['bucket', 'id']).doUpdateSet({ at: now }))
    .execute()
  return id
}

/** Bounds the length of what a stranger typed before it becomes a bucket, and keeps it out of the table. */
export function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** The id of an event that is known by what it is: the same text is the same event. */
export function eventId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

/** Takes events back that turned out not to count, such as a sign-in that succeeded. */
export async function giveBack(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('limitedEvents').where('id', 'in', ids).execute()
}
