// What was asked for, what the screen said of it, and in the end what the server has: the rows of its database.
import type pg from 'pg'

export type Kind = 'organization' | 'customer' | 'invoice' | 'payment'
export type Act = 'create' | 'save' | 'delete' | 'issue'

export interface Write {
  /** Null: a form made it, and this is known by its mark alone. */
  key: string | null
  kind: Kind
  id: string
  act: Act
  /** What it writes into the row (`marked`), once in the world; null for what writes nothing. */
  mark: string | null
  isElsewhere: boolean
  /** The row as it stood when a form was opened that is saved now, after another save: it changes the field `aside` alone. */
  opened?: Record<string, unknown> | undefined
  /** What a payment pays. */
  parts?: readonly Part[] | undefined
  /** The device stored it, or an answer or a word on the screen said so. */
  isAcknowledged: boolean
}

/** Of an invoice; minor units. */
export interface Part {
  invoiceId: string
  amount: bigint
}

/** Of every invoice of a seed: its content is never changed. Minor units. */
export const websiteGross = 91_718n

/** The column, and the field, that this device writes its marks into; forms that were open for long have one of their own, and so has somebody elsewhere. */
export const marked = {
  organization: { here: ['name', 'name'], aside: null, elsewhere: null },
  customer: { here: ['name', 'name'], aside: ['contact_name', 'contactName'], elsewhere: ['phone', 'phone'] },
  invoice: {
    here: ['notes', 'notes'],
    aside: ['order_reference', 'orderReference'],
    elsewhere: ['buyer_reference', 'buyerReference'],
  },
  payment: { here: ['reference', 'reference'], aside: null, elsewhere: null },
} as const

/** When a mark was given, before or after others; what holds none came first. */
export function placeOf(mark: unknown): number {
  return typeof mark === 'string' ? Number(mark.slice(1)) : 0
}

/** An answer of 2xx that the server keeps for the key. */
export interface Commit {
  key: string
  body: Record<string, unknown> | null
}

export interface Stored {
  kind: Kind
  id: string
  version: number
  here: string | null
  aside: string | null
  elsewhere: string | null
  isDeleted: boolean
  isIssued: boolean
}

/** An invoice's sums as its row holds them. */
export interface Sums {
  id: string
  gross: bigint
  paid: bigint
  credited: bigint
}

export interface Books {
  commits: Commit[]
  rows: Stored[]
  /** Of issued invoices, by series and period. */
  numbers: { series: string; sequence: number }[]
  /** Parts of payments, by the payment. */
  parts: (Part & { paymentId: string })[]
  sums: Sums[]
  /** Rows that nothing in a seed ever asks for: in which table, and which. */
  strays: { kind: string; id: string }[]
}

/** Tables of an organization that stay empty in a seed, and by what a row of them is named. */
const untouched = [
  ['items', 'id'],
  ['quotes', 'id'],
  ['recurring_invoices', 'id'],
  ['recurring_sendings', 'invoice_id'],
  ['payment_reversals', 'payment_id'],
  ['invoice_mails', 'id'],
  ['invitations', 'id'],
  ['exports', 'id'],
] as const

/** All of one organization, past every wall. */
export async function readBooks(database: pg.Client, organizationId: string): Promise<Books> {
  const query = async <Row>(text: string) => (await database.query(text, [organizationId])).rows as Row[]
  const commits = await query<Commit>(
    `select key, body from idempotency where organization_id = $1 and status is not null
     union all select key, body from user_idempotency where body ->> 'id' = $1::text and status is not null`,
  )
  const rows = await query<Stored>(
    `select 'organization' as kind, id, version, name as here, null as aside, null as elsewhere, false as "isDeleted", false as "isIssued"
       from organizations where id = $1
     union all select 'customer', id, version, name, contact_name, phone, deleted_at is not null, false
       from customers where organization_id = $1
     union all select 'invoice', id, version, notes, order_reference, buyer_reference, deleted_at is not null, status = 'issued'
       from invoices where organization_id = $1
     union all select 'payment', id, version, reference, null, null, false, false
       from payments where organization_id = $1`,
  )
  const numbers = await query<{ series: string; sequence: number }>(
    `select series_id || period as series, sequence::int from issued_invoices where organization_id = $1 order by 1, 2`,
  )
  const parts = await query<{ paymentId: string; invoiceId: string; amount: string }>(
    `select payment_id as "paymentId", invoice_id as "invoiceId", amount from payment_allocations where organization_id = $1`,
  )
  const sums = await query<Record<keyof Sums, string>>(
    `select id, gross_amount as gross, paid_amount as paid, credited_amount as credited from invoices
      where organization_id = $1`,
  )
  const strays = await query<{ kind: string; id: string }>(
    untouched
      .map(([table, id]) => `select '${table}' as kind, ${id}::text as id from ${table} where organization_id = $1`)
      .join(' union all '),
  )
  return {
    commits,
    rows,
    numbers,
    parts: parts.map((part) => ({ ...part, amount: BigInt(part.amount) })),
    sums: sums.map(({ id, gross, paid, credited }) => ({
      id,
      gross: BigInt(gross),
      paid: BigInt(paid),
      credited: BigInt(credited),
    })),
    strays,
  }
}
