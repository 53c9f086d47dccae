// What a row looks like with its unsent changes on it: pure, from the server's row and the entries in their order.
import { paramsOf } from '#shared/device-endpoints.ts'
import type { AggregateKind } from '#shared/endpoint.ts'
import { blankCustomer, blankDraft, blankItem, blankLine, blankOrganization } from '#shared/blank-rows.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice, InvoiceEdit } from '#shared/contract/invoices.ts'
import type { ItemEdit } from '#shared/contract/items.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { plainDecimal } from '#shared/decimal.ts'
import { accountingTaxOf, rateFor } from '#shared/exchange.ts'
import { completeContent, wireAmounts } from '#shared/invoice-content.ts'
import { isRefund } from '#shared/invoice-balance.ts'
import { canInvoice } from '#shared/invoice-state.ts'
import { intentOf, isCreate, isDelete, needsPerson, type Marked } from '#shared/outbox.ts'
import { toMoney } from '#shared/money.ts'
import type { Row } from '#worker/copy/stores.ts'
import { withoutBlankReference } from './as-shown.ts'
import { shownVersion, type Body, type Entry } from './entry.ts'
import { withWaiting } from './payment.ts'

/** What a draft takes its defaults from. */
export interface Surroundings {
  organization(): Promise<Organization | null>
  customer(id: string): Promise<Customer | null>
  /** One that a credit note is of. */
  invoice(id: string): Promise<Invoice | null>
}

/** Null: there is none, or it was deleted here. Throws for content that cannot be reckoned with. */
export async function project(
  kind: AggregateKind,
  base: Row | null,
  entries: readonly Entry[],
  look: Surroundings,
): Promise<Row | null> {
  let row = base
  for (const entry of entries) row = await withEntry(kind, row, entry, look)
  const unsent = markOf(entries)
  return row && unsent ? { ...row, unsent } : row
}

function markOf(entries: readonly Entry[]): Marked['unsent'] {
  if (entries.length === 0) return undefined
  if (entries.some(({ state }) => needsPerson(state))) return 'attention'
  const intents = entries.map(({ name, body }) => (isRefund(body) ? 'refund' : intentOf(name))).filter(Boolean)
  // Of a draft it says that it is to be issued as well; a payment says of itself that it waits.
  return intents.includes('send') ? 'send' : (intents[0] ?? 'waiting')
}

async function withEntry(kind: AggregateKind, row: Row | null, entry: Entry, look: Surroundings): Promise<Row | null> {
  const { name, organizationId, id, state } = entry
  const body = tidied(entry.body)
  const at = new Date(entry.createdAtMs).toISOString()
  if (isDelete(name)) return needsPerson(state) ? row : null
  const intent = intentOf(name)
  if (row && (intent === 'payment' || intent === 'reversal')) return withWaiting(row, { ...entry, body })
  if (intent) return row
  // The server has it already: its answer was lost, or has not come yet.
  if (isCreate(name) && row) return row
  if (!isCreate(name) && !row) return null
  const version = shownVersion(entry)
  const meta = row ? { version, updatedAt: at } : { id, version, revision: 0, createdAt: at, updatedAt: at }
  if (kind === 'organization')
    return { ...blankOrganization, logo: null, role: 'owner', ...row, ...body, ...meta } as Row
  if (kind === 'customer') return { ...blankCustomer, ...row, ...body, organizationId, ...meta } as Row
  if (kind === 'item') return { ...blankItem, ...row, ...plainItem(body), organizationId, ...meta } as Row
  // Issued meanwhile: it is shown as it went out.
  if (row && !canInvoice('edit', row['status'] as Invoice['status'])) return row
  // Before it is tidied: then blank could not be told from null.
  const draft = await draftOf(tidied(withoutBlankReference(entry.body ?? {})), organizationId, look)
  if (!draft) return row
  const itself = { type: '380', creditedInvoice: null, creditNotes: [], quote: null, ...(await credit(entry, look)) }
  const before: Partial<Invoice> = { ...(itself as Partial<Invoice>), ...row }
  // Of a customer who is not here, not yet or not any more, the row knows the name.
  if (draft.customerId === before.customerId) draft.customerName ??= before.customerName ?? null
  return { ...before, ...draft, ...creditRate(before, draft), ...meta } as Row
}

/** Of a credit note that is made here: what it corrects, and what it takes over from that. Where that is not on the device it is a credit note all the same. */
async function credit({ name, path }: Entry, look: Surroundings): Promise<Partial<Invoice>> {
  if (name !== 'createCreditNote') return {}
  const invoice = await look.invoice(paramsOf(name, path)['invoiceId']!)
  if (!invoice) return { type: '381', exchange: null, accountingCurrency: null }
  const { id, number, issueDate, customerId, customerName, exchange, accountingCurrency } = invoice
  const creditedInvoice = { id, number: number!, issueDate: issueDate! }
  return { type: '381', creditedInvoice, customerId, customerName, exchange, accountingCurrency }
}

/** As the contract leaves what was sent (contract/common.ts): text without spaces around it, and blank text none. */
function tidied(body: Body | null): Body {
  return JSON.parse(JSON.stringify(body ?? {}), (_, value: unknown) =>
    typeof value === 'string' ? value.trim().replaceAll('\r\n', '\n') || null : value,
  ) as Body
}

/** A credit note is at the rate of what it corrects, whatever was sent. */
function creditRate({ type, exchange: rate, accountingCurrency }: Partial<Invoice>, draft: Partial<Invoice>) {
  if (type !== '381') return {}
  const exchange = rateFor(rate!, draft.currency!)
  return { exchange, accountingCurrency, accountingTax: accountingTaxOf(exchange, draft.tax!) }
}

/** As the server keeps it. */
function plainItem(body: Body): Body {
  const { unitPrice, vat } = body as Partial<ItemEdit>
  return {
    ...body,
    ...(unitPrice !== undefined && { unitPrice: plainDecimal(unitPrice) }),
    ...(vat && { vat: { ...blankItem.vat, ...vat } }),
  }
}

/** While the organization is not on the device (after a session that ended without the person, or at their first sign-in) what was sent says all; null where it leaves out the currency. */
async function draftOf(body: Body, organizationId: string, look: Surroundings): Promise<Partial<Invoice> | null> {
  const lines = ((body['lines'] ?? []) as object[]).map((line) => ({ ...blankLine, ...line }))
  const asked = { ...blankDraft, ...body, lines } as unknown as InvoiceEdit
  const [known, customer] = await Promise.all([
    look.organization(),
    asked.customerId === null ? null : look.customer(asked.customerId),
  ])
  const organization = known ?? (asked.currency ? { ...blankOrganization, currency: asked.currency } : null)
  if (!organization) return null
  const content = completeContent(asked, organization, customer)
  const amounts = wireAmounts(content)
  const { net, tax, gross } = amounts.totals
  return {
    organizationId,
    status: 'draft',
    number: null,
    issueDate: null,
    issuedAt: null,
    ...content,
    ...amounts,
    accountingTax: accountingTaxOf(content.exchange, tax),
    customerName: customer?.name ?? null,
    net,
    tax,
    gross,
    paid: toMoney(0n, content.currency),
    credited: toMoney(0n, content.currency),
    amountDue: toMoney(0n, content.currency),
    paymentStatus: null,
    overdue: false,
    payments: [],
    sentAt: null,
    viewedAt: null,
    seller: null,
    buyer: null,
  }
}
