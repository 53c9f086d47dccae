// The lines of a draft: added, put in another order, doubled and taken away, all of it by hand or by keyboard.
import { useStore } from '@tanstack/react-form'
import { Plus } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { uuidv7 } from '#shared/ids.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { languageOn, type DraftForm } from './draft-form.ts'
import { emptyLine, type LineValues } from './draft-values.ts'
import { fromItem } from './line-from-item.ts'
import { LineEditor, type ItemLookup, type LineActions } from './line-editor.tsx'

const t = text.invoices
const drawnFirst = 20

interface Props {
  form: DraftForm
  organization: Organization
  itemLookup: ItemLookup
}

export function Lines({ form, organization, itemLookup }: Props) {
  const list = useRef<HTMLOListElement>(null)
  /** The line whose name is to be typed next; another object each time it is wanted. */
  const [wanted, setWanted] = useState<Pick<LineValues, 'id'> | null>(null)
  const [said, setSaid] = useState('')
  /** What was to be said of a price that an item gave. */
  const [notes, setNotes] = useState<Readonly<Record<string, string | null>>>({})
  const lines = useStore(form.store, ({ values }) => values.lines)
  const currency = useStore(form.store, ({ values }) => values.currency)
  const locale = useStore(form.store, ({ values }) => values.locale)
  const language = useStore(form.store, ({ values }) => languageOn(values))
  /** Those in sight come first: nobody waits until hundreds of lines are drawn. */
  const areAllDrawn = useDeferredValue(true, false)
  const adding = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!wanted) return
    const line = list.current?.querySelector<HTMLElement>(`[data-line="${wanted.id}"] input`)
    ;(line ?? adding.current)?.focus()
  }, [wanted])

  const { insert, actions } = useMemo(() => {
    const now = () => form.state.values.lines
    const at = (id: string) => now().findIndex((line) => line.id === id)
    const change: LineActions['change'] = (id, changed) =>
      form.setFieldValue('lines', (all) => all.map((line) => (line.id === id ? { ...line, ...changed(line) } : line)))
    function insertAt(index: number, asked: LineValues): void {
      // What was removed may be here again, where a form was begun anew before it was put back.
      const line = at(asked.id) < 0 ? asked : doubled(asked)
      form.setFieldValue('lines', (all) => all.toSpliced(index, 0, line))
      setWanted({ id: line.id })
    }
    const does: LineActions = {
      change,
      fill(id, item) {
        const { taxMode, locale, currency: into } = form.state.values
        const filled = { currency: into, taxMode, locale, ownCurrency: organization.currency }
        const { line, say } = fromItem(now()[at(id)]!, item, filled)
        change(id, () => line)
        setNotes((before) => ({ ...before, [id]: say }))
      },
      move(id, by) {
        const from = at(id)
        const to = from + by
        if (to < 0 || to >= now().length) return
        form.setFieldValue('lines', (all) => all.toSpliced(from, 1).toSpliced(to, 0, all[from]!))
        setSaid(t.moved(to + 1))
      },
      duplicate(id) {
        const index = at(id)
        insertAt(index + 1, doubled(now()[index]!))
      },
      remove(id) {
        const index = at(id)
        const before = now()
        const line = before[index]!
        form.setFieldValue('lines', (all) => all.toSpliced(index, 1))
        const neighbour = before[index + 1] ?? before[index - 1]
        setWanted({ id: neighbour?.id ?? '' })
        notify('info', t.lineRemoved(line.name.trim()), {
          label: t.undo,
          run: () => insertAt(Math.min(index, now().length), line),
        })
      },
    }
    return { insert: insertAt, actions: does }
  }, [form, organization])
  const add = () => insert(lines.length, nextLine(lines.at(-1), organization))

  function lineOf({ target }: KeyboardEvent): number {
    const id = (target as HTMLElement).closest<HTMLElement>('[data-line]')?.dataset['line']
    return lines.findIndex((line) => line.id === id)
  }

  /** Before a field takes the arrows for itself. */
  function moveByKeys(event: KeyboardEvent): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    const line = lines[lineOf(event)]
    if (!line) return
    event.preventDefault()
    event.stopPropagation()
    actions.move(line.id, event.key === 'ArrowUp' ? -1 : 1)
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
        {lines.slice(0, areAllDrawn ? undefined : drawnFirst).map((line, index) => (
          <LineEditor
            key={line.id}
            index={index}
            line={line}
            locale={locale}
            currency={currency}
            language={language}
            note={notes[line.id] ?? null}
            isLast={index === lines.length - 1}
            itemLookup={itemLookup}
            actions={actions}
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
