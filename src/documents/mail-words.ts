import type { Buyer, Invoice, InvoiceSending } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { formatDate, formatMoney } from '#shared/format.ts'
import { documentLocale, wordsOf } from './words.ts'

/** Of the mail that an invoice goes out with, in the language of the invoice: its customer reads it. No address where none is known. */
export function firstWords(
  invoice: Invoice,
  buyer: Pick<Buyer, 'name' | 'email' | 'contactName'> | null,
  organization: Pick<Organization, 'name' | 'locale'>,
): InvoiceSending {
  const { type, number, gross, paymentStatus, dueDate, language } = invoice
  const { name } = organization
  const { mail } = wordsOf(language)
  const locale = documentLocale(language, organization.locale)
  const amount = formatMoney(gross, locale)
  const isCredit = type === '381'
  // Nobody is told until when to pay what is paid already, or is given back.
  const isPayable = !isCredit && paymentStatus !== 'paid' && paymentStatus !== 'credited'
  return {
    to: buyer?.email ?? '',
    subject: (isCredit ? mail.creditSubject : mail.subject)(number, name),
    message: mail.message(
      buyer?.contactName ?? buyer?.name ?? '',
      (isCredit ? mail.creditOver : mail.invoiceOver)(amount),
      isPayable && dueDate ? formatDate(dueDate, locale) : null,
      name,
    ),
  }
}
