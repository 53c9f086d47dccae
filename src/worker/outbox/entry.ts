// A write that is on this device and not yet at the server, as it is stored (OFFLINE.md "Writing: the outbox"). It holds no credentials.
import type { AggregateKind } from '#shared/endpoint.ts'
import type { DeviceEndpointName } from '#shared/device-endpoints.ts'
import {
  holdMs,
  intentOf,
  isCreate,
  isDelete,
  isOfPayment,
  isSave,
  needsPerson,
  type OutboxState,
  type UnsentEntry,
} from '#shared/outbox.ts'
import type { Problem } from '#shared/problem-form.ts'
import type { Aggregate, Row } from '#worker/copy/stores.ts'

export type Body = Record<string, unknown>

/** What waits for another is not stored: it follows from what else is there. */
type StoredState = Exclude<OutboxState, 'waiting-for-parent' | 'waiting-for-decision'>

export interface Entry extends Aggregate {
  kind: AggregateKind
  /** The order in which things were saved; given by the database. */
  seq: number
  /** UUIDv7, the Idempotency-Key; minted by the page. */
  key: string
  /** Keys of saves that this one took the place of: a page that repeats one of them means this. Builds before knew none. */
  replaces?: string[]
  /** How often what it repeats of the save before it has changed under it (decisions.ts). Builds before knew none. */
  broughtOn?: number
  /** Another body than the page's goes under its key: with what it left out as it was shown, or brought together with what was unsent. Builds before knew none. */
  isMerged?: true
  userId: string
  /** Entries of one lane are sent one after the other. The first is its own row's; a payment is in that of each invoice that it is on. */
  lanes: string[]
  /** Keys of entries of other lanes that must be done before. */
  dependsOn: string[]
  name: DeviceEndpointName
  /** Below the origin. */
  path: string
  body: Body | null
  /** The version at the server that it changes; null for what is made new, and while `after` is not done. */
  baseVersion: number | null
  /** The entry of this lane whose answer gives the base version. */
  after: string | null
  /** The row that the change was made on, as the person saw it; of what is made and was changed since, as it was first made. */
  base: Row | null
  /** Milliseconds since 1970 by the device's clock, as all times here. */
  createdAtMs: number
  attempts: number
  nextAttemptAtMs: number
  /** A deletion that can be taken back is not sent before. Builds before knew none. */
  heldUntilMs?: number
  /** The server said when to come back (429): whatever triggers a run, nobody but the person asks before. Builds before knew none. */
  notBeforeMs?: number
  sendingSinceMs: number
  state: StoredState
  lastProblem: Problem | null
  theirs: Row | null
  schemaVersion: 1
}

export function laneOf({ kind, id }: Pick<Aggregate, 'kind' | 'id'>): string {
  return `${kind}:${id}`
}

/** The rows that it changes, or marks: one for each of its lanes, its own first. */
export function rowsOf({ organizationId, lanes }: Pick<Entry, 'organizationId' | 'lanes'>): Aggregate[] {
  return lanes.map((lane) => {
    const [kind, id] = lane.split(':') as [AggregateKind, string]
    return { organizationId, kind, id }
  })
}

export function sharesLane(one: Pick<Entry, 'lanes'>, other: Pick<Entry, 'lanes'>): boolean {
  return one.lanes.some((lane) => other.lanes.includes(lane))
}

/** Above all that a server gives, of nine digits at most. */
const firstShownVersion = 2 ** 40

/**
 * The version of a row as this write leaves it on the device. Each has a number of its own, also when it takes the place of the one before or is brought on:
 * what was opened on other content is not taken for its successor, and no server's row for this one.
 */
export function shownVersion({ seq, replaces, broughtOn = 0 }: Pick<Entry, 'seq' | 'replaces' | 'broughtOn'>): number {
  return firstShownVersion + seq * 2 ** 20 + (replaces?.length ?? 0) + broughtOn
}

export function isServersVersion(version: number | undefined): version is number {
  return version !== undefined && version < firstShownVersion
}

/** A member's row has no version. */
export function isShownVersion(version = 0): boolean {
  return version >= firstShownVersion
}

/** Whether it can still be taken back. No longer than that by a clock that has been set back since. */
export function isHeld({ heldUntilMs = 0 }: Entry, nowMs: number): boolean {
  return heldUntilMs > nowMs && heldUntilMs <= nowMs + holdMs
}

/** The longest that a try is put off, whoever asks for it. */
export const longestWaitMs = 60_000

/** When it may be tried for a reason other than that its time has come. No later than it could have been told by a clock that has been set back since. */
export function dueMs({ notBeforeMs = 0 }: Entry, nowMs: number): number {
  return notBeforeMs <= nowMs + longestWaitMs ? notBeforeMs : 0
}

/** Whether the first follows the second, or waits for it. */
export function needs({ after, dependsOn }: Entry, { key }: Pick<Entry, 'key'>): boolean {
  return after === key || dependsOn.includes(key)
}

/** A change that only waits for a press to freeze what stood there before (parents.ts): it is no less wanted without that. */
export function isAfterPress({ name }: Pick<Entry, 'name'>, needed: Pick<Entry, 'name'>): boolean {
  return isSave(name) && intentOf(needed.name) === 'issue'
}

/**
 * What comes behind all that waits in its lane follows the last of that. A payment leaves the version of its invoice as it is and is followed by nothing: behind
 * payments alone it is of the row as it was shown.
 */
export function basisBehind(inLane: readonly Entry[], shown: Row | null): Pick<Entry, 'after' | 'baseVersion'> {
  const before = inLane.findLast(({ name }) => !isOfPayment(name))
  if (before) return { after: before.key, baseVersion: null }
  return { after: null, baseVersion: shown && isServersVersion(shown.version) ? shown.version : 0 }
}

/** Those that something saved earlier stands before: another of their lane, or one that they need. `entries` in their order. */
export function blockedOf(entries: readonly Entry[]): Set<Entry> {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]))
  const lanes = new Set<string>()
  let stuck: Set<string> | undefined
  const isFirst = (entry: Entry, needed: Entry | undefined) =>
    needed !== undefined && !(isAfterPress(entry, needed) && (stuck ??= stuckOf(entries)).has(needed.key))
  return new Set(
    entries.filter((entry) => {
      const isSecond = entry.lanes.some((lane) => lanes.has(lane))
      for (const lane of entry.lanes) lanes.add(lane)
      return isSecond || entry.dependsOn.some((key) => isFirst(entry, byKey.get(key)))
    }),
  )
}

/** Keys of what cannot be sent before the person has decided. A change that only waits for one of them can. */
function stuckOf(entries: readonly Entry[]): Set<string> {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]))
  const parked = entries.filter(({ state }) => needsPerson(state)).map(({ key }) => key)
  return withWhatWaits(entries, parked, (entry, key) => !isAfterPress(entry, byKey.get(key)!))
}

/** Those keys, and of everything that needs them or stands behind them, through however many. `entries` in their order. */
export function withWhatWaits(
  entries: readonly Entry[],
  keys: readonly string[],
  isHeldBy: (entry: Entry, key: string) => boolean = () => true,
): Set<string> {
  const waiting = new Set(keys)
  for (let before = -1; before < waiting.size;) {
    before = waiting.size
    const lanes = new Set<string>()
    for (const entry of entries) {
      const needed = () => entry.dependsOn.some((key) => waiting.has(key) && isHeldBy(entry, key))
      if (entry.lanes.some((lane) => lanes.has(lane)) || needed()) waiting.add(entry.key)
      if (waiting.has(entry.key)) for (const lane of entry.lanes) lanes.add(lane)
    }
  }
  return waiting
}

/** Whether nothing can be sent before the person has decided something, which they may not for weeks. */
export function waitsForPerson(entries: readonly Entry[]): boolean {
  const blocked = blockedOf(entries)
  return entries.every((entry) => needsPerson(entry.state) || blocked.has(entry))
}

/** Whether the organization of this lane is to be closed: nothing more is saved in it. */
export function isClosing(ofOrganization: readonly Entry[]): boolean {
  return ofOrganization.some(({ name, state }) => isDelete(name) && !needsPerson(state))
}

/** As the Unsent screen shows them. `names`: of customers, and numbers of invoices, by id, as they are on this device. */
export function toUnsent(entries: readonly Entry[], names: ReadonlyMap<string, string>, nowMs: number): UnsentEntry[] {
  const blocked = blockedOf(entries)
  const stuck = stuckOf(entries)
  return entries.map((entry) => {
    const { key, name, organizationId, kind, id, attempts, lastProblem, body, theirs } = entry
    const base = isCreate(name) ? null : entry.base
    const label = labelOf(entry, names)
    const createdAt = new Date(entry.createdAtMs).toISOString()
    const waits = stuck.has(key) ? 'waiting-for-decision' : 'waiting-for-parent'
    const state = entry.state === 'queued' && blocked.has(entry) ? waits : entry.state
    const dueAtMs = isHeld(entry, nowMs) ? entry.heldUntilMs! : entry.nextAttemptAtMs
    const isDue = state !== 'queued' || dueAtMs <= nowMs
    const nextAttemptAt = isDue ? null : new Date(dueAtMs).toISOString()
    const alsoOf = rowsOf(entry)
      .slice(1)
      .map(({ id: also }) => ({ id: also, label: names.get(also) ?? '' }))
    const what = { key, name, organizationId, kind, id, alsoOf, label, createdAt, body, base, theirs }
    return { ...what, attempts, nextAttemptAt, state, lastProblem }
  })
}

function labelOf({ body, base }: Entry, customers: ReadonlyMap<string, string>): string {
  for (const row of [body, base])
    // What was saved of an invoice names its customer by the id alone.
    for (const value of [
      row?.['number'],
      row?.['name'],
      customers.get(row?.['customerId'] as string),
      row?.['customerName'],
    ])
      if (typeof value === 'string' && value) return value
  return ''
}
