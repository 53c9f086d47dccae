// A person's own account: seen, renamed, taken home, closed.
import {
  account,
  accountEdit,
  accountExport,
  withPassword,
  type Account,
  type AccountExport,
} from '#shared/contract/account.ts'
import { ProblemError } from '#shared/problem.ts'
import { recordActivity } from '#server/rows/activity-log.ts'
import type { Services } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import type { Users } from '#server/db/tables.ts'
import { endpoint, type Route } from '#server/http/endpoint.ts'
import { readerOf } from '#server/http/request.ts'
import { accountClosedMail } from '#server/mail/templates.ts'
import { forgetDue } from '#server/jobs/due-work.ts'
import { revokeInvitations } from '#server/rows/invitation-row.ts'
import { findMembers, removeMember, showPerson } from '#server/rows/member-row.ts'
import { membershipsOf } from '#server/rows/organization-row.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { sessionsOf } from './devices.ts'
import { confirmOwnPassword, ownUser, stillConfirmed, tellOwner, type AuthParts } from './parts.ts'
import { passkeysOf } from './passkeys.ts'
import { revokeAll, statusOf } from './sessions.ts'

export function accountRoutes({ callers }: AuthParts): Route[] {
  return [
    endpoint('getAccount', { summary: 'The signed-in person', answers: { 200: account } }, async (call) => ({
      status: 200,
      body: await call.services.db.asAuth(async (tx) => toAccount(tx, await ownUser(tx, call), call.now)),
    })),

    endpoint(
      'saveAccount',
      { summary: 'Change my name', body: accountEdit, answers: { 200: account } },
      async (call) => ({
        status: 200,
        body: await call.services.db.asAuth(async (tx) => {
          const user = await tx
            .updateTable('users')
            .set({ name: call.body.name, updatedAt: call.now })
            .where('id', '=', call.caller!.userId)
            .returningAll()
            .executeTakeFirstOrThrow()
          await showPerson(tx, user, call.now)
          return toAccount(tx, user, call.now)
        }),
      }),
    ),

    endpoint(
      'exportAccount',
      { summary: 'Everything kept about me', answers: { 200: accountExport } },
      async (call) => {
        const { userId } = call.caller!
        const { db } = call.services
        const own = await db.asAuth(async (tx) => {
          const user = await ownUser(tx, call)
          return {
            exportedAt: call.now,
            account: await toAccount(tx, user, call.now),
            createdAt: user.createdAt,
            sessions: await sessionsOf(tx, call),
            passkeys: await passkeysOf(tx, userId),
          }
        })
        const organizations = await db.asApp({ userId }, (tx) =>
          tx
            .selectFrom('memberships')
            .innerJoin('organizations', 'organizations.id', 'memberships.organizationId')
            .select([
              'organizations.id',
              'organizations.name',
              'memberships.role',
              'memberships.createdAt as memberSince',
            ])
            .where('memberships.userId', '=', userId)
            .where('organizations.deletedAt', 'is', null)
            .orderBy('organizations.name')
            .execute(),
        )
        return { status: 200, body: { ...own, organizations } satisfies AccountExport }
      },
    ),

    endpoint(
      'deleteAccount',
      { summary: 'Close my account', body: withPassword, answers: { 204: null } },
      async (call) => {
        const user = await confirmOwnPassword(call, '/password', call.body.password)
        const { db } = call.services
        await db.asAuth((tx) => stillConfirmed(tx, user, '/password'))
        // Organizations first: if this stops half-way the account is still there to try again with.
        await leaveOrganizations(call.services, user.id, call.now, 'keeps its owner')
        const ended = await db.asAuth(async (tx) => {
          // The address is free for a new account; the row itself is erased after its time (purge.ts).
          await stillConfirmed(tx, user, '/password')
          const closed = { deletedAt: call.now, disabledAt: call.now, emailKey: user.id, updatedAt: call.now }
          await tx.updateTable('users').set(closed).where('id', '=', user.id).execute()
          await tx.deleteFrom('passkeys').where('userId', '=', user.id).execute()
          await tx.deleteFrom('emailTokens').where('userId', '=', user.id).execute()
          await tellOwner(tx, user, 'account-closed', accountClosedMail(readerOf(call), user.name), call.now)
          return revokeAll(tx, user.id, { reason: 'account_closed', except: null }, call.now)
        })
        for (const sessionId of ended) callers.forget(sessionId)
        // What was made between the two: nobody else has seen it.
        await leaveOrganizations(call.services, user.id, call.now, 'closes')
        call.services.mailQueued()
        return { status: 204 }
      },
    ),
  ]
}

/** Every organization keeps an owner: its only one must hand it over or delete it first (DOMAIN.md). */
async function leaveOrganizations(
  { db }: Services,
  userId: string,
  now: string,
  ifAlone: 'keeps its owner' | 'closes',
): Promise<void> {
  const organizationIds = await db.asApp({ userId }, (tx) => membershipsOf(tx, userId))
  if (organizationIds.length === 0) return
  await db.asApp({ userId, organizationIds }, async (tx) => {
    // Taken in one order, so that two owners who leave at once are counted one after the other.
    const revisions = new Map<string, bigint>()
    for (const id of organizationIds) revisions.set(id, await nextRevision(tx, id))
    const open = await tx
      .selectFrom('organizations')
      .select(['id', 'name'])
      .where('id', 'in', organizationIds)
      .where('deletedAt', 'is', null)
      .orderBy('id')
      .execute()
    const owners = await tx
      .selectFrom('memberships')
      .select(['organizationId', 'userId'])
      .where('organizationId', 'in', organizationIds)
      .where('role', '=', 'owner')
      .execute()
    const alone = open.filter(({ id }) => {
      const ids = owners.filter(({ organizationId }) => organizationId === id).map((owner) => owner.userId)
      return ids.length === 1 && ids[0] === userId
    })
    if (ifAlone === 'closes') {
      for (const { id } of alone) {
        await tx.updateTable('organizations').set({ deletedAt: now, updatedAt: now }).where('id', '=', id).execute()
        await revokeInvitations(tx, id, now)
        await forgetDue(tx, id)
      }
    } else if (alone.length > 0) {
      const names = alone.map(({ name }) => name).join(', ')
      throw new ProblemError('sole_owner', { detail: `Delete it or hand it over first: ${names}.` })
    }
    for (const [id, revision] of revisions) {
      const [own] = await findMembers(tx, id, [userId])
      await removeMember(tx, id, userId, revision, now)
      const place = { tx, organizationId: id, userId, now }
      const left = [{ field: 'role', before: own?.role ?? null, after: null }]
      await recordActivity(place, 'deleteAccount', { kind: 'member', id: userId }, own?.name ?? '', left)
    }
  })
}

async function toAccount(tx: Tx, user: Users, now: string): Promise<Account> {
  const links = await tx
    .selectFrom('emailTokens')
    .select(['purpose', 'email', 'usedAt', 'expiresAt'])
    .where('userId', '=', user.id)
    .where('changeId', 'is not', null)
    .where('expiresAt', '>', now)
    .execute()
  const from = links.find(({ purpose }) => purpose === 'change-from')
  const to = links.find(({ purpose }) => purpose === 'change-to')
  const isOpen = from && to && (from.usedAt === null || to.usedAt === null)
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    status: statusOf(user),
    pendingEmail: isOpen
      ? {
          email: to.email,
          confirmed: { oldAddress: from.usedAt !== null, newAddress: to.usedAt !== null },
          expiresAt: to.expiresAt,
        }
      : null,
  }
}
