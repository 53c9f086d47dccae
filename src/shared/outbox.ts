// What the page and the gateway say of writes that are on this device and not yet at the server (OFFLINE.md "Writing: the outbox").
import { deviceEndpoints, type DeviceEndpointName } from './device-endpoints.ts'
import type { AggregateKind } from './endpoint.ts'
import type { Problem } from './problem-form.ts'

/**
 * `queued` and `sending` wait for the network, `waiting-for-parent` for another entry, `waiting-for-decision` for one that the person has to decide about first; the
 * rest wait for the person themselves.
 */
export type OutboxState =
  | 'queued'
  | 'sending'
  | 'waiting-for-parent'
  | 'waiting-for-decision'
  | 'needs-sign-in'
  | 'conflict'
  | 'rejected'

/** One write as the Unsent screen shows it. */
export interface UnsentEntry {
  /** UUIDv7, the Idempotency-Key that the page made. */
  key: string
  /** The call it is, by its name in shared/endpoints.ts. */
  name: DeviceEndpointName
  organizationId: string
  kind: AggregateKind
  id: string
  /** What else of its kind it is of, and what a person would call that: a payment is on several invoices. A worker of an older version does not say. */
  alsoOf?: readonly { id: string; label: string }[]
  /** What a person would call it: the customer's name, the invoice's customer or number; empty when it has none. */
  label: string
  /** ISO 8601, by the device's clock. */
  createdAt: string
  attempts: number
  /** ISO 8601; null when it is due, or waits for something else than time. */
  nextAttemptAt: string | null
  state: OutboxState
  /** What the server said last; null when it has not been heard. */
  lastProblem: Problem | null
  /** What was saved. */
  body: Readonly<Record<string, unknown>> | null
  /** The row that the change was made on; null for what was made new. */
  base: Readonly<Record<string, unknown>> | null
  /** At a conflict: the row as it stands at the server now; null when it is gone there. */
  theirs: Readonly<Record<string, unknown>> | null
}

/** `attention`: what only the person can move on. */
export interface UnsentCounts {
  waiting: number
  attention: number
}

export interface Unsent extends UnsentCounts {
  entries: UnsentEntry[]
  /** Null when none is under way or was interrupted. */
  firstSync: FirstSync | null
  /** Somebody else's writes are on this device too, or to who is not signed in, anybody's: that is all that is told of them. A worker of an older version does not. */
  othersWait?: boolean
}

/** How much of an organization has come since this device began to load it: rows of how many; of none where it is not even known yet which organizations there are. */
export interface FirstSync {
  told: number
  total: number
  /** The person had it stop; what is not here yet is answered by the server. */
  isPaused?: boolean
}

/** The file of the export: read again by the same person's device. */
export interface OutboxFile {
  docket: 'unsent'
  version: 1
  userId: string
  /** As they are stored; their shape is the worker's own. */
  entries: unknown[]
}

/** What the person decided about an entry that waits for them: sent anew, under a new key, with this content. */
export interface Resolution {
  body: Record<string, unknown> | null
  /** The version at the server that the new content takes the place of; null for the one that the write was made on. */
  baseVersion: number | null
}

/** A row of a device's answer that holds something not yet at the server: it carries `unsent`; `refund` is a payment of less than nothing. */
export interface Marked {
  unsent?: 'waiting' | 'attention' | Intent | 'refund'
}

/**
 * Calls that never leave the device, below `/api/v1`:
 * `GET` {@link Unsent}, of which whoever is not signed in hears `othersWait` alone · `POST /pause` and `/resume` 204: the loading of what was never here stops, or goes on with the next pull ·
 * `POST /retry` 204: all that wait are due now · `DELETE /{key}` the {@link OutboxFile} of what was discarded (the undo
 * is its import), with `?alone` only if nothing was saved upon it · `PUT /{key}` {@link Resolution}, 204 · `GET /export` {@link OutboxFile} · `POST /import` `{ imported, refused }`.
 */
export const outboxPath = '/device/outbox'

/** On a DELETE: the device keeps it to itself for {@link holdMs}, so that it can be taken back as if it had never been. Never sent on. */
export const holdHeader = 'x-docket-hold'

/** A little longer than the undo is offered. */
export const holdMs = 12_000

export function countsOf(entries: readonly Pick<UnsentEntry, 'state'>[]): UnsentCounts {
  const attention = entries.filter(({ state }) => needsPerson(state)).length
  return { waiting: entries.length - attention, attention }
}

/** Presses on an invoice that the server alone can carry out: they wait, and until then the row stays as it is. */
const intents = {
  issueInvoice: 'issue',
  sendInvoice: 'send',
  recordPayment: 'payment',
  reversePayment: 'reversal',
  voidInvoice: 'void',
  markUncollectible: 'uncollectible',
} as const satisfies Partial<Record<DeviceEndpointName, string>>
export type Intent = (typeof intents)[keyof typeof intents]

/** What is meant by this call, if it is an intent. */
export function intentOf(name: DeviceEndpointName): Intent | undefined {
  return (intents as Partial<Record<DeviceEndpointName, Intent>>)[name]
}

/**
 * What may wait behind what: parts of what is due come one after the other, what was recorded wrongly is reversed and recorded anew, and what is issued may be
 * paid and mailed. The server would refuse the rest.
 */
const following: Partial<Record<Intent, readonly Intent[]>> = {
  issue: ['send', 'payment'],
  send: ['payment', 'reversal'],
  payment: ['payment', 'reversal', 'send'],
  reversal: ['payment', 'reversal', 'send'],
}

/** Of one record: behind a deletion waits nothing, behind a save everything, behind an intent what {@link following} says. */
export function mayFollow(before: DeviceEndpointName, name: DeviceEndpointName): boolean {
  if (isDelete(before)) return false
  const [earlier, intent] = [intentOf(before), intentOf(name)]
  return !earlier || (intent !== undefined && following[earlier]?.includes(intent) === true)
}

/** A payment or its reversal: it waits with every invoice that it is on, names no version of theirs and moves none. */
export function isOfPayment(name: DeviceEndpointName): boolean {
  return isReversal(name) || intentOf(name) === 'payment'
}

/** It is based on the payment. */
export function isReversal(name: DeviceEndpointName): boolean {
  return intentOf(name) === 'reversal'
}

export function isCreate(name: DeviceEndpointName): boolean {
  return name.startsWith('create')
}

/** The whole content is in it. */
export function isSave(name: DeviceEndpointName): boolean {
  return deviceEndpoints[name].method === 'PUT'
}

export function isDelete(name: DeviceEndpointName): boolean {
  return deviceEndpoints[name].method === 'DELETE'
}

export function isUnsentOf({ id, alsoOf = [] }: UnsentEntry, row: { id: string }): boolean {
  return id === row.id || alsoOf.some((other) => other.id === row.id)
}

export function needsPerson(state: OutboxState): boolean {
  return state === 'conflict' || state === 'rejected' || state === 'needs-sign-in'
}
