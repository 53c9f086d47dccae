// What became of a quote: what was answered, the invoice it turned into, and what has gone out before.
import { Link } from '@tanstack/react-router'
import { ReceiptText } from 'lucide-react'
import type { Quote } from '#shared/contract/quotes.ts'
import { formatInstant, formatMoney, type Zoned } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { Notice, Section } from '#page/ui/screen.tsx'

const t = text.quotes

export function QuoteStory({ quote, organization }: { quote: Quote; organization: Zoned }) {
  const { organizationId, answer, invoice, history } = quote
  return (
    <div className="screen-only grid gap-4 empty:hidden">
      {answer && (
        <Notice tone={answer.answer === 'accepted' ? 'info' : 'warn'}>{answerWords(answer, organization)}</Notice>
      )}
      {invoice && (
        <Link
          to="/organization/$organizationId/invoices/$invoiceId"
          params={{ organizationId, invoiceId: invoice.id }}
          className="inline-flex min-h-11 items-center gap-2 font-medium text-accent underline"
        >
          <ReceiptText className="size-5 shrink-0" aria-hidden />
          {invoice.number === null ? t.linkedDraft : t.linkedInvoice(invoice.number)}
        </Link>
      )}
      {history.length > 1 || (history.length === 1 && quote.status === 'draft') ? (
        <Section title={t.history}>
          <ul className="divide-y divide-line">
            {history.map((each) => (
              <li key={each.edition} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
                <span>
                  <span className="font-medium">{t.edition(each.edition)}</span>
                  <span className="text-muted"> · {formatInstant(each.sentAt, organization)}</span>
                </span>
                <span className="amount">{formatMoney(each.gross, organization.locale)}</span>
                {each.answer && !(answer && each.edition === quote.edition) && (
                  <span className="basis-full text-sm text-muted">{answerWords(each.answer, organization)}</span>
                )}
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </div>
  )
}

function answerWords({ answer, name, at, notedBy }: NonNullable<Quote['answer']>, organization: Zoned): string {
  return `${t[answer](name, formatInstant(at, organization))} (${notedBy === null ? t.byLink : t.byMember})`
}
