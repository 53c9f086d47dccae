// Discounts and extra charges, of a line or of the whole invoice: as an amount, or as a percentage that the amount follows.
import { useStore } from '@tanstack/react-form'
import { Minus, Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { toMoney } from '#shared/money.ts'
import type { VatCategory } from '#shared/vat.ts'
import { formatMoney } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { sharesOf } from './draft-body.ts'
import type { DraftForm } from './draft-form.ts'
import { emptyAdjustment, emptyLine, type AdjustmentValues } from './draft-values.ts'
import { VatFields } from './vat-fields.tsx'

const t = text.invoices
const kindChoices = Object.entries(t.adjustmentKinds).map(([value, label]) => ({ value, label }))

type Kind = 'allowances' | 'charges'

interface Props {
  form: DraftForm
  /** A line; empty for the whole invoice. */
  of: `lines[${number}]` | ''
  allowances: readonly AdjustmentValues[]
  charges: readonly AdjustmentValues[]
  /** Of the whole invoice: how a new one is taxed. */
  organization?: Organization
}

export function Adjustments({ form, of, allowances, charges, organization }: Props) {
  const at = <Each extends Kind>(kind: Each) => (of === '' ? kind : `${of}.${kind}`) as `lines[${number}].${Each}`
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
    const above = form.state.values.lines[0]
    const vat = organization && { vat: above?.vat ?? emptyLine(organization).vat }
    const added = { ...emptyAdjustment(), ...vat }
    form.pushFieldValue(at(kind), added)
    setWanted(added)
  }
  function remove(kind: Kind, index: number): void {
    const all = kind === 'allowances' ? allowances : charges
    void form.removeFieldValue(at(kind), index)
    setWanted({ id: (all[index + 1] ?? all[index - 1])?.id ?? '' })
  }
  const row = (kind: Kind, label: (number: number) => string) => (_: AdjustmentValues, index: number) => (
    <AdjustmentRow
      key={`${kind} ${_.id}`}
      form={form}
      name={`${at(kind)}[${index}]`}
      value={_}
      label={label(index + 1)}
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
  return (
    <>
      <p className="text-sm text-muted">{t.adjustmentsLead}</p>
      <Adjustments form={form} of="" allowances={allowances} charges={charges} organization={organization} />
    </>
  )
}

function AdjustmentRow({
  form,
  name,
  value,
  label,
  onRemove,
}: {
  form: DraftForm
  name: `lines[${number}].${Kind}[${number}]`
  value: AdjustmentValues & { vat?: { category: string } }
  label: string
  onRemove: () => void
}) {
  // The same of the whole invoice, where there is no line in front.
  const share = useStore(form.store, ({ values }) => sharesOf(values).get(value.id))
  const { currency, locale } = form.state.values
  return (
    <fieldset data-adjustment={value.id} className="grid gap-3 rounded-lg border border-line p-3">
      <legend className="px-1 text-sm font-medium">{label}</legend>
      <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[8rem_7rem_minmax(0,1fr)_auto]">
        <form.AppField name={`${name}.kind`}>
          {(field) => <field.Select label={t.adjustmentKind} hint={t.adjustmentHint} choices={kindChoices} />}
        </form.AppField>
        {value.kind === 'percent' ? (
          <form.AppField name={`${name}.percent`}>
            {(field) => (
              <field.Decimal
                label={t.percent}
                hint={share !== undefined && formatMoney(toMoney(share, currency), locale)}
              />
            )}
          </form.AppField>
        ) : (
          <form.AppField name={`${name}.amount`}>
            {(field) => <field.Decimal label={t.adjustmentAmount} />}
          </form.AppField>
        )}
        <form.AppField name={`${name}.reason`}>
          {(field) => <field.Text label={t.adjustmentReason} autoComplete="off" className="max-sm:col-span-2" />}
        </form.AppField>
        <Button
          look="quiet"
          className="px-3 max-sm:col-span-2 max-sm:-mt-3 max-sm:justify-self-end sm:mt-6"
          aria-label={t.removeAdjustment(label)}
          icon={<Trash2 className="size-5" aria-hidden />}
          onClick={onRemove}
        />
      </div>
      {value.vat && (
        <div className="grid grid-cols-2 items-start gap-3">
          <VatFields form={form} name={name as `allowances[${number}]`} category={value.vat.category as VatCategory} />
        </div>
      )}
    </fieldset>
  )
}
