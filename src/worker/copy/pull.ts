// Brings the device's copy up to date: the person's organizations, then each one's changes since the last time (OFFLINE.md "Three layers of reading" 3).
import type { Changes } from '#shared/contract/changes.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { deviceEndpoints } from '#shared/device-endpoints.ts'
import { pathOf } from '#shared/endpoint.ts'
import type { FirstSync } from '#shared/outbox.ts'
import { ifUndeliverable, problemOf, Undeliverable } from '#worker/wire.ts'
import { applyChanges, forgetRows, keepOrganizations, settledOrganizations } from './apply.ts'
import { mostInvoicesKept } from './cap.ts'
import type { CopyDatabase, Feed } from './stores.ts'

const rowsPerPage = 200

/** A GET with the person's token; throws Undeliverable when there is no answer of ours. */
export type Get = (path: string) => Promise<Response>

/** Told after each page of an organization that is not on this device yet; null: all of it is. */
export type OnFirstSync = (progress: FirstSync | null) => void

export interface PullOptions {
  onFirstSync?: OnFirstSync
  mostInvoices?: number
}

export interface Pulled {
  /** Organizations of which something is new on this device. */
  changed: string[]
  /** Which organizations there are, or what they are, is new. */
  isListNew: boolean
}

/** Everything: first which organizations there are, then what changed in each. */
export async function pullAll(
  database: CopyDatabase,
  get: Get,
  nowMs: () => number,
  options: PullOptions = {},
): Promise<Pulled> {
  const { organizations, isListNew } = await pullOrganizations(database, get, nowMs)
  const changed: string[] = []
  let missed = 0
  for (const { id } of organizations) {
    const isNew = await ifUndeliverable(pullOrganization(database, id, get, nowMs, options), null)
    if (isNew) changed.push(id)
    missed = isNew === null ? missed + 1 : 0
    // What does not get through for one may for the next; where it does not for two in a row, or for the only one, the network is gone.
    if (missed === Math.min(2, organizations.length)) throw new Undeliverable()
  }
  return { changed, isListNew }
}

/** An organization leaves the device only when the list itself no longer names it, never on one stray 404. */
export async function pullOrganizations(
  database: CopyDatabase,
  get: Get,
  nowMs: () => number,
): Promise<{ organizations: Organization[]; isListNew: boolean }> {
  const asOfMs = nowMs()
  const settled = await settledOrganizations(database)
  const { data } = await read<{ data: Organization[] }>(await get(pathOf(deviceEndpoints.listOrganizations)))
  return { organizations: data, isListNew: await keepOrganizations(database, data, asOfMs, settled) }
}

/** Page by page, each on the disk before the next is asked for: an interrupted pull goes on where it was. True when something was new. */
export async function pullOrganization(
  database: CopyDatabase,
  organizationId: string,
  get: Get,
  nowMs: () => number,
  { onFirstSync = () => {}, mostInvoices = mostInvoicesKept }: PullOptions = {},
): Promise<boolean> {
  let isNew = false
  for (;;) {
    const before = await database.get('feeds', organizationId)
    if (before?.isPaused) {
      onFirstSync(firstSyncOf([before]))
      return isNew
    }
    const since = before?.since ?? ''
    const asOfMs = nowMs()
    const answer = await get(
      `${pathOf(deviceEndpoints.listChanges, { organizationId })}?since=${since}&limit=${rowsPerPage}`,
    )
    if (answer.status === 410 && (await problemOf(answer))?.code === 'changes_lost') {
      await forgetRows(database, organizationId)
      await pullOrganizations(database, get, nowMs)
      isNew = true
      continue
    }
    // The server is there, and has nothing to say of this one: the others are asked for theirs.
    if (!answer.ok) return isNew
    const { data, page } = await read<Changes>(answer)
    const told = (before?.told ?? 0) + data.length
    const next: Feed = {
      organizationId,
      since: page.next,
      isComplete: (before?.isComplete ?? false) || !page.more,
      asOfMs: page.more ? (before?.asOfMs ?? 0) : asOfMs,
      told,
      total: page.total ?? Math.max(before?.total ?? 0, told),
    }
    // When another tab has come further meanwhile this goes on from there.
    const isApplied = await applyChanges(database, before, next, data, mostInvoices)
    isNew ||= data.length > 0 || !before?.isComplete
    if (isApplied && !before?.isComplete) onFirstSync(firstSyncOf([next]))
    if (isApplied && !page.more) return isNew
  }
}

/** Of the one that is under way, or was interrupted: they are pulled one after the other. */
export function firstSyncOf(feeds: readonly Feed[]): FirstSync | null {
  const feed = feeds.find(({ isComplete }) => !isComplete)
  return feed ? { told: feed.told, total: feed.total, ...(feed.isPaused && { isPaused: true }) } : null
}

async function read<Body>(answer: Response): Promise<Body> {
  if (!answer.ok) throw new Undeliverable()
  const body: unknown = await answer.json().catch(() => null)
  if (typeof body !== 'object' || body === null) throw new Undeliverable()
  return body as Body
}
