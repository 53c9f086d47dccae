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

/** Longer than handing over takes (sender.ts). */
const underWayMs = 60 * 60_000

/**
 * Nobody has got it, and nobody will unless somebody has it tried again. What was dismissed may have been under way; what was once handed over
 * without an answer may have arrived.
 */
export function isCertainlyLost(
  {
    sentAt,
    givenUpAt,
    endedAt,
    endedAs,
    failure,
    handedOverAt,
  }: Pick<Mails, 'sentAt' | 'givenUpAt' | 'endedAt' | 'endedAs' | 'failure' | 'handedOverAt'>,
  now: string,
): boolean {
  if (sentAt !== null || failure === 'unknown' || handedOverAt !== null) return false
  if (givenUpAt !== null || endedAs === 'withdrawn') return true
  return endedAt !== null && Date.parse(endedAt) < Date.parse(now) - underWayMs
}
