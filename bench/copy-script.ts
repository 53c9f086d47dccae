// Runs in the page: fills the device's copy with invoices, through the worker's own road for what a pull brings.
import type { Change } from '#shared/contract/changes.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import { applyChanges } from '#worker/copy/apply.ts'
import { openCopyDatabase } from '#worker/copy/stores.ts'

const rowsAtOnce = 500
const dayMs = 86_400_000
const firstNames = ['Bob', 'Zoë', 'Ágnes', 'Liu', 'Omar', 'Ines', 'Jan', 'Mira', 'Tom', 'Una']
const trades = ['Baker', 'Painter', 'Plumber', 'Garage', 'Florist', 'Studio', 'Foods', 'Press', 'Optics', 'Timber']
const things = ['Website', 'Repair', 'Delivery', 'Design', 'Advice', 'Printing', 'Hosting', 'Translation']

interface Work {
  userId: string
  books: { organizationId: string; draft: Invoice; issued: Invoice }
  count: number
  today: string
}

export async function fillCopy({ userId, books, count, today }: Work): Promise<void> {
  const database = await openCopyDatabase(userId)
  let from = 0
  while (from < count) {
    const length = Math.min(rowsAtOnce, count - from)
    const told = Array.from({ length }, (_, each): Change => {
      const row = invoiceAt(from + each, books, Date.parse(today))
      return { kind: 'invoice', id: row.id, row } as Change
    })
    const feed = await database.get('feeds', books.organizationId)
    if (!feed) throw new Error('The organization was not pulled yet')
    // A pull may come in between.
    if (await applyChanges(database, feed, feed, told, Infinity)) from += length
  }
  database.close()
}

/** One in twenty is a draft, one in forty void, one in twelve unpaid; three years of them, of a thousand customers. Number 777 alone is findable. */
function invoiceAt(index: number, { draft, issued }: Work['books'], nowMs: number): Invoice {
  const isDraft = index % 20 === 7
  const isOpen = index % 12 === 5
  const issuedAtMs = nowMs - ((index * 37) % 1095) * dayMs
  const updatedAt = new Date(issuedAtMs).toISOString()
  const day = updatedAt.slice(0, 10)
  const amount = `${(index * 7919) % 9000}.${String(index % 100).padStart(2, '0')}`
  const customer = `${firstNames[index % 10]} the ${trades[Math.floor(index / 10) % 10]} ${Math.floor(index / 100) % 10}`
  const gross = { ...issued.gross, amount }
  const sample = isDraft ? draft : issued
  return {
    ...sample,
    id: uuidv7(),
    status: isDraft ? 'draft' : index % 40 === 9 ? 'void' : 'issued',
    number: isDraft ? null : `INV-${day.slice(0, 4)}-${String(index).padStart(6, '0')}`,
    issueDate: isDraft ? null : day,
    dueDate: isDraft ? null : new Date(issuedAtMs + 14 * dayMs).toISOString().slice(0, 10),
    customerName: customer,
    net: gross,
    gross,
    paid: isOpen ? { ...gross, amount: '0.00' } : gross,
    credited: { ...gross, amount: '0.00' },
    amountDue: isOpen ? gross : { ...gross, amount: '0.00' },
    createdAt: updatedAt,
    updatedAt,
    lines: sample.lines.map((line) => ({
      ...line,
      name: index === 77 ? 'Unicorn' : `${things[index % things.length]} ${day.slice(0, 7)}`,
    })),
  }
}
