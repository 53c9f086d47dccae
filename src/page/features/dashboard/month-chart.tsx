// Twelve bars, with the table behind them for whoever reads rather than looks.
import type { CurrencyFigures } from '#shared/contract/dashboard.ts'
import { minorUnitsOf } from '#shared/money.ts'
import { formatMoney, formatMonth } from '#page/format.ts'
import { text } from '#page/text.ts'

const t = text.dashboard
const height = 120
const barWidth = 36
const gap = 12

export function MonthChart({ figures: { months }, locale }: { figures: CurrencyFigures; locale: string }) {
  const amounts = months.map(({ invoiced }) => minorUnitsOf(invoiced))
  const most = amounts.reduce((max, amount) => (amount > max ? amount : max), 0n)
  // Whole pixels out of exact amounts: the only place where a picture may round.
  const barHeight = (amount: bigint) =>
    most === 0n || amount <= 0n ? 2 : Math.max(2, Number((amount * BigInt(height)) / most))
  const width = months.length * (barWidth + gap) - gap
  return (
    <figure className="grid gap-3 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <figcaption className="text-sm text-muted">{t.months}</figcaption>
      <svg viewBox={`0 0 ${width} ${height + 24}`} className="w-full" aria-hidden>
        {months.map(({ month }, index) => {
          const x = index * (barWidth + gap)
          const tall = barHeight(amounts[index]!)
          return (
            <g key={month}>
              <rect
                className={amounts[index] === 0n ? 'fill-line' : 'fill-accent'}
                x={x}
                y={height - tall}
                width={barWidth}
                height={tall}
                rx={4}
              />
              <text className="fill-muted text-[13px]" x={x + barWidth / 2} y={height + 18} textAnchor="middle">
                {formatMonth(month, locale)}
              </text>
            </g>
          )
        })}
      </svg>
      <details>
        <summary className="flex min-h-11 items-center text-sm text-muted">{t.asTable}</summary>
        <table className="w-full text-left">
          <thead className="text-sm text-muted">
            <tr>
              <th className="py-1 font-medium">{t.month}</th>
              <th className="py-1 text-right font-medium">{t.invoiced}</th>
            </tr>
          </thead>
          <tbody>
            {months.map(({ month, invoiced }) => (
              <tr key={month} className="border-t border-line">
                <td className="py-1">{formatMonth(month, locale, 'long')}</td>
                <td className="amount py-1 text-right">{formatMoney(invoiced, locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
