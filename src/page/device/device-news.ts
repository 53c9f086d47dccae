// What the device's copy and outbox have to tell: the screens that show it are drawn anew (OFFLINE.md "Three layers of reading").
import type { QueryClient } from '@tanstack/react-query'
import { hearBroadcasts } from './broadcasts.ts'
import { organizationsQuery } from '#page/current-organization.ts'
import { isFirstSyncTold, tellFirstSync } from './first-sync.ts'
import { shownPerson } from '#page/person.ts'
import { askUnsent, tellCounts, toldCounts } from './unsent-counts.ts'

/** Of the entries on the Unsent screen (outbox-calls.ts). */
export const unsentKey = ['unsent'] as const

/** A drain or a first sync tells many times a second: drawn together. */
const gatherMs = 200

export function followDevice(queryClient: QueryClient): void {
  const changed = new Set<unknown>()
  const lives = new Set<string>()
  /** Whatever a worker that was killed had yet to tell. */
  let isAllChanged = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    const names = new Set(changed)
    changed.clear()
    const isAll = isAllChanged
    isAllChanged = false
    // Keys are `[resource, organization, …]`; those of lists that stand for themselves have but a first part.
    void queryClient.invalidateQueries({
      predicate: ({ queryKey: [resource, organization] }) => isAll || names.has(resource) || names.has(organization),
    })
  }
  const hearLife = async (life: string | undefined) => {
    const person = shownPerson()
    if (life === undefined || lives.has(life) || person === null) return
    lives.add(life)
    const told = toldCounts(person)
    const { waiting, attention } = await askUnsent(person)
    // The first that this page hears of is as a rule the one that answered it.
    if (lives.size === 1 && told?.waiting === waiting && told.attention === attention) return
    isAllChanged = true
    timer ??= setTimeout(flush, gatherMs)
  }
  hearBroadcasts((broadcast) => {
    if (broadcast.type === 'first-sync') tellFirstSync(broadcast.userId, broadcast.progress)
    if (broadcast.type === 'reach') {
      const person = shownPerson()
      // A pull has come to its end: how far the first one has is on the disk.
      if (!broadcast.isPulling && person !== null && isFirstSyncTold()) void askUnsent(person).catch(() => {})
      void hearLife(broadcast.life).catch(() => {})
    }
    if (broadcast.type !== 'copy-changed' && broadcast.type !== 'unsent-changed') return
    if (broadcast.userId !== shownPerson()) return
    if (broadcast.type === 'unsent-changed') {
      tellCounts(broadcast)
      changed.add(unsentKey[0])
    } else {
      for (const organization of broadcast.organizations) changed.add(organization)
      changed.add(organizationsQuery.queryKey[0])
    }
    timer ??= setTimeout(flush, gatherMs)
  })
  document.addEventListener('visibilitychange', () => {
    const person = shownPerson()
    // A tab that slept was told nothing.
    if (document.visibilityState === 'visible' && person !== null) void askUnsent(person).catch(() => {})
  })
}
