// What is written of recurring invoices; reading them is in server/rows/recurring-row.ts.
import type { RecurringEdit } from '#shared/contract/recurring.ts'
import { addDays, startOfDay } from '#shared/dates.ts'
import { nextOccurrence } from '#shared/recurrence.ts'
import type { Tx } from '#server/db/database.ts'
import type { RecurringInvoices } from '#server/db/tables.ts'
import { setDue } from '#server/jobs/due-work.ts'
import { holdRevision } from '#server/rows/revision.ts'
import type { Draft } from './draft.ts'

/** How far a rule had come before it was saved. */
type Progress = Pick<RecurringInvoices, 'lastOn' | 'nextOn' | 'paused' | 'lastProblem'>

/**
 * The columns that what a person asked for fills. `today`: in the organization's zone; nothing is made for days that are past, but for what was due and could
 * not be written, or was not yet.
 */
export function recurringColumns(asked: RecurringEdit, draft: Draft, before: Progress | null, today: string) {
  const { invoice, ...schedule } = asked
  const { lastOn = null, nextOn = null } = before ?? {}
  const isAwaited = nextOn !== null && nextOn < today && (!before!.paused || before!.lastProblem !== null)
  const next = nextOccurrence(asked, isAwaited ? nextOn : today)
  return {
    ...schedule,
    customerId: invoice.customerId!,
    // As its currency, whether prices are with VAT is decided once: 100 net does not become 100 gross because the organization's default does.
    invoice: JSON.stringify({ ...invoice, taxMode: draft.content.taxMode }),
    currency: draft.content.currency,
    grossAmount: draft.amounts.totals.gross,
    // Today's was made already.
    nextOn: next !== null && next === lastOn ? nextOccurrence(asked, addDays(next, 1)) : next,
    lastProblem: null,
  }
}

/** How long what could not go out yet waits: of mails there are only so many in an hour (mail/limit.ts). */
const sendAgainMs = 30 * 60_000

/** Notes for the jobs when the next one of the organization is due. One after the other: else what another has written and not yet committed is overlooked. */
export async function noteNext(tx: Tx, organizationId: string, timeZone: string, now: string): Promise<void> {
  await holdRevision(tx, organizationId)
  const { soonest } = await tx
    .selectFrom('recurringInvoices')
    .select((eb) => eb.fn.min('nextOn').as('soonest'))
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .where('paused', '=', false)
    .executeTakeFirstOrThrow()
  // A job that died between the two has written it and not issued it.
  const issuing = await tx
    .selectFrom('recurringInvoices')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('issuingInvoiceId', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  const sending = await tx
    .selectFrom('recurringSendings')
    .select('invoiceId')
    .where('organizationId', '=', organizationId)
    .where('problem', 'is', null)
    .limit(1)
    .executeTakeFirst()
  const times = [
    ...(soonest === null ? [] : [startOfDay(soonest, timeZone)]),
    ...(issuing ? [Date.parse(now)] : []),
    ...(sending ? [Date.parse(now) + sendAgainMs] : []),
  ]
  const dueAt = times.length === 0 ? null : new Date(Math.min(...times)).toISOString()
  await setDue(tx, organizationId, 'recurring', dueAt)
}
