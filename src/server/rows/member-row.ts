// A member's row and the one mapping to the contract, and how somebody comes, goes and is renamed: for whoever makes or leaves an organization, for
// accounts and for the changes feed.
import type { Member } from '#shared/contract/members.ts'
import type { Role } from '#shared/permissions.ts'
import { asAppWithin, type Person, type Tx } from '#server/db/database.ts'
import type { Members } from '#server/db/tables.ts'
import { revokeBeyond } from './invitation-row.ts'
import { membershipsOf } from './organization-row.ts'
import { nextRevision } from './revision.ts'
import { freshRow } from './versioned-rows.ts'

/** Those of these ids that belong to it; everybody when none are named. In no order. */
export async function findMembers(tx: Tx, organizationId: string, ids?: readonly string[]): Promise<Member[]> {
  if (ids?.length === 0) return []
  let query = tx
    .selectFrom('members')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.organizationId', '=', 'members.organizationId')
        .onRef('memberships.userId', '=', 'members.id'),
    )
    .selectAll('members')
    .select('memberships.role')
    .where('members.organizationId', '=', organizationId)
    .where('members.deletedAt', 'is', null)
  if (ids) query = query.where('members.id', 'in', ids)
  return (await query.execute()).map(fromRow)
}

function fromRow({ emailKey: _, deletedAt: __, revision, role, ...row }: Members & { role: string }): Member {
  return { ...row, role: role as Role, revision: Number(revision) }
}

/** Comes, for the first time or again; the caller holds the organization's revision. */
export async function addMember(
  tx: Tx,
  organizationId: string,
  { id, ...person }: Person,
  role: Role,
  revision: bigint,
  now: string,
): Promise<void> {
  await tx.insertInto('memberships').values({ organizationId, userId: id, role, createdAt: now }).execute()
  const row = { ...person, ...freshRow(revision, now) }
  await tx
    .insertInto('members')
    .values({ organizationId, id, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['organizationId', 'id'])
        // Whoever was here before: their versions go on.
        .doUpdateSet((eb) => ({ ...row, version: eb('members.version', '+', 1) })),
    )
    .execute()
}

/** Goes, and with them whom they asked to come. The name stays for what is told of them; how to reach them does not. */
export async function removeMember(
  tx: Tx,
  organizationId: string,
  userId: string,
  revision: bigint,
  now: string,
): Promise<void> {
  await tx.deleteFrom('memberships').where('organizationId', '=', organizationId).where('userId', '=', userId).execute()
  await revokeBeyond(tx, organizationId, userId, null, now)
  await changeMember(tx, organizationId, userId, { email: '', emailKey: '', deletedAt: now }, revision, now)
}

/** The next version of a member's row, with these columns. */
export async function changeMember(
  tx: Tx,
  organizationId: string,
  userId: string,
  columns: Partial<Members>,
  revision: bigint,
  now: string,
): Promise<void> {
  await tx
    .updateTable('members')
    .set((eb) => ({ ...columns, version: eb('version', '+', 1), revision, updatedAt: now }))
    .where('organizationId', '=', organizationId)
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .execute()
}

/** Within a transaction of docket_auth that changed an account: wherever the person belongs, they are shown as they are now. */
export async function showPerson(tx: Tx, { id: userId, name, email, emailKey }: Person, now: string): Promise<void> {
  const organizationIds = await asAppWithin(tx, { userId }, () => membershipsOf(tx, userId))
  if (organizationIds.length === 0) return
  await asAppWithin(tx, { organizationIds }, async () => {
    // In one order, as everybody takes them who takes several.
    for (const id of organizationIds)
      await changeMember(tx, id, userId, { name, email, emailKey }, await nextRevision(tx, id), now)
  })
}
