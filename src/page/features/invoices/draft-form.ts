import { useAppForm } from '#page/forms/app-form.tsx'
import type { DraftValues } from './draft-values.ts'

/** The form of a draft, as its parts are given it. */
export function useDraftForm(defaultValues: DraftValues, send: (values: DraftValues) => Promise<void>) {
  return useAppForm({ defaultValues, onSubmit: ({ value }) => send(value) })
}

export type DraftForm = ReturnType<typeof useDraftForm>

/** Which dates it has: a draft its due date, a quote the day until which it is good, what recurs none. */
export type Dates = 'invoice' | 'quote' | 'none'
