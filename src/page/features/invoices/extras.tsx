// What stands below the lines, and what few lines have: loaded once the lines can be typed.
import { useEffect, useRef, type ComponentProps } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { text } from '#page/words/app-text.ts'
import { TextAreaField } from '#page/ui/field.tsx'
import { Section } from '#page/ui/screen.tsx'
import { Adjustments, DocumentAdjustments } from './adjustments.tsx'
import { Details } from './details.tsx'
import type { Exchanging } from './exchange-fields.tsx'
import type { Dates, DraftForm } from './draft-form.ts'
import type { LineValues } from './draft-values.ts'

const t = text.invoices

export function LineExtras({
  index,
  line,
  isNew,
  onLine,
  ...shown
}: {
  index: number
  line: LineValues
  /** The person has just asked for it. */
  isNew: boolean
  onLine: (change: (before: LineValues) => Partial<LineValues>) => void
} & Pick<ComponentProps<typeof Adjustments>, 'shares' | 'typing' | 'language'>) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNew) box.current?.querySelector('textarea')?.focus()
  }, [isNew])
  return (
    <div ref={box} className="grid gap-3">
      <TextAreaField
        name={`lines.${index}.description`}
        label={t.lineText}
        rows={2}
        value={line.description}
        onChange={({ currentTarget: { value } }) => onLine(() => ({ description: value }))}
      />
      <Adjustments
        {...shown}
        of={`lines.${index}.`}
        allowances={line.allowances}
        charges={line.charges}
        onChange={(kind, change) => onLine((before) => ({ [kind]: change(before[kind]) }))}
      />
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
