// Two people changed the same: shown field by field, and the person chooses (OFFLINE.md "Conflict"). What does not overlap is brought together unasked.
import { useEffect, useState } from 'react'
import type { UnsentEntry } from '#shared/outbox.ts'
import { merge } from '#shared/merge.ts'
import { holdReload } from '#page/start/reload.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Notice, Section } from '#page/ui/screen.tsx'
import { fieldLabel } from '#page/words/field-text.ts'
import { fieldLines } from '#page/forms/field-lines.ts'

const t = text.conflict
type Choice = 'mine' | 'theirs' | 'edit'
type Body = Record<string, unknown>

interface Props {
  entry: UnsentEntry
  body: Readonly<Body>
  theirs: Readonly<Body>
  locale: string
  busy: boolean
  /** All is decided. */
  onSend: (body: Body) => void
  /** Something is to be written anew: in the form, which begins with what was decided. */
  onEdit: (body: Body) => void
}

export function Conflict({ entry, body, theirs, locale, busy, onSend, onEdit }: Props) {
  const { merged, inQuestion } = merge(entry.base, body, theirs)
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({})
  const [isIncomplete, setIncomplete] = useState(false)
  const isDeciding = Object.keys(choices).length > 0
  useEffect(() => (isDeciding ? holdReload(() => true) : undefined), [isDeciding])
  const edits = Object.values(choices).includes('edit')
  // What each of the three says where it says no currency of its own.
  const currency = (theirs['currency'] ?? body['currency'] ?? null) as string | null
  const linesOf = (field: string, value: unknown) => fieldLines({ ...entry, currency }, field, value, locale)

  function decide(): void {
    const open = inQuestion.filter((field) => choices[field] === undefined)
    setIncomplete(open.length > 0)
    if (open.length > 0) return document.querySelector<HTMLElement>(`[name="${open[0]}"]`)?.focus()
    const kept = inQuestion.filter((field) => choices[field] === 'theirs').map((field) => [field, theirs[field]])
    const decided = { ...merged, ...(Object.fromEntries(kept) as Body) }
    if (edits) onEdit(decided)
    else onSend(decided)
  }

  return (
    <form
      noValidate
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        decide()
      }}
    >
      <p className="text-muted">{inQuestion.length === 0 ? t.nothing : t.lead}</p>
      {inQuestion.map((field) => {
        const label = fieldLabel(entry.kind, field)
        const option = (choice: Choice, lines: string[]) => (
          <Option
            name={field}
            checked={choices[field] === choice}
            label={t[choice]}
            lines={lines}
            onChoose={() => setChoices({ ...choices, [field]: choice })}
          />
        )
        return (
          <Section key={field}>
            <fieldset className="grid gap-3">
              <legend className="mb-1 text-lg font-semibold">{label}</legend>
              {entry.base && (
                <p className="text-sm text-muted">
                  {t.before}: {linesOf(field, entry.base[field]).join(', ') || t.none}
                </p>
              )}
              <div className="grid gap-3 sm:grid-cols-2">
                {option('mine', linesOf(field, body[field]))}
                {option('theirs', linesOf(field, theirs[field]))}
              </div>
              {option('edit', [t.editHint])}
            </fieldset>
          </Section>
        )
      })}
      {isIncomplete && <Notice tone="danger">{t.undecided}</Notice>}
      <Button type="submit" look="primary" className="justify-self-start" busy={busy}>
        {edits ? t.next : t.send}
      </Button>
    </form>
  )
}

function Option({
  name,
  label,
  lines,
  checked,
  onChoose,
}: {
  name: string
  label: string
  lines: string[]
  checked: boolean
  onChoose: () => void
}) {
  return (
    <label
      className={`flex min-h-11 cursor-pointer gap-3 rounded-lg border p-3 ${checked ? 'border-accent bg-accent-soft' : 'border-field-line'}`}
    >
      <input type="radio" name={name} checked={checked} onChange={onChoose} className="mt-1 size-4 accent-accent" />
      <span className="min-w-0">
        <span className="block font-medium">{label}</span>
        {(lines.length > 0 ? lines : [t.none]).map((line, index) => (
          <span
            key={index}
            dir="auto"
            className="block text-left wrap-anywhere whitespace-pre-line text-muted [unicode-bidi:plaintext]"
          >
            {line}
          </span>
        ))}
      </span>
    </label>
  )
}
