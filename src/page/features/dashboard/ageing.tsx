import type { CurrencyFigures } from '#shared/contract/dashboard.ts'
import { minorUnitsOf } from '#shared/money.ts'
import { formatMoney } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'

const t = text.dashboard

/** What is owed by how late it is: a table whose rows are bars as long as their amounts. */
export function Ageing({ figures, locale }: { figures: CurrencyFigures; locale: string }) {
  // What an earlier build kept or answers does not have it.
  const ageing = figures.ageing as CurrencyFigures['ageing'] | undefined
  if (!ageing?.some(({ count }) => count > 0)) return null
  const amounts = ageing.map(({ amount }) => minorUnitsOf(amount))
  const most = amounts.reduce((max, amount) => (amount > max ? amount : max), 1n)
  return (
    <table className="w-full rounded-xl border-separate border-spacing-x-0 border-spacing-y-2 border border-line bg-surface p-4 text-left sm:p-5">
      <caption className="sr-only">{t.ageing}</caption>
      <thead>
        <tr className="text-sm text-muted">
          <th scope="col" className="font-normal">
            {t.ageing}
          </th>
          <th scope="col" className="pl-3 text-right font-normal whitespace-nowrap">
            {t.outstanding}
          </th>
        </tr>
      </thead>
      <tbody>
        {ageing.map(({ days, count, amount }, index) => (
          <tr key={days}>
            <th scope="row" className="w-full pr-4 font-normal">
              <span className="block">
                {t.ages[index]} <span className="text-sm text-muted">{count > 0 && t.count(count)}</span>
              </span>
              {/* A picture may round: whole hundredths of the longest. */}
              <span
                aria-hidden
                className={`block h-1.5 rounded-full ${days === 0 ? 'bg-accent' : 'bg-danger'}`}
                style={{ width: `${Number((amounts[index]! * 100n) / most)}%` }}
              />
            </th>
            <td className="amount text-right align-top">{formatMoney(amount, locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
