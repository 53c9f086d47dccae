// The invoice that a credit note credits, the credit notes of an invoice, and the quote it was made of: each leads to the other.
import { Link } from '@tanstack/react-router'
import { FileMinus, FileSignature, ReceiptText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Invoice } from '#shared/contract/invoices.ts'
import { formatMoney } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'

const t = text.invoices
const size = 'size-5 shrink-0'

export function LinkedDocuments({ invoice, locale }: { invoice: Invoice; locale: string }) {
  const { organizationId, creditedInvoice, creditNotes, quote } = invoice
  if (!creditedInvoice && creditNotes.length === 0 && !quote) return null
  const linkTo = (invoiceId: string, words: string, icon: ReactNode) => (
    <Link
      to="/organization/$organizationId/invoices/$invoiceId"
      params={{ organizationId, invoiceId }}
      className="inline-flex min-h-11 items-center gap-2 font-medium text-accent underline"
    >
      {icon}
      {words}
    </Link>
  )
  return (
    <ul className="screen-only grid gap-1" aria-label={t.linked}>
      {creditedInvoice && (
        <li>
          {linkTo(creditedInvoice.id, t.credits(creditedInvoice.number), <ReceiptText className={size} aria-hidden />)}
        </li>
      )}
      {quote && (
        <li>
          <Link
            to="/organization/$organizationId/quotes/$quoteId"
            params={{ organizationId, quoteId: quote.id }}
            className="inline-flex min-h-11 items-center gap-2 font-medium text-accent underline"
          >
            <FileSignature className={size} aria-hidden />
            {text.quotes.ofQuote(quote.number)}
          </Link>
        </li>
      )}
      {creditNotes.map(({ id, number, gross }) => (
        <li key={id}>
          {linkTo(id, t.creditedBy(number, formatMoney(gross, locale)), <FileMinus className={size} aria-hidden />)}
        </li>
      ))}
    </ul>
  )
}
