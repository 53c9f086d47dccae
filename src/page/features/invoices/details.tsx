import { useStore } from '@tanstack/react-form'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { currencyChoices, documentLanguageChoices } from '#page/choices.ts'
import { text } from '#page/app-text.ts'
import { Section } from '#page/ui/screen.tsx'
import type { DraftForm } from './draft-form.ts'

const t = text.invoices
const modeChoices = [
  { value: 'net', label: text.organizations.net },
  { value: 'gross', label: text.organizations.gross },
]

/** Of the whole invoice: how it is priced, when it is due, what it refers to. */
export function Details({
  form,
  organization,
  invoice,
}: {
  form: DraftForm
  organization: Organization
  invoice: Invoice | null
}) {
  const days = useStore(form.store, ({ values }) => values.termsDays).trim()
  const isOpen = invoice === null && days === ''
  return (
    <Section title={t.details}>
      <div className="grid gap-4 sm:grid-cols-2">
        <form.AppField name="taxMode">
          {(field) => <field.Select label={t.taxMode} choices={modeChoices} />}
        </form.AppField>
        <form.AppField name="currency">
          {(field) => <field.Select label={t.currency} choices={currencyChoices()} />}
        </form.AppField>
        <form.AppField name="termsDays">
          {(field) => (
            <field.Text
              label={t.terms}
              inputMode="numeric"
              autoComplete="off"
              {...(invoice === null && { hint: t.termsHint, placeholder: String(organization.defaults.termsDays) })}
            />
          )}
        </form.AppField>
        <form.AppField name="dueDate">
          {(field) => <field.Text label={t.dueDate} type="date" hint={isOpen ? t.dueHintOpen : t.dueHint(days)} />}
        </form.AppField>
        <form.AppField name="supplyDate">{(field) => <field.Text label={t.supplyDate} type="date" />}</form.AppField>
        <form.AppField name="language">
          {(field) => (
            <field.Select
              label={t.language}
              choices={[
                ...(invoice === null ? [{ value: '', label: t.customersLanguage }] : []),
                ...documentLanguageChoices,
              ]}
            />
          )}
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
  )
}
