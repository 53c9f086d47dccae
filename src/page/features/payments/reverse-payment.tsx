import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { InvoicePayment } from '#shared/contract/payments.ts'
import { isRefund } from '#shared/invoice-balance.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { rules } from '#page/forms/rules.ts'
import { text } from '#page/words/app-text.ts'
import { FieldErrorsContext, TextField } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { reversePayment } from './queries.ts'

const t = text.payments
const check = rules<{ reason: string }>(({ reason }) => ({ reason: reason.trim() ? null : t.noReason }))

interface Props {
  organizationId: string
  payment: InvoicePayment
  onDone: () => void
}

export function ReversePayment({ organizationId, payment, onDone }: Props) {
  const queryClient = useQueryClient()
  const state = useFormState()
  const [reason, setReason] = useState('')
  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void state.submit({ reason }, check, async () => {
            await reversePayment(queryClient, organizationId, payment, reason)
            notify('success', (isRefund(payment) ? t.refund : t).reversed)
            onDone()
          })
        }}
      >
        <TextField
          label={t.reason}
          name="reason"
          autoComplete="off"
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <FormEnd state={state} submit={t.reverse} look="danger" onCancel={onDone} />
      </form>
    </FieldErrorsContext>
  )
}
