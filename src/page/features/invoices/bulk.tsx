// Several drafts at once: each by its own call, one after the other, with how far it has come and what did not go.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { may } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import { formatMoney } from '#page/format.ts'
import { problemText } from '#page/problem-text.ts'
import { text } from '#page/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog } from '#page/ui/dialog.tsx'
import { Notice } from '#page/ui/screen.tsx'
import { deleteInvoice, issueInvoice } from './queries.ts'

const t = text.invoices.bulk
const works = { issue: issueInvoice, delete: deleteInvoice } as const
type Work = keyof typeof works

interface Run {
  work: Work
  done: number
  total: number
  failed: { what: string; why: string }[]
  isOver: boolean
}

interface Props {
  organization: Organization
  chosen: readonly InvoiceSummary[]
  /** Of those that are no drafts any more: nothing is chosen now. */
  onDone: () => void
  onCancel: () => void
}

export function Bulk({ organization, chosen, onDone, onCancel }: Props) {
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<Work | null>(null)
  const [run, setRun] = useState<Run | null>(null)
  const stopped = useRef(false)
  const isBusy = run !== null && !run.isOver

  async function start(work: Work): Promise<void> {
    setAsked(null)
    stopped.current = false
    const drafts = [...chosen]
    const state: Run = { work, done: 0, total: drafts.length, failed: [], isOver: false }
    setRun({ ...state })
    for (const draft of drafts) {
      if (stopped.current) break
      try {
        await works[work](queryClient, draft)
      } catch (error) {
        state.failed = [...state.failed, { what: nameOf(draft, organization.locale), why: whyOf(error) }]
      }
      state.done += 1
      setRun({ ...state })
    }
    setRun({ ...state, isOver: true })
    onDone()
  }

  return (
    <section className="grid gap-3 rounded-xl border border-line bg-surface p-4" aria-label={t.title}>
      <div className="flex flex-wrap items-center gap-3">
        <p className="grow">{t.chosen(chosen.length)}</p>
        {isBusy ? (
          <Button onClick={() => (stopped.current = true)}>{t.stop}</Button>
        ) : (
          <>
            <Button onClick={onCancel}>{text.cancel}</Button>
            <Button look="danger" disabled={chosen.length === 0} onClick={() => setAsked('delete')}>
              {t.delete}
            </Button>
            {may(organization, 'invoice.issue') && (
              <Button look="primary" disabled={chosen.length === 0} onClick={() => setAsked('issue')}>
                {t.issue}
              </Button>
            )}
          </>
        )}
      </div>
      {run && (
        <div className="grid gap-2">
          {isBusy && <progress className="w-full" max={run.total} value={run.done} aria-label={t[run.work]} />}
          <output className="text-muted">
            {(run.work === 'issue' ? t.issued : t.deleted)(run.done - run.failed.length, run.total)}
          </output>
          {run.isOver && run.failed.length > 0 && (
            <Notice tone="danger">
              <p>{t.failed(run.failed.length)}</p>
              <ul className="list-disc pl-5">
                {run.failed.map(({ what, why }, index) => (
                  <li key={`${index} ${what}`}>
                    {what}: {why}
                  </li>
                ))}
              </ul>
            </Notice>
          )}
        </div>
      )}
      <Dialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={asked === 'issue' ? t.issueTitle(chosen.length) : t.deleteTitle(chosen.length)}
        description={asked === 'issue' ? text.invoices.issueLead : text.invoices.deleteLead}
      >
        <div className="flex justify-end gap-3">
          <Button onClick={() => setAsked(null)}>{text.cancel}</Button>
          <Button look={asked === 'issue' ? 'primary' : 'danger'} onClick={() => asked && void start(asked)}>
            {asked === 'issue' ? t.issue : t.delete}
          </Button>
        </div>
      </Dialog>
    </section>
  )
}

function nameOf({ customerName, gross }: InvoiceSummary, locale: string): string {
  return `${customerName ?? text.invoices.noCustomer}, ${formatMoney(gross, locale)}`
}

function whyOf(error: unknown): string {
  const fields = error instanceof ProblemError ? (error.problem.errors ?? []) : []
  return fields.length > 0 ? fields.map(({ detail }) => detail).join(' ') : problemText(error, 'action')
}
