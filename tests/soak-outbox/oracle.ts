// What must be true when the network is good and everything that can be sent was sent.
import { isDeepStrictEqual } from 'node:util'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Payment } from '#shared/contract/payments.ts'
import { endpoints } from '#shared/endpoints.ts'
import { minorUnitsOf } from '#shared/money.ts'
import type { UnsentEntry } from '#shared/outbox.ts'
import type { Elsewhere } from './elsewhere.ts'
import { lanesOfEntry, mayGivePlace, nextInLane, sharesLane, type Ledger, type Write } from './ledger.ts'
import type { Life } from './phone.ts'
import type { Watch } from './watch.ts'

/** Every acknowledged write of the device is at the server, or waits here in sight, or gave its place to a later one of its lane, of which this is true. */
export function accountFor(phone: string, entries: readonly UnsentEntry[], ledger: Ledger, watch: Watch): void {
  const kept = new Set(entries.map(({ key }) => key))
  for (const [index, entry] of entries.entries()) {
    const { key, name } = entry
    const { method } = endpoints[name]
    const lanes = lanesOfEntry(entry)
    if (!ledger.adopt({ phone, key, lanes, method, kept })) watch.broke('invented-key', `${key} lies in the outbox`)
    // On the disk, and killed before it could say so: what was saved after it may have said so.
    else {
      const after = entries.slice(index + 1).find((later) => sharesLane({ lanes: lanesOfEntry(later) }, { lanes }))
      ledger.stored(key, after?.key)
    }
  }
  const mine = [...ledger.writes.values()].filter((write) => write.phone === phone && write.isStored)
  const isThere = (write: Write): boolean => {
    const { key } = write
    if (kept.has(key) || ledger.commits.has(key) || ledger.discarded.has(key)) return true
    const heir = ledger.heir(key)
    if (heir !== undefined) return isThere(ledger.writes.get(heir)!)
    if (ledger.wasSent(key) || !mayGivePlace(write)) return false
    const next = nextInLane(write, mine, ledger)
    return next !== undefined && next.method === 'PUT' && isThere(next)
  }
  for (const write of mine)
    if (!isThere(write))
      watch.broke('lost-write', `${write.method} ${write.path} under ${write.key}, sent: ${ledger.wasSent(write.key)}`)
}

interface Listed {
  id: string
  version: number
  number?: string | null
}

/** Every version of a row is the answer to one key, and every answer is one version; numbers have no gap. */
export async function compareServer(base: string, elsewhere: Elsewhere, ledger: Ledger, watch: Watch): Promise<void> {
  const listed = <Row extends Listed>(what: string) =>
    all<Row>(async (path) => (await elsewhere.get(path)).body, `${base}/${what}`)
  for (const what of ['customers', 'invoices']) {
    const rows = await listed(what)
    for (const { id, version } of rows) {
      const keys = ledger.byLane.get(`${what.slice(0, -1)}:${id}`) ?? []
      const versions = new Set(keys.map((key) => ledger.commits.get(key)!.version))
      if (versions.size !== version)
        watch.broke('done-twice', `${what} ${id} is at version ${version}, by ${keys.length} writes`)
    }
    const numbers = rows.flatMap(({ number }) => (typeof number === 'string' ? [number] : [])).toSorted()
    const years = Map.groupBy(numbers, (number) => number.replace(/\d+$/, ''))
    for (const [, given] of years)
      given.forEach((number, index) => {
        if (Number(/\d+$/.exec(number)![0]) !== index + 1) watch.broke('number-gap', given.join(' '))
      })
  }
  comparePayments(await listed<Payment>('payments'), await listed<InvoiceSummary>('invoices'), ledger, watch)
}

/** Every payment is one write that somebody asked for, its reversal another, and what is paid of an invoice is the sum of those that were not reversed. */
function comparePayments(
  payments: readonly Payment[],
  invoices: readonly InvoiceSummary[],
  ledger: Ledger,
  watch: Watch,
): void {
  const paid = new Map<string, bigint>()
  for (const { id, version, allocations, reversal } of payments) {
    watch.count('payments at the server')
    const keys = ledger.byLane.get(`payment:${id}`) ?? []
    if (keys.length !== version)
      watch.broke('done-twice', `payment ${id} at version ${version} by ${keys.length} writes`)
    if (reversal) {
      watch.count('reversals at the server')
      continue
    }
    if (allocations.length > 1) watch.count('payments on several invoices')
    for (const { invoiceId, amount } of allocations)
      paid.set(invoiceId, (paid.get(invoiceId) ?? 0n) + minorUnitsOf(amount))
  }
  for (const invoice of invoices) {
    if (invoice.type === '381') watch.count('credit notes at the server')
    if (minorUnitsOf(invoice.paid) !== (paid.get(invoice.id) ?? 0n))
      watch.broke('wrong-sum', `invoice ${invoice.id}: ${invoice.paid.amount} paid, by ${paid.get(invoice.id)}`)
  }
}

/** With nothing unsent the device answers as the server does. */
export async function compareCopy(life: Life, base: string, watch: Watch): Promise<void> {
  const both = async (path: string): Promise<unknown> => {
    const ours = await life.call('GET', path)
    const theirs = await life.call('GET', path, { fresh: true })
    const isFromHere = ours?.headers.get('x-docket-source') === 'device'
    if (!isFromHere || theirs?.status !== ours.status || !isDeepStrictEqual(ours.body, theirs.body))
      watch.broke(
        'copy-differs',
        `${life.phone.name} ${path}: ${ours?.status} from ${ours?.headers.get('x-docket-source')}, ${theirs?.status} at the server: ` +
          `${JSON.stringify(ours?.body)} and ${JSON.stringify(theirs?.body)}`,
      )
    return ours?.body
  }
  await both('/organizations')
  await both(base)
  await both(`${base}/dashboard`)
  for (const what of ['customers', 'invoices', 'payments'])
    for (const { id } of await all(both, `${base}/${what}`))
      if (what === 'invoices') await both(`${base}/invoices/${id}`)
}

/** Every page of a list. */
async function all<Row extends Listed>(get: (path: string) => Promise<unknown>, path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const body = (await get(`${path}?limit=200${cursor && `&cursor=${cursor}`}`)) as {
      data: Row[]
      page: { nextCursor: string | null }
    } | null
    rows.push(...(body?.data ?? []))
    cursor = body?.page?.nextCursor ?? null
  }
  return rows
}
