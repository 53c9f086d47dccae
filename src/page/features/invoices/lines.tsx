// The lines of a draft: added, put in another order, doubled and taken away, all of it by hand or by keyboard.
import { useStore } from '@tanstack/react-form'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Item } from '#shared/contract/items.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { InvoiceAmounts } from '#shared/invoice-totals.ts'
import { toMoney } from '#shared/money.ts'
import { formatMoney } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import type { DraftForm } from './draft-form.ts'
import { emptyLine, type LineValues } from './draft-values.ts'
import { fromItem } from './line-from-item.ts'
import { LineEditor, type ItemLookup } from './line-editor.tsx'
import { isLineWrong, unknownAmount } from './number-problems.ts'

const t = text.invoices

interface Props {
  form: DraftForm
  organization: Organization
  amounts: InvoiceAmounts
  itemLookup: ItemLookup
}

export function Lines({ form, organization, amounts, itemLookup }: Props) {
  const list = useRef<HTMLOListElement>(null)
  /** The line whose name is to be typed next; another object each time it is wanted. */
  const [wanted, setWanted] = useState<Pick<LineValues, 'id'> | null>(null)
  const [said, setSaid] = useState('')
  /** What was to be said of a price that an item gave. */
  const [notes, setNotes] = useState<Readonly<Record<string, string | null>>>({})
  const lines = useStore(form.store, ({ values }) => values.lines)
  const currency = useStore(form.store, ({ values }) => values.currency)
  const adding = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!wanted) return
    const line = list.current?.querySelector<HTMLElement>(`[data-line="${wanted.id}"] input`)
    ;(line ?? adding.current)?.focus()
  }, [wanted])

  function insert(index: number, line: LineValues): void {
    void form.insertFieldValue('lines', index, line)
    setWanted({ id: line.id })
  }
  const add = () => insert(lines.length, nextLine(lines.at(-1), organization))

  function move(from: number, to: number): void {
    if (to < 0 || to >= lines.length) return
    form.moveFieldValues('lines', from, to)
    setSaid(t.moved(to + 1))
  }

  function remove(index: number): void {
    const line = lines[index]!
    void form.removeFieldValue('lines', index)
    const neighbour = lines[index + 1] ?? lines[index - 1]
    setWanted({ id: neighbour?.id ?? '' })
    notify('info', t.lineRemoved(line.name.trim()), {
      label: t.undo,
      run: () => insert(Math.min(index, form.state.values.lines.length), line),
    })
  }

  function fill(index: number, item: Item): void {
    const { taxMode, locale } = form.state.values
    const into = { currency, taxMode, locale, ownCurrency: organization.currency }
    const { line, say } = fromItem(lines[index]!, item, into)
    form.setFieldValue(`lines[${index}]`, line)
    setNotes((before) => ({ ...before, [line.id]: say }))
  }

  function lineOf({ target }: KeyboardEvent): number {
    const id = (target as HTMLElement).closest<HTMLElement>('[data-line]')?.dataset['line']
    return lines.findIndex((line) => line.id === id)
  }

  /** Before a field takes the arrows for itself. */
  function moveByKeys(event: KeyboardEvent): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    const index = lineOf(event)
    if (index < 0) return
    event.preventDefault()
    event.stopPropagation()
    move(index, index + (event.key === 'ArrowUp' ? -1 : 1))
  }

  function press(event: KeyboardEvent): void {
    const target = event.target as HTMLElement
    const index = lineOf(event)
    if (index < 0 || event.defaultPrevented || event.nativeEvent.isComposing) return
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
    if (event.key !== 'Enter' || !isPlain || target.tagName !== 'INPUT') return
    // Enter goes on; it does not send what is half typed.
    event.preventDefault()
    const next = lines[index + 1]
    if (next) setWanted({ id: next.id })
    else add()
  }

  return (
    <>
      <ol ref={list} className="grid gap-5" onKeyDownCapture={moveByKeys} onKeyDown={press}>
        {lines.map((line, index) => (
          <LineEditor
            key={line.id}
            form={form}
            index={index}
            line={line}
            locale={organization.locale}
            currency={currency}
            amount={
              isLineWrong(line, { locale: organization.locale, currency })
                ? unknownAmount
                : formatMoney(toMoney(amounts.lines[index]?.entered ?? 0n, currency), organization.locale)
            }
            note={notes[line.id] ?? null}
            isLast={index === lines.length - 1}
            itemLookup={itemLookup}
            onItem={(item) => fill(index, item)}
            onMove={(by) => move(index, index + by)}
            onDuplicate={() => insert(index + 1, doubled(line))}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
      <output className="sr-only">{said}</output>
      <Button ref={adding} className="justify-self-start" icon={<Plus className="size-5" aria-hidden />} onClick={add}>
        {t.addLine}
      </Button>
    </>
  )
}

/** The next line is taxed as the one above it. */
function nextLine(above: LineValues | undefined, organization: Organization): LineValues {
  const fresh = emptyLine(organization)
  return above ? { ...fresh, vat: above.vat } : fresh
}

function doubled(line: LineValues): LineValues {
  const again = <Each extends { id: string }>(each: Each): Each => ({ ...each, id: uuidv7() })
  return { ...again(line), allowances: line.allowances.map(again), charges: line.charges.map(again) }
}
