import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Activity } from '#shared/contract/activity.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { formatInstant, type Zoned } from '#page/words/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { kindOf, toldChanges } from './told-changes.ts'
import { activityQuery, type ActivityFilter } from './queries.ts'

const t = text.activity

/** Newest first; what changed opens below. */
export function ActivityList({ organization, filter }: { organization: Organization; filter: ActivityFilter }) {
  const query = useInfiniteQuery(activityQuery(organization.id, filter))
  return (
    <Loaded query={query} atServer="activity">
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data)
        if (rows.length === 0) return <p className="text-muted">{t.none}</p>
        return (
          <>
            <ol className="divide-y divide-line rounded-xl border border-line bg-surface" aria-label={t.title}>
              {rows.map((activity) => (
                <Row key={activity.id} activity={activity} organization={organization} />
              ))}
            </ol>
            {query.hasNextPage && (
              <Button
                className="justify-self-center"
                busy={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {t.more}
              </Button>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function Row({ activity, organization }: { activity: Activity; organization: Zoned }) {
  const about = useId()
  const { userName, kind, label, at } = activity
  const what = kindOf(activity) === 'refund' ? t.refund : (t.kinds[kind] ?? kind)
  const changes = toldChanges(activity, organization)
  const isOwn = kind === 'member' && activity.subjectId === activity.userId
  return (
    <li className="grid gap-1 p-3">
      <p id={about} className="wrap-anywhere">
        <strong dir="auto" className="font-semibold">
          {activity.userId === null ? (isByLink(activity) ? t.customer : t.itself) : userName || t.somebody}
        </strong>{' '}
        {verbOf(activity, isOwn)}
        {!isOwn && (
          <>
            {' '}
            {what}{' '}
            <strong dir="auto" className="font-semibold">
              {label}
            </strong>
          </>
        )}
      </p>
      <p className="text-sm text-muted">{formatInstant(at, organization)}</p>
      {changes.length > 0 && (
        <details>
          <summary className="min-h-11 cursor-pointer content-center text-sm text-muted" aria-describedby={about}>
            {t.changes(changes.length)}
          </summary>
          <table className="w-full table-fixed text-left text-sm">
            <thead className="text-muted">
              <tr>
                {[t.field, t.before, t.after].map((head) => (
                  <th key={head} scope="col" className="py-1 pr-3 font-medium">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {changes.map(({ field, label: name, sides }) => (
                <tr key={field} className="border-t border-line align-top">
                  <th scope="row" className="py-1 pr-3 font-normal wrap-anywhere text-muted">
                    {name}
                  </th>
                  {sides.map((side, index) => (
                    <td
                      key={index}
                      dir="auto"
                      className="py-1 pr-3 text-left wrap-anywhere whitespace-pre-line [unicode-bidi:plaintext]"
                    >
                      {side || '–'}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </li>
  )
}

/** `saveCustomer` is "changed"; what has no word here is shown by its name. */
function verbOf(activity: Activity, isOwn: boolean): string {
  const { action } = activity
  const verb = /^[a-z]+/.exec(action)?.[0] ?? action
  return t.verbs[isOwn && verb === 'delete' ? 'left' : isByLink(activity) ? 'answered' : verb] ?? action
}

/** Who has a quote's link answered it; who that is, the answer says. */
function isByLink({ action }: Activity): boolean {
  return action === 'answerPublicQuote'
}
