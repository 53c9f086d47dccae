import { useStore } from '@tanstack/react-form'
import { useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { invoiceEdit, newInvoice, type Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { toMoney } from '#shared/money.ts'
import { vatCategories, type VatCategory } from '#shared/vat.ts'
import { useAppForm } from '#page/app-form.tsx'
import { currencyChoices } from '#page/choices.ts'
import { formatMoney } from '#page/format.ts'
import { FormEnd } from '#page/form-end.tsx'
import { useFormState } from '#page/form.ts'
import { KeptNotice } from '#page/kept-notice.tsx'
import { useKeepForm, useKept } from '#page/kept.ts'
import { newRecordName, newRecordWriter, releaseNewRecord } from '#page/new-record.ts'
import { text } from '#page/text.ts'
import { asTyped } from '#page/typed-number.ts'
import { Button } from '#page/ui/button.tsx'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { Section } from '#page/ui/screen.tsx'
import { emptyLine, inLanguage, liveAmounts, toBody, toValues, type DraftValues } from './draft-values.ts'
import { createInvoice, saveInvoice } from './queries.ts'
import { Totals } from './totals.tsx'

const t = text.invoices
const modeChoices = [
  { value: 'net', label: text.organizations.net },
  { value: 'gross', label: text.organizations.gross },
]
const categoryChoices = Object.entries(vatCategories).map(([value, { label }]) => ({ value, label }))

interface Props {
  organization: Organization
  /** Null: a new one, with `newId`. */
  invoice: Invoice | null
  newId?: string
  /** Of a new one: gives it another id, because what was saved under this one, if it was, stays what it is. */
  onStartFresh?: () => void
  /** Of a new one: chosen on the screen the person came from. */
  customerId?: string | undefined
  /** Chooses the customer; given by the route, because a feature knows no other feature. */
  customerPicker: (value: string, onValue: (id: string) => void) => ReactNode
  onSaved: (invoice: Invoice) => void
  onReload?: () => void
  /** Takes the save in its place, where what is edited is an unsent write; such a form is kept under that write's own name. */
  save?: typeof saveInvoice
  keptName?: string
}

export function newInvoiceScope(organizationId: string): string {
  return `invoice.${organizationId}`
}

export function InvoiceForm({
  organization,
  invoice,
  newId = '',
  onStartFresh,
  customerId,
  customerPicker,
  onSaved,
  onReload,
  save = saveInvoice,
  keptName,
}: Props) {
  const queryClient = useQueryClient()
  const ownName = invoice
    ? `${organization.id}.${invoice.id}.${invoice.version}`
    : newRecordName(newInvoiceScope(organization.id), newId)
  const kept = useKept<DraftValues>(keptName ?? ownName)
  const state = useFormState(kept)
  // Once: other defaults make the form start anew, and a new line has a new id every time it is asked for.
  const [defaultValues] = useState(() =>
    kept.found ? inLanguage(kept.found, organization.locale) : toValues(invoice, organization, customerId),
  )
  const form = useAppForm({
    defaultValues,
    onSubmit: async ({ value }) => {
      const body = toBody(value, invoice)
      const writer = newRecordWriter(kept, newId, newInvoiceScope(organization.id), customerId)
      await state.submit(invoice ? body : { id: newId, ...body }, invoice ? invoiceEdit : newInvoice, async () => {
        const saved = invoice
          ? await save(queryClient, invoice, body, kept)
          : await createInvoice(queryClient, organization.id, { id: newId, ...body }, writer)
        kept.forget()
        if (!invoice) releaseNewRecord(newInvoiceScope(organization.id), customerId)
        onSaved(saved)
      })
    },
  })
  const values: DraftValues = useStore(form.store, ({ values: now }) => now)
  useKeepForm(form, kept)
  const amounts = liveAmounts(values, invoice)
  const money = (minor: bigint) => formatMoney(toMoney(minor, values.currency), organization.locale)

  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        className="grid gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          void form.handleSubmit()
        }}
      >
        <KeptNotice
          kept={kept}
          onStartFresh={onStartFresh ?? (() => form.reset(toValues(invoice, organization, customerId)))}
        />
        <Section>
          <form.Field name="customerId">{(field) => customerPicker(field.state.value, field.handleChange)}</form.Field>
        </Section>
        <Section title={t.lines}>
          <form.Field name="lines" mode="array">
            {(lines) => (
              <>
                <ol className="grid gap-5">
                  {lines.state.value.map((line, index) => (
                    <li key={line.id} className="grid gap-3 border-b border-line pb-5 last:border-b-0">
                      <div className="flex items-end gap-2">
                        <form.AppField name={`lines[${index}].name`}>
                          {(field) => (
                            <field.Text
                              label={t.item}
                              className="grow"
                              autoComplete="off"
                              aria-label={`${t.item}, ${t.line(index + 1)}`}
                            />
                          )}
                        </form.AppField>
                        <Button
                          look="quiet"
                          className="shrink-0 px-3"
                          aria-label={t.removeLine(index + 1)}
                          icon={<Trash2 className="size-5" aria-hidden />}
                          onClick={() => lines.removeValue(index)}
                        />
                      </div>
                      <div className="grid grid-cols-2 items-start gap-3 md:grid-cols-[6rem_8rem_minmax(0,1fr)_6rem_auto]">
                        <form.AppField name={`lines[${index}].quantity`}>
                          {(field) => <field.Decimal label={t.quantity} />}
                        </form.AppField>
                        <form.AppField name={`lines[${index}].unitPrice`}>
                          {(field) => (
                            <field.Decimal label={t.price} placeholder={asTyped('0.00', organization.locale)} />
                          )}
                        </form.AppField>
                        <form.AppField name={`lines[${index}].vat.category`}>
                          {(field) => <field.Select label={t.vatCategory} choices={categoryChoices} />}
                        </form.AppField>
                        {vatCategories[line.vat.category as VatCategory].taxed ? (
                          <form.AppField name={`lines[${index}].vat.rate`}>
                            {(field) => <field.Decimal label={t.rate} />}
                          </form.AppField>
                        ) : (
                          <span />
                        )}
                        <p className="col-span-2 text-right md:col-span-1 md:min-w-28">
                          <span className="block text-sm text-muted">{t.amount}</span>
                          <span className="amount block font-medium md:py-2.5">
                            {money(amounts.lines[index]?.entered ?? 0n)}
                          </span>
                        </p>
                      </div>
                    </li>
                  ))}
                </ol>
                <Button
                  className="justify-self-start"
                  icon={<Plus className="size-5" aria-hidden />}
                  onClick={() => lines.pushValue(nextLine(lines.state.value.at(-1), organization))}
                >
                  {t.addLine}
                </Button>
              </>
            )}
          </form.Field>
          <Totals amounts={amounts} currency={values.currency} locale={organization.locale} />
        </Section>
        <Section title={t.details}>
          <div className="grid gap-4 sm:grid-cols-2">
            <form.AppField name="taxMode">
              {(field) => <field.Select label={t.taxMode} choices={modeChoices} />}
            </form.AppField>
            <form.AppField name="currency">
              {(field) => <field.Select label={t.currency} choices={currencyChoices()} />}
            </form.AppField>
            <form.AppField name="dueDate">
              {(field) => (
                <field.Text
                  label={t.dueDate}
                  type="date"
                  hint={t.dueHint(invoice?.termsDays ?? organization.defaults.termsDays)}
                />
              )}
            </form.AppField>
            <form.AppField name="supplyDate">
              {(field) => <field.Text label={t.supplyDate} type="date" />}
            </form.AppField>
            <form.AppField name="buyerReference">
              {(field) => <field.Text label={t.buyerReference} autoComplete="off" />}
            </form.AppField>
            <form.AppField name="orderReference">
              {(field) => <field.Text label={t.orderReference} autoComplete="off" />}
            </form.AppField>
            <form.AppField name="notes">
              {(field) => <field.TextArea label={t.notes} className="sm:col-span-2" />}
            </form.AppField>
          </div>
        </Section>
        <FormEnd state={state} submit={t.saveDraft} onReload={onReload} />
      </form>
    </FieldErrorsContext>
  )
}

/** The next line is taxed as the one above it. */
function nextLine(
  above: DraftValues['lines'][number] | undefined,
  organization: Organization,
): DraftValues['lines'][number] {
  const fresh = emptyLine(organization)
  return above ? { ...fresh, vat: above.vat } : fresh
}
