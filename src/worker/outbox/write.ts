// From a page's call to what the outbox stores, and from what became of it to the page's answer.
import { deviceEndpoints, paramsOf, type DeviceEndpointName } from '#shared/device-endpoints.ts'
import { apiPath } from '#shared/endpoint.ts'
import { holdMs, isCreate, isDelete, isOfPayment, isReversal } from '#shared/outbox.ts'
import type { Aggregate, CopyDatabase, Row } from '#worker/copy/stores.ts'
import { deviceAnswer, type Call } from '#worker/wire.ts'
import { problemMediaType } from '#shared/problem-form.ts'
import { laneOf, rowsOf, shownVersion, type Body, type Entry } from './entry.ts'

/** What the page asked for. */
export interface Write extends Aggregate {
  kind: Entry['kind']
  lanes: string[]
  key: string
  userId: string
  name: DeviceEndpointName
  path: string
  body: Body | null
  /** The version in If-Match, or the key of the write that it follows (`after-<key>`); null for what is made new. */
  basedOn: { version: number } | { after: string } | null
  /** The version in the If-Match of a reversal; null for everything else. */
  ofPayment: number | null
  nowMs: number
  /** 0: it is sent as soon as it can be. */
  heldUntilMs: number
}

/** What became of a try: the server's answer to show to whoever waits for it; null when there was none. */
export type Outcome = { status: number; body: unknown; etag: string | null; retryAfter: string | null } | null

/** Null for what may not wait, and for what the server had better judge: no key, no version, no body that can be read. `paid`: the invoices of the payment that is reversed. */
export function writeOf(
  userId: string,
  name: DeviceEndpointName,
  call: Call,
  nowMs: number,
  paid?: readonly string[],
): Write | null {
  const key = call.headers.get('idempotency-key')
  const body = bodyOf(call)
  if (!isKey(key) || body === undefined) return null
  const path = new URL(call.url).pathname
  const of = aggregateOf(name, path, body, paid)
  const told = deviceEndpoints[name].ifMatch ? basisOf(call.headers.get('if-match')) : null
  if (!of || told === undefined) return null
  // Of what an invoice has left nothing is known here: who makes a credit note says what is in it, or the server does.
  if (name === 'createCreditNote' && !body?.['lines']) return null
  // Its If-Match names the payment, and not the invoice that it waits with.
  const ofPayment = isReversal(name) && told && 'version' in told ? told.version : null
  if (isReversal(name) && ofPayment === null) return null
  const basedOn = isReversal(name) ? null : told
  const heldUntilMs = call.isHeld && isDelete(name) ? nowMs + holdMs : 0
  return { ...of, key, userId, name, path, body, basedOn, ofPayment, nowMs, heldUntilMs }
}

export function isKey(told: unknown): told is string {
  return typeof told === 'string' && /^[A-Za-z0-9-]{1,128}$/.test(told)
}

/**
 * What a call is about, and in which lanes it waits for that: in its path, in the id of what it makes, in what is paid, or in what was (`paid`), which the call
 * itself does not say. Null when that is not known, or it is none that may wait.
 */
export function aggregateOf(
  name: DeviceEndpointName,
  path: string,
  body: Body | null,
  paid?: readonly string[],
): Pick<Write, 'kind' | 'id' | 'organizationId' | 'lanes'> | null {
  const kind = deviceEndpoints[name].queued
  if (!kind) return null
  const params = paramsOf(name, path)
  const made = typeof body?.['id'] === 'string' ? body['id'].toLowerCase() : ''
  const ids = isOfPayment(name)
    ? (paid ?? paidInvoices(body?.['allocations']))
    : [isCreate(name) ? made : (params[`${kind}Id`] ?? '')]
  const [id] = ids
  const organizationId = kind === 'organization' ? id : params['organizationId']
  return id && organizationId
    ? { kind, id, organizationId, lanes: ids.map((each) => laneOf({ kind, id: each })) }
    : null
}

/** The invoices of the payment that a call is to reverse; none where that is not on the device. */
export async function paidBy(database: CopyDatabase, { url, headers }: Call): Promise<readonly string[]> {
  // Asked once more: it waits where it waits, whatever else has left the device since.
  const waiting = await database.getFromIndex('outbox', 'byKey', headers.get('idempotency-key') ?? '')
  if (waiting) return rowsOf(waiting).map(({ id }) => id)
  const { organizationId, paymentId } = paramsOf('reversePayment', new URL(url).pathname)
  return paidInvoices((await database.get('payments', [organizationId!, paymentId!]))?.row.allocations)
}

/** What a payment waits with; none where what is allocated cannot be read, or names one twice: the server says why. */
function paidInvoices(allocations: unknown): string[] {
  if (!Array.isArray(allocations)) return []
  const ids = allocations.map((each: { invoiceId?: unknown } | null) => each?.invoiceId)
  const named = ids.flatMap((id) => (typeof id === 'string' ? id.toLowerCase() : []))
  return new Set(named).size === ids.length ? named : []
}

/** Null without a body; undefined for one that is no object. */
function bodyOf({ body }: Call): Body | null | undefined {
  if (!body) return null
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body))
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Body) : undefined
  } catch {
    return undefined
  }
}

function basisOf(ifMatch: string | null): Write['basedOn'] | undefined {
  const [, after, version] = /^"?(?:after-([\w-]+)|(\d+))"?$/.exec(ifMatch ?? '') ?? []
  if (after) return { after }
  return version ? { version: Number(version) } : undefined
}

/** The server's own answer, as it came; a refusal says that the write is kept, so that a page that still shows the form may take it back. */
export function answerOf({ key }: Entry, { status, body, etag, retryAfter }: NonNullable<Outcome>): Response {
  const answer = deviceAnswer(
    status === 204 ? undefined : body,
    status,
    status < 400 ? 'application/json' : problemMediaType,
  )
  answer.headers.delete('x-docket-source')
  if (etag !== null) answer.headers.set('etag', etag)
  if (retryAfter !== null) answer.headers.set('retry-after', retryAfter)
  if (status >= 400) answer.headers.set('x-docket-unsent', key)
  return answer
}

/** For a row that this device does not have whole: what was sent, as far as it says. */
export function echo(entry: Entry): Row {
  const { id, organizationId, body } = entry
  return { ...body, id, organizationId, version: shownVersion(entry), unsent: 'waiting' }
}

/** Where the row that an entry is about can be read. */
export function rowPath({ organizationId, kind, id }: Entry): string {
  const organization = `${apiPath}/organizations/${organizationId}`
  return kind === 'organization' ? organization : `${organization}/${kind}s/${id}`
}

/** The call of an entry, without the Bearer: that is added as it is sent. */
export function callOf({ path, name, body, key, baseVersion }: Entry, apiOrigin: string, signal: AbortSignal): Call {
  const headers = new Headers({ 'idempotency-key': key })
  if (body) headers.set('content-type', 'application/json')
  if (baseVersion !== null) headers.set('if-match', `"${baseVersion}"`)
  const bytes = body && (new TextEncoder().encode(JSON.stringify(body)).buffer as ArrayBuffer)
  return { method: deviceEndpoints[name].method, url: apiOrigin + path, headers, body: bytes, signal }
}
