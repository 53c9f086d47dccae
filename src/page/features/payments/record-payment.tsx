import { useQueryClient } from '@tanstack/react-query'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { todayIn } from '#shared/dates.ts'
import { uuidv7 } from '#shared/ids.ts'
import { formatAmount } from '#shared/money.ts'
import { now } from '#page/device/clock.ts'
import { asTyped } from '#page/forms/typed-number.ts'
import { text } from '#page/words/app-text.ts'
import { notify } from '#page/ui/notify.ts'
import { InvoicePaymentForm } from './invoice-payment-form.tsx'
import { recordPayment } from './queries.ts'
import { dueWithout, stillDue } from './still-due.ts'

interface Props {
  invoice: Invoice
  organization: Organization
  /** Money is given back. */
  isRefund: boolean
  onDone: () => void
}

/** What is due, or to be given back, stands there already: the usual payment is one press. */
export function RecordPayment({ invoice, organization, isRefund, onDone }: Props) {
  const queryClient = useQueryClient()
  const { locale, timeZone } = organization
  const words = isRefund ? text.payments.refund : text.payments
  const due = stillDue(invoice)
  return (
    <InvoicePaymentForm
      invoice={invoice}
      locale={locale}
      isRefund={isRefund}
      keptName={`${isRefund ? 'refund' : 'payment'}.invoice.${invoice.id}`}
      fresh={() => ({
        id: uuidv7(),
        amount: asTyped(formatAmount(isRefund ? -due : due, invoice.currency), locale),
        date: todayIn(timeZone, now()),
        method: 'transfer',
        reference: '',
      })}
      mostOf={(id) => {
        const most = (isRefund ? -1n : 1n) * dueWithout(invoice, id)
        return most > 0n ? most : 0n
      }}
      save={async (body, writer) => {
        const isRecorded = await recordPayment(queryClient, invoice, body, writer)
        notify('success', isRecorded ? words.recorded : words.willBeRecorded)
      }}
      onDone={onDone}
    />
  )
}
