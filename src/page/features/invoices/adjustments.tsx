// Discounts and extra charges, of a line or of the whole invoice: as an amount, or as a percentage that the amount follows.
import { useStore } from '@tanstack/react-form'
import { Minus, Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Language } from '#shared/language.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { toMoney, type MinorUnits } from '#shared/money.ts'
import { formatMoney } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { SelectField, TextField } from '#page/ui/field.tsx'
import { NumberField } from '#page/ui/number-field.tsx'
import { sharesOf } from './draft-body.ts'
import { languageOn, useReckoned, type DraftForm } from './draft-form.ts'
import {
  emptyAdjustment,
  emptyLine,
  type AdjustmentValues,
  type DocumentAdjustmentValues,
  type DraftValues,
  type VatValues,
} from './draft-values.ts'
import { VatFields } from './vat-fields.tsx'

const t = text.invoices
const kindChoices = Object.entries(t.adjustmentKinds).map(([value, label]) => ({ value, label }))

type Kind = 'allowances' | 'charges'
type Any = AdjustmentValues & Partial<Pick<DocumentAdjustmentValues, 'vat'>>

/** What each of them is shown with. */
interface Shown {
  /** What each percentage comes to, by id. */
  shares: ReadonlyMap<string, MinorUnits>
  typing: Pick<DraftValues, 'currency' | 'locale'>
  language: Language
}

interface Props extends Shown {
  /** In front of the names of its fields: a line; empty for the whole invoice. */
  of: `lines.${number}.` | ''
  allowances: readonly Any[]
  charges: readonly Any[]
  /** Of the whole invoice: how a new one is taxed. */
  vatOfNew?: () => VatValues
  onChange: (kind: Kind, change: (before: readonly Any[]) => Any[]) => void
}

export function Adjustments({ of, allowances, charges, vatOfNew, onChange, ...shown }: Props) {
  const adding = useRef<HTMLDivElement>(null)
  /** The one that is typed next; another object each time it is wanted. */
  const [wanted, setWanted] = useState<Pick<AdjustmentValues, 'id'> | null>(null)
  useEffect(() => {
    if (!wanted) return
    const { current } = adding
    const row = current?.parentElement?.querySelector<HTMLElement>(`[data-adjustment="${wanted.id}"] input`)
    ;(row ?? current?.querySelector('button'))?.focus()
  }, [wanted])
  function add(kind: Kind): void {
    const added = { ...emptyAdjustment(), ...(vatOfNew && { vat: vatOfNew() }) }
    onChange(kind, (before) => [...before, added])
    setWanted(added)
  }
  function remove(kind: Kind, index: number): void {
    const all = kind === 'allowances' ? allowances : charges
    onChange(kind, (before) => before.toSpliced(index, 1))
    setWanted({ id: (all[index + 1] ?? all[index - 1])?.id ?? '' })
  }
  const row = (kind: Kind, label: (number: number) => string) => (_: Any, index: number) => (
    <AdjustmentRow
      key={`${kind} ${_.id}`}
      {...shown}
      name={`${of}${kind}.${index}`}
      value={_}
      label={label(index + 1)}
      onChange={(changed) => onChange(kind, (before) => before.with(index, { ...before[index]!, ...changed }))}
      onRemove={() => remove(kind, index)}
    />
  )
  return (
    <>
      {allowances.map(row('allowances', t.discount))}
      {charges.map(row('charges', t.charge))}
      <div ref={adding} className="flex flex-wrap gap-2">
        <Button icon={<Minus className="size-4" aria-hidden />} onClick={() => add('allowances')}>
          {t.addDiscount}
        </Button>
        <Button icon={<Plus className="size-4" aria-hidden />} onClick={() => add('charges')}>
          {t.addCharge}
        </Button>
      </div>
    </>
  )
}

export function DocumentAdjustments({ form, organization }: { form: DraftForm; organization: Organization }) {
  const allowances = useStore(form.store, ({ values }) => values.allowances)
  const charges = useStore(form.store, ({ values }) => values.charges)
  const currency = useStore(form.store, ({ values }) => values.currency)
  const locale = useStore(form.store, ({ values }) => values.locale)
  const language = useStore(form.store, ({ values }) => languageOn(values))
  const shares = useReckoned(form, sharesOf)
  return (
    <>
      <p className="text-sm text-muted">{t.adjustmentsLead}</p>
      <Adjustments
        of=""
        allowances={allowances}
        charges={charges}
        shares={shares}
        typing={{ currency, locale }}
        language={language}
        vatOfNew={() => form.state.values.lines[0]?.vat ?? emptyLine(organization).vat}
        onChange={(kind, change) => form.setFieldValue(kind, (before) => change(before) as DocumentAdjustmentValues[])}
      />
    </>
  )
}

function AdjustmentRow({
  name,
  value,
  label,
  shares,
  typing,
  language,
  onChange,
  onRemove,
}: Shown & {
  name: string
  value: Any
  label: string
  onChange: (changed: Partial<Any>) => void
  onRemove: () => void
}) {
  const { vat } = value
  const share = shares.get(value.id)
  return (
    <fieldset data-adjustment={value.id} className="grid gap-3 rounded-lg border border-line p-3">
      <legend className="px-1 text-sm font-medium">{label}</legend>
      <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[8rem_7rem_minmax(0,1fr)_auto]">
        <SelectField
          name={`${name}.kind`}
          label={t.adjustmentKind}
          hint={t.adjustmentHint}
          choices={kindChoices}
          value={value.kind}
          onChange={(event) => onChange({ kind: event.currentTarget.value })}
        />
        {value.kind === 'percent' ? (
          <NumberField
            name={`${name}.percent`}
            label={t.percent}
            hint={share !== undefined && formatMoney(toMoney(share, typing.currency), typing.locale)}
            value={value.percent}
            onValue={(percent) => onChange({ percent })}
          />
        ) : (
          <NumberField
            name={`${name}.amount`}
            label={t.adjustmentAmount}
            value={value.amount}
            onValue={(amount) => onChange({ amount })}
          />
        )}
        <TextField
          name={`${name}.reason`}
          label={t.adjustmentReason}
          autoComplete="off"
          className="max-sm:col-span-2"
          value={value.reason}
          onChange={(event) => onChange({ reason: event.currentTarget.value })}
        />
        <Button
          look="quiet"
          className="px-3 max-sm:col-span-2 max-sm:-mt-3 max-sm:justify-self-end sm:mt-6"
          aria-label={t.removeAdjustment(label)}
          icon={<Trash2 className="size-5" aria-hidden />}
          onClick={onRemove}
        />
      </div>
      {vat && (
        <div className="grid grid-cols-2 items-start gap-3">
          <VatFields
            name={name}
            vat={vat}
            language={language}
            onVat={(changed) => onChange({ vat: { ...vat, ...changed } })}
          />
        </div>
      )}
    </fieldset>
  )
}
