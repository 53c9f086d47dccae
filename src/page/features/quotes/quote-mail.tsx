// A quote's mail and links: what is said first is the quote's, the rest is page/mail-dialog.
import { useQueryClient } from '@tanstack/react-query'
import { documentLocale, wordsOf } from '#documents/words.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { Quote } from '#shared/contract/quotes.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { formatDate, formatMoney } from '#shared/format.ts'
import { MailDialog } from '#page/mail-dialog.tsx'
import { text } from '#page/words/app-text.ts'
import { notify } from '#page/ui/notify.ts'
import { createQuoteLink, revokeQuoteLinks, sendQuote } from './queries.ts'

const t = text.quotes

interface Props {
  quote: Quote
  organization: Organization
  /** As they are by now. */
  customer: Customer | null
  onClose: () => void
}

export function QuoteMail({ quote, organization, customer, onClose }: Props) {
  const queryClient = useQueryClient()
  const buyer = quote.buyer ?? customer
  // In the language of the quote: its customer reads it.
  const { language } = quote
  const { mail } = wordsOf(language)
  const locale = documentLocale(language, organization.locale)
  const first = {
    // Said to whoever it was made for, at the address that they have by now.
    to: customer?.email ?? buyer?.email ?? '',
    subject: mail.quoteSubject(organization.name),
    message: mail.quoteMessage(
      buyer?.contactName ?? buyer?.name ?? '',
      formatMoney(quote.gross, locale),
      quote.validUntil && formatDate(quote.validUntil, locale),
      organization.name,
    ),
  }
  return (
    <MailDialog
      title={t.sendTitle(quote.number)}
      lead={t.sendLead}
      keptName={`mail.${quote.id}.${quote.version}`}
      first={first}
      send={async (words) => {
        await sendQuote(queryClient, quote, words)
        notify('success', t.queued(words.to))
      }}
      links={
        quote.status === 'draft'
          ? t.linkFirst
          : {
              lead: t.linkLead,
              revoked: t.revokedLinks,
              make: () => createQuoteLink(quote),
              revoke: () => revokeQuoteLinks(quote),
            }
      }
      onClose={onClose}
    />
  )
}
