// A press on an invoice: one at a time, what it was refused for stands below the buttons, and what stands on the screen is true afterwards.
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { FieldError } from '#shared/problem-form.ts'
import { ProblemError } from '#shared/problem.ts'
import { text } from '#page/words/app-text.ts'
import { problemText } from '#page/words/problem-text.ts'
import { Notice } from '#page/ui/screen.tsx'
import { invoiceQuery } from './queries.ts'

interface Action {
  busy: boolean
  run: (work: () => Promise<void>) => Promise<void>
  trouble: ReactNode
}

/** No field is in sight here: which line it is about is said. */
function named({ pointer, detail }: FieldError): string {
  const line = /^\/lines\/(\d+)/.exec(pointer)?.[1]
  return line === undefined ? detail : `${text.invoices.line(Number(line) + 1)}: ${detail}`
}

export function useAction({ organizationId, id }: Pick<Invoice, 'organizationId' | 'id'>): Action {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<string[]>([])

  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setProblems([])
    try {
      await work()
    } catch (error) {
      const fields = error instanceof ProblemError ? (error.problem.errors ?? []) : []
      setProblems(fields.length > 0 ? fields.map(named) : [problemText(error, 'action')])
      // Somebody else may have issued or changed it.
      void queryClient.invalidateQueries({ queryKey: invoiceQuery(organizationId, id).queryKey })
    } finally {
      setBusy(false)
    }
  }
  const trouble = problems.length > 0 && (
    <div className="basis-full">
      <Notice tone="danger">
        {problems.map((problem, index) => (
          <p key={index}>{problem}</p>
        ))}
      </Notice>
    </div>
  )
  return { busy, run, trouble }
}
