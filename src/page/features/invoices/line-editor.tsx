// One line of a draft: what every line needs at a glance, what some need behind one press.
import { ArrowDown, ArrowUp, Copy, Ellipsis, ListPlus, Trash2 } from 'lucide-react'
import type { AnyFieldApi } from '@tanstack/react-form'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Item } from '#shared/contract/items.ts'
import { unitCodes } from '#shared/units.ts'
import { vatCategories, type VatCategory } from '#shared/vat.ts'
import { text } from '#page/words/app-text.ts'
import { NamedWhenLeft } from '#page/forms/named-when-left.tsx'
import { asTyped } from '#page/forms/typed-number.ts'
import { Menu, MenuItem } from '#page/ui/menu.tsx'
import type { DraftForm } from './draft-form.ts'
import type { LineValues } from './draft-values.ts'
import { priceProblem, quantityProblem } from './number-problems.ts'
import { VatFields } from './vat-fields.tsx'

const t = text.invoices
const size = 'size-5'
const unitChoices = unitCodes.map((value) => ({ value, label: text.units[value] }))

const LineExtras = lazy(() => import('./extras.tsx').then((module) => ({ default: module.LineExtras })))

/** Draws the name of a line; tells what is typed, and the item that was chosen. */
export type ItemLookup = (field: {
  name: string
  label: string
  'aria-label': string
  className: string
  value: string
  onValue: (typed: string) => void
  onItem: (item: Item) => void
}) => ReactNode

interface Props {
  form: DraftForm
  index: number
  line: LineValues
  locale: string
  currency: string
  amount: string
  /** Of the price that an item gave. */
  note: string | null
  isLast: boolean
  itemLookup: ItemLookup
  onItem: (item: Item) => void
  onMove: (by: number) => void
  onDuplicate: () => void
  onRemove: () => void
}

export function LineEditor({ form, index, line, locale, currency, amount, note, itemLookup, ...does }: Props) {
  const [asked, setAsked] = useState(false)
  const typing = { locale, currency }
  // What is there is shown: a wrong value can always be seen.
  const extras = asked || line.description !== '' || line.allowances.length > 0 || line.charges.length > 0
  return (
    <li data-line={line.id} className="grid gap-3 border-b border-line pb-5 last:border-b-0">
      <div className="flex items-end gap-1">
        <form.Field name={`lines[${index}].name`}>
          {(field) =>
            itemLookup({
              name: `lines.${index}.name`,
              label: t.item,
              'aria-label': `${t.item}, ${t.line(index + 1)}`,
              className: 'grow',
              value: field.state.value,
              onValue: field.handleChange,
              onItem: does.onItem,
            })
          }
        </form.Field>
        <Menu
          label={t.lineMenu(index + 1)}
          className="min-w-11 shrink-0 justify-center"
          trigger={<Ellipsis className={size} aria-hidden />}
        >
          {index > 0 && (
            <MenuItem icon={<ArrowUp className={size} aria-hidden />} onSelect={() => does.onMove(-1)}>
              {t.moveUp}
            </MenuItem>
          )}
          {!does.isLast && (
            <MenuItem icon={<ArrowDown className={size} aria-hidden />} onSelect={() => does.onMove(1)}>
              {t.moveDown}
            </MenuItem>
          )}
          <MenuItem icon={<Copy className={size} aria-hidden />} onSelect={does.onDuplicate}>
            {t.duplicateLine}
          </MenuItem>
          <MenuItem icon={<Trash2 className={size} aria-hidden />} onSelect={does.onRemove}>
            {t.removeLine}
          </MenuItem>
        </Menu>
      </div>
      <div className="grid grid-cols-2 items-start gap-3 md:grid-cols-[4.5rem_7rem_6.5rem_minmax(0,1fr)_6rem_minmax(6rem,auto)]">
        <form.AppField name={`lines[${index}].quantity`} listeners={{ onChange: mending }}>
          {(field) => (
            <NamedWhenLeft problem={field.state.meta.isBlurred ? quantityProblem(line.quantity, typing) : null}>
              <field.Decimal label={t.quantity} onBlur={field.handleBlur} />
            </NamedWhenLeft>
          )}
        </form.AppField>
        <form.AppField name={`lines[${index}].unit`}>
          {(field) => <field.Select label={t.unit} choices={withOwn(line.unit)} />}
        </form.AppField>
        <form.AppField name={`lines[${index}].unitPrice`} listeners={{ onChange: mending }}>
          {(field) => (
            <NamedWhenLeft problem={field.state.meta.isBlurred ? priceProblem(line.unitPrice, typing) : null}>
              <field.Decimal
                label={t.price}
                placeholder={asTyped('0.00', locale)}
                hint={line.baseQuantity !== '1' && t.perQuantity(asTyped(line.baseQuantity, locale))}
                onBlur={field.handleBlur}
              />
            </NamedWhenLeft>
          )}
        </form.AppField>
        <VatFields
          form={form}
          name={`lines[${index}]`}
          category={line.vat.category as VatCategory}
          className={vatCategories[line.vat.category as VatCategory].taxed ? '' : 'md:col-span-2'}
        />
        <p className="text-right max-md:col-start-2 md:col-start-6 md:row-start-1">
          <span className="block text-sm text-muted">{t.amount}</span>
          <span className="amount block font-medium md:py-2.5">{amount}</span>
        </p>
      </div>
      {note && <output className="text-sm text-warn">{note}</output>}
      {extras ? (
        <Suspense fallback={<span className="skeleton h-14" />}>
          <LineExtras form={form} index={index} line={line} isNew={asked} />
        </Suspense>
      ) : (
        <button
          type="button"
          className="-my-2 inline-flex min-h-11 items-center gap-2 justify-self-start text-sm text-muted hover:text-ink"
          onClick={() => setAsked(true)}
        >
          <ListPlus className="size-4" aria-hidden />
          {t.lineExtras}
        </button>
      )}
    </li>
  )
}

/** While somebody types, what was wrong is being mended: it is named again when the field is left again. */
function mending({ fieldApi }: { fieldApi: Pick<AnyFieldApi, 'setMeta'> }): void {
  fieldApi.setMeta((before) => ({ ...before, isBlurred: false }))
}

/** A unit that another program has set is kept. */
function withOwn(own: string) {
  return unitChoices.some(({ value }) => value === own) ? unitChoices : [...unitChoices, { value: own, label: own }]
}
