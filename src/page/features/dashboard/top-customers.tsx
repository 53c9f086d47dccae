import { Link } from '@tanstack/react-router'
import type { CurrencyFigures } from '#shared/contract/dashboard.ts'
import { formatMoney } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'

const t = text.topCustomers

/** To whom most was invoiced in one currency. */
export function TopCustomers({
  organizationId,
  figures,
  locale,
}: {
  organizationId: string
  figures: CurrencyFigures
  locale: string
}) {
  // What an earlier build kept or answers does not have it.
  const customers = (figures.topCustomers as CurrencyFigures['topCustomers'] | undefined) ?? []
  if (customers.length === 0) return null
  return (
    <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <h2 className="text-sm text-muted">{t.title}</h2>
      <ol>
        {customers.map(({ customerId, name, invoiced }) => (
          <li key={customerId} className="border-t border-line first:border-t-0">
            <Link
              to="/organization/$organizationId/customers/$customerId"
              params={{ organizationId, customerId }}
              className="flex min-h-11 items-center justify-between gap-4 py-1 text-ink no-underline hover:underline"
            >
              <span className="min-w-0 truncate">{name}</span>
              <span className="amount shrink-0">{formatMoney(invoiced, locale)}</span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}
