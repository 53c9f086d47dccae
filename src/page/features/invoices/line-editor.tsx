// One line of a draft: what every line needs at a glance, what some need behind one press.
import { ArrowDown, ArrowUp, Copy, Ellipsis, ListPlus, Trash2 } from 'lucide-react'
import { memo, Suspense, useState, type ComponentProps, type ReactNode } from 'react'
import type { Item } from '#shared/contract/items.ts'
import type { Language } from '#shared/language.ts'
import { toMoney } from '#shared/money.ts'
import { unitCodes } from '#shared/units.ts'
import { vatCategories, type VatCategory } from '#shared/vat.ts'
import { lazily } from '#page/lazily.ts'
import { formatMoney } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { NamedWhenLeft } from '#page/forms/named-when-left.tsx'
import { asTyped } from '#page/forms/typed-number.ts'
import { SelectField } from '#page/ui/field.tsx'
import { Menu, MenuItem } from '#page/menu.tsx'
import { NumberField } from '#page/ui/number-field.tsx'
import { liveLine } from './draft-body.ts'
import type { LineValues } from './draft-values.ts'
import { isLineWrong, priceProblem, quantityProblem, unknownAmount } from './number-problems.ts'
import { VatFields } from './vat-fields.tsx'

const t = text.invoices
const size = 'size-5'
const unitChoices = unitCodes.map((value) => ({ value, label: text.units[value] }))

const LineExtras = lazily(() => import('./extras.tsx').then((module) => module.LineExtras))

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

/** What can be done with a line, by its id: the same for all of them, and as long as they are shown. */
export interface LineActions {
  change(id: string, change: (before: LineValues) => Partial<LineValues>): void
  fill(id: string, item: Item): void
  move(id: string, by: number): void
  duplicate(id: string): void
  remove(id: string): void
}

interface Props {
  index: number
  line: LineValues
  locale: string
  currency: string
  /** Of the document. */
  language: Language
  /** Of the price that an item gave. */
  note: string | null
  isLast: boolean
  itemLookup: ItemLookup
  actions: LineActions
}

/**
 * Drawn anew when this line changes, not when another does. Its fields are none of the form library's, which goes through all that it has at every key, and
 * through all of them for each that is added: of 500 lines, half a minute.
 */
export const LineEditor = memo(function LineEditor(props: Props) {
  const { index, line, locale, currency, language, note, isLast, itemLookup, actions } = props
  const { id } = line
  const [asked, setAsked] = useState(false)
  const typing = { locale, currency }
  const { entered, shares } = liveLine(line, typing)
  const change = (changed: Partial<LineValues>) => actions.change(id, () => changed)
  // What is there is shown: a wrong value can always be seen.
  const extras = asked || line.description !== '' || line.allowances.length > 0 || line.charges.length > 0
  return (
    <li data-line={line.id} className="line-editor grid gap-3 border-b border-line pb-5 last:border-b-0">
      <div className="flex items-end gap-1">
        {itemLookup({
          name: `lines.${index}.name`,
          label: t.item,
          'aria-label': `${t.item}, ${t.line(index + 1)}`,
          className: 'grow',
          value: line.name,
          onValue: (name) => change({ name }),
          onItem: (item) => actions.fill(id, item),
        })}
        <Menu
          label={t.lineMenu(index + 1)}
          className="min-w-11 shrink-0 justify-center"
          trigger={<Ellipsis className={size} aria-hidden />}
        >
          {index > 0 && (
            <MenuItem icon={<ArrowUp className={size} aria-hidden />} onSelect={() => actions.move(id, -1)}>
              {t.moveUp}
            </MenuItem>
          )}
          {!isLast && (
            <MenuItem icon={<ArrowDown className={size} aria-hidden />} onSelect={() => actions.move(id, 1)}>
              {t.moveDown}
            </MenuItem>
          )}
          <MenuItem icon={<Copy className={size} aria-hidden />} onSelect={() => actions.duplicate(id)}>
            {t.duplicateLine}
          </MenuItem>
          <MenuItem icon={<Trash2 className={size} aria-hidden />} onSelect={() => actions.remove(id)}>
            {t.removeLine}
          </MenuItem>
        </Menu>
      </div>
      <div className="grid grid-cols-2 items-start gap-3 md:grid-cols-[7.5rem_7rem_9rem_minmax(0,1fr)_5.5rem]">
        <NumberWhenLeft
          name={`lines.${index}.quantity`}
          label={t.quantity}
          problem={quantityProblem(line.quantity, typing)}
          value={line.quantity}
          onValue={(quantity) => change({ quantity })}
        />
        <SelectField
          name={`lines.${index}.unit`}
          label={t.unit}
          choices={withOwn(line.unit)}
          value={line.unit}
          onChange={(event) => change({ unit: event.currentTarget.value })}
        />
        <NumberWhenLeft
          name={`lines.${index}.unitPrice`}
          label={t.price}
          placeholder={asTyped('0.00', locale)}
          hint={line.baseQuantity !== '1' && t.perQuantity(asTyped(line.baseQuantity, locale))}
          problem={priceProblem(line.unitPrice, typing)}
          value={line.unitPrice}
          onValue={(unitPrice) => change({ unitPrice })}
        />
        <VatFields
          name={`lines.${index}`}
          vat={line.vat}
          language={language}
          className={vatCategories[line.vat.category as VatCategory].taxed ? '' : 'md:col-span-2'}
          onVat={(vat) => actions.change(id, (before) => ({ vat: { ...before.vat, ...vat } }))}
        />
      </div>
      {note && <output className="text-sm text-warn">{note}</output>}
      {extras && (
        <Suspense fallback={<span className="skeleton h-14" />}>
          <LineExtras
            index={index}
            line={line}
            isNew={asked}
            shares={shares}
            typing={typing}
            language={language}
            onLine={(changed) => actions.change(id, changed)}
          />
        </Suspense>
      )}
      {/* In a row with what is seldom pressed: between the fields it took the room of what is typed in them. */}
      <div className="-my-2 flex flex-wrap items-center gap-x-3">
        {!extras && (
          <button
            type="button"
            className="inline-flex min-h-11 items-center gap-2 text-sm text-muted hover:text-ink"
            onClick={() => setAsked(true)}
          >
            <ListPlus className="size-4" aria-hidden />
            {t.lineExtras}
          </button>
        )}
        <p className="ml-auto text-right md:flex md:items-baseline md:gap-2">
          <span className="block text-sm text-muted">{t.amount}</span>
          <span className="amount block font-medium">
            {isLineWrong(line, typing) ? unknownAmount : formatMoney(toMoney(entered, currency), locale)}
          </span>
        </p>
      </div>
    </li>
  )
})

/** While somebody types, what was wrong is being mended: it is named again when the field is left again. */
function NumberWhenLeft({
  problem,
  onValue,
  ...field
}: { problem: string | null } & Omit<ComponentProps<typeof NumberField>, 'onBlur'>) {
  const [isLeft, setLeft] = useState(false)
  return (
    <NamedWhenLeft problem={isLeft ? problem : null}>
      <NumberField
        {...field}
        onValue={(typed) => {
          setLeft(false)
          onValue(typed)
        }}
        onBlur={() => setLeft(true)}
      />
    </NamedWhenLeft>
  )
}

/** A unit that another program has set is kept. */
function withOwn(own: string) {
  return unitChoices.some(({ value }) => value === own) ? unitChoices : [...unitChoices, { value: own, label: own }]
}
