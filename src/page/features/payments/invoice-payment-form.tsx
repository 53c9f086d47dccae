// What is paid on one invoice, or given back.
import { useState } from 'react'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { NewPaymentInput, PaymentMethod } from '#shared/contract/payments.ts'
import { isRefund } from '#shared/invoice-balance.ts'
import { formatAmount, minorUnitsOf, parseMoney, toMoney, type MinorUnits } from '#shared/money.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { KeptNotice } from '#page/forms/kept-notice.tsx'
import { useKept } from '#page/forms/kept.ts'
import { rules } from '#page/forms/rules.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Writer } from '#page/device/stored.ts'
import { formatMoney } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { asTyped, readPrice } from '#page/forms/typed-number.ts'
import { FieldErrorsContext, SelectField, TextField } from '#page/ui/field.tsx'
import { NumberField } from '#page/ui/number-field.tsx'
import { orAnother } from './queries.ts'

const t = text.payments
const methodChoices = Object.entries(t.methods).map(([value, label]) => ({ value, label }))

interface TypedPayment {
  /** Saving again is saving the same, also after the page was loaded anew. */
  id: string
  amount: string
  date: string
  method: PaymentMethod
  reference: string
}

interface Props {
  invoice: Pick<Invoice, 'id' | 'currency'>
  locale: string
  /** Money is given back: what is typed is how much, and less than nothing is recorded. */
  isRefund: boolean
  /** Under which name what is typed is kept on this device. */
  keptName: string
  fresh: () => TypedPayment
  /** The most that may be recorded with this id, as far as the device knows; without it the server says. */
  mostOf?: (id: string) => MinorUnits
  save: (body: NewPaymentInput, writer: Writer) => Promise<void>
  onDone: () => void
}

export function InvoicePaymentForm({
  invoice,
  locale,
  isRefund: isBack,
  keptName,
  fresh,
  mostOf,
  save,
  onDone,
}: Props) {
  const state = useFormState()
  const { currency } = invoice
  const words = isBack ? t.refund : t
  const sign = isBack ? -1n : 1n
  const kept = useKept<TypedPayment>(keptName)
  const [typed, setTyped] = useState(() => kept.found ?? fresh())
  const { id, amount, date, method, reference } = typed
  const change = (part: Partial<TypedPayment>) => {
    const next = { ...typed, ...part }
    setTyped(next)
    kept.keep(next)
  }
  const wire = { amount: readPrice(amount, locale, currency), date }
  const amountError = (value: MinorUnits) => {
    if (value <= 0n) return t.nothing
    const most = mostOf?.(id) ?? value
    return value > most ? words.tooMuch(formatMoney(toMoney(most, currency), locale)) : null
  }
  const check = rules<typeof wire>((values) => {
    const parsed = parseMoney(values.amount, currency)
    return {
      amount: parsed.ok ? amountError(parsed.value) : parsed.error,
      date: values.date ? null : t.noDate,
    }
  })
  const submit = () => {
    // Its id outlives the page, also where nothing was typed: what is sent twice is one.
    kept.keep(typed)
    kept.flush()
    return state.submit(wire, check, async () => {
      const whole = toMoney(sign * minorUnitsOf({ amount: wire.amount, currency }), currency)
      const allocations = [{ invoiceId: invoice.id, amount: whole }]
      const body = { id, date, amount: whole, method, reference, allocations }
      await save(body, kept).catch(orAnother(() => change({ id: uuidv7() })))
      kept.forget()
      onDone()
    })
  }
  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <KeptNotice kept={kept} onStartFresh={() => setTyped(fresh())} />
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField
            label={words.amountIn(currency)}
            name="amount"
            value={amount}
            onValue={(value) => change({ amount: value })}
          />
          <TextField
            label={words.date}
            name="date"
            type="date"
            value={date}
            onChange={(event) => change({ date: event.currentTarget.value })}
          />
          <SelectField
            label={t.method}
            name="method"
            choices={methodChoices}
            value={method}
            onChange={(event) => change({ method: event.currentTarget.value as PaymentMethod })}
          />
          <TextField
            label={t.reference}
            name="reference"
            autoComplete="off"
            maxLength={200}
            value={reference}
            onChange={(event) => change({ reference: event.currentTarget.value })}
          />
        </div>
        <FormEnd
          state={state}
          submit={words.record}
          onCancel={() => {
            kept.discard()
            onDone()
          }}
        />
      </form>
    </FieldErrorsContext>
  )
}

interface AgainProps extends Pick<Props, 'locale' | 'keptName' | 'save' | 'onDone'> {
  payment: NewPaymentInput
}

/** With what was recorded in it, to be recorded in its place. */
export function InvoicePaymentAgain({ payment, ...props }: AgainProps) {
  const { id, amount, date, method = 'transfer', reference, allocations } = payment
  const units = minorUnitsOf(amount)
  const typed = asTyped(formatAmount(units < 0n ? -units : units, amount.currency), props.locale)
  return (
    <InvoicePaymentForm
      {...props}
      invoice={{ id: allocations[0]!.invoiceId, currency: amount.currency }}
      isRefund={isRefund(payment)}
      fresh={() => ({ id, amount: typed, date, method, reference: typeof reference === 'string' ? reference : '' })}
    />
  )
}
