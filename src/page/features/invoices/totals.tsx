import type { Words } from '#documents/words.ts'
import type { InvoiceAmounts } from '#shared/invoice-totals.ts'
import { toMoney } from '#shared/money.ts'
import { formatMoney } from '#page/format.ts'
import { text } from '#page/app-text.ts'
import { asTyped } from '#page/typed-number.ts'

const own = { ...text.invoices, charges: text.invoices.extraCharges }

interface Props {
  amounts: Pick<InvoiceAmounts, 'vat' | 'totals'>
  currency: string
  /** Of the paper; the page's own where it is none. */
  words?: Pick<Words, 'discounts' | 'charges' | 'subtotal' | 'vatOf' | 'total'>
  locale: string
}

/** VAT per rate and the sums, as they will stand on the paper. */
export function Totals({ amounts: { vat, totals }, currency, words: t = own, locale }: Props) {
  const money = (minor: bigint) => formatMoney(toMoney(minor, currency), locale)
  return (
    <dl className="ml-auto grid w-full max-w-sm grid-cols-[1fr_auto] gap-x-6 gap-y-1">
      {totals.allowances !== 0n && (
        <>
          <dt className="text-muted">{t.discounts}</dt>
          <dd className="amount text-right">{money(-totals.allowances)}</dd>
        </>
      )}
      {totals.charges !== 0n && (
        <>
          <dt className="text-muted">{t.charges}</dt>
          <dd className="amount text-right">{money(totals.charges)}</dd>
        </>
      )}
      <dt className="text-muted">{t.subtotal}</dt>
      <dd className="amount text-right">{money(totals.net)}</dd>
      {vat
        .filter((group) => group.tax !== 0n || group.rate !== '0')
        .map((group) => (
          <div key={`${group.category} ${group.rate}`} className="contents">
            <dt className="text-muted">{t.vatOf(asTyped(group.rate, locale), money(group.base))}</dt>
            <dd className="amount text-right">{money(group.tax)}</dd>
          </div>
        ))}
      <div className="col-span-2 mt-1 flex justify-between gap-x-6 border-t border-line pt-2 text-lg font-semibold">
        <dt>{t.total}</dt>
        <dd className="amount">{money(totals.gross)}</dd>
      </div>
    </dl>
  )
}
