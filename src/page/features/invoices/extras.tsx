// What stands below the lines, and what few lines have: loaded once the lines can be typed.
import { useEffect, useRef } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { text } from '#page/words/app-text.ts'
import { Section } from '#page/ui/screen.tsx'
import { Adjustments, DocumentAdjustments } from './adjustments.tsx'
import { Details } from './details.tsx'
import type { Exchanging } from './exchange-fields.tsx'
import type { Dates, DraftForm } from './draft-form.ts'
import type { LineValues } from './draft-values.ts'

const t = text.invoices

export function LineExtras({
  form,
  index,
  line,
  isNew,
}: {
  form: DraftForm
  index: number
  line: LineValues
  /** The person has just asked for it. */
  isNew: boolean
}) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNew) box.current?.querySelector('textarea')?.focus()
  }, [isNew])
  return (
    <div ref={box} className="grid gap-3">
      <form.AppField name={`lines[${index}].description`}>
        {(field) => <field.TextArea label={t.lineText} rows={2} />}
      </form.AppField>
      <Adjustments form={form} of={`lines[${index}]`} allowances={line.allowances} charges={line.charges} />
    </div>
  )
}

export function Below({
  form,
  organization,
  isNew,
  dates,
  exchange,
}: {
  form: DraftForm
  organization: Organization
  isNew: boolean
  dates: Dates
  exchange: Exchanging | null
}) {
  return (
    <>
      <Section title={t.adjustments}>
        <DocumentAdjustments form={form} organization={organization} />
      </Section>
      <Details form={form} organization={organization} isNew={isNew} dates={dates} exchange={exchange} />
    </>
  )
}
