// One unsent write that waits for the person: what two changed is decided here, and its form opens with what was saved.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { UnsentEntry } from '#shared/outbox.ts'
import { lazily } from '#page/lazily.ts'
import { useOrganizations } from '#page/current-organization.ts'
import { unsentKey } from '#page/device/device-news.ts'
import { atAmount, atPart } from '#page/features/payments/queries.ts'
import { Conflict } from '#page/features/unsent/conflict.tsx'
import { Decision } from '#page/features/unsent/decision.tsx'
import { useDiscarded } from '#page/features/unsent/discarded.ts'
import { openedBefore, useOpened } from '#page/features/unsent/opened.ts'
import { refusalText } from '#page/features/unsent/refusal.ts'
import { saveTyped } from '#page/features/unsent/save-typed.ts'
import { isFrozen, versionOf, whatText, wholeText, whyTexts } from '#page/features/unsent/words.ts'
import { Loaded } from '#page/loaded.tsx'
import { asNewRow, saveAsNew } from '#page/save-as-new.ts'
import { seenBefore } from '#page/device/decision.ts'
import { resolveEntry, retryUnsent, unsentQuery } from '#page/device/outbox-calls.ts'
import { useOnward } from '#page/onward.ts'
import { said } from '#page/words/said.ts'
import { text } from '#page/words/app-text.ts'
import { FieldErrorsContext, noFieldErrors, type FieldErrors } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { Notice, Screen, Skeleton } from '#page/ui/screen.tsx'

const UnsentForm = lazily(() => import('#page/unsent-form.tsx').then((module) => module.UnsentForm))

export const Route = createFileRoute('/_authed/unsent/$key')({
  loader: ({ context }) => void context.queryClient.prefetchQuery(unsentQuery),
  component: UnsentEntryScreen,
})

const t = text.conflict
type Body = Record<string, unknown>

function UnsentEntryScreen() {
  const { key } = Route.useParams()
  const query = useQuery(unsentQuery)
  return (
    <Loaded query={query}>
      {({ entries }) => <Opened key={key} found={entries.find((entry) => entry.key === key) ?? openedBefore(key)} />}
    </Loaded>
  )
}

/** As it was when it was opened: what is being decided does not change underneath. */
function Opened({ found }: { found: UnsentEntry | null }) {
  const [entry] = useState(() => found && { ...found, base: found.base ?? seenBefore(found.key) })
  const back = (
    <Link to="/unsent" className="inline-flex min-h-11 items-center font-medium text-accent underline">
      {text.unsent.back}
    </Link>
  )
  return (
    <Screen title={entry ? whatText(entry) : text.unsent.title} lead={back}>
      {entry ? <Waiting entry={entry} isGone={!found} /> : <Notice>{text.unsent.gone}</Notice>}
    </Screen>
  )
}

/** Why it came back, also where no field of the form is to blame. */
function Refusal({ entry }: { entry: UnsentEntry }) {
  return (
    <Notice tone="danger">
      {whyTexts(entry).map((why) => (
        <p key={why}>{why}</p>
      ))}
    </Notice>
  )
}

/** What was refused stands at its field again, until that is typed into. */
function refusedAt({ name, body, state, lastProblem }: UnsentEntry): FieldErrors {
  const errors = state === 'rejected' ? (lastProblem?.errors ?? []) : []
  const parts = (body?.['allocations'] ?? []) as unknown[]
  const field = (pointer: string) => {
    if (name !== 'recordPayment') return pointer
    return parts.length > 1 ? atPart(pointer, [...parts.keys()]) : atAmount(pointer)
  }
  const before = new Map(errors.map(({ pointer, detail }) => [field(pointer), said(detail)]))
  return { ...noFieldErrors, before }
}

/** `isGone`: it was decided in another tab, or sent, while this one looked at it. What is typed in its form stays. */
function Waiting({ entry, isGone }: { entry: UnsentEntry; isGone: boolean }) {
  const { key, body, theirs, organizationId } = entry
  const queryClient = useQueryClient()
  const onward = useOnward()
  const organization = useOrganizations().data?.find(({ id }) => id === organizationId) ?? null
  const locale = organization?.locale ?? navigator.language
  const [busy, setBusy] = useState(false)
  const [anew] = useState(() => asNewRow(entry))
  const baseVersion = versionOf(theirs)
  const isConflict = entry.state === 'conflict' || isFrozen(entry)
  const [edited, setEdited] = useState<Readonly<Body> | null>(isConflict ? null : body)
  useOpened(entry, edited !== null)
  const [refused] = useState(() => refusedAt(entry))

  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    try {
      await work()
      void queryClient.invalidateQueries({ queryKey: unsentKey })
    } catch (error) {
      notify('error', await refusalText(queryClient, key, error))
      setBusy(false)
    }
  }
  const toList = () => onward({ to: '/unsent' })
  const send = (decided: Body | null) =>
    run(async () => {
      await resolveEntry(key, { body: decided, baseVersion })
      notify('success', t.sent)
      await toList()
    })
  // The list offers to take it back.
  const { discard: takeOff } = useDiscarded()
  const discard = () =>
    run(async () => {
      await takeOff(entry, wholeText(entry, locale))
      await toList()
    })
  const copy = anew && (() => void run(async () => onward(await saveAsNew(queryClient, entry, anew))))

  if (isGone && !busy && !edited) return <Notice>{text.unsent.gone}</Notice>
  if (edited)
    return (
      <Suspense fallback={<Skeleton label={text.loading} />}>
        {entry.state === 'rejected' && <Refusal entry={entry} />}
        <FieldErrorsContext value={refused}>
          <UnsentForm
            entry={entry}
            body={edited}
            organization={organization}
            save={(decided, writer) => saveTyped(queryClient, entry, decided, writer)}
            onCancel={() => void toList()}
            onSaved={() => {
              notify('success', t.sent)
              void queryClient.invalidateQueries({ queryKey: unsentKey })
              void toList()
            }}
          />
        </FieldErrorsContext>
      </Suspense>
    )
  return (
    <Decision
      entry={entry}
      busy={busy}
      onDiscard={() => void discard()}
      onInsist={() => void send(body && { ...body })}
      onCopy={copy}
      locale={locale}
      onRetry={() => void run(() => retryUnsent().then(toList))}
    >
      {body && theirs && (
        <Conflict
          entry={entry}
          body={body}
          theirs={theirs}
          locale={locale}
          busy={busy}
          onSend={(decided) => void send(decided)}
          onEdit={setEdited}
        />
      )}
    </Decision>
  )
}
