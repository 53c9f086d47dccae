// What a new row holds where nothing was said: the defaults of contract/, for the device, which does not carry the schemas. A test holds them together.
import type { Customer } from './contract/customers.ts'
import type { InvoiceEdit } from './contract/invoices.ts'
import type { Item } from './contract/items.ts'
import type { Organization } from './contract/organizations.ts'
import { creditNotePattern, defaultNumberPattern, quotePattern } from './invoice-number.ts'

const blankAddress = { line1: null, line2: null, city: null, postalCode: null, region: null }

export const blankCustomer = {
  kind: 'business',
  email: null,
  phone: null,
  contactName: null,
  address: blankAddress,
  vatNumber: null,
  registrationNumber: null,
  endpoint: null,
  currency: null,
  termsDays: null,
  buyerReference: null,
  language: null,
  notes: null,
} as const satisfies Partial<Customer>

const blankVat = { category: 'S', rate: '0', reason: null } as const

export const blankItem = {
  sku: null,
  description: null,
  unit: 'C62',
  currency: null,
  taxMode: 'net',
  vat: blankVat,
} as const satisfies Partial<Item>

export const blankOrganization = {
  legalName: null,
  taxNumber: null,
  locale: 'en-GB',
  timeZone: 'Etc/UTC',
  address: blankAddress,
  vatNumber: null,
  registrationNumber: null,
  endpoint: null,
  contact: { name: null, email: null, phone: null },
  bank: { iban: null, bic: null, holder: null },
  vatRegime: 'standard',
  defaults: { termsDays: 14, taxMode: 'net', notes: null, vatRate: null },
  numbering: { pattern: defaultNumberPattern, reset: 'yearly' },
  creditNoteNumbering: { pattern: creditNotePattern, reset: 'yearly' },
  membersMayIssue: true,
  eInvoiceProfile: 'none',
  paperSize: 'A4',
  quoteNumbering: { pattern: quotePattern, reset: 'never' },
} as const satisfies Partial<Organization>

export const blankDraft = {
  customerId: null,
  dueDate: null,
  supplyDate: null,
  orderReference: null,
  exchange: null,
  lines: [],
  allowances: [],
  charges: [],
} satisfies Partial<InvoiceEdit>

export const blankLine = {
  description: null,
  unit: 'C62',
  baseQuantity: '1',
  allowances: [],
  charges: [],
  vat: blankVat,
} satisfies Partial<InvoiceEdit['lines'][number]>
