// A query on a screen: what is there is shown, a skeleton only where there is nothing yet, and an error says what to do; so does what the server alone has.
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { needsPerson } from '#shared/outbox.ts'
import { ProblemError } from '#shared/problem.ts'
import { text, type AppText } from '#page/words/app-text.ts'
import { tryNow } from '#page/start/boot.ts'
import { useReachable } from '#page/device/connection.ts'
import { unsentQuery } from '#page/device/outbox-calls.ts'
import { problemText } from '#page/words/problem-text.ts'
import { useLasting } from './lasting.ts'
import { Button, buttonClass } from './ui/button.tsx'
import { Notice, Skeleton } from './ui/screen.tsx'

/** What it is that the device has no copy of. */
type AtServer = keyof AppText['atServer']['kept']

type Shown<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'failureReason' | 'isFetching' | 'refetch'>

/**
 * Of a screen that shows one row: what is found to be gone is shown no longer, though the data cache has it as it was seen last. A form that somebody
 * is at keeps it (edited-row.tsx).
 */
export function unlessGone<Data>(query: Shown<Data>): Shown<Data> {
  return isNotFound(query.error) ? { ...query, data: undefined } : query
}

export function Loaded<Data>({
  query,
  rows,
  atServer,
  isPart = false,
  children,
}: {
  query: Shown<Data>
  rows?: number
  /** What it is, where the device keeps no copy of it. */
  atServer?: AtServer
  /** The screen has more on it, and so a use without this. */
  isPart?: boolean
  children: (data: Data) => ReactNode
}) {
  const [said, setSaid] = useState<Error | null>(null)
  const isLate = useLasting(atServer !== undefined && query.data === undefined, lateMs)
  // "None" from the last visit is no answer while the present one is being asked for.
  const isOldNone = Array.isArray(query.data) && query.data.length === 0 && query.isFetching
  if (query.data !== undefined && !isOldNone) return children(query.data)
  // Without a connection there is nothing to wait for: said at the first try, not after the last.
  const told = query.error ?? (isUndeliverable(query.failureReason) ? query.failureReason : null)
  // A new try takes the last one's error back, and there is a try every few seconds: what is said stands until there is an answer.
  if (told !== null && told !== said) setSaid(told)
  const error = told ?? (query.isFetching && isUndeliverable(said) ? said : null)
  if (!error && !isLate) return <Skeleton label={text.loading} {...(rows !== undefined && { rows })} />
  if (isNotFound(error)) return <NotThere />
  const retry = (
    <Button
      busy={query.isFetching}
      onClick={() => {
        tryNow()
        void query.refetch()
      }}
    >
      {text.tryAgain}
    </Button>
  )
  if (atServer && (error === null || isUndeliverable(error)))
    return <AtServerNotice what={atServer} isPart={isPart} retry={retry} />
  return (
    <div className="grid justify-items-start gap-3">
      <Notice tone="danger">{isUndeliverable(error) ? text.atServer.notHere : problemText(error)}</Notice>
      {retry}
    </div>
  )
}

/** A server that answers nothing is as far away as one that is not there, long before the call is given up. */
const lateMs = 3000

export function isNotFound(error: Error | null): boolean {
  return error instanceof ProblemError && error.code === 'not_found'
}

/** Deleted elsewhere, it may have been changed here: that is on this device still, and is looked for where it was. */
export function NotThere() {
  const { pathname } = useLocation()
  const { data } = useQuery(unsentQuery)
  const entry = data?.entries.find(
    ({ id, organizationId, state }) => id !== organizationId && needsPerson(state) && pathname.includes(id),
  )
  return (
    <Notice tone={entry ? 'warn' : 'info'}>
      <p>{text.errors.notFoundLead}</p>
      {entry && (
        <p>
          {text.unsent.attentionLead}{' '}
          <Link to="/unsent/$key" params={entry} className="font-medium text-accent underline">
            {text.unsent.title}
          </Link>
        </p>
      )}
    </Notice>
  )
}

function isUndeliverable(error: Error | null): boolean {
  return error instanceof ProblemError && error.code === 'undeliverable'
}

/** In the place of what cannot be shown now; it comes by itself, because connection.ts asks again for all that is on the screen. */
function AtServerNotice({ what, isPart, retry }: { what: AtServer; isPart: boolean; retry: ReactNode }) {
  const { kept, meanwhile } = text.atServer
  return (
    <div className="grid justify-items-start gap-3">
      <Notice tone="warn">
        {kept[what]} {meanwhile}
      </Notice>
      <div className="flex flex-wrap gap-3">
        {retry}
        {!isPart && (
          <Link to="/dashboard" className={buttonClass()}>
            {text.nav.dashboard}
          </Link>
        )}
      </div>
    </div>
  )
}

/** On a form that only the server can take: said before anybody waits for it. */
export function NeedsServer({ children }: { children: string }) {
  return useReachable() ? null : <Notice tone="warn">{children}</Notice>
}
