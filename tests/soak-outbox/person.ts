// What a person does on a device, as the page does it: rows from the copy, writes with a key and a version, decisions about what is parked.
import type { Invoice } from '#shared/contract/invoices.ts'
import { newCreditNoteOf } from '#shared/credit-note.ts'
import { apiPath, personHeader } from '#shared/endpoint.ts'
import { endpoints } from '#shared/endpoints.ts'
import { holdHeader, type OutboxFile, type Unsent, type UnsentEntry } from '#shared/outbox.ts'
import { minorUnitsOf, toMoney, type Money } from '#shared/money.ts'
import type { Dice } from '#tests/soak/dice.ts'
import { changedIn } from './content.ts'
import { lanesOfEntry, type Ledger } from './ledger.ts'
import type { Answered, Life, Phone } from './phone.ts'
import type { Watch } from './watch.ts'

export interface Row extends Record<string, unknown> {
  id: string
  version: number
  name: string
  phone: string | null
  status?: string
  amountDue?: Money
  gross?: Money
  unsent?: string
  customerId?: string | null
}

type Body = Record<string, unknown>
type Work = (life: Life, base: string, userId: string) => Promise<void>

export interface Person {
  work: Readonly<Record<string, Work>>
  /** An organization of their own, made now. */
  found(life: Life, userId: string): Promise<Answered | null>
  unsent(life: Life): Promise<UnsentEntry[]>
  /** One decision about one entry that waits for the person; false when none does. */
  decide(life: Life): Promise<boolean>
  /** Something unsent is taken back, from wherever it stands, `alone` or with what builds on it; and now and then put back. */
  takeBack(life: Life): Promise<void>
  /** The page sends its latest call again. */
  repeat(life: Life): Promise<void>
}

interface Asked {
  method: string
  path: string
  body: object | null
  headers: Record<string, string>
}

export function createPerson(phone: Phone, ledger: Ledger, dice: Dice, watch: Watch): Person {
  /** The latest answer to a write of a row, and its mark: the base of the next edit where the screen goes on from it. */
  const marks = new Map<string, { mark: string; row: Row }>()
  const asked: Asked[] = []
  /** Rows as a form was opened on them: another tab may be saved from it long after. */
  const opened = new Map<string, Row>()

  async function send(life: Life, { method, path, body, headers }: Asked, rowId: string): Promise<Answered | null> {
    const answered = await life.call(method, path, { headers, ...(body && { body }) })
    // A deletion is answered, and no screen goes on from that: once it is taken back the row is read anew.
    const mark = answered && answered.status < 300 && method !== 'DELETE' ? answered.headers.get('etag') : null
    if (mark) marks.set(rowId, { mark, row: answered!.body as Row })
    return answered
  }

  async function write(
    life: Life,
    userId: string,
    method: string,
    path: string,
    content: Body | ((shown: Row) => Body) | null,
    row: Row | null = null,
  ): Promise<Answered | null> {
    // What was merged by itself may give its place to this write, under a key that nobody has seen.
    await adoptWaiting(life, userId)
    const key = makeId(dice)
    // A payment that is reversed is named by its version alone.
    const last = row && !path.endsWith('/reverse') && dice.chance(0.5) ? marks.get(row.id) : undefined
    const { mark, row: shown } = last ?? { mark: undefined, row }
    const body = typeof content === 'function' ? content(shown!) : content
    const changed = body && changedIn(path, shown, body)
    ledger.asked({ key, phone: phone.name, userId, method, path: `${apiPath}${path}`, body, changed })
    const headers = {
      'idempotency-key': key,
      [personHeader]: userId,
      ...(row && { 'if-match': mark ?? `"${row.version}"` }),
      // As the page does: for a moment it can be taken back.
      ...(method === 'DELETE' && { [holdHeader]: '1' }),
    }
    const call = { method, path, body, headers }
    asked.push(call)
    return send(life, call, row?.id ?? String(body?.['id']))
  }

  const list = async (life: Life, path: string): Promise<Row[]> => {
    const answered = await life.call('GET', `${path}?limit=100`)
    return answered?.status === 200 ? (answered.body as { data: Row[] }).data : []
  }
  const pick = async (life: Life, path: string, fits: (row: Row) => boolean = () => true): Promise<Row | null> => {
    const rows = (await list(life, path)).filter(fits)
    return rows.length > 0 ? dice.pick(rows) : null
  }
  const isDraft = ({ status }: Row) => status === 'draft'
  /** What waits to be issued can be paid behind that. */
  const dueOf = ({ status, unsent: mark, amountDue, gross }: Row) => {
    if (status === 'draft') return mark === 'issue' ? minorUnitsOf(gross!) : 0n
    return status === 'issued' ? minorUnitsOf(amountDue!) : 0n
  }
  const name = () => `Name ${dice.below(1000)}`
  const lines = () => [
    { name: 'Website', quantity: `${1 + dice.below(9)}`, unitPrice: '379.00', vat: { category: 'S', rate: '21' } },
  ]
  const unsent = async (life: Life): Promise<UnsentEntry[]> => {
    const answered = await life.call('GET', '/device/outbox')
    return answered?.status === 200 ? (answered.body as Unsent).entries : []
  }

  async function adoptWaiting(life: Life, userId?: string): Promise<void> {
    const entries = await unsent(life)
    const kept = new Set(entries.map(({ key }) => key))
    for (const entry of entries) {
      const { key, name: call } = entry
      const lanes = lanesOfEntry(entry)
      ledger.adopt({ phone: phone.name, key, lanes, method: endpoints[call].method, userId, kept })
    }
  }

  const keysOf = ({ entries }: OutboxFile) => (entries as UnsentEntry[]).map(({ key }) => key)

  async function discard(life: Life, key: string, how = ''): Promise<OutboxFile | null> {
    const taken = await life.call('DELETE', `/device/outbox/${key}${how}`)
    const file = taken?.status === 200 ? (taken.body as OutboxFile) : null
    ledger.log.push(`${phone.name} discards ${key}${how}: ${file && keysOf(file).join(' ')}`)
    if (!file) return null
    watch.count('taken back')
    for (const each of keysOf(file)) {
      ledger.standsAlone(each)
      ledger.discarded.add(each)
    }
    return file
  }

  /** The undo. */
  async function putBack(life: Life, file: OutboxFile): Promise<void> {
    const keys = keysOf(file)
    const answered = await life.call('POST', '/device/outbox/import?whole', { body: file })
    const { imported } = (answered?.body ?? {}) as { imported?: number }
    ledger.log.push(`${phone.name} takes that back: ${answered?.status}, ${imported} of ${keys.join(' ')}`)
    if (imported !== keys.length) return
    watch.count('put back')
    for (const each of keys) ledger.stored(each)
  }

  const work: Record<string, Work> = {
    async 'create customer'(life, base, userId) {
      await write(life, userId, 'POST', `${base}/customers`, { id: makeId(dice), name: name(), country: 'NL' })
    },
    async 'save customer'(life, base, userId) {
      const newest = await pick(life, `${base}/customers`)
      if (!newest) return
      const row = (dice.chance(0.2) && opened.get(newest.id)) || newest
      opened.set(row.id, newest)
      const change = dice.chance(0.5) ? { name: name() } : { phone: String(dice.below(1000)) }
      await write(life, userId, 'PUT', `${base}/customers/${row.id}`, (shown) => ({ ...shown, ...change }), row)
    },
    async 'delete customer'(life, base, userId) {
      const row = await pick(life, `${base}/customers`)
      if (row) await write(life, userId, 'DELETE', `${base}/customers/${row.id}`, null, row)
    },
    async 'create invoice'(life, base, userId) {
      const customer = dice.chance(0.9) ? await pick(life, `${base}/customers`) : null
      const body = { id: makeId(dice), customerId: customer?.id ?? null, taxMode: 'net', lines: lines() }
      await write(life, userId, 'POST', `${base}/invoices`, body)
    },
    async 'save invoice'(life, base, userId) {
      const listed = await pick(life, `${base}/invoices`, isDraft)
      const answered = listed && (await life.call('GET', `${base}/invoices/${listed.id}`))
      if (answered?.status !== 200) return
      const row = answered.body as Row
      const customer = dice.chance(0.5) ? await pick(life, `${base}/customers`) : null
      const content = { taxMode: 'net', lines: lines() }
      const saved = (shown: Row) => ({ ...content, customerId: customer?.id ?? shown.customerId })
      await write(life, userId, 'PUT', `${base}/invoices/${row.id}`, saved, row)
    },
    async 'delete invoice'(life, base, userId) {
      const row = await pick(life, `${base}/invoices`, isDraft)
      if (row) await write(life, userId, 'DELETE', `${base}/invoices/${row.id}`, null, row)
    },
    async 'issue invoice'(life, base, userId) {
      const row = await pick(life, `${base}/invoices`, isDraft)
      if (row) await write(life, userId, 'POST', `${base}/invoices/${row.id}/issue`, null, row)
    },
    async 'record payment'(life, base, userId) {
      const due = (await list(life, `${base}/invoices`)).filter((each) => dueOf(each) > 0n)
      if (due.length === 0) return
      const besides = (of: Row) => due.filter(({ id, customerId }) => id !== of.id && customerId === of.customerId)
      const several = due.filter((each) => besides(each).length > 0)
      const row = dice.pick(dice.chance(0.5) && several.length > 0 ? several : due)
      const others = besides(row)
      const other = others.length > 0 && dice.chance(0.7) ? dice.pick(others) : null
      // Sometimes more than is left when what waits is recorded: that is refused.
      const parts = [row, ...(other ? [other] : [])].map((each) => {
        return { invoiceId: each.id, part: dueOf(each) / BigInt(1 + dice.below(5)) || 1n }
      })
      const amount = toMoney(
        parts.reduce((sum, { part }) => sum + part, 0n),
        'EUR',
      )
      const allocations = parts.map(({ invoiceId, part }) => ({ invoiceId, amount: toMoney(part, 'EUR') }))
      const body = { id: makeId(dice), date: '2026-01-31', amount, allocations }
      await write(life, userId, 'POST', `${base}/payments`, body)
    },
    async 'reverse payment'(life, base, userId) {
      const answered = await life.call('GET', `${base}/payments?limit=100`)
      // One that is not on this device waits nowhere: the server is asked at once, past what waits of its invoice (decision 022).
      if (answered?.status !== 200 || answered.headers.get('x-docket-source') !== 'device') return
      const open = (answered.body as { data: Row[] }).data.filter(({ reversal, unsent: mark }) => !reversal && !mark)
      const row = open.length > 0 ? dice.pick(open) : null
      // Where there is none yet there is one next time.
      if (!row) return work['record payment']!(life, base, userId)
      await write(life, userId, 'POST', `${base}/payments/${row.id}/reverse`, { reason: name() }, row)
    },
    async 'credit invoice'(life, base, userId) {
      const listed = await pick(life, `${base}/invoices`, ({ type, status }) => type === '380' && status === 'issued')
      if (!listed) return work['issue invoice']!(life, base, userId)
      const answered = await life.call('GET', `${base}/invoices/${listed.id}`)
      if (answered?.status !== 200) return
      const invoice = answered.body as Invoice
      const notes = await Promise.all(
        invoice.creditNotes.map(async ({ id }) => (await life.call('GET', `${base}/invoices/${id}`))?.body as Invoice),
      )
      if (notes.some((note) => !note?.vat)) return
      const body = { ...newCreditNoteOf(invoice, notes, makeId(dice)) }
      await write(life, userId, 'POST', `${base}/invoices/${invoice.id}/credit-notes`, body)
    },
    async 'save organization'(life, base, userId) {
      const answered = await life.call('GET', base)
      const row = answered?.status === 200 ? (answered.body as Row) : null
      const change = row && { name: name() }
      if (row) await write(life, userId, 'PUT', base, (shown) => ({ ...shown, ...change }), row)
    },
  }

  return {
    work,
    unsent,
    found: (life, userId) =>
      write(life, userId, 'POST', '/organizations', { id: makeId(dice), name: name(), country: 'NL', currency: 'EUR' }),
    async repeat(life) {
      const call = asked[asked.length - 1 - dice.below(Math.min(4, asked.length))]
      if (!call) return
      watch.count('calls repeated by the page')
      await send(life, call, '')
    },
    async takeBack(life) {
      // What was merged by itself is taken back under a key that nobody has seen.
      await adoptWaiting(life)
      const free = (await unsent(life)).filter(({ state }) => state !== 'sending')
      if (free.length === 0) return
      const file = await discard(life, dice.pick(free).key, dice.chance(0.5) ? '?alone' : '')
      if (!file || dice.chance(0.3)) return
      // Meanwhile something else is done to the same row, or nothing.
      if (dice.chance(0.3)) life.trigger('sync')
      await putBack(life, file)
    },
    async decide(life) {
      await adoptWaiting(life)
      const parked = (await unsent(life)).filter(({ state }) => state === 'conflict' || state === 'rejected')
      if (parked.length === 0) return false
      watch.count('decided by the person')
      const { key, state, body, theirs } = dice.pick(parked)
      const isOpen = theirs !== null && body !== null && (theirs['status'] ?? 'draft') === 'draft'
      if (state === 'conflict' && isOpen && dice.chance(0.6)) {
        ledger.resolved.add(key)
        ledger.log.push(`${phone.name} resolves ${key}`)
        await life.call('PUT', `/device/outbox/${key}`, { body: { body, baseVersion: theirs['version'] } })
        // Under its new key it may give its place to a later save, or be taken back, before it is sent.
        await adoptWaiting(life)
      } else if (state === 'rejected' && dice.chance(0.3)) await life.call('POST', '/device/outbox/retry')
      else {
        const file = await discard(life, key)
        if (file && dice.chance(0.15)) await putBack(life, file)
      }
      return true
    },
  }
}

/** As uuidv7 makes them, of the dice alone: a run repeated has the same ids. */
export function makeId(dice: Dice): string {
  const hex = (digits: number) => Array.from({ length: digits }, () => dice.below(16).toString(16)).join('')
  return `0199${hex(4)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(12)}`
}
