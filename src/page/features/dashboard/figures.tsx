import type { CurrencyFigures } from '#shared/contract/dashboard.ts'
import { formatMoney } from '#page/format.ts'
import { text } from '#page/app-text.ts'
import { Ageing } from './ageing.tsx'
import { MonthChart } from './month-chart.tsx'
import { TopCustomers } from './top-customers.tsx'

const t = text.dashboard
/** Characters of an amount that fit into half a phone. */
const longest = 11

interface Props {
  organizationId: string
  figures: CurrencyFigures
  locale: string
}

/** The sums of one currency; currencies are never added together. */
export function Figures({ organizationId, figures, locale }: Props) {
  const shown = [
    [t.outstanding, figures.outstanding],
    [t.overdue, figures.overdue],
    [t.invoiced, figures.invoiced],
    [t.paid, figures.paid],
    [t.drafts, figures.drafts],
  ] as const
  // A large amount stays whole: it is given the room of two.
  const isLong = shown.some(([, { amount }]) => formatMoney(amount, locale).length > longest)
  return (
    <section className="grid gap-4" aria-label={figures.currency}>
      <dl
        className={`grid grid-cols-1 gap-3 ${isLong ? 'sm:grid-cols-2 xl:grid-cols-3' : 'min-[22.5rem]:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5'}`}
      >
        {shown.map(([label, { amount, count }]) => (
          <div
            key={label}
            className={`min-w-0 rounded-xl border border-line bg-surface p-4 ${isLong ? 'sm:last:col-span-2' : 'min-[22.5rem]:last:col-span-2 xl:last:col-span-1'}`}
          >
            <dt className="text-sm text-muted">{label}</dt>
            <dd
              className={`amount mt-1 text-lg font-semibold ${isLong ? 'sm:text-xl' : 'sm:text-2xl xl:text-xl'} ${label === t.overdue && count > 0 ? 'text-danger' : ''}`}
            >
              {formatMoney(amount, locale)}
            </dd>
            <dd className="text-sm text-muted">{t.count(count)}</dd>
          </div>
        ))}
      </dl>
      <Ageing figures={figures} locale={locale} />
      <TopCustomers organizationId={organizationId} figures={figures} locale={locale} />
      <MonthChart figures={figures} locale={locale} />
    </section>
  )
}
