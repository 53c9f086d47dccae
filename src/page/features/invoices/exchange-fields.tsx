import { useStore } from '@tanstack/react-form'
import { useCallback } from 'react'
import { formatRate } from '#shared/format.ts'
import { readRate } from '#page/forms/typed-number.ts'
import { formatDate, formatMoney } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { liveAccountingTax, liveAmounts } from './draft-body.ts'
import { useReckoned, type DraftForm } from './draft-form.ts'
import type { DraftValues } from './draft-values.ts'

const t = text.invoices.exchange

export interface Exchanging {
  /** The accounting currency. */
  own: string
  /** A credit note is at the rate of its invoice. */
  isFixed: boolean
}

/** What the invoice's currency is worth in the organization's, on which day, who says so, and what that makes of the VAT. */
export function ExchangeFields({ form, own, isFixed }: Exchanging & { form: DraftForm }) {
  const currency = useStore(form.store, ({ values }) => values.currency)
  const locale = useStore(form.store, ({ values }) => values.locale)
  const exchange = useStore(form.store, ({ values }) => values.exchange)
  const reckon = useCallback((values: DraftValues) => liveAccountingTax(values, liveAmounts(values), own), [own])
  const tax = useReckoned(form, reckon)
  if (isFixed) {
    if (exchange.rate === '') return null
    const rate = formatRate({ ...exchange, rate: readRate(exchange.rate, locale) }, locale)
    return (
      <p className="text-muted sm:col-span-2">{t.fixed(rate, exchange.source, formatDate(exchange.date, locale))}</p>
    )
  }
  return (
    <fieldset className="grid min-w-0 gap-4 sm:col-span-2 sm:grid-cols-3">
      <legend className="mb-3 font-medium">{t.title}</legend>
      <form.AppField
        name="exchange.rate"
        listeners={{
          onChange: () => {
            form.setFieldValue('exchange.from', currency)
            form.setFieldValue('exchange.to', own)
          },
        }}
      >
        {(field) => (
          <field.Decimal
            label={t.rate(currency, own)}
            hint={tax ? t.comesTo(own, formatMoney(tax, locale)) : t.hint(own)}
          />
        )}
      </form.AppField>
      <form.AppField name="exchange.date">
        {(field) => <field.Text label={t.date} type="date" hint={t.dateHint} />}
      </form.AppField>
      <form.AppField name="exchange.source">
        {(field) => <field.Text label={t.source} placeholder={t.sourceExample} autoComplete="off" />}
      </form.AppField>
    </fieldset>
  )
}
