import type { InvoiceMail } from '#shared/contract/reminders.ts'
import type { Mails } from '#server/db/tables.ts'

/** What became of a mail, by its row. */
export function mailStateOf({
  sentAt,
  givenUpAt,
  endedAt,
  failure,
}: Pick<Mails, 'sentAt' | 'givenUpAt' | 'endedAt' | 'failure'>): NonNullable<InvoiceMail['state']> {
  if (sentAt !== null) return 'sent'
  if (endedAt !== null) return 'ended'
  // Tried again or not, it may be there.
  if (failure === 'unknown') return 'unknown'
  if (givenUpAt !== null) return 'given-up'
  return failure === null ? 'waiting' : 'failing'
}
