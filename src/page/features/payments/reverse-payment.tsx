import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { InvoicePayment } from '#shared/contract/payments.ts'
import { isRefund, unsigned } from '#shared/invoice-balance.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { KeptNotice } from '#page/forms/kept-notice.tsx'
import { useKept } from '#page/forms/kept.ts'
import { rules } from '#page/forms/rules.ts'
import { text } from '#page/words/app-text.ts'
import { formatMoney } from '#page/words/format.ts'
import { FieldErrorsContext, TextField } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { paymentQuery, reversePayment } from './queries.ts'

const t = text.payments
const check = rules<{ reason: string }>(({ reason }) => ({ reason: reason.trim() ? null : t.noReason }))

interface Props {
  invoice: Invoice
  payment: InvoicePayment
  locale: string
  onDone: () => void
}

export function ReversePayment({ invoice, payment, locale, onDone }: Props) {
  const queryClient = useQueryClient()
  const state = useFormState()
  const kept = useKept<string>(`reversal.${payment.id}`)
  const [reason, setReason] = useState(kept.found ?? '')
  const { data: whole } = useQuery(paymentQuery(invoice.organizationId, payment.id))
  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void state.submit({ reason }, check, async () => {
            const isReversed = await reversePayment(queryClient, invoice, payment, reason, kept)
            kept.forget()
            notify('success', isReversed ? (isRefund(payment) ? t.refund : t).reversed : t.willBeReversed)
            onDone()
          })
        }}
      >
        <KeptNotice kept={kept} onStartFresh={() => setReason('')} />
        {whole && whole.allocations.length > 1 && (
          <p className="wrap-anywhere">
            {t.reverseWhole(
              formatMoney(unsigned(whole.amount), locale),
              whole.allocations.map(({ invoiceNumber }) => invoiceNumber).join(', '),
            )}
          </p>
        )}
        <TextField
          label={t.reason}
          name="reason"
          autoComplete="off"
          maxLength={500}
          value={reason}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            kept.keep(event.currentTarget.value)
          }}
        />
        <FormEnd
          state={state}
          submit={t.reverse}
          look="danger"
          onCancel={() => {
            kept.discard()
            onDone()
          }}
        />
      </form>
    </FieldErrorsContext>
  )
}
