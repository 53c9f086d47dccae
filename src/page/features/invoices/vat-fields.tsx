import type { Language } from '#shared/language.ts'
import { vatCategories, vatReason, type VatCategory } from '#shared/vat.ts'
import { useReasons } from '#page/forms/vat-reason.ts'
import { text } from '#page/words/app-text.ts'
import { said } from '#page/words/said.ts'
import { SelectField, TextField } from '#page/ui/field.tsx'
import { NumberField } from '#page/ui/number-field.tsx'
import type { VatValues } from './draft-values.ts'

const t = text.invoices
const categoryChoices = Object.entries(vatCategories).map(([value, { label }]) => ({ value, label: said(label) }))

/** How a line, a discount or a charge is taxed: the category, and the rate or why there is none. */
export function VatFields({
  name,
  vat,
  language,
  className = '',
  onVat,
}: {
  name: string
  vat: VatValues
  /** Of the document. */
  language: Language
  className?: string
  onVat: (changed: Partial<VatValues>) => void
}) {
  const category = vat.category as VatCategory
  const { taxed, reason } = vatCategories[category]
  const reasonOf = useReasons()
  return (
    <>
      <SelectField
        name={`${name}.vat.category`}
        label={t.vatCategory}
        hint={t.vatHints[category]}
        choices={categoryChoices}
        className={className}
        value={category}
        onChange={({ currentTarget: { value } }) =>
          onVat({ category: value, reason: reasonOf(category, vat.reason, value) })
        }
      />
      {taxed && (
        <NumberField name={`${name}.vat.rate`} label={t.rate} value={vat.rate} onValue={(rate) => onVat({ rate })} />
      )}
      {reason !== null && (
        <TextField
          name={`${name}.vat.reason`}
          label={t.reason}
          // What stands on a document of this language where nothing is written; a new one's may be its customer's.
          placeholder={vatReason(category, language)!}
          autoComplete="off"
          className="col-span-full"
          value={vat.reason}
          onChange={(event) => onVat({ reason: event.currentTarget.value })}
        />
      )}
    </>
  )
}
