// Twelve bars, with the table behind them for whoever reads rather than looks.
import type { CurrencyFigures } from '#shared/contract/dashboard.ts'
import { minorUnitsOf } from '#shared/money.ts'
import { formatMoney, formatMonth } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'

const t = text.dashboard
const heightPixels = 140

export function MonthChart({ figures: { months }, locale }: { figures: CurrencyFigures; locale: string }) {
  const amounts = months.map(({ invoiced }) => minorUnitsOf(invoiced))
  const most = amounts.reduce((max, amount) => (amount > max ? amount : max), 0n)
  const least = amounts.reduce((min, amount) => (amount < min ? amount : min), 0n)
  // Whole pixels out of exact amounts: the only place where a picture may round.
  const pixelsOf = (amount: bigint) =>
    amount === 0n ? 0 : Math.max(2, Number((amount * BigInt(heightPixels)) / (most - least)))
  const [above, below] = [Math.max(2, pixelsOf(most)), pixelsOf(-least)]
  return (
    <figure className="grid gap-3 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <figcaption className="text-sm text-muted">{t.months}</figcaption>
      <ol className="grid grid-cols-12 items-end gap-1 sm:gap-3" aria-hidden>
        {months.map(({ month }, index) => (
          <li key={month} className="grid gap-1 text-center">
            <Bar amount={amounts[index]!} pixels={pixelsOf} above={above} below={below} />
            <span className="truncate text-xs text-muted">
              <span className="sm:hidden">{formatMonth(month, locale, 'narrow')}</span>
              <span className="hidden sm:inline">{formatMonth(month, locale)}</span>
            </span>
          </li>
        ))}
      </ol>
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

/** A month in which more was credited than invoiced hangs below the line. */
function Bar({
  amount,
  pixels,
  above,
  below,
}: {
  amount: bigint
  pixels: (amount: bigint) => number
  above: number
  below: number
}) {
  const isBelow = amount < 0n
  const look = amount === 0n ? 'bg-line' : isBelow ? 'bg-danger' : 'bg-accent'
  const height = isBelow ? pixels(-amount) : Math.max(2, pixels(amount))
  return (
    <span className="block" style={{ height: above + below }}>
      <span
        className={`block rounded-sm ${look}`}
        style={{ height, transform: `translateY(${isBelow ? above : above - height}px)` }}
      />
    </span>
  )
}
