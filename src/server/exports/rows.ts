// The rows that an export holds, some at a time in the order of their ids, whatever is written meanwhile.
import {
  csvFiles,
  json,
  jsonFile,
  type ExportedKind,
  type ExportedRows,
  type TableFile,
  quoteFiles,
  recurringFiles,
} from '#documents/tables/tables.ts'
import type { Activity } from '#shared/contract/activity.ts'
import type { Quote } from '#shared/contract/quotes.ts'
import type { Recurring } from '#shared/contract/recurring.ts'
import type { InvoiceMail } from '#shared/contract/reminders.ts'
import { findActivity, lightEnough } from '#server/rows/activity-row.ts'
import { customerFromRow } from '#server/rows/customer-row.ts'
import type { Tx } from '#server/db/database.ts'
import { mailStateOf } from '#server/mail/state.ts'
import { itemFromRow } from '#server/rows/item-row.ts'
import { findPayments } from '#server/rows/payment-row.ts'
import { findQuote } from '#server/rows/quote-row.ts'
import { findRecurring } from '#server/rows/recurring-row.ts'
import { findRows } from '#server/rows/versioned-rows.ts'
import { findInvoices } from '#server/rows/whole-invoice.ts'

export interface Asked {
  tx: Tx
  organizationId: string
  /** The last row of those before; null at the start. */
  afterId: string | null
  /** Today in the organization's zone. */
  today: string
}

/** A mail of an invoice or of a quote: to whom, when, what for and what became of it. */
interface SentMail {
  id: string
  invoiceId: string | null
  quoteId: string | null
  recipient: string
  kind: string
  sentBy: string | null
  /** When it was asked for. */
  sentAt: string
  state: InvoiceMail['state']
}

interface Rows extends ExportedRows {
  quotes: Quote
  recurring: Recurring
  mails: SentMail
  activity: Activity
}
export type Kind = keyof Rows

interface Source<Name extends Kind> {
  table: 'customers' | 'items' | 'payments' | 'invoices' | 'quotes' | 'recurringInvoices' | 'invoiceMails' | 'activity'
  /** Where a tombstone stays of what is deleted; of the others nothing ever is. */
  hasTombstones: boolean
  /** How many a step reads: an invoice weighs more than the others. */
  atOnce: number
  files: readonly TableFile<Rows[Name]>[]
  read(asked: Asked, ids: readonly string[]): Promise<Rows[Name][]>
}

/** In the order in which they are written. What people take to their accountant is a table too, the rest as the API shows it. */
const sources: { readonly [Name in Kind]: Source<Name> } = {
  customers: {
    table: 'customers',
    hasTombstones: true,
    atOnce: 200,
    files: filesOf('customers'),
    read: async ({ tx, organizationId }, ids) =>
      (await findRows(tx, 'customers', organizationId, ids)).map(customerFromRow),
  },
  items: {
    table: 'items',
    hasTombstones: true,
    atOnce: 200,
    files: filesOf('items'),
    read: async ({ tx, organizationId }, ids) => (await findRows(tx, 'items', organizationId, ids)).map(itemFromRow),
  },
  payments: {
    table: 'payments',
    hasTombstones: false,
    atOnce: 200,
    files: filesOf('payments'),
    read: ({ tx, organizationId }, ids) => findPayments(tx, organizationId, ids),
  },
  invoices: {
    table: 'invoices',
    hasTombstones: true,
    atOnce: 100,
    files: filesOf('invoices'),
    read: ({ tx, organizationId, today }, ids) => findInvoices(tx, organizationId, ids, today),
  },
  quotes: {
    table: 'quotes',
    hasTombstones: true,
    atOnce: 25,
    files: quoteFiles,
    read: ({ tx, organizationId, today }, ids) => each(ids, (id) => findQuote(tx, organizationId, id, today)),
  },
  recurring: {
    table: 'recurringInvoices',
    hasTombstones: true,
    atOnce: 25,
    files: recurringFiles,
    read: ({ tx, organizationId }, ids) => each(ids, (id) => findRecurring(tx, organizationId, id)),
  },
  mails: {
    table: 'invoiceMails',
    hasTombstones: false,
    atOnce: 200,
    files: [json('mails.json')],
    read: readMails,
  },
  activity: {
    table: 'activity',
    hasTombstones: false,
    atOnce: 200,
    files: [json('activity.json')],
    read: ({ tx, organizationId }, ids) => findActivity(tx, organizationId, ids),
  },
}

export const kinds = Object.keys(sources) as Kind[]

type AnyFile = TableFile<unknown>

/** All files of rows, in the order of their places in the ZIP. */
export const files: readonly { kind: Kind; file: AnyFile }[] = kinds.flatMap((kind) =>
  sources[kind].files.map((file) => ({ kind, file: file as AnyFile })),
)

async function readMails({ tx, organizationId }: Asked, ids: readonly string[]): Promise<SentMail[]> {
  const ofInvoices = await tx
    .selectFrom('invoiceMails')
    .select(['id', 'invoiceId', 'recipient', 'kind', 'sentBy', 'sentAt'])
    .where('organizationId', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  const ofQuotes = await tx
    .selectFrom('quoteMails')
    .select(['id', 'quoteId', 'recipient', 'sentBy', 'sentAt'])
    .where('organizationId', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  const known = await tx
    .selectFrom('mails')
    .select(['id', 'sentAt', 'givenUpAt', 'endedAt', 'failure'])
    .where('organizationId', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  const states = new Map(known.map((mail) => [mail.id, mailStateOf(mail)]))
  return [
    ...ofInvoices.map((mail) => ({ ...mail, quoteId: null })),
    ...ofQuotes.map((mail) => ({ ...mail, invoiceId: null, kind: 'quote' })),
  ].map((mail) => ({ ...mail, state: states.get(mail.id) ?? null }))
}

function filesOf<Name extends ExportedKind>(kind: Name): readonly TableFile<Rows[Name]>[] {
  return [...csvFiles[kind], jsonFile[kind]]
}

/** One after the other: a transaction does one thing at a time. */
async function each<Row>(ids: readonly string[], find: (id: string) => Promise<Row | null>): Promise<Row[]> {
  const found: Row[] = []
  for (const id of ids) {
    const row = await find(id)
    if (row !== null) found.push(row)
  }
  return found
}

/** The next ids, and what is still there of them. */
export async function readRows(kind: Kind, asked: Asked): Promise<{ ids: readonly string[]; rows: readonly object[] }> {
  const next = await idsOf(kind, asked)
  const ids = kind === 'activity' ? await lightEnough(asked.tx, asked.organizationId, next) : next
  const rows: { id: string }[] = ids.length === 0 ? [] : await sources[kind].read(asked, ids)
  return { ids, rows: rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
}

async function idsOf(kind: Kind, { tx, organizationId, afterId }: Asked): Promise<string[]> {
  let query = there(tx, kind, organizationId).select('id').orderBy('id').limit(sources[kind].atOnce)
  if (afterId !== null) query = query.where('id', '>', afterId)
  return (await query.execute()).map(({ id }) => id)
}

/** The rows and documents of all kinds. */
export async function countRows(tx: Tx, organizationId: string): Promise<number> {
  const { documents } = await tx
    .selectFrom('issuedInvoices')
    .select((eb) => eb.fn.countAll().as('documents'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  let total = Number(documents)
  for (const kind of kinds) {
    const counted = there(tx, kind, organizationId).select((eb) => eb.fn.countAll().as('count'))
    total += Number((await counted.executeTakeFirstOrThrow()).count)
  }
  return total
}

function there(tx: Tx, kind: Kind, organizationId: string) {
  const { table, hasTombstones } = sources[kind]
  if (kind === 'mails') return mailsOf(tx, organizationId)
  // Kysely knows one table at a time.
  const query = tx.selectFrom(table as 'customers').where('organizationId', '=', organizationId)
  return hasTombstones ? query.where('deletedAt', 'is', null) : query
}

/** Those of invoices and those of quotes, as one kind of rows. */
function mailsOf(tx: Tx, organizationId: string) {
  const ofInvoices = tx.selectFrom('invoiceMails').select(['id', 'organizationId'])
  const both = ofInvoices.unionAll(tx.selectFrom('quoteMails').select(['id', 'organizationId']))
  return tx.selectFrom(both.as('customers')).where('organizationId', '=', organizationId)
}
