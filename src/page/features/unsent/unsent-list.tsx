// Everything unsent, oldest first as it is sent, and what was discarded here, which can be taken back.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { needsPerson, type Unsent, type UnsentEntry } from '#shared/outbox.ts'
import { useOrganizations } from '#page/current-organization.ts'
import { unsentKey } from '#page/device/device-news.ts'
import { resolveEntry, retryUnsent } from '#page/device/outbox-calls.ts'
import { text } from '#page/words/app-text.ts'
import { readerLocales } from '#page/words/language.ts'
import { Button } from '#page/ui/button.tsx'
import { type ListHandle, VirtualList } from '#page/ui/list.tsx'
import { notify } from '#page/ui/notify.ts'
import { Empty } from '#page/ui/screen.tsx'
import { useDiscarded, type Discarded } from './discarded.ts'
import { EntryCard } from './entry-card.tsx'
import { refusalText } from './refusal.ts'
import { wholeText } from './words.ts'

const t = text.unsent
const keyOf = ({ key }: UnsentEntry) => key

export function UnsentList({ entries }: Unsent) {
  const queryClient = useQueryClient()
  const { data: organizations = [] } = useOrganizations()
  const { discarded, ...discards } = useDiscarded()
  const [busyKey, setBusyKey] = useState<string | null>(null)
  const pressed = useRef<string | null>(null)

  async function run(key: string, work: () => Promise<void>): Promise<void> {
    setBusyKey(key)
    try {
      await work()
    } catch (error) {
      notify('error', await refusalText(queryClient, key, error))
    }
    await queryClient.invalidateQueries({ queryKey: unsentKey })
    setBusyKey(null)
    pressed.current = key
  }
  const list = useRef<ListHandle>(null)
  const goOn = () => {
    // What was pressed has gone, and with it the focus of whoever has no mouse: it goes on where that can be undone, or is again, as soon as that stands there.
    if (pressed.current === null || document.activeElement !== document.body) return
    const next = document.getElementById(pressed.current)
    // Out of sight it is not in the document; it calls this once it is.
    if (!next) return list.current?.show(pressed.current)
    pressed.current = null
    next.focus()
  }
  useEffect(goOn)
  // What the server refused is not tried again by itself: it is sent once more as it is.
  const retry = (entry: UnsentEntry) => {
    const { key, state, body } = entry
    return run(key, () =>
      state === 'rejected' ? resolveEntry(key, { body: body && { ...body }, baseVersion: null }) : retryUnsent(),
    )
  }
  const organizationOf = ({ organizationId }: UnsentEntry) => organizations.find(({ id }) => id === organizationId)
  const localeOf = (entry: UnsentEntry) => organizationOf(entry)?.locale ?? readerLocales()[0]!
  const does = {
    retry: (entry: UnsentEntry) => void retry(entry),
    discard: (entry: UnsentEntry) =>
      void run(entry.key, () => discards.discard(entry, wholeText(entry, localeOf(entry)))),
    appear: goOn,
  }
  const undo = (gone: Discarded) =>
    run(gone.key, async () => {
      if (await discards.undo(gone)) notify('success', t.undone)
      else notify('error', t.notUndone)
    })

  // Those that need the person first.
  const rows = useMemo(
    () => entries.toSorted((one, other) => Number(needsPerson(other.state)) - Number(needsPerson(one.state))),
    [entries],
  )

  return (
    <div className="grid gap-4">
      <output className="grid gap-2 empty:hidden">
        {discarded.map((gone) => (
          <span
            key={gone.key}
            className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-raised py-2 pr-2 pl-4"
          >
            <span className="wrap-anywhere">
              {t.discarded(gone.what)}
              {gone.mayHaveArrived && <span className="block text-sm text-muted">{t.mayHaveArrived}</span>}
            </span>
            <Button
              id={gone.key}
              busy={busyKey === gone.key}
              aria-label={`${t.undo}: ${gone.what}`}
              onClick={() => void undo(gone)}
            >
              {t.undo}
            </Button>
          </span>
        ))}
      </output>
      {entries.length === 0 ? (
        <Empty title={t.emptyTitle}>{t.empty}</Empty>
      ) : (
        <VirtualList ref={list} label={t.title} look="cards" rows={rows} keyOf={keyOf}>
          {(entry) => {
            const organization = organizationOf(entry)
            const isHere = entry.kind === 'organization' || organization !== undefined
            return (
              <EntryCard
                entry={entry}
                isHere={isHere}
                of={entry.kind !== 'organization' && organizations.length > 1 ? (organization?.name ?? null) : null}
                locale={localeOf(entry)}
                busy={busyKey === entry.key}
                does={does}
              />
            )
          }}
        </VirtualList>
      )}
    </div>
  )
}
