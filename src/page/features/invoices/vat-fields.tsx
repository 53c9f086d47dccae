import { useStore } from '@tanstack/react-form'
import { languageOf, type Language } from '#shared/language.ts'
import { vatCategories, vatReason, type VatCategory } from '#shared/vat.ts'
import { useReasons } from '#page/forms/vat-reason.ts'
import { text } from '#page/words/app-text.ts'
import { said } from '#page/words/said.ts'
import type { DraftForm } from './draft-form.ts'

const t = text.invoices
const categoryChoices = Object.entries(vatCategories).map(([value, { label }]) => ({ value, label: said(label) }))

/** How a line, a discount or a charge is taxed: the category, and the rate or why there is none. */
export function VatFields({
  form,
  name,
  category,
  className = '',
}: {
  form: DraftForm
  name: `lines[${number}]` | `allowances[${number}]` | `charges[${number}]`
  category: VatCategory
  className?: string
}) {
  const { taxed, reason } = vatCategories[category]
  const language = useStore(form.store, ({ values }) => values.language || languageOf([values.locale])) as Language
  const reasonOf = useReasons()
  const changeReason = (next: string) => {
    const field = `${name}.vat.reason` as const
    form.setFieldValue(field, reasonOf(category, form.getFieldValue(field), next))
  }
  return (
    <>
      <form.AppField name={`${name}.vat.category`} listeners={{ onChange: ({ value }) => changeReason(value) }}>
        {(field) => (
          <field.Select
            label={t.vatCategory}
            hint={t.vatHints[category]}
            choices={categoryChoices}
            className={className}
          />
        )}
      </form.AppField>
      {taxed && <form.AppField name={`${name}.vat.rate`}>{(field) => <field.Decimal label={t.rate} />}</form.AppField>}
      {reason !== null && (
        <form.AppField name={`${name}.vat.reason`}>
          {(field) => (
            <field.Text
              label={t.reason}
              // What stands on a document of this language where nothing is written; a new one's may be its customer's.
              placeholder={vatReason(category, language)!}
              autoComplete="off"
              className="col-span-full"
            />
          )}
        </form.AppField>
      )}
    </>
  )
}
