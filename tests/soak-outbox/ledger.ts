// What everybody said and did: the person asked, the device acknowledged, a request left, the server committed. The rules are looked up here.
import { isDeepStrictEqual } from 'node:util'
import { apiPath } from '#shared/endpoint.ts'
import { matchEndpoint, type EndpointName } from '#shared/endpoints.ts'
import type { UnsentEntry } from '#shared/outbox.ts'
import type { Sent } from '#tests/soak/server.ts'
import { claimsOf } from '#tests/soak/server.ts'
import type { Content } from './content.ts'
import type { Watch } from './watch.ts'

/** A write as the person asked for it. */
export interface Write {
  key: string
  phone: string
  userId: string
  method: string
  path: string
  body: Record<string, unknown> | null
  lanes: readonly string[]
  /** What of the row's content it is to change, and to what (`content.ts`); null for what changes none. */
  changed: Content | null
  isStored: boolean
  /** In which order the device stored it. */
  place: number
}

export interface Found {
  phone: string
  key: string
  lanes: readonly string[]
  method: string
  /** Whose it is, where that can be seen. */
  userId?: string | undefined
  /** Keys that lie on the device themselves: they have no heir. */
  kept?: ReadonlySet<string>
}

export interface Commit {
  version: number | null
  /** The row as the server answered it. */
  row: Record<string, unknown> | null
}

export interface Ledger {
  readonly writes: Map<string, Write>
  /** The server's first good answer to each key. */
  readonly commits: Map<string, Commit>
  /** Keys of each row, a payment too, in the order of their commits; of everybody. */
  readonly byLane: Map<string, string[]>
  /** What happened, in words; a failure prints what concerns it. */
  readonly log: string[]
  asked(write: Omit<Write, 'lanes' | 'isStored' | 'place'>): void
  /** `before`: what was saved after it, and may have been heard of first. */
  stored(key: string, before?: string): void
  /** The person took these back, or decided anew about one of them. */
  discarded: Set<string>
  /** It is there under its own key: what was saved after it did not take its place (that one began on an older row). */
  standsAlone(key: string): void
  resolved: Set<string>
  /** Taken back and put back again, under this key or one that it has it from. */
  wasReturned(key: string): boolean
  /** The page's own key of what was sent under this one. */
  origin(key: string): string
  /** A write leaves a device; returns what to call when its answer was heard or given up. */
  leaves(phone: string, sent: Sent, isAlive: () => boolean): () => void
  arrived(sent: Sent, answer: Response): Promise<void>
  /** What was sent in the place of this key: by a merge, or by the person's decision. */
  heir(key: string): string | undefined
  /** An entry as it lies on a device or leaves it, under the page's key or an heir's. */
  adopt(found: Found): Write | null
  wasSent(key: string): boolean
}

/** `customer:<id>`, as the outbox names its lanes; null for what is no write that waits. `invoicesOf`: what a payment is on that is reversed. */
function lanesOf(
  method: string,
  path: string,
  body: Record<string, unknown> | null,
  invoicesOf: ReadonlyMap<string, readonly string[]>,
): string[] | null {
  const name: EndpointName | null = matchEndpoint(method, path)
  if (method === 'GET' || !name || !path.startsWith(`${apiPath}/organizations`)) return null
  const [organizationId, kind, id, what] = path.slice(`${apiPath}/organizations/`.length).split('/')
  if (!organizationId) return [`organization:${String(body?.['id'])}`]
  if (!kind) return [`organization:${organizationId}`]
  // A payment and its reversal wait with their invoices.
  if (kind === 'payments') return (id ? invoicesOf.get(id)! : paidIn(body!)).map((each) => `invoice:${each}`)
  if (what === 'credit-notes') return [`invoice:${String(body?.['id'])}`]
  return [`${kind.slice(0, -1)}:${id ?? String(body?.['id'])}`]
}

function paidIn(body: Record<string, unknown>): string[] {
  return (body as { allocations: { invoiceId: string }[] }).allocations.map(({ invoiceId }) => invoiceId)
}

export function lanesOfEntry({ kind, id, alsoOf = [] }: UnsentEntry): string[] {
  return [id, ...alsoOf.map((row) => row.id)].map((each) => `${kind}:${each}`)
}

export function sharesLane(one: Pick<Write, 'lanes'>, other: Pick<Write, 'lanes'>): boolean {
  return one.lanes.some((lane) => other.lanes.includes(lane))
}

const bodyOf = ({ body }: Sent): Record<string, unknown> | null =>
  body?.byteLength ? (JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>) : null

export function createLedger(watch: Watch): Ledger {
  const writes = new Map<string, Write>()
  const commits = new Map<string, Commit>()
  const byLane = new Map<string, string[]>()
  const sentKeys = new Set<string>()
  const stale = new Set<string>()
  const refused = new Set<string>()
  /** Of each lane the deletions that met another version. */
  const overtaken = new Map<string, string[]>()
  const returned = new Set<string>()
  const heirs = new Map<string, string>()
  const log: string[] = []
  const flying: { phone: string; userId: string; lanes: readonly string[]; key: string; isAlive: () => boolean }[] = []
  /** The invoices of each payment. */
  const invoicesOf = new Map<string, readonly string[]>()
  let places = 0

  /** The same row's writes of this device, in order. What was sent lies on the disk, even where a killed worker never said so: it comes first. */
  const onDisk = (phone: string, lanes: readonly string[]) =>
    [...writes.values()]
      .filter(
        (write) => write.phone === phone && sharesLane(write, { lanes }) && (write.isStored || sentKeys.has(write.key)),
      )
      .toSorted((a, b) => a.place - b.place)

  /** Those of them of which it is known when they were stored. */
  const inLanes = (phone: string, lanes: readonly string[]) => onDisk(phone, lanes).filter(({ isStored }) => isStored)

  const isBefore = (first: Write, second: Write) => first.userId === second.userId && first.place < second.place

  const parentOf = (key: string) => heirs.entries().find(([, heir]) => heir === key)?.[0]

  function origin(key: string): string {
    const parent = parentOf(key)
    return parent === undefined ? key : origin(parent)
  }

  function wasReturned(key: string): boolean {
    const parent = parentOf(key)
    return returned.has(key) || (parent !== undefined && wasReturned(parent))
  }

  /** Whether nothing of it is still to come. */
  function isSettled(key: string): boolean {
    const heir = heirs.get(key)
    return commits.has(key) || ledger.discarded.has(key) || (heir !== undefined && isSettled(heir))
  }

  /** Rows that a write needs, and the key of the write of this device that made each. */
  function* makers(phone: string, { path, body }: Pick<Write, 'path' | 'body'>): Generator<string> {
    const organizationId = path.slice(`${apiPath}/organizations/`.length).split('/')[0]
    for (const lane of [`organization:${organizationId}`, `customer:${String(body?.['customerId'])}`])
      for (const each of inLanes(phone, [lane]))
        if (each.method === 'POST' && !each.path.endsWith('/issue')) yield each.key
  }

  const ledger: Ledger = {
    writes,
    commits,
    byLane,
    log,
    discarded: new Set(),
    standsAlone: (key) => void heirs.delete(key),
    resolved: new Set(),
    wasReturned,
    origin,
    wasSent: (key) => sentKeys.has(key),
    heir: (key) => heirs.get(key),
    asked(write) {
      watch.count('writes asked for')
      if (write.path.endsWith('/payments')) invoicesOf.set(String(write.body!['id']), paidIn(write.body!))
      const lanes = lanesOf(write.method, write.path, write.body, invoicesOf)!
      writes.set(write.key, { ...write, lanes, isStored: false, place: 0 })
      log.push(`${write.phone} asks ${write.method} ${write.path} under ${write.key}`)
    },
    stored(key, before) {
      const write = writes.get(key)
      // Asked for once more by a page that had not heard that it was taken back, or by the person who did: what came after it may be on its way by now.
      if (ledger.discarded.delete(key)) {
        returned.add(key)
        // As it lies there now it was never tried: it may give its place to the next.
        sentKeys.delete(key)
      }
      if (!write || write.isStored) return
      watch.count('writes acknowledged')
      log.push(`${write.phone} stores ${key} of ${write.lanes.join(' ')}`)
      const later = before === undefined ? undefined : writes.get(before)
      Object.assign(write, { isStored: true, place: later?.isStored ? later.place - 0.5 : (places += 1) })
      // Mended on its own screen: what was refused is sent in this one, and what was saved behind that, presses between or not.
      const open = inLanes(write.phone, write.lanes).filter(
        (each) => isBefore(each, write) && isContent(each) && !isSettled(each.key) && !heirs.has(each.key),
      )
      const first = open.find((each) => refused.has(each.key))
      if (write.method === 'PUT' && first)
        for (const each of open)
          if (refused.has(each.key) || (isBefore(first, each) && !sentKeys.has(each.key))) heirs.set(each.key, key)
    },
    adopt({ phone, key, lanes, method, userId, kept }) {
      const known = writes.get(key)
      if (known) return known
      const parents = onDisk(phone, lanes).filter(
        (each) =>
          isDeepStrictEqual(each.lanes, lanes) &&
          each.method === method &&
          (userId === undefined || each.userId === userId) &&
          (stale.has(each.key) || ledger.resolved.has(each.key)) &&
          !isSettled(each.key) &&
          !heirs.has(each.key) &&
          !kept?.has(each.key),
      )
      // What a person decided is sent at once; what is merely stale may lie beside it and wait for them.
      const parent = parents.find((each) => ledger.resolved.has(each.key)) ?? parents[0]
      if (!parent) return null
      if (!ledger.resolved.has(parent.key)) watch.count('merged by themselves')
      heirs.set(parent.key, key)
      log.push(`${phone} ${key} is the heir of ${parent.key} of ${lanes.join(' ')}`)
      const heir = { ...parent, key }
      writes.set(key, heir)
      return heir
    },
    leaves(phone, sent, isAlive) {
      const key = sent.headers.get('idempotency-key')
      const path = new URL(sent.url).pathname
      const body = bodyOf(sent)
      const lanes = lanesOf(sent.method, path, body, invoicesOf)
      if (key === null || lanes === null) return () => {}
      sentKeys.add(key)
      ledger.standsAlone(key)
      log.push(`${phone} sends ${key} of ${lanes.join(' ')}`)
      const what = `${sent.method} ${path} under ${key}`
      const userId = claimsOf(sent.headers.get('authorization')?.slice(7) ?? '').sub
      const write = ledger.adopt({ phone, key, lanes, method: sent.method, userId })
      if (!write) {
        watch.broke('invented-key', what)
        return () => {}
      }
      // On the disk, and killed before it could say so: it is before what was asked for later and is still there.
      if (!write.isStored) {
        const asked = [...writes.keys()]
        const isLater = (each: Write) => asked.indexOf(each.key) > asked.indexOf(key)
        ledger.stored(key, inLanes(phone, lanes).find((each) => !sentKeys.has(each.key) && isLater(each))?.key)
      }
      if (write.userId !== userId) watch.broke('wrong-person', what)
      // Each person has an outbox of their own: what the one before left hanging is no concern of the next.
      const other = flying.find(
        (each) =>
          each.isAlive() &&
          each.phone === phone &&
          each.userId === write.userId &&
          sharesLane(each, { lanes }) &&
          each.key !== key,
      )
      // A copy of what was refused as stale, and has an heir for that, can only be refused again.
      if (other && !isSettled(other.key) && !heirs.has(other.key))
        watch.broke('lane-crossed', `${what} while ${other.key} is on its way`)
      if (write.isStored) {
        for (const maker of makers(phone, { path, body }))
          if (maker !== key && !isSettled(maker)) watch.broke('child-before-parent', `${what} needs ${maker}`)
        // What somebody else left unsent on this device waits for them, and for nobody else.
        for (const each of inLanes(phone, lanes))
          if (
            isBefore(each, write) &&
            sentKeys.has(each.key) &&
            // What waits in its place is looked at itself: it may have given it to a later save.
            !heirs.has(each.key) &&
            !isSettled(each.key) &&
            !wasReturned(each.key)
          )
            watch.broke('out-of-order', `${what} before ${each.key}`)
      }
      const flight = { phone, userId: write.userId, lanes, key, isAlive }
      flying.push(flight)
      return () => void flying.splice(flying.indexOf(flight), 1)
    },
    async arrived(sent, answer) {
      const key = sent.headers.get('idempotency-key')
      const lanes = lanesOf(sent.method, new URL(sent.url).pathname, bodyOf(sent), invoicesOf)
      if (key === null || lanes === null) return
      const lane = lanes[0]!
      log.push(`the server answers ${answer.status} to ${key} of ${lanes.join(' ')}`)
      if (answer.status === 412) stale.add(key)
      if (answer.status === 412) watch.count('conflicts')
      else if (!answer.ok && answer.status !== 401) {
        watch.count('refused for good')
        // What was stale is brought together with what is there, whatever a copy of it that comes late is told.
        if (!stale.has(key)) refused.add(key)
      }
      // Somebody else has deleted it already, or has when the device looks what it met, or what was to make it was taken back: nothing more is to be done.
      const last = commits.get(byLane.get(lane)?.at(-1) ?? '')
      const gone = { version: null, row: null }
      if ([404, 412].includes(answer.status) && sent.method === 'DELETE') {
        if (!last?.row) commits.set(key, gone)
        else overtaken.set(lane, [...(overtaken.get(lane) ?? []), key])
      }
      if (answer.ok && sent.method === 'DELETE')
        for (const each of overtaken.get(lane) ?? []) if (!commits.has(each)) commits.set(each, gone)
      if (!answer.ok) return
      const body = answer.status === 204 ? null : ((await answer.clone().json()) as { version: number })
      const commit: Commit = { version: body?.version ?? null, row: body }
      const first = commits.get(key)
      if (first) {
        if (first.version !== commit.version)
          watch.broke('done-twice', `${sent.method} ${sent.url} under ${key}: ${first.version}, then ${commit.version}`)
        return
      }
      const write = writes.get(key)
      if (write?.isStored && !ledger.discarded.has(key) && !heirs.has(key) && !wasReturned(key))
        for (const each of inLanes(write.phone, lanes))
          if (isBefore(write, each) && commits.has(each.key))
            watch.broke('out-of-order', `${sent.method} ${sent.url} under ${key} came after ${each.key}`)
      watch.count('writes done at the server')
      commits.set(key, commit)
      // It moves no version of the invoice.
      const payment = /\/payments(?:\/([^/]+)\/reverse)?$/.exec(sent.url)
      const row = payment ? `payment:${payment[1] ?? String(bodyOf(sent)!['id'])}` : lane
      byLane.set(row, [...(byLane.get(row) ?? []), key])
    },
  }
  return ledger
}

/**
 * What the device stored of the same row after it, if anything: a save may have given its place to that. A deletion or an issue that was taken back stands
 * between nothing: it was gone when the next one came.
 */
export function nextInLane(
  { lanes, phone, userId, place }: Write,
  writes: readonly Write[],
  { discarded }: Ledger,
): Write | undefined {
  return writes
    .filter((each) => sharesLane(each, { lanes }) && each.phone === phone && each.userId === userId)
    .filter((each) => each.isStored && each.place > place && (each.method === 'PUT' || !discarded.has(each.key)))
    .toSorted((a, b) => a.place - b.place)[0]
}

/** It says all of a row. */
function isContent({ method, path }: Write): boolean {
  return method === 'PUT' || (method === 'POST' && /\/(organizations|customers|invoices|credit-notes)$/.test(path))
}

/** What was never tried gives its place to the save after it: a save, or a draft's creation. */
export function mayGivePlace({ method, path }: Write): boolean {
  return method === 'PUT' || (method === 'POST' && /\/(invoices|credit-notes)$/.test(path))
}
