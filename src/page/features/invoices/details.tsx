import { useStore } from '@tanstack/react-form'
import type { Organization } from '#shared/contract/organizations.ts'
import { currencyChoices, documentLanguageChoices } from '#page/words/choices.ts'
import { text } from '#page/words/app-text.ts'
import { Section } from '#page/ui/screen.tsx'
import { noExchange } from './draft-values.ts'
import { ExchangeFields, type Exchanging } from './exchange-fields.tsx'
import type { Dates, DraftForm } from './draft-form.ts'

const t = text.invoices
const modeChoices = [
  { value: 'net', label: text.organizations.net },
  { value: 'gross', label: text.organizations.gross },
]

/** Of the whole invoice: how it is priced, when it is due, what it refers to. */
export function Details({
  form,
  organization,
  isNew,
  dates,
  exchange,
}: {
  form: DraftForm
  organization: Organization
  isNew: boolean
  dates: Dates
  /** Null: the invoice is in the organization's currency, or it is none. */
  exchange: Exchanging | null
}) {
  const days = useStore(form.store, ({ values }) => values.termsDays).trim()
  const isOpen = isNew && days === ''
  return (
    <Section title={t.details}>
      <div className="grid gap-4 sm:grid-cols-2">
        <form.AppField name="taxMode">
          {(field) => <field.Select label={t.taxMode} choices={modeChoices} />}
        </form.AppField>
        <form.AppField
          name="currency"
          // A rate is for one currency: it does not stay in sight under another.
          listeners={{ onChange: () => exchange?.isFixed === false && form.setFieldValue('exchange', noExchange) }}
        >
          {(field) => <field.Select label={t.currency} choices={currencyChoices()} />}
        </form.AppField>
        {exchange && <ExchangeFields form={form} {...exchange} />}
        <form.AppField name="termsDays">
          {(field) => (
            <field.Text
              label={t.terms}
              inputMode="numeric"
              autoComplete="off"
              {...(isNew && { hint: t.termsHint, placeholder: String(organization.defaults.termsDays) })}
            />
          )}
        </form.AppField>
        {dates === 'invoice' && (
          <>
            <form.AppField name="dueDate">
              {(field) => <field.Text label={t.dueDate} type="date" hint={isOpen ? t.dueHintOpen : t.dueHint(days)} />}
            </form.AppField>
            <form.AppField name="supplyDate">
              {(field) => <field.Text label={t.supplyDate} type="date" />}
            </form.AppField>
          </>
        )}
        {dates === 'quote' && (
          <form.AppField name="validUntil">
            {(field) => <field.Text label={text.quotes.validUntil} type="date" hint={text.quotes.validHint} />}
          </form.AppField>
        )}
        <form.AppField name="language">
          {(field) => (
            <field.Select
              label={t.language}
              choices={[...(isNew ? [{ value: '', label: t.customersLanguage }] : []), ...documentLanguageChoices]}
            />
          )}
        </form.AppField>
        <form.AppField name="buyerReference">
          {(field) => <field.Text label={t.buyerReference} hint={t.buyerReferenceHint} autoComplete="off" />}
        </form.AppField>
        <form.AppField name="orderReference">
          {(field) => <field.Text label={t.orderReference} autoComplete="off" />}
        </form.AppField>
        <form.AppField name="notes">
          {(field) => (
            <field.TextArea label={dates === 'quote' ? text.quotes.notes : t.notes} className="sm:col-span-2" />
          )}
        </form.AppField>
      </div>
    </Section>
  )
}
