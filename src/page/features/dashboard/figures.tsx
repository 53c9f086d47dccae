import type { CurrencyFigures } from '#shared/contract/dashboard.ts'
import { formatMoney } from '#page/format.ts'
import { text } from '#page/text.ts'
import { MonthChart } from './month-chart.tsx'

const t = text.dashboard

/** The sums of one currency; currencies are never added together. */
export function Figures({ figures, locale }: { figures: CurrencyFigures; locale: string }) {
  const shown = [
    [t.outstanding, figures.outstanding],
    [t.overdue, figures.overdue],
    [t.invoiced, figures.invoiced],
    [t.drafts, figures.drafts],
  ] as const
  return (
    <section className="grid gap-4" aria-label={figures.currency}>
      <dl className="grid grid-cols-1 gap-3 min-[22.5rem]:grid-cols-2 lg:grid-cols-4">
        {shown.map(([label, { amount, count }]) => (
          <div key={label} className="min-w-0 rounded-xl border border-line bg-surface p-4">
            <dt className="text-sm text-muted">{label}</dt>
            <dd
              className={`mt-1 text-lg font-semibold tabular-nums sm:text-2xl ${label === t.overdue && count > 0 ? 'text-danger' : ''}`}
            >
              {formatMoney(amount, locale)}
            </dd>
            <dd className="text-sm text-muted">{t.count(count)}</dd>
          </div>
        ))}
      </dl>
      <MonthChart figures={figures} locale={locale} />
    </section>
  )
}
