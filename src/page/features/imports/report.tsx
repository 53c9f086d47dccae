// What would happen to the rows of a file, or what was done: counted, and every row that is left out named with its reason.
import { CircleAlert, CirclePlus, Equal, PencilLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { said } from '#page/words/said.ts'
import { VirtualList } from '#page/ui/list.tsx'
import { Notice, Section } from '#page/ui/screen.tsx'
import { importFields, type ImportKind, type Mapping } from './fields.ts'
import { placeOf } from './records.ts'
import type { Judged, Run } from './run.ts'

const t = text.imports
const outcomes = ['new', 'changed', 'same', 'bad'] as const
const icons = { new: CirclePlus, changed: PencilLine, same: Equal, bad: CircleAlert }

interface Props {
  kind: ImportKind
  run: Run
  head: readonly string[]
  mapping: Mapping
  /** What was done; else what would be. */
  isDone: boolean
  children: ReactNode
}

interface Bad {
  id: string
  row: number
  label: string
  reasons: string[]
}

export function Report({ kind, run: { judged }, head, mapping, isDone, children }: Props) {
  const unheard = judged.find(({ record, outcome }) => outcome === null && record.problem === null)
  const count = (what: (typeof outcomes)[number]) => judged.filter((each) => outcomeOf(each) === what).length
  const bad = judged.flatMap((each) => (outcomeOf(each) === 'bad' ? badOf(each, kind, head, mapping) : []))
  return (
    <Section title={isDone ? t.doneTitle : t.resultTitle}>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {outcomes.map((each) => {
          const Icon = icons[each]
          const found = count(each)
          return (
            <div key={each} className="rounded-lg border border-line p-3">
              <dt className="flex items-center gap-2 text-sm text-muted">
                <Icon className="size-4 shrink-0" aria-hidden />
                {(isDone ? t.outcomesDone : t.outcomes)[each]}
              </dt>
              <dd className={`text-xl font-semibold tabular-nums ${each === 'bad' && found > 0 ? 'text-danger' : ''}`}>
                {formatCount(found)}
              </dd>
            </div>
          )
        })}
      </dl>
      {isDone &&
        (unheard ? (
          <Notice tone="danger">{t.stopped(formatCount(unheard.record.row))}</Notice>
        ) : (
          <Notice>{t.done}</Notice>
        ))}
      {children}
      {bad.length > 0 && (
        <div className="grid gap-3">
          <h3 className="font-medium">{t.badTitle}</h3>
          <VirtualList label={t.badTitle} rows={bad} keyOf={({ id }) => id}>
            {({ row, label, reasons }) => (
              <div className="grid gap-0.5 px-4 py-3">
                <p className="font-medium wrap-anywhere">{t.badRow(formatCount(row), label)}</p>
                {reasons.map((reason) => (
                  <p key={reason} className="text-sm wrap-anywhere text-danger">
                    {reason}
                  </p>
                ))}
              </div>
            )}
          </VirtualList>
        </div>
      )}
    </Section>
  )
}

function outcomeOf({ record, outcome }: Judged): (typeof outcomes)[number] | null {
  return record.problem === null ? (outcome?.outcome ?? null) : 'bad'
}

/** One for each row of the file that something is wrong with: an invoice has several. */
function badOf({ record, outcome }: Judged, kind: ImportKind, head: readonly string[], mapping: Mapping): Bad[] {
  const { row, label, problem } = record
  if (problem !== null) {
    const reason = problem.kind === 'double' ? t.double(formatCount(problem.row)) : t.moreCells
    return [{ id: String(row), row, label, reasons: [reason] }]
  }
  const reasons = new Map<number, string[]>()
  for (const { pointer, detail } of outcome!.errors) {
    const place = placeOf(record, pointer)
    const column = columnOf(place.field, kind, head, mapping)
    reasons.set(place.row, [...(reasons.get(place.row) ?? []), column ? t.why(column, said(detail)) : said(detail)])
  }
  return [...reasons].map(([at, why]) => ({ id: String(at), row: at, label, reasons: why }))
}

/** As the file calls it; what the file has no column for, as the screen does. */
function columnOf(field: string, kind: ImportKind, head: readonly string[], mapping: Mapping): string {
  const at = mapping.findIndex((name) => name === field || (name !== null && field.startsWith(`${name}.`)))
  if (at >= 0) return head[at] || t.column(at + 1)
  const known = importFields(kind).find(({ name }) => name === field)
  return known ? (t.fields[known.word] ?? '') : ''
}
