import type { Invoice } from '#shared/contract/invoices.ts'
import type { InvoiceMail } from '#shared/contract/reminders.ts'
import { formatInstant, type Zoned } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'

const t = text.sending

/** What became of it once it had left the house. Of its mails the last one comes first; without a connection nobody knows of them. */
export function sentWords(
  { sentAt, viewedAt }: Pick<Invoice, 'sentAt' | 'viewedAt'>,
  organization: Zoned,
  mails: readonly Pick<InvoiceMail, 'kind' | 'state' | 'recipient'>[] = [],
): string {
  const last = mails.find(({ kind }) => kind === 'invoice')
  const when = sentAt && t.sent(formatInstant(sentAt, organization))
  const sent =
    last?.state === 'given-up' ? t.lost(last.recipient) : last?.state === 'failing' ? t.notYet(last.recipient) : when
  return [sent, viewedAt && t.viewed(formatInstant(viewedAt, organization))].filter(Boolean).join(' · ')
}
