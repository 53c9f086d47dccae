// One payment on several invoices of a customer: spread oldest first, every part editable, and always said what is still to be put somewhere.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import type { NewPaymentInput, PaymentMethod } from '#shared/contract/payments.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { todayIn } from '#shared/dates.ts'
import { uuidv7 } from '#shared/ids.ts'
import { formatAmount, minorUnitsOf, parseMoney, toMoney, type MinorUnits, type Money } from '#shared/money.ts'
import { now } from '#page/device/clock.ts'
import type { Writer } from '#page/device/stored.ts'
import { UnsentBadge } from '#page/device/unsent-badge.tsx'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { formatDate, formatMoney } from '#page/words/format.ts'
import { KeptNotice } from '#page/forms/kept-notice.tsx'
import { useKept } from '#page/forms/kept.ts'
import { Loaded } from '#page/loaded.tsx'
import { text } from '#page/words/app-text.ts'
import { asTyped, readPrice } from '#page/forms/typed-number.ts'
import { Button } from '#page/ui/button.tsx'
import { FieldErrorsContext, SelectField, TextField } from '#page/ui/field.tsx'
import { NumberField } from '#page/ui/number-field.tsx'
import { Section } from '#page/ui/screen.tsx'
import { checkPayment, partsOf } from './allocate.ts'
import { mostAllocations, openInvoicesQuery, orAnother, paidInvoicesQuery, recordWholePayment } from './queries.ts'
import { spreadInOrder } from './spread.ts'
import { isClosing, stillDue, type ListedInvoice } from './still-due.ts'

const t = text.paymentForm
const methodChoices = Object.entries(text.payments.methods).map(([value, label]) => ({ value, label }))

interface Props {
  organization: Organization
  customerId: string
  /** Given by the route, because a feature knows no other feature. */
  customerPicker: ReactNode
  onSaved: (answer: object) => void
}

export function PaymentForm({ organization, customerId, customerPicker, onSaved }: Props) {
  const invoices = useQuery(openInvoicesQuery(organization.id, customerId))
  return (
    <>
      <Section>{customerPicker}</Section>
      {customerId === '' ? (
        <p className="text-muted">{t.choose}</p>
      ) : (
        <Loaded query={invoices}>
          {(all) => {
            const payable = all.filter((invoice) => !isClosing(invoice))
            const open = payable.filter((invoice) => stillDue(invoice) > 0n)
            return open.length === 0 ? (
              <p className="text-muted">{payable.length === 0 ? t.none : t.allWaits}</p>
            ) : (
              <NewParts
                key={customerId}
                organization={organization}
                customerId={customerId}
                open={open}
                onSaved={onSaved}
              />
            )
          }}
        </Loaded>
      )}
    </>
  )
}

function NewParts({
  organization,
  customerId,
  open,
  onSaved,
}: Omit<Props, 'customerPicker'> & Pick<PartsProps, 'open'>) {
  const queryClient = useQueryClient()
  const fresh = (currency: string): Typed => ({
    id: uuidv7(),
    currency,
    amount: '',
    date: todayIn(organization.timeZone, now()),
    method: 'transfer',
    reference: '',
    parts: {},
  })
  return (
    <Parts
      organization={organization}
      open={open}
      keptName={`payment.customer.${customerId}`}
      fresh={fresh}
      save={async (body, indexes, writer) => {
        const answer = await recordWholePayment(queryClient, organization.id, body, indexes, writer)
        return () => onSaved(answer)
      }}
    />
  )
}

interface AgainProps {
  payment: NewPaymentInput
  /** The id that it was saved with. */
  waitsAs: string
  organization: Organization
  keptName: string
  save: (body: NewPaymentInput, writer: Writer) => Promise<void>
  onCancel: () => void
}

/** With what was recorded in it, on the invoices that it was on, to be recorded in its place. */
export function PaymentAgain({ payment, waitsAs, organization, keptName, save, onCancel }: AgainProps) {
  const { id, amount, date, method = 'transfer', reference, allocations } = payment
  const ids = allocations.map(({ invoiceId }) => invoiceId)
  const invoices = useQuery(paidInvoicesQuery(organization.id, ids))
  const { currency } = amount
  const typed = (sum: Money) => asTyped(formatAmount(minorUnitsOf(sum), currency), organization.locale)
  const fresh = (): Typed => ({
    id,
    currency,
    amount: typed(amount),
    date,
    method,
    reference: typeof reference === 'string' ? reference : '',
    parts: Object.fromEntries(allocations.map((part) => [part.invoiceId, typed(part.amount)])),
  })
  return (
    <Loaded query={invoices}>
      {(found) => (
        <Parts
          organization={organization}
          // It is itself among what waits on them.
          open={found.map((invoice) => ({
            ...invoice,
            payments: invoice.payments.filter((each) => each.id !== waitsAs),
          }))}
          keptName={keptName}
          fresh={fresh}
          save={async (body, _, writer) => {
            await save(body, writer)
            return () => {}
          }}
          onCancel={onCancel}
        />
      )}
    </Loaded>
  )
}

interface PartsProps {
  organization: Organization
  open: readonly ListedInvoice[]
  /** Under which name what is typed is kept on this device. */
  keptName: string
  fresh: (currency: string) => Typed
  /** `indexes`: which of the invoices each allocation is on. Resolves to what comes once the form is done with. */
  save: (body: NewPaymentInput, indexes: readonly number[], writer: Writer) => Promise<() => void>
  onCancel?: () => void
}

interface Typed {
  /** Saving again is saving the same, also after the page was loaded anew. */
  id: string
  currency: string
  amount: string
  date: string
  method: PaymentMethod
  reference: string
  /** What was typed beside an invoice, by its id; the others are spread. */
  parts: Readonly<Record<string, string>>
}

function Parts({ organization, open, keptName, fresh, save, onCancel }: PartsProps) {
  const kept = useKept<Typed>(keptName)
  const state = useFormState(kept)
  const { locale } = organization
  const currencies = useMemo(() => [...new Set(open.map((each) => each.currency))], [open])
  const [typed, setTyped] = useState(() => kept.found ?? fresh(currencies[0]!))
  const { id, amount, date, method, reference } = typed
  const type = (part: Partial<Typed>) => {
    const next = { ...typed, ...part }
    setTyped(next)
    kept.keep(next)
  }
  const currency = currencies.includes(typed.currency) ? typed.currency : currencies[0]!
  const all = open.filter((each) => each.currency === currency)
  const shown = all.slice(0, mostAllocations)

  const parsed = parseMoney(readPrice(amount, locale, currency), currency)
  const received = parsed.ok && parsed.value > 0n ? parsed.value : 0n
  const spread = spreadInOrder(received, shown.map(stillDue))
  const isOwn = Object.keys(typed.parts).length > 0
  const shownPart = (index: number) => {
    const invoice = shown[index]!
    if (isOwn) return typed.parts[invoice.id] ?? ''
    return spread[index] === 0n ? '' : asTyped(formatAmount(spread[index]!, currency), locale)
  }
  /** From the first change on all of them are the person's. */
  const change = (index: number, value: string) =>
    type({ parts: Object.fromEntries(shown.map(({ id: each }, at) => [each, at === index ? value : shownPart(at)])) })
  const wire = {
    amount: readPrice(amount, locale, currency),
    date,
    parts: shown.map((_, index) => readPrice(shownPart(index), locale, currency)),
  }
  const parts = partsOf(wire.parts, currency)
  const left = received - parts.reduce((sum, part) => sum + part, 0n)
  const money = (minor: MinorUnits) => formatMoney(toMoney(minor, currency), locale)

  const submit = () =>
    state.submit(wire, checkPayment(shown, currency, locale), async () => {
      const paid = shown.flatMap((invoice, index) => {
        const part = parts[index]!
        return part === 0n ? [] : [{ index, invoiceId: invoice.id, amount: toMoney(part, currency) }]
      })
      const body = {
        id,
        date,
        method,
        reference,
        amount: toMoney(received, currency),
        allocations: paid.map(({ invoiceId, amount: part }) => ({ invoiceId, amount: part })),
      }
      const indexes = paid.map(({ index }) => index)
      const onward = await save(body, indexes, kept).catch(orAnother(() => type({ id: uuidv7() })))
      kept.forget()
      onward()
    })

  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        className="grid grid-cols-[minmax(0,1fr)] gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <KeptNotice kept={kept} onStartFresh={() => setTyped(fresh(currencies[0]!))} />
        <Section>
          <div className="grid gap-4 sm:grid-cols-2">
            {currencies.length > 1 && (
              <SelectField
                label={t.currency}
                name="currency"
                className="sm:col-span-2"
                choices={currencies.map((value) => ({ value, label: value }))}
                value={currency}
                onChange={(event) => type({ currency: event.currentTarget.value, parts: {} })}
              />
            )}
            <NumberField
              label={text.payments.amountIn(currency)}
              name="amount"
              value={amount}
              onValue={(sum) => type({ amount: sum })}
            />
            <TextField
              label={text.payments.date}
              name="date"
              type="date"
              value={date}
              onChange={(event) => type({ date: event.currentTarget.value })}
            />
            <SelectField
              label={text.payments.method}
              name="method"
              choices={methodChoices}
              value={method}
              onChange={(event) => type({ method: event.currentTarget.value as PaymentMethod })}
            />
            <TextField
              label={text.payments.reference}
              name="reference"
              autoComplete="off"
              maxLength={200}
              value={reference}
              onChange={(event) => type({ reference: event.currentTarget.value })}
            />
          </div>
        </Section>
        <Section title={t.invoices} actions={isOwn && <Button onClick={() => type({ parts: {} })}>{t.oldest}</Button>}>
          {all.length > shown.length && <p className="text-muted">{t.tooMany}</p>}
          <ul className="divide-y divide-line">
            {shown.map((invoice, index) => (
              <li
                key={invoice.id}
                className="grid grid-cols-[minmax(0,1fr)_7.5rem] items-start sm:grid-cols-[minmax(0,1fr)_9rem] gap-x-4 py-3 first:pt-0 last:pb-0"
              >
                <div className="min-w-0">
                  <p className="font-medium wrap-anywhere">{invoice.number}</p>
                  <UnsentBadge row={invoice} />
                  <p className="text-sm text-muted">
                    {t.dueOf(money(stillDue(invoice)), invoice.dueDate && formatDate(invoice.dueDate, locale))}
                  </p>
                </div>
                <NumberField
                  label={t.part(invoice.number ?? '')}
                  hiddenLabel
                  name={`parts.${index}`}
                  value={shownPart(index)}
                  onValue={(value) => change(index, value)}
                />
              </li>
            ))}
          </ul>
          <p className={`font-medium tabular-nums ${left === 0n ? 'text-muted' : 'text-danger'}`} aria-live="polite">
            {received === 0n && left === 0n
              ? ''
              : left === 0n
                ? t.even
                : left > 0n
                  ? t.left(money(left))
                  : t.over(money(-left))}
          </p>
        </Section>
        <FormEnd
          state={state}
          submit={text.payments.record}
          {...(onCancel && {
            onCancel: () => {
              kept.discard()
              onCancel()
            },
          })}
        />
      </form>
    </FieldErrorsContext>
  )
}
