import { useStore } from '@tanstack/react-form'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { blankOrganization } from '#shared/blank-rows.ts'
import { organizationEdit, type Organization, type OrganizationEditInput } from '#shared/contract/organizations.ts'
import { todayIn } from '#shared/dates.ts'
import {
  formatNumber,
  givesTheSame,
  numberResets,
  parseNumberPattern,
  type NumberReset,
} from '#shared/invoice-number.ts'
import { may } from '#shared/permissions.ts'
import { now } from '#page/device/clock.ts'
import { useAppForm } from '#page/forms/app-form.tsx'
import { countryChoices, currencyChoices, localeChoices, timeZoneChoices } from '#page/words/choices.ts'
import { blankEndpoint, endpointFrom, EndpointFields } from '#page/forms/endpoint-fields.tsx'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { beginAnew, KeptNotice } from '#page/forms/kept-notice.tsx'
import { useKeepForm, useKept } from '#page/forms/kept.ts'
import { text } from '#page/words/app-text.ts'
import { said } from '#page/words/said.ts'
import { asTyped, readTyped } from '#page/forms/typed-number.ts'
import { FieldErrorsContext, type Choice } from '#page/ui/field.tsx'
import { Notice, Section } from '#page/ui/screen.tsx'
import { saveOrganization } from './queries.ts'

const t = text.organizations
const regimeChoices = Object.entries(t.regimes).map(([value, label]) => ({ value, label }))
const mayIssueChoices = Object.entries(t.mayIssue).map(([value, label]) => ({ value, label }))
const resetChoices = numberResets.map((value) => ({ value, label: t.resets[value] }))
const profileChoices = Object.entries(text.eInvoice.profiles).map(([value, label]) => ({ value, label }))
const paperChoices = Object.entries(text.eInvoice.papers).map(([value, label]) => ({ value, label }))
const modeChoices = [
  { value: 'net', label: t.net },
  { value: 'gross', label: t.gross },
]

export function SettingsForm({
  organization,
  onSaved,
  onReload,
  save = saveOrganization,
  keptName,
}: {
  organization: Organization
  onSaved: (saved: Organization) => void
  onReload?: () => void
  /** Takes the save in its place, where what is edited is an unsent write; such a form is kept under that write's own name. */
  save?: typeof saveOrganization
  keptName?: string
}) {
  const queryClient = useQueryClient()
  const fresh = () => toValues(organization)
  const kept = useKept<SettingsValues>(keptName ?? `settings.${organization.id}.${organization.version}`, fresh)
  const state = useFormState(kept)
  const [defaultValues] = useState(() => ({ ...fresh(), ...kept.found }))
  const form = useAppForm({
    defaultValues,
    onSubmit: async ({ value }) => {
      const body = toBody(value)
      await state.submit(body, organizationEdit, async () => {
        const saved = await save(queryClient, organization, body, kept)
        kept.forget()
        onSaved(saved)
      })
    },
  })
  useKeepForm(form, kept)
  const editable = may(organization, 'organization.edit')
  const { numbering, creditNoteNumbering, quoteNumbering, timeZone } = useStore(form.store, ({ values }) => values)
  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void form.handleSubmit()
        }}
      >
        <fieldset disabled={!editable} className="grid gap-6">
          {!editable && <Notice>{t.readOnly}</Notice>}
          <KeptNotice
            kept={kept}
            onStartFresh={() => beginAnew(form, fresh())}
            onPutBack={(older) => beginAnew(form, older)}
          />
          <Section title={t.details}>
            <div className="grid gap-4 sm:grid-cols-2">
              <form.AppField name="name">
                {(field) => <field.Text label={t.name} autoComplete="organization" required />}
              </form.AppField>
              <form.AppField name="legalName">{(field) => <field.Text label={t.legalName} />}</form.AppField>
              <form.AppField name="vatNumber">
                {(field) => <field.Text label={t.vatNumber} autoCapitalize="characters" />}
              </form.AppField>
              <form.AppField name="taxNumber">{(field) => <field.Text label={t.taxNumber} />}</form.AppField>
              <form.AppField name="registrationNumber">
                {(field) => <field.Text label={t.registration} />}
              </form.AppField>
              <form.AppField name="vatRegime">
                {(field) => <field.Select label={t.regime} choices={regimeChoices} />}
              </form.AppField>
            </div>
          </Section>
          <Section title={t.address}>
            <div className="grid gap-4 sm:grid-cols-2">
              <form.AppField name="address.line1">
                {(field) => <field.Text label={t.street} autoComplete="address-line1" />}
              </form.AppField>
              <form.AppField name="address.line2">
                {(field) => <field.Text label={t.street2} autoComplete="address-line2" />}
              </form.AppField>
              <form.AppField name="address.postalCode">
                {(field) => <field.Text label={t.postalCode} autoComplete="postal-code" />}
              </form.AppField>
              <form.AppField name="address.city">
                {(field) => <field.Text label={t.city} autoComplete="address-level2" />}
              </form.AppField>
              <form.AppField name="address.region">
                {(field) => <field.Text label={t.region} autoComplete="address-level1" />}
              </form.AppField>
              <form.AppField name="country">
                {(field) => <field.Select label={t.country} choices={countryChoices()} autoComplete="country" />}
              </form.AppField>
            </div>
          </Section>
          <Section title={t.contact}>
            <div className="grid gap-4 sm:grid-cols-2">
              <form.AppField name="contact.name">
                {(field) => <field.Text label={t.contactName} autoComplete="name" />}
              </form.AppField>
              <form.AppField name="contact.email">
                {(field) => <field.Text label={t.contactEmail} type="email" inputMode="email" autoComplete="email" />}
              </form.AppField>
              <form.AppField name="contact.phone">
                {(field) => <field.Text label={t.phone} type="tel" autoComplete="tel" />}
              </form.AppField>
            </div>
          </Section>
          <Section title={t.bank}>
            <div className="grid gap-4 sm:grid-cols-2">
              <form.AppField name="bank.iban">
                {(field) => <field.Text label={t.iban} autoCapitalize="characters" autoComplete="off" />}
              </form.AppField>
              <form.AppField name="bank.bic">
                {(field) => <field.Text label={t.bic} autoCapitalize="characters" autoComplete="off" />}
              </form.AppField>
              <form.AppField name="bank.holder">{(field) => <field.Text label={t.holder} />}</form.AppField>
            </div>
          </Section>
          <Section title={t.defaults}>
            <div className="grid gap-4 sm:grid-cols-2">
              <form.AppField name="currency">
                {(field) => <field.Select label={t.currency} choices={currencyChoices()} />}
              </form.AppField>
              <form.AppField name="defaults.taxMode">
                {(field) => <field.Select label={t.taxMode} choices={modeChoices} />}
              </form.AppField>
              <form.AppField name="defaults.vatRate">{(field) => <field.Decimal label={t.vatRate} />}</form.AppField>
              <form.AppField name="defaults.termsDays">
                {(field) => <field.Text label={t.terms} inputMode="numeric" />}
              </form.AppField>
              <form.AppField name="defaults.notes">
                {(field) => <field.TextArea label={t.notes} className="sm:col-span-2" />}
              </form.AppField>
            </div>
          </Section>
          <Section title={text.eInvoice.title}>
            <p className="text-sm text-muted">{text.eInvoice.lead}</p>
            <div className="grid gap-4 sm:grid-cols-2">
              <form.AppField name="eInvoiceProfile">
                {(field) => <field.Select label={text.eInvoice.profile} choices={profileChoices} />}
              </form.AppField>
              <form.AppField name="paperSize">
                {(field) => <field.Select label={text.eInvoice.paper} choices={paperChoices} />}
              </form.AppField>
              <EndpointFields form={form} fields="endpoint" />
            </div>
          </Section>
          <Section
            title={t.numbering}
            actions={
              may(organization, 'series.read') && (
                <Link
                  to="/organization/$organizationId/numbers"
                  params={{ organizationId: organization.id }}
                  className="inline-flex min-h-11 items-center font-medium text-accent underline"
                >
                  {text.numbers.title}
                </Link>
              )
            }
          >
            <div className="grid gap-4 sm:grid-cols-2">
              <form.AppField name="numbering.pattern">
                {(field) => <field.Text label={t.pattern} hint={sampleOf(numbering, timeZone)} autoComplete="off" />}
              </form.AppField>
              <form.AppField name="numbering.reset">
                {(field) => <field.Select label={t.reset} choices={resetChoices} />}
              </form.AppField>
              <form.AppField name="creditNoteNumbering.pattern">
                {(field) => (
                  <field.Text
                    label={t.creditPattern}
                    hint={
                      givesTheSame(numbering.pattern, creditNoteNumbering.pattern)
                        ? t.samePattern
                        : sampleOf(creditNoteNumbering, timeZone)
                    }
                    autoComplete="off"
                  />
                )}
              </form.AppField>
              <form.AppField name="creditNoteNumbering.reset">
                {(field) => <field.Select label={t.creditReset} choices={resetChoices} />}
              </form.AppField>
              <form.AppField name="quoteNumbering.pattern">
                {(field) => (
                  <field.Text
                    label={text.quotes.numbering}
                    hint={sampleOf(quoteNumbering, timeZone)}
                    autoComplete="off"
                  />
                )}
              </form.AppField>
              <form.AppField name="quoteNumbering.reset">
                {(field) => <field.Select label={text.quotes.reset} choices={resetChoices} />}
              </form.AppField>
              <form.AppField name="locale">
                {(field) => <field.Select label={t.locale} choices={including(localeChoices(), organization.locale)} />}
              </form.AppField>
              <form.AppField name="timeZone">
                {(field) => (
                  <field.Select label={t.timeZone} choices={including(timeZoneChoices(), organization.timeZone)} />
                )}
              </form.AppField>
            </div>
          </Section>
          <Section title={text.members.title}>
            <div className="grid gap-4 sm:grid-cols-2">
              <form.AppField name="membersMayIssue">
                {(field) => <field.Select label={t.membersMayIssue} choices={mayIssueChoices} />}
              </form.AppField>
            </div>
          </Section>
          {editable && <FormEnd state={state} submit={t.save} onReload={onReload} />}
        </fieldset>
      </form>
    </FieldErrorsContext>
  )
}

type SettingsValues = ReturnType<typeof toValues>

function toValues(organization: Organization) {
  const {
    name,
    legalName,
    vatNumber,
    taxNumber,
    registrationNumber,
    vatRegime,
    address,
    country,
    contact,
    bank,
    currency,
    defaults,
    numbering,
    endpoint,
    locale,
    timeZone,
    membersMayIssue,
  } = organization
  return {
    name,
    legalName: legalName ?? '',
    vatNumber: vatNumber ?? '',
    taxNumber: taxNumber ?? '',
    registrationNumber: registrationNumber ?? '',
    vatRegime: vatRegime as string,
    country,
    currency,
    locale,
    timeZone,
    // Rows of earlier builds say nothing of it.
    membersMayIssue: membersMayIssue === false ? 'no' : 'yes',
    address: blank(address),
    contact: blank(contact),
    bank: blank(bank),
    defaults: {
      taxMode: defaults.taxMode as string,
      termsDays: String(defaults.termsDays),
      vatRate: asTyped(defaults.vatRate ?? '', locale),
      notes: defaults.notes ?? '',
    },
    numbering: { pattern: numbering.pattern, reset: numbering.reset as string },
    // A paint cache of an earlier build does not know it.
    creditNoteNumbering: { ...blankOrganization.creditNoteNumbering, ...organization.creditNoteNumbering } as Series,
    endpoint: endpoint ?? blankEndpoint,
    // A paint cache of an earlier build knows none of these.
    quoteNumbering: { ...blankOrganization.quoteNumbering, ...organization.quoteNumbering } as Series,
    eInvoiceProfile: (organization.eInvoiceProfile ?? 'none') as string,
    paperSize: (organization.paperSize ?? 'A4') as string,
  }
}

function toBody(values: SettingsValues): OrganizationEditInput {
  const { defaults } = values
  return {
    ...values,
    membersMayIssue: values.membersMayIssue === 'yes',
    endpoint: endpointFrom(values.endpoint),
    defaults: {
      ...defaults,
      termsDays: Number(defaults.termsDays.trim() || Number.NaN),
      vatRate: defaults.vatRate.trim() === '' ? null : readTyped(defaults.vatRate, values.locale),
    },
  } as OrganizationEditInput
}

/** Null fields as empty text, for controls. */
function blank<Fields extends Record<string, string | null>>(fields: Fields): { [Name in keyof Fields]: string } {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? ''])) as {
    [Name in keyof Fields]: string
  }
}

interface Series {
  pattern: string
  reset: string
}

/** What the numbers will look like, or what is wrong with the pattern, while it is typed. */
function sampleOf({ pattern, reset }: Series, timeZone: string): string {
  const parsed = parseNumberPattern(pattern.trim(), reset as NumberReset)
  const today = todayIn(timeZone, now())
  return parsed.ok ? t.patternHint(formatNumber(parsed.value, 1, today)) : said(parsed.error)
}

/** A value set elsewhere stays choosable. */
function including(choices: Choice[], value: string): Choice[] {
  return choices.some((choice) => choice.value === value) ? choices : [{ value, label: value }, ...choices]
}
