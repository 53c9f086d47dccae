// Rows of a file on their way in: the file, what its columns are, what would happen, and what was done.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { tryNow } from '#page/start/boot.ts'
import { holdReload } from '#page/start/reload.ts'
import { formatCount } from '#page/words/format.ts'
import { problemText } from '#page/words/problem-text.ts'
import { importText } from '#page/words/import-words.ts'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { Notice, Section } from '#page/ui/screen.tsx'
import { guessMapping, importFields, type ImportKind, type Mapping } from './fields.ts'
import { Columns } from './columns.tsx'
import { readTable, type FileProblem, type FileTable } from './read-file.ts'
import { recordsOf } from './records.ts'
import { outcomeOf, Report } from './report.tsx'
import { sendRecords, toWrite, type Run } from './run.ts'
import { guessFormats, type Formats } from './values.ts'

const t = importText

interface Read {
  file: File
  table: FileTable
  mapping: Mapping
  formats: Formats
}

interface Busy {
  work: 'check' | 'write'
  done: number
  total: number
}

interface Props {
  kind: ImportKind
  organization: Organization
  /** Where what was imported is shown. */
  after: ReactNode
}

export function ImportScreen({ kind, organization, after }: Props) {
  const { id: organizationId, locale, currency } = organization
  const queryClient = useQueryClient()
  const [problem, setProblem] = useState<string | null>(null)
  const [isReading, setReading] = useState(false)
  const [read, setRead] = useState<Read | null>(null)
  const [busy, setBusy] = useState<Busy | null>(null)
  const [checked, setChecked] = useState<Run | null>(null)
  const [written, setWritten] = useState<Run | null>(null)
  const work = useRef<AbortController | null>(null)
  useEffect(() => () => work.current?.abort(), [])
  // A file cannot be put back, nor what its columns were said to be: a new version waits until it is imported or left.
  const isOpen = read !== null && written === null
  useEffect(() => (isOpen ? holdReload(() => true) : undefined), [isOpen])

  /** Whatever was found out before is of another file or another reading. */
  function change(next: Read | null): void {
    setRead(next)
    setChecked(null)
    setWritten(null)
    setProblem(null)
  }

  async function open(file: File, chosen: Parameters<typeof readTable>[1] = {}): Promise<void> {
    setReading(true)
    const found = await readTable(file, chosen).catch(() => null)
    setReading(false)
    if (found === null || 'problem' in found) {
      change(null)
      setProblem(found === null ? t.unreadable : problemOf(found))
      return
    }
    const mapping = guessMapping(kind, found.head, found.rows)
    change({ file, table: found, mapping, formats: guessFormats(kind, mapping, found.rows, locale) })
  }

  async function run(what: Busy['work'], { table, mapping, formats }: Read): Promise<void> {
    const controller = new AbortController()
    work.current = controller
    setProblem(null)
    const records =
      what === 'check' ? await recordsOf(kind, table, mapping, formats, currency) : toWrite(checked!.judged)
    const total = records.length
    setBusy({ work: what, done: 0, total })
    const ended = await sendRecords({
      kind,
      organizationId,
      records,
      write: what === 'write',
      signal: controller.signal,
      onProgress: (done) => setBusy({ work: what, done: Math.min(done, total), total }),
    })
    setBusy(null)
    if (ended.stoppedBy !== null && !controller.signal.aborted) setProblem(problemText(ended.stoppedBy, 'action'))
    if (what === 'check') return setChecked(ended.stoppedBy === null ? ended : null)
    // What was not sent again stays as it was judged: the report is of the whole file.
    const sent = new Map(ended.judged.map((each) => [each.record, each]))
    setWritten({ ...ended, judged: checked!.judged.map((each) => sent.get(each.record) ?? each) })
    for (const key of [kind, 'dashboard', 'customer', 'item', 'invoice', 'invoices'])
      void queryClient.invalidateQueries({ queryKey: [key, organizationId] })
    tryNow()
  }

  const missing = read
    ? importFields(kind).filter(({ isNeeded, name }) => isNeeded && !read.mapping.includes(name))
    : []
  const count = checked ? toWrite(checked.judged).length : 0
  return (
    <>
      <Section>
        <p className="text-muted">{t.leads[kind]}</p>
        <FileInput isQuiet={read !== null} onChoose={(file) => void open(file)} />
        {isReading && <output className="text-muted">{t.reading}</output>}
        {read && <p className="wrap-anywhere">{t.read(read.file.name, t.rows(formatCount(read.table.rows.length)))}</p>}
      </Section>
      {read && !written && (
        <Columns
          kind={kind}
          table={read.table}
          mapping={read.mapping}
          formats={read.formats}
          isBusy={busy !== null}
          onReread={(chosen) => void open(read.file, chosen)}
          onChange={(mapping, formats) => change({ ...read, mapping, formats })}
        />
      )}
      {problem && <Notice tone="danger">{problem}</Notice>}
      {missing.length > 0 && (
        <Notice tone="warn">{t.needed(missing.map(({ word }) => t.fields[word]).join(', '))}</Notice>
      )}
      {busy && (
        <Section title={busy.work === 'check' ? t.checking : t.writing}>
          <progress className="w-full" max={busy.total} value={busy.done} aria-label={t.writing} />
          <div className="flex items-center justify-between gap-3">
            <output className="text-muted">{t.progress(formatCount(busy.done), formatCount(busy.total))}</output>
            <Button onClick={() => work.current?.abort()}>{t.stop}</Button>
          </div>
        </Section>
      )}
      {read && !checked && !busy && !written && (
        <Button
          look="primary"
          className="justify-self-start"
          disabled={missing.length > 0}
          onClick={() => void run('check', read)}
        >
          {t.check}
        </Button>
      )}
      {checked && !written && (
        <Report
          kind={kind}
          run={checked}
          head={read!.table.head}
          mapping={read!.mapping}
          locale={locale}
          isDone={false}
        >
          {count === 0 ? (
            <p>{checked.judged.some((each) => outcomeOf(each) === 'same') ? t.nothing : t.noneFits}</p>
          ) : (
            <Button
              look="primary"
              busy={busy !== null}
              className="justify-self-start"
              onClick={() => void run('write', read!)}
            >
              {(kind === 'invoices' ? t.importInvoices : t.import)(formatCount(count))}
            </Button>
          )}
        </Report>
      )}
      {written && (
        <Report kind={kind} run={written} head={read!.table.head} mapping={read!.mapping} locale={locale} isDone>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => change(null)}>{t.again}</Button>
            {after}
          </div>
        </Report>
      )}
    </>
  )
}

function FileInput({ isQuiet, onChoose }: { isQuiet: boolean; onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values"
        aria-label={t.file}
        className="sr-only"
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // The same file again is chosen again.
          currentTarget.value = ''
          if (file) onChoose(file)
        }}
      />
      <button
        type="button"
        className={buttonClass(isQuiet ? 'plain' : 'primary', 'justify-self-start')}
        onClick={() => input.current?.click()}
      >
        {isQuiet ? t.chooseOther : t.choose}
      </button>
    </>
  )
}

function problemOf(found: FileProblem): string {
  return found.problem === 'quotes' ? t.quotes(formatCount(found.row)) : t.problems[found.problem]
}
