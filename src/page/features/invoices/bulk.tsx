// Several invoices at once: each by its own call, one after the other, with how far it has come and what did not go.
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type Dispatch, type ReactNode, type SetStateAction } from 'react'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { UnsentEntry } from '#shared/outbox.ts'
import { may } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import { formatCount } from '#page/words/format.ts'
import { offerFile } from '#page/offer-file.ts'
import { problemText } from '#page/words/problem-text.ts'
import { unsentQuery } from '#page/device/outbox-calls.ts'
import { markOf } from '#page/device/saved.ts'
import { holdReload } from '#page/start/reload.ts'
import { text } from '#page/words/app-text.ts'
import { said } from '#page/words/said.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog, DialogButtons } from '#page/ui/dialog.tsx'
import { notify } from '#page/ui/notify.ts'
import { Notice } from '#page/ui/screen.tsx'
import { allInvoices } from './all-invoices.ts'
import { Beforehand, type Remark } from './beforehand.tsx'
import { nameOf, sortOut, type Run } from './bulk-run.ts'
import { lackingOf } from './lacking.ts'
import { isChoosable, works, type Remind, type WorkName } from './bulk-works.ts'
import type { InvoiceSearch } from './queries.ts'

const t = text.invoices.bulk
const names = Object.keys(works) as WorkName[]
const hasLeft = Symbol('has left')

/** A file that is saved is asked for once. */
type Asked = Exclude<WorkName, 'pdf'>

/** None where it goes out with its XML, or nobody wants one. */
type WhyWithoutXml = (queryClient: QueryClient, invoice: InvoiceSummary) => Promise<readonly string[]>

interface Props {
  organization: Organization
  /** What the list shows. */
  search: InvoiceSearch
  chosen: readonly InvoiceSummary[]
  onChoose: (chosen: readonly InvoiceSummary[]) => void
  onCancel: () => void
  remind: Remind
  whyWithoutXml: WhyWithoutXml
  exportDialog: (chosen: readonly InvoiceSummary[], onClose: () => void) => ReactNode
}

export function Bulk({ organization, search, chosen, onChoose, onCancel, remind, whyWithoutXml, exportDialog }: Props) {
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [run, setRun] = useState<Run | null>(null)
  const [reading, setReading] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isExporting, setExporting] = useState(false)
  const work = useRef<AbortController | null>(null)
  const isBusy = reading !== null || (run !== null && !run.isOver)
  const fitting = (name: WorkName) => chosen.filter((invoice) => works[name].fits(invoice, organization))
  const remarks = {
    issue: (invoice: InvoiceSummary) =>
      lackingOf(queryClient, invoice, organization, nameOf(invoice, organization.locale)),
    send: async (invoice: InvoiceSummary): Promise<Remark[]> => {
      const reasons = await whyWithoutXml(queryClient, invoice)
      return reasons.map((reason) => ({ of: invoice.number!, words: said(reason) }))
    },
  }
  const begin = () => (work.current = new AbortController()).signal
  // Who leaves stops it: nothing is done to invoices that nobody sees.
  useEffect(() => () => work.current?.abort(hasLeft), [])
  useEffect(() => (isBusy ? holdReload(() => true) : undefined), [isBusy])
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    // What was pressed for it has made room for something else.
    if (document.activeElement === document.body) section.current?.focus()
  }, [isBusy])

  async function start(name: WorkName): Promise<void> {
    setAsked(null)
    setProblem(null)
    const signal = begin()
    const place = { queryClient, organization, remind, files: [], hasCopies: false }
    const invoices = fitting(name)
    const state: Run = { work: name, done: 0, total: invoices.length, waiting: [], failed: [], isOver: false }
    setRun({ ...state })
    for (const invoice of invoices) {
      if (signal.aborted) break
      const fail = (why: string) => {
        state.failed = [...state.failed, { what: nameOf(invoice, organization.locale), why }]
      }
      try {
        const answer = await works[name].run(place, invoice)
        if (typeof answer === 'string') fail(answer)
        else if (markOf(answer ?? undefined) === 'attention') fail(text.unsent.marks.attention)
        else if (markOf(answer ?? undefined)) state.waiting = [...state.waiting, invoice]
      } catch (error) {
        fail(whyOf(error))
        // All that come after it would be refused alike.
        if (error instanceof ProblemError && error.code === 'too_many_requests') break
      } finally {
        state.done += 1
        setRun({ ...state })
      }
    }
    if (signal.reason === hasLeft) return
    if (place.files.length > 0) await offerFiles(place.files)
    if (place.hasCopies) notify('info', text.invoices.pdfCopy)
    setRun({ ...state, isOver: true })
    // Those are not what they were; what was not come to is chosen still.
    if (name !== 'pdf') onChoose(invoices.slice(state.done))
  }

  async function chooseAll(): Promise<void> {
    const signal = begin()
    const found: InvoiceSummary[] = []
    setRun(null)
    setProblem(null)
    setReading(0)
    try {
      for await (const rows of allInvoices(organization.id, search, signal)) {
        found.push(...rows.filter(isChoosable))
        setReading(found.length)
      }
      onChoose(found)
    } catch (error) {
      if (!signal.aborted) setProblem(problemText(error, 'action'))
    } finally {
      setReading(null)
    }
  }

  return (
    <section
      ref={section}
      tabIndex={-1}
      className="grid gap-3 rounded-xl border border-line bg-surface p-4 outline-none"
      aria-label={t.title}
    >
      <div className="flex flex-wrap items-center gap-3">
        <output className="grow">
          {reading === null ? t.chosen(chosen.length, formatCount(chosen.length)) : t.reading(formatCount(reading))}
        </output>
        {isBusy ? (
          <Button onClick={() => work.current?.abort()}>{t.stop}</Button>
        ) : (
          <>
            <Button onClick={onCancel}>{text.cancel}</Button>
            <Button onClick={() => void chooseAll()}>{t.all}</Button>
          </>
        )}
      </div>
      {!isBusy && (
        <div className="flex flex-wrap items-center gap-3">
          {names
            .filter((name) => may(organization, works[name].permission))
            .map((name) => {
              const { length } = fitting(name)
              return (
                <Button
                  key={name}
                  look={works[name].look}
                  disabled={length === 0}
                  onClick={() => (name === 'pdf' ? void start(name) : setAsked(name))}
                >
                  {length === 0 ? t.works[name].label : `${t.works[name].label} (${formatCount(length)})`}
                </Button>
              )
            })}
          <Button disabled={chosen.length === 0} onClick={() => setExporting(true)}>
            {text.exports.open}
          </Button>
        </div>
      )}
      {problem && <Notice tone="danger">{problem}</Notice>}
      {run && <Progress run={run} />}
      {run?.isOver && run.waiting.length > 0 && <Follow run={run} locale={organization.locale} setRun={setRun} />}
      <Dialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={asked ? t.works[asked].ask(fitting(asked).length) : ''}
        description={asked && t.works[asked].lead}
      >
        {asked === 'send' && <SentBefore count={fitting('send').filter(({ sentAt }) => sentAt !== null).length} />}
        {(asked === 'issue' || (asked === 'send' && organization.eInvoiceProfile !== 'none')) && (
          <Beforehand invoices={fitting(asked)} {...t.beforehand[asked]} remarksOn={remarks[asked]} />
        )}
        <DialogButtons>
          <Button onClick={() => setAsked(null)}>{text.cancel}</Button>
          {asked && (
            <Button look={asked === 'delete' ? 'danger' : 'primary'} onClick={() => void start(asked)}>
              {t.works[asked].label}
            </Button>
          )}
        </DialogButtons>
      </Dialog>
      {isExporting && exportDialog(chosen, () => setExporting(false))}
    </section>
  )
}

function SentBefore({ count }: { count: number }) {
  return count > 0 && <Notice tone="warn">{t.sentBefore(count)}</Notice>
}

function Progress({ run: { work, done, total, waiting, failed, isOver } }: { run: Run }) {
  const words = t.works[work]
  return (
    <div className="grid gap-2">
      {!isOver && <progress className="w-full" max={total} value={done} aria-label={words.label} />}
      <output className="text-muted">
        {words.done(done - failed.length - waiting.length, total)}
        {waiting.length > 0 && ` · ${t.waiting(waiting.length)}`}
      </output>
      {isOver && failed.length > 0 && (
        <Notice tone="danger">
          <p>{t.failed(failed.length)}</p>
          <ul className="list-disc pl-5">
            {failed.map(({ what, why }, index) => (
              <li key={`${index} ${what}`}>
                {what}: {why}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}

/** What waits when a run is over: what was sent since is done, and what was not taken, or was taken back, is not. */
function Follow({ run, locale, setRun }: { run: Run; locale: string; setRun: Dispatch<SetStateAction<Run | null>> }) {
  const queryClient = useQueryClient()
  const { data: unsent } = useQuery(unsentQuery)
  useEffect(() => {
    const look = async (entries: readonly UnsentEntry[]) => {
      const [waiting, failed] = await sortOut(queryClient, run, entries, locale)
      if (waiting.length === run.waiting.length) return
      const next = { ...run, waiting, failed: [...run.failed, ...failed] }
      // What was told meanwhile is looked at on top of that.
      setRun((now) => (now === run ? next : now))
    }
    if (unsent) void look(unsent.entries)
  }, [unsent, queryClient, run, locale, setRun])
  return null
}

function whyOf(error: unknown): string {
  const fields = error instanceof ProblemError ? (error.problem.errors ?? []) : []
  return fields.length > 0 ? fields.map(({ detail }) => detail).join('; ') : problemText(error, 'action')
}

/** One as it is, several in a ZIP, in which they are not pressed again: a PDF is pressed already. */
async function offerFiles(files: readonly { name: string; file: Blob }[]): Promise<void> {
  const [first] = files
  if (files.length === 1) return offerFile(first!.name, first!.file)
  const { Zip, ZipPassThrough } = await import('fflate')
  const made: Uint8Array<ArrayBuffer>[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    made.push(bytes as Uint8Array<ArrayBuffer>)
  })
  for (const { name, file } of files) {
    const entry = new ZipPassThrough(name)
    zip.add(entry)
    entry.push(new Uint8Array(await file.arrayBuffer()), true)
  }
  zip.end()
  offerFile(t.zipName, new Blob(made, { type: 'application/zip' }))
}
