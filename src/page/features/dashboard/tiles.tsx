import { Link } from '@tanstack/react-router'
import type { CurrencyFigures } from '#shared/contract/dashboard.ts'
import type { InvoiceFilter } from '#shared/contract/invoices.ts'
import { formatMoney } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'

const t = text.dashboard
/** Characters of an amount that fit into half a phone. */
const longest = 11

/** Sums with how many invoices are in each. */
export function Tiles({
  shown,
  locale,
}: {
  /** `filter`: of the list in which these invoices and no others stand. */
  shown: readonly (readonly [label: string, figure: CurrencyFigures['overdue'], filter?: InvoiceFilter])[]
  locale: string
}) {
  // A large amount stays whole: it is given the room of two.
  const isLong = shown.some(([, { amount }]) => formatMoney(amount, locale).length > longest)
  return (
    <dl
      className={`grid grid-cols-1 gap-3 ${isLong ? 'sm:grid-cols-2 xl:grid-cols-3' : 'min-[22.5rem]:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5'}`}
    >
      {shown.map(([label, { amount, count }, filter]) => (
        <div key={label} className="min-w-0 rounded-xl border border-line bg-surface p-4">
          <dt className="text-sm text-muted">{label}</dt>
          <dd
            className={`amount mt-1 text-lg font-semibold ${isLong ? 'sm:text-xl' : 'sm:text-2xl xl:text-xl'} ${label === t.overdue && count > 0 ? 'text-danger' : ''}`}
          >
            {formatMoney(amount, locale)}
          </dd>
          <dd className="text-sm text-muted">
            {filter && count > 0 ? (
              <Link
                to="/invoices"
                search={{ status: filter }}
                className="-my-3 inline-flex min-h-11 items-center text-accent underline"
              >
                {t.count(count)}
              </Link>
            ) : (
              t.count(count)
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
