// What a person calls a field of a row: where two versions stand side by side, where what changed is told, and where a field was refused.
import { text } from './app-text.ts'

type Labels = Readonly<Record<string, string>>

const { organizations, customers, items, invoices, quotes, recurring, members, payments, fields, sending, eInvoice } =
  text

/** Of who a document is from or for. */
const party = {
  country: organizations.country,
  address: organizations.address,
  vatNumber: organizations.vatNumber,
  taxNumber: organizations.taxNumber,
  registrationNumber: organizations.registration,
  endpoint: fields.endpoint,
  currency: organizations.currency,
}

const content = {
  number: fields.number,
  status: fields.status,
  issueDate: invoices.issueDate,
  customerId: invoices.customer,
  customerName: invoices.customer,
  currency: invoices.currency,
  taxMode: invoices.taxMode,
  language: invoices.language,
  termsDays: invoices.terms,
  buyerReference: invoices.buyerReference,
  orderReference: invoices.orderReference,
  exchange: invoices.exchange.title,
  notes: invoices.notes,
  lines: invoices.lines,
  allowances: invoices.discounts,
  charges: invoices.extraCharges,
  totals: invoices.total,
  sentAt: sending.wasSent,
  viewedAt: sending.wasViewed,
}

const invoice = {
  ...content,
  dueDate: invoices.dueDate,
  supplyDate: invoices.supplyDate,
  paid: payments.paid,
  credited: payments.credited,
  creditedInvoice: fields.creditedInvoice,
  quote: quotes.quote,
  remindersPaused: fields.remindersPaused,
}

const payment = {
  date: payments.date,
  amount: invoices.amount,
  method: payments.method,
  reference: payments.reference,
  customerName: invoices.customer,
  allocations: text.paymentForm.invoices,
  reversal: payments.isReversed,
}

const refund = { ...payment, date: payments.refund.date, allocations: payments.refund.invoices }

/** Of a kind of row; of what is done to a row and has fields of its own, by its call. */
const labels: Readonly<Partial<Record<string, Labels>>> = {
  organization: {
    ...party,
    name: organizations.name,
    legalName: organizations.legalName,
    locale: organizations.locale,
    timeZone: organizations.timeZone,
    contact: organizations.contact,
    bank: organizations.bank,
    vatRegime: organizations.regime,
    defaults: organizations.defaults,
    numbering: organizations.numbering,
    creditNoteNumbering: organizations.creditNoteNumbering,
    quoteNumbering: quotes.numbering,
    membersMayIssue: organizations.membersMayIssue,
    eInvoiceProfile: eInvoice.profile,
    paperSize: eInvoice.paper,
    logo: text.logo.title,
    reminders: text.reminders.title,
  },
  customer: {
    ...party,
    name: customers.name,
    kind: customers.kind,
    email: customers.email,
    phone: organizations.phone,
    contactName: organizations.contactName,
    termsDays: customers.terms,
    buyerReference: customers.reference,
    language: customers.language,
    notes: customers.notes,
  },
  item: {
    name: items.name,
    sku: items.sku,
    description: items.description,
    unit: items.unit,
    unitPrice: items.unitPrice,
    currency: customers.currency,
    taxMode: invoices.taxMode,
    vat: invoices.vat,
  },
  invoice,
  'credit-note': invoice,
  quote: {
    ...content,
    notes: quotes.notes,
    issueDate: quotes.date,
    validUntil: quotes.validUntil,
    edition: fields.edition,
    invoice: fields.invoice,
    answer: quotes.answer,
  },
  payment,
  refund,
  // On one invoice: what is put on it is the amount.
  recordPayment: { ...payment, allocations: invoices.amount },
  recordRefund: { ...refund, allocations: invoices.amount },
  sendInvoice: { to: sending.to, subject: sending.subject, message: sending.message },
  'recurring-invoice': {
    interval: recurring.interval,
    every: recurring.every,
    startsOn: recurring.startsOn,
    endsOn: recurring.endsOn,
    action: recurring.action,
    supplyOn: invoices.supplyDate,
    paused: recurring.paused,
    customerName: invoices.customer,
    invoice: recurring.content,
    nextOn: fields.nextOn,
    lastOn: recurring.last,
    lastProblem: fields.lastProblem,
  },
  member: { name: text.account.name, role: members.role },
  invitation: {
    email: members.email,
    role: members.role,
    status: fields.status,
    sentAt: sending.wasSent,
    expiresAt: fields.expiresAt,
  },
  mail: { to: sending.to },
}

/** Of fields that have fields of their own, where these are not told by themselves. */
const inner: Labels = {
  termsDays: organizations.terms,
  taxMode: organizations.taxMode,
  notes: organizations.notes,
  vatRate: organizations.vatRate,
  reset: organizations.reset,
}

/** Null: it tells a person nothing, such as an id, or what is reckoned from the rest. */
export function knownLabel(kind: string, field: string): string | null {
  return labels[kind]?.[field] ?? null
}

/** Of what has no words of its own here the field's name has to do. */
export function fieldLabel(kind: string, field: string): string {
  return knownLabel(kind, field) ?? field
}

export function innerLabel(field: string): string | null {
  return inner[field] ?? null
}
