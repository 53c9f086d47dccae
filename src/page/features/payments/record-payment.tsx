import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { PaymentMethod } from '#shared/contract/payments.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { todayIn } from '#shared/dates.ts'
import { uuidv7 } from '#shared/ids.ts'
import { formatAmount, minorUnitsOf, parseMoney, toMoney } from '#shared/money.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { KeptNotice } from '#page/forms/kept-notice.tsx'
import { useKept } from '#page/forms/kept.ts'
import { rules } from '#page/forms/rules.ts'
import { text } from '#page/words/app-text.ts'
import { asTyped, readPrice } from '#page/forms/typed-number.ts'
import { FieldErrorsContext, SelectField, TextField } from '#page/ui/field.tsx'
import { NumberField } from '#page/ui/number-field.tsx'
import { notify } from '#page/ui/notify.ts'
import { recordPayment } from './queries.ts'
import { stillDue } from './still-due.ts'

const t = text.payments
const methodChoices = Object.entries(t.methods).map(([value, label]) => ({ value, label }))

interface Props {
  invoice: Invoice
  organization: Organization
  /** Money is given back: what is typed is how much, and less than nothing is recorded. */
  isRefund: boolean
  onDone: () => void
}

interface Typed {
  /** Saving again is saving the same, also after the page was loaded anew. */
  id: string
  amount: string
  date: string
  method: PaymentMethod
  reference: string
}

/** What is due, or to be given back, stands there already: the usual payment is one press. */
export function RecordPayment({ invoice, organization, isRefund, onDone }: Props) {
  const queryClient = useQueryClient()
  const state = useFormState()
  const { locale } = organization
  const { currency } = invoice
  const words = isRefund ? t.refund : t
  const sign = isRefund ? -1n : 1n
  const kept = useKept<Typed>(`${isRefund ? 'refund' : 'payment'}.invoice.${invoice.id}`)
  const fresh = (): Typed => ({
    id: uuidv7(),
    amount: asTyped(formatAmount(sign * stillDue(invoice), currency), locale),
    date: todayIn(organization.timeZone, Date.now()),
    method: 'transfer',
    reference: '',
  })
  const [typed, setTyped] = useState(() => kept.found ?? fresh())
  const { id, amount, date, method, reference } = typed
  const change = (part: Partial<Typed>) => {
    const next = { ...typed, ...part }
    setTyped(next)
    kept.keep(next)
  }
  const wire = { amount: readPrice(amount, locale, currency), date }
  const check = rules<typeof wire>((values) => {
    const parsed = parseMoney(values.amount, currency)
    const isNothing = parsed.ok && parsed.value <= 0n
    return {
      amount: parsed.ok ? (isNothing ? t.nothing : null) : parsed.error,
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
      const isRecorded = await recordPayment(queryClient, invoice, body, kept)
      kept.forget()
      notify('success', isRecorded ? words.recorded : words.willBeRecorded)
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
