// What was paid on an invoice, what is still due or to be given back, and what can be done about it.
import { Link } from '@tanstack/react-router'
import { Clock, HandCoins, TriangleAlert, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { InvoicePayment } from '#shared/contract/payments.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { isRefund, unsigned } from '#shared/invoice-balance.ts'
import { minorUnitsOf, type Money } from '#shared/money.ts'
import { may } from '#shared/permissions.ts'
import { isSignedIn } from '#shared/session.ts'
import { formatDate, formatInstant, formatMoney, type Zoned } from '#page/words/format.ts'
import { markOf } from '#page/device/saved.ts'
import { useCommands } from '#page/commands.ts'
import { useSession } from '#page/session.ts'
import { text } from '#page/words/app-text.ts'
import { Badge } from '#page/ui/badge.tsx'
import { Button } from '#page/ui/button.tsx'
import { Dialog } from '#page/ui/dialog.tsx'
import { Section } from '#page/ui/screen.tsx'
import { RecordPayment } from './record-payment.tsx'
import { ReversePayment } from './reverse-payment.tsx'
import { dueOf, isClosing, isPayable, stillDue } from './still-due.ts'

const t = text.payments
const size = 'size-4'

export function InvoicePayments({ invoice, organization }: { invoice: Invoice; organization: Organization }) {
  // What the dialog is for stays while it is open, and while it fades: what is due changes under it.
  const [recording, setRecording] = useState({ isOpen: false, isBack: false })
  const [reversed, setReversed] = useState<InvoicePayment | null>(null)
  const { locale } = organization
  const mayPay = may(organization, 'payment.write')
  const left = isPayable(invoice) && !isClosing(invoice) && mayPay ? stillDue(invoice) : 0n
  const words = left < 0n ? t.refund : t
  const record = () => setRecording({ isOpen: true, isBack: left < 0n })
  useCommands(left === 0n ? [] : [{ id: 'record-payment', label: words.record, run: record }])
  // Paid before a credit note came.
  const isOver = minorUnitsOf(invoice.amountDue) < 0n
  const back = unsigned(invoice.amountDue)
  const sums: [string, Money, string][] = [
    isOver ? [t.giveBack, back, 'font-semibold'] : [t.due, dueOf(invoice), 'font-semibold'],
    [t.paid, invoice.paid, ''],
  ]
  if (/[1-9]/.test(invoice.credited.amount)) sums.push([t.credited, invoice.credited, ''])
  return (
    <Section
      title={t.title}
      actions={
        left !== 0n && (
          <Button look="primary" icon={<HandCoins className="size-5" aria-hidden />} onClick={record}>
            {words.record}
          </Button>
        )
      }
    >
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-x-6 gap-y-2">
        {sums.map(([label, amount, look]) => (
          <div key={label}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className={`tabular-nums ${look}`}>{formatMoney(amount, locale)}</dd>
          </div>
        ))}
      </dl>
      {isOver && (
        <p className="wrap-anywhere">
          {t.refund.getsBack(invoice.customerName ?? text.invoices.customer, formatMoney(back, locale))}
        </p>
      )}
      {invoice.payments.length > 0 && (
        <ul className="divide-y divide-line border-t border-line" aria-label={t.title}>
          {invoice.payments.map((payment) => (
            <PaymentRow
              key={payment.id}
              payment={payment}
              organization={organization}
              onReverse={mayPay ? () => setReversed(payment) : undefined}
            />
          ))}
        </ul>
      )}
      <Dialog
        open={recording.isOpen}
        onOpenChange={(isOpen) => setRecording({ ...recording, isOpen })}
        title={titleOf(recording.isBack ? t.refund : t, invoice)}
      >
        <RecordPayment
          invoice={invoice}
          organization={organization}
          isRefund={recording.isBack}
          onDone={() => setRecording({ ...recording, isOpen: false })}
        />
      </Dialog>
      <Dialog
        open={reversed !== null}
        onOpenChange={() => setReversed(null)}
        title={wordsOf(reversed).reverseTitle}
        description={wordsOf(reversed).reverseLead}
      >
        {reversed && (
          <ReversePayment invoice={invoice} payment={reversed} locale={locale} onDone={() => setReversed(null)} />
        )}
      </Dialog>
    </Section>
  )
}

/** What waits to be issued has no number yet. */
const titleOf = (words: Pick<typeof t, 'record' | 'recordTitle'>, { number }: Invoice) =>
  number === null ? words.record : words.recordTitle(number)

/** Of what is given back: the words around it say which way it goes. */
const wordsOf = (payment: InvoicePayment | null) => (isRefund(payment) ? t.refund : t)

interface RowProps {
  payment: InvoicePayment
  organization: Zoned
  onReverse: (() => void) | undefined
}

function PaymentRow({ payment, organization, onReverse }: RowProps) {
  const { locale } = organization
  const session = useSession()
  const { amount, date, method, reference, reversal } = payment
  const mark = markOf(payment)
  const isOwn = isSignedIn(session) && reversal?.by === session.userId
  const shown = formatMoney(amount, locale)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0">
        <p>
          <span className={`font-medium tabular-nums ${reversal ? 'text-muted line-through' : ''}`}>{shown}</span>
          <span className="text-muted">
            {' '}
            · {[...(isRefund(payment) ? [t.refund.name] : []), formatDate(date, locale), t.methods[method]].join(' · ')}
          </span>
        </p>
        {reference && (
          <p dir="auto" className="text-left text-sm wrap-anywhere text-muted">
            {reference}
          </p>
        )}
        {reversal && (
          <p className="text-sm wrap-anywhere text-muted">
            {t.reversedWhy(formatInstant(reversal.at, organization), isOwn ? t.byYou : t.byAnother, reversal.reason)}
          </p>
        )}
        {mark && (
          <p className="text-sm text-muted">
            {mark === 'attention' ? t.refused : t.waits}{' '}
            <Link to="/unsent" className="font-medium text-accent underline">
              {text.unsent.title}
            </Link>
          </p>
        )}
      </div>
      {reversal && (
        <Badge tone="neutral" icon={<Undo2 className={size} aria-hidden />}>
          {t.isReversed}
        </Badge>
      )}
      {mark === 'attention' && (
        <Badge tone="danger" icon={<TriangleAlert className={size} aria-hidden />}>
          {text.unsent.marks.attention}
        </Badge>
      )}
      {mark && mark !== 'attention' && (
        <Badge tone="warn" icon={<Clock className={size} aria-hidden />}>
          {text.unsent.marks.waiting}
        </Badge>
      )}
      {!reversal && !mark && onReverse && (
        <Button
          look="quiet"
          aria-label={wordsOf(payment).reverseNamed(formatMoney(unsigned(amount), locale))}
          onClick={onReverse}
        >
          {t.reverse}
        </Button>
      )}
    </li>
  )
}
