import { toMoney, type Money } from '#shared/money.ts'
import { namedGroups, vatCategories } from '#shared/vat.ts'
import { said } from '#page/words/said.ts'
import { formatMoney } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { asTyped } from '#page/forms/typed-number.ts'
import { liveAccountingTax, liveAmounts } from './draft-body.ts'
import { useReckoned, type DraftForm } from './draft-form.ts'
import type { DraftValues } from './draft-values.ts'
import { areTotalsWrong, unknownAmount } from './number-problems.ts'

const t = text.invoices

interface Props {
  form: DraftForm
  /** The accounting currency; null of what has no exchange rate. */
  own: string | null
  locale: string
}

function reckon(values: DraftValues) {
  // Something is typed that is no number: no sum is shown that it would be missing from.
  return { values, amounts: liveAmounts(values), areWrong: areTotalsWrong(values) }
}

/** The document's discounts and extra charges as they were typed, VAT per rate and the sums: as on the paper, which names each of them. */
export function Totals({ form, own, locale }: Props) {
  const { values, amounts, areWrong } = useReckoned(form, reckon)
  const { currency } = values
  const accountingTax = liveAccountingTax(values, amounts, own)
  const { allowances, charges, vat, totals } = amounts
  const [less, more] = [allowances, charges].map((each) => each.reduce((sum, { entered }) => sum + entered, 0n))
  const shown = (sum: Money) => (areWrong ? unknownAmount : formatMoney(sum, locale))
  const money = (minor: bigint) => shown(toMoney(minor, currency))
  return (
    <dl className="ml-auto grid w-full max-w-sm grid-cols-[1fr_auto] gap-x-6 gap-y-1">
      {less !== 0n && (
        <>
          <dt className="text-muted">{t.discounts}</dt>
          <dd className="amount text-right">{money(-less!)}</dd>
        </>
      )}
      {more !== 0n && (
        <>
          <dt className="text-muted">{t.extraCharges}</dt>
          <dd className="amount text-right">{money(more!)}</dd>
        </>
      )}
      <dt className="text-muted">{t.subtotal}</dt>
      <dd className="amount text-right">{money(totals.net)}</dd>
      {namedGroups(vat).map(({ category, rate, base, tax }) => (
        <div key={`${category} ${rate}`} className="contents">
          <dt className="text-muted">
            {!vatCategories[category].taxed && `${said(vatCategories[category].label)}: `}
            {t.vatOf(asTyped(rate, locale), money(base))}
          </dt>
          <dd className="amount text-right">{money(tax)}</dd>
        </div>
      ))}
      {accountingTax && (
        <>
          <dt className="text-muted">{t.vatIn(accountingTax.currency)}</dt>
          <dd className="amount text-right">{shown(accountingTax)}</dd>
        </>
      )}
      <div className="col-span-2 mt-1 flex justify-between gap-x-6 border-t border-line pt-2 text-lg font-semibold">
        <dt>{t.total}</dt>
        <dd className="amount">{money(totals.gross)}</dd>
      </div>
    </dl>
  )
}
