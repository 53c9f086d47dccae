// A repeated write answers as the first one did (OFFLINE.md "Server side"): its row is in the same transaction as the effect.
import { createHash } from 'node:crypto'
import { ProblemError } from '#shared/problem.ts'
import type { Answer, Call, Caller } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'

export interface IdempotentRequest {
  key: string
  requestHash: string
}

/**
 * The write's Idempotency-Key with a hash of what it asks for, as it was sent; null when it has none, and for what only asks. What the contract makes of a body may be another after
 * an update, between a call and its repeat.
 */
export function idempotentRequest({
  request,
  bodyText,
}: Pick<Call<unknown, unknown>, 'request' | 'bodyText'>): IdempotentRequest | null {
  const key = request.headers.get('idempotency-key')
  if (key === null || request.method === 'GET') return null
  if (!/^[A-Za-z0-9-]{1,128}$/.test(key)) throw new ProblemError('invalid_idempotency_key')
  const { pathname, search } = new URL(request.url)
  const requestHash = createHash('sha256')
    .update(`${request.method} ${pathname}${search}\n${bodyText}`)
    .digest('base64url')
  return { key, requestHash }
}

/**
 * Runs `work` unless this key has an answer already. The row is inserted first, so that a parallel double waits for it; a problem rolls it
 * back with everything else, so that only successes are kept. Another request under the same key: 422.
 */
export async function once(
  tx: Tx,
  { userId }: Caller,
  organizationId: string | null,
  request: IdempotentRequest,
  now: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const own = { userId, key: request.key }
  const fresh = { ...own, requestHash: request.requestHash, status: null, headers: null, body: null, createdAt: now }
  const { numInsertedOrUpdatedRows } = await (
    organizationId === null
      ? tx.insertInto('userIdempotency').values(fresh)
      : tx.insertInto('idempotency').values({ ...fresh, organizationId })
  )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) return (await kept(tx, own, organizationId, request))!

  const answer = await work()
  const values = {
    status: answer.status,
    headers: JSON.stringify({ etag: answer.etag }),
    body: JSON.stringify(answer.body ?? null),
  }
  if (organizationId === null)
    await tx
      .updateTable('userIdempotency')
      .set(values)
      .where(({ and }) => and(own))
      .execute()
  else
    await tx
      .updateTable('idempotency')
      .set(values)
      .where(({ and }) => and({ ...own, organizationId }))
      .execute()
  return answer
}

/** What the caller's write outside any organization was answered under this key; null when it is new. */
export function keptForCaller(tx: Tx, { userId }: Caller, request: IdempotentRequest): Promise<Answer | null> {
  return kept(tx, { userId, key: request.key }, null, request)
}

async function kept(
  tx: Tx,
  own: { userId: string; key: string },
  organizationId: string | null,
  request: IdempotentRequest,
): Promise<Answer | null> {
  const query =
    organizationId === null
      ? tx
          .selectFrom('userIdempotency')
          .selectAll()
          .where(({ and }) => and(own))
      : tx
          .selectFrom('idempotency')
          .selectAll()
          .where(({ and }) => and({ ...own, organizationId }))
  const first = await query.executeTakeFirst()
  if (!first) return null
  if (first.requestHash !== request.requestHash) throw new ProblemError('idempotency_key_reused')
  const { etag } = first.headers as { etag?: number }
  return {
    status: first.status as Answer['status'],
    ...(first.body !== null && { body: first.body }),
    ...(etag !== undefined && { etag }),
  }
}
