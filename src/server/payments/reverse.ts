import type { Payment } from '#shared/contract/payments.ts'
import { canTakeBack } from '#shared/invoice-balance.ts'
import { minorUnitsOf } from '#shared/money.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Tx } from '#server/db/database.ts'
import { changePaid, findToPay } from './invoices.ts'

export interface Reversing {
  paid: Payment
  userId: string
  reason: string
  revision: bigint
  now: string
}

/** It stays as it was recorded, with a row beside it that says when, by whom and why; what it paid is due again. */
export async function reversePayment(tx: Tx, { paid, userId, reason, revision, now }: Reversing): Promise<void> {
  const { organizationId, id } = paid
  await refuseUncovered(tx, paid)
  await tx
    .insertInto('paymentReversals')
    .values({ organizationId, paymentId: id, reversedAt: now, reversedBy: userId, reason })
    .execute()
  await tx
    .updateTable('payments')
    .set({ version: paid.version + 1, revision, updatedAt: now })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute()
  for (const { invoiceId, amount } of paid.allocations)
    await changePaid(tx, { organizationId, invoiceId, by: -minorUnitsOf(amount), revision, now })
}

/** What was given back of it is reversed first (decision 036). */
async function refuseUncovered(tx: Tx, { organizationId, allocations }: Payment): Promise<void> {
  const ids = allocations.map(({ invoiceId }) => invoiceId)
  const invoices = await findToPay(tx, organizationId, ids)
  for (const { invoiceId, invoiceNumber, amount } of allocations)
    if (!canTakeBack({ paid: invoices.get(invoiceId)!.paidAmount }, minorUnitsOf(amount)))
      throw new ProblemError('invalid_transition', {
        detail: `On ${invoiceNumber} more would have been given back than was received. Reverse the refund first.`,
      })
}
