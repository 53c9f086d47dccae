// What is decided about members, one decision after the other: by each other's roles, and so that an owner stays.
import type { Member } from '#shared/contract/members.ts'
import type { Role, Standing } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import type { TenantCall } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { revokeBeyond } from '#server/rows/invitation-row.ts'
import { changeMember, findMembers } from '#server/rows/member-row.ts'
import { nextRevision } from '#server/rows/revision.ts'

interface Locked {
  /** The caller's, as it is now. */
  standing: Standing
  target: Member | null
  revision: bigint
}

/**
 * The caller and another member as they are once everybody else who changes members here is done: what the caller was when the call came may be
 * over, when two owners remove each other at once.
 */
export async function lockMembers(call: TenantCall<unknown, unknown>, userId: string): Promise<Locked> {
  const { tx, organizationId, caller, standing } = call
  const revision = await nextRevision(tx, organizationId)
  const own = await tx
    .selectFrom('memberships')
    .select('role')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', caller.userId)
    .executeTakeFirst()
  if (!own) throw new ProblemError('not_found')
  const [target] = await findMembers(tx, organizationId, [userId.toLowerCase()])
  return { standing: { ...standing, role: own.role as Role }, target: target ?? null, revision }
}

/** An organization always has an owner (DOMAIN.md). */
export async function aloneAsOwner(tx: Tx, organizationId: string, userId: string): Promise<boolean> {
  const owners = await tx
    .selectFrom('memberships')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'owner')
    .limit(2)
    .execute()
  return owners.length === 1 && owners[0]!.userId === userId
}

export async function setRole(
  tx: Tx,
  organizationId: string,
  userId: string,
  role: Role,
  revision: bigint,
  now: string,
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ role })
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute()
  await revokeBeyond(tx, organizationId, userId, role, now)
  await changeMember(tx, organizationId, userId, {}, revision, now)
}
