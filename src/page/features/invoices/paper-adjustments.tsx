import type { Words } from '#documents/words.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { formatMoney } from '#page/format.ts'
import { asTyped } from '#page/typed-number.ts'

interface Props {
  of: Pick<Invoice['lines'][number], 'allowances' | 'charges'>
  currency: string
  words: Words
  locale: string
}

/** Each discount and extra charge, of a line or of the whole invoice, with what it is for. */
export function PaperAdjustments({ of: { allowances, charges }, currency, words, locale }: Props) {
  const rows = [
    ...allowances.map((each) => ({ each, what: words.discount, sign: '-' })),
    ...charges.map((each) => ({ each, what: words.charge, sign: '' })),
  ]
  if (rows.length === 0) return null
  return (
    <ul className="text-sm font-normal text-muted">
      {rows.map(({ each: { amount, percent, reason }, what, sign }, index) => (
        <li key={index}>
          {[reason ?? what, percent !== undefined && `${asTyped(percent, locale)} %`].filter(Boolean).join(' ')}:{' '}
          <span className="amount">{formatMoney({ amount: sign + amount, currency }, locale)}</span>
        </li>
      ))}
    </ul>
  )
}
