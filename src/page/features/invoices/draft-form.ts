import { useSelector } from '@tanstack/react-form'
import { useDeferredValue, useMemo } from 'react'
import { languageOf, type Language } from '#shared/language.ts'
import { useAppForm } from '#page/forms/app-form.tsx'
import type { DraftValues, LineValues } from './draft-values.ts'

/** The form of a draft, as its parts are given it. */
export function useDraftForm(defaultValues: DraftValues, send: (values: DraftValues) => Promise<void>) {
  return useAppForm({ defaultValues, onSubmit: ({ value }) => send(value) })
}

export type DraftForm = ReturnType<typeof useDraftForm>

/** Which dates it has: a draft its due date, a quote the day until which it is good, what recurs none. */
export type Dates = 'invoice' | 'quote' | 'none'

/** The language that what is not written on it is in. */
export function languageOn({ language, locale }: Pick<DraftValues, 'language' | 'locale'>): Language {
  return (language || languageOf([locale])) as Language
}

/**
 * What comes of the amounts, a moment after the key that changed them: what is typed does not wait until hundreds of lines are added up. What no amount
 * depends on is not reckoned with. `reckon` stays the same one.
 */
export function useReckoned<Reckoned>(form: DraftForm, reckon: (values: DraftValues) => Reckoned): Reckoned {
  const values = useSelector(form.store, (state) => state.values, { compare: comeToTheSame })
  const late = useDeferredValue(values)
  return useMemo(() => reckon(late), [reckon, late])
}

const reckonedWith = ['currency', 'taxMode', 'locale', 'exchange', 'allowances', 'charges'] as const

function comeToTheSame(one: DraftValues, other: DraftValues): boolean {
  if (one === other) return true
  return (
    reckonedWith.every((name) => one[name] === other[name]) &&
    one.lines.length === other.lines.length &&
    one.lines.every((line, index) => isAlike(line, other.lines[index]!))
  )
}

const ofLine = ['quantity', 'unitPrice', 'baseQuantity', 'allowances', 'charges', 'vat'] as const
const words = ['name', 'description'] as const

function isAlike(line: LineValues, other: LineValues): boolean {
  if (line === other) return true
  // A line that nobody has written in is none, so what matters of its words is whether there are any.
  const isWritten = (text: string) => text.trim() !== ''
  return (
    ofLine.every((name) => line[name] === other[name]) &&
    words.every((name) => isWritten(line[name]) === isWritten(other[name]))
  )
}
