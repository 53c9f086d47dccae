// A thousand writes queued on a phone without a network: how many a second reach the server when it is back, on either database, and whether in their order (OFFLINE.md).
import type { Socket } from 'node:net'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { withMaintenanceClient, type Database } from '#server/db/database.ts'
import { uuidv7 } from '#shared/ids.ts'
import { customerBody, invoiceBody, websiteLine } from '#tests/support/bodies.ts'
import type { Network } from '#tests/support/network.ts'
import { startCluster } from '#tools/postgres.ts'
import { figure } from './numbers.ts'
import { emptyPage, openPhone, settled, waitingOn, type Phone } from './phone.ts'

const rounds = 3
/** Each has a customer, an invoice for them, a change of it and its issue: four writes in two lanes. */
const setsPerRound = 250

interface Queued {
  key: string
  /** The key that must be at the server before: of the same invoice, or of its customer. */
  after: string | null
}

type Engine = Database['engine']

export async function measureDrain(folder: string) {
  return {
    writesPerRound: setsPerRound * 4,
    embedded: await drainTo('embedded', path.join(folder, 'embedded')),
    postgresql: await drainTo('postgresql', path.join(folder, 'postgresql')),
  }
}

async function drainTo(engine: Engine, folder: string) {
  const cluster = engine === 'postgresql' ? await startCluster() : null
  cluster?.createDatabase('docket')
  const phone = await openPhone(folder, cluster ? { DATABASE_URL: cluster.url('docket') } : {})
  const { organizationId } = await phone.makeBooks()
  await settled(phone)
  await phone.relaunch(emptyPage)
  const settings = { dataDir: phone.dataDir, databaseUrl: cluster?.url('docket', 'postgres') }
  const perSecond: number[] = []
  const queuedPerSecond: number[] = []
  const outOfOrder: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const release = hold(phone.network)
    const queueBegan = performance.now()
    const queued = await queueSets(phone, `/organizations/${organizationId}`)
    queuedPerSecond.push(queued.length / ((performance.now() - queueBegan) / 1000))
    const waiting = await waitingOn(phone)
    if (waiting !== queued.length) throw new Error(`${waiting} writes wait, not ${queued.length}`)
    const passedBefore = phone.network.passed.length
    release()
    const began = performance.now()
    // As a page that is seen does when the network comes back, and by its clock.
    await phone.page().evaluate(() => navigator.serviceWorker.controller!.postMessage({ type: 'try-now' }))
    let lastAskedMs = performance.now()
    const isWrite = ({ method }: { method: string }) => method !== 'GET'
    while (phone.network.passed.slice(passedBefore).filter(isWrite).length < queued.length) {
      await setTimeout(25)
      if (performance.now() - lastAskedMs < 3500) continue
      lastAskedMs = performance.now()
      await phone.page().evaluate(() => navigator.serviceWorker.controller!.postMessage({ type: 'sync' }))
    }
    perSecond.push(queued.length / ((performance.now() - began) / 1000))
    await settled(phone)
    const revisions = await withMaintenanceClient(settings, 'running', (ledger) => committed(ledger, organizationId))
    outOfOrder.push(...misplaced(queued, revisions))
  }
  await phone.close()
  await cluster?.stop()
  return {
    drainedPerSecond: figure(perSecond),
    queuedPerSecond: figure(queuedPerSecond),
    outOfOrder: outOfOrder.length,
  }
}

/** A network that takes every call and answers none, until it is released: then what hung is cut off. */
function hold(network: Network): () => void {
  const held: Socket[] = []
  network.before = ({ socket }) => {
    held.push(socket)
    return Promise.resolve('hang')
  }
  return () => {
    network.before = null
    for (const socket of held) socket.destroy()
  }
}

/** Saved one after the other, without waiting for the answer that the network does not give. */
async function queueSets(phone: Phone, base: string): Promise<Queued[]> {
  const queued: Queued[] = []
  for (let set = 0; set < setsPerRound; set += 1) {
    const customer = customerBody()
    const { id, ...draft } = invoiceBody(customer.id)
    const invoice = `${base}/invoices/${id}`
    const changed = { ...draft, lines: [websiteLine, { ...websiteLine, name: 'Hosting' }] }
    const writes = [
      { method: 'POST', path: `${base}/customers`, body: customer, headers: {} },
      { method: 'POST', path: `${base}/invoices`, body: { id, ...draft }, headers: {} },
      { method: 'PUT', path: invoice, body: changed, headers: { 'if-match': '"1"' } },
      { method: 'POST', path: `${invoice}/issue`, body: undefined, headers: { 'if-match': '"2"' } },
    ].map((write) => ({ ...write, key: uuidv7() }))
    await phone.page().evaluate(queueInPage, writes)
    const keys = writes.map(({ key }) => key)
    queued.push(...keys.map((key, index) => ({ key, after: keys[index - 1] ?? null })))
  }
  return queued
}

interface PageWrite {
  method: string
  path: string
  body: object | undefined
  headers: Record<string, string>
  key: string
}

/** Each is on the disk before the next is made. */
async function queueInPage(writes: PageWrite[]): Promise<void> {
  const channel = new BroadcastChannel('docket')
  for (const { method, path, body, headers, key } of writes) {
    const stored = new Promise((resolve) =>
      channel.addEventListener('message', ({ data }: MessageEvent<{ type: string; key?: string }>) => {
        if (data.type === 'stored' && data.key === key) resolve(null)
      }),
    )
    void fetch(`/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    })
    await stored
  }
  channel.close()
}

/** The organization's revision that each write made, as the server committed it, by key. */
async function committed(ledger: pg.Client, organizationId: string): Promise<Map<string, number>> {
  const { rows } = await ledger.query<{ key: string; revision: string }>(
    `select key, body->>'revision' as revision from idempotency where organization_id = $1 and status < 300`,
    [organizationId],
  )
  return new Map(rows.map(({ key, revision }) => [key, Number(revision)]))
}

/** Keys of writes that the server did before one that was to come first, or did not do at all. */
function misplaced(queued: readonly Queued[], revisions: ReadonlyMap<string, number>): string[] {
  return queued
    .filter(({ key, after }) => {
      const own = revisions.get(key)
      return own === undefined || (after !== null && (revisions.get(after) ?? Infinity) >= own)
    })
    .map(({ key }) => key)
}
