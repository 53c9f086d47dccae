import type { QuoteSummary } from '#shared/contract/quotes.ts'
import { text } from '#page/words/app-text.ts'
import { QuoteRow } from './quote-list.tsx'

/** What customers have accepted and what is still to be made an invoice of, among what needs a person. */
export function AcceptedQuotes({ quotes, locale }: { quotes: readonly QuoteSummary[]; locale: string }) {
  return (
    <section className="grid gap-2" aria-label={text.quotes.acceptedLead}>
      <h3 className="text-sm text-muted">{text.quotes.acceptedLead}</h3>
      <ul className="overflow-hidden rounded-xl border border-line bg-surface">
        {quotes.map((quote) => (
          <li key={quote.id} className="border-b border-line last:border-b-0">
            <QuoteRow quote={quote} locale={locale} />
          </li>
        ))}
      </ul>
    </section>
  )
}
