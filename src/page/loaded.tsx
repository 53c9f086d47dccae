// A query on a screen: what is there is shown, a skeleton only where there is nothing yet, and an error says what to do.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemError } from '#shared/problem.ts'
import { tryNow } from './boot.ts'
import { problemText } from './problem-text.ts'
import { text } from './text.ts'
import { Button } from './ui/button.tsx'
import { Notice, Skeleton } from './ui/screen.tsx'

type Shown<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'failureReason' | 'isFetching' | 'refetch'>

export function Loaded<Data>({
  query,
  rows,
  children,
}: {
  query: Shown<Data>
  rows?: number
  children: (data: Data) => ReactNode
}) {
  // "None" from the last visit is no answer while the present one is being asked for.
  const isOldNone = Array.isArray(query.data) && query.data.length === 0 && query.isFetching
  if (query.data !== undefined && !isOldNone) return children(query.data)
  // Without a connection there is nothing to wait for: said at the first try, not after the last.
  const error = query.error ?? (isUndeliverable(query.failureReason) ? query.failureReason : null)
  if (!error) return <Skeleton label={text.loading} {...(rows !== undefined && { rows })} />
  if (error instanceof ProblemError && error.code === 'not_found') return <Notice>{text.errors.notFoundLead}</Notice>
  return (
    <div className="grid justify-items-start gap-3">
      <Notice tone="danger">{isUndeliverable(error) ? text.errors.notHere : problemText(error)}</Notice>
      <Button
        busy={query.isFetching}
        onClick={() => {
          tryNow()
          void query.refetch()
        }}
      >
        {text.tryAgain}
      </Button>
    </div>
  )
}

function isUndeliverable(error: Error | null): boolean {
  return error instanceof ProblemError && error.code === 'undeliverable'
}
