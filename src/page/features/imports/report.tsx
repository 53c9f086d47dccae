// What would happen to the rows of a file, or what was done: counted, and every row that is left out named with its reason.
import { CircleAlert, CirclePlus, Equal, PencilLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { asTyped } from '#page/forms/typed-number.ts'
import { formatCount, formatMoney } from '#page/words/format.ts'
import { importText } from '#page/words/import-words.ts'
import { said } from '#page/words/said.ts'
import { VirtualList } from '#page/ui/list.tsx'
import { Notice, Section } from '#page/ui/screen.tsx'
import { importFields, type ImportKind, type Mapping } from './fields.ts'
import { placeOf } from './records.ts'
import type { Judged, Run } from './run.ts'

const t = importText
const outcomes = ['new', 'changed', 'same', 'bad'] as const
const icons = { new: CirclePlus, changed: PencilLine, same: Equal, bad: CircleAlert }

interface Props {
  kind: ImportKind
  run: Run
  head: readonly string[]
  mapping: Mapping
  /** The organization's. */
  locale: string
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

export function Report({ kind, run: { judged }, head, mapping, locale, isDone, children }: Props) {
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
      {!isDone && <Coming judged={judged} kind={kind} locale={locale} />}
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

/** What would come in, as a person would check it: whose it is, and for how much. */
function Coming({ judged, kind, locale }: { judged: readonly Judged[]; kind: ImportKind; locale: string }) {
  const coming = judged.filter((each) => ['new', 'changed'].includes(outcomeOf(each) ?? ''))
  if (coming.length === 0) return null
  const left = coming.length - mostShown
  return (
    <div className="grid gap-2">
      <h3 className="font-medium">{t.comingTitle}</h3>
      <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
        {coming.slice(0, mostShown).map((each) => {
          const { who, amount } = sumUp(each, kind, locale)
          return (
            <li key={each.record.row} className="flex items-baseline justify-between gap-4 px-4 py-2">
              <span className="min-w-0">
                <span className="font-medium wrap-anywhere">{each.record.label}</span>
                {each.outcome?.outcome === 'changed' && (
                  <span className="text-muted wrap-anywhere"> · {changedWords(each)}</span>
                )}
                {who && <span className="block text-sm wrap-anywhere text-muted">{who}</span>}
              </span>
              <span className="shrink-0 tabular-nums">{amount}</span>
            </li>
          )
        })}
      </ul>
      {left > 0 && <p className="text-sm text-muted">{t.comingMore(formatCount(left))}</p>}
    </div>
  )
}

const mostShown = 50

/** Known by its number or address, it may be called otherwise here: then the file gives it another name. */
function changedWords({ record: { values }, outcome }: Judged): string {
  const was = outcome?.was
  const isRenamed = was && typeof values['name'] === 'string' && values['name'] !== was
  return isRenamed ? t.renames(was) : t.outcomes.changed
}

function sumUp(
  { record: { values }, outcome }: Judged,
  kind: ImportKind,
  locale: string,
): { who: string; amount: string } {
  const word = (value: unknown) => (typeof value === 'string' ? value : '')
  if (kind === 'invoices') {
    const { name, email } = (values['customer'] ?? {}) as Record<string, unknown>
    return { who: word(name) || word(email), amount: outcome?.gross ? formatMoney(outcome.gross, locale) : '' }
  }
  if (kind === 'items')
    return {
      who: word(values['sku']),
      amount: `${asTyped(word(values['unitPrice']), locale)} ${word(values['currency'])}`.trim(),
    }
  return { who: word(values['email']), amount: '' }
}

export function outcomeOf({ record, outcome }: Judged): (typeof outcomes)[number] | null {
  return record.problem === null ? (outcome?.outcome ?? null) : 'bad'
}

/** One for each row of the file that something is wrong with: an invoice has several. */
function badOf({ record, outcome }: Judged, kind: ImportKind, head: readonly string[], mapping: Mapping): Bad[] {
  const { row, label, problem } = record
  if (problem !== null) {
    const reason = () => {
      if (problem.kind === 'double') return t.double(formatCount(problem.row))
      if (problem.kind === 'moreCells') return t.moreCells
      if (problem.kind === 'draft') return t.draft
      const why =
        problem.kind === 'differs'
          ? t.differs(formatCount(row))
          : problem.kind === 'otherUnit'
            ? t.otherUnit
            : t.otherCurrency(problem.written, problem.currency)
      return t.why(columnOf(problem.field, kind, head, mapping), why)
    }
    const at = 'at' in problem ? problem.at : row
    return [{ id: String(at), row: at, label, reasons: [reason()] }]
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
