import * as z from 'zod'
import { documentBase, lineBase, percentOf } from '#shared/adjustments.ts'
import { decimal, parseDecimal, quantityLimits, unitPriceLimits } from '#shared/decimal.ts'
import { exchangeRateLimits } from '#shared/exchange.ts'
import { paymentStatuses } from '#shared/invoice-balance.ts'
import { invoiceStatuses } from '#shared/invoice-state.ts'
import type { LineInput } from '#shared/invoice-totals.ts'
import { languages } from '#shared/language.ts'
import { formatAmount, parseMoney, type MinorUnits } from '#shared/money.ts'
import { longestVatReason, type Vat } from '#shared/vat.ts'
import {
  currency,
  date,
  decimalText,
  email,
  id,
  instant,
  line,
  longText,
  money,
  oneOf,
  optionalLine,
  optionalText,
  ownLine,
  page,
  pageQuery,
  rowFields,
  termsDays,
  unit,
  vat,
} from './common.ts'
import { organization, taxMode } from './organizations.ts'
import { customer } from './customers.ts'
import { invoicePayment } from './payments.ts'

/** An amount in the invoice's currency; whether its places fit the currency is checked with the whole invoice. */
const amountText = decimalText({ integerDigits: 12, decimalPlaces: 3 })
const most = { lines: 500, ofLine: 20, ofDocument: 50 }
const longest = { name: 200, description: 2000, reason: 200, notes: 4000 }

const lineAdjustment = z.object({
  amount: amountText,
  /** That the amount is this share of the line (of the document: of the lines taxed alike), in per cent; checked with the whole invoice. */
  percent: decimalText({ integerDigits: 3, decimalPlaces: 4 }).optional(),
  reason: optionalLine(longest.reason),
})
const documentAdjustment = lineAdjustment.extend({ vat })

const invoiceLine = z
  .object({
    /** Made by the device; the server gives one to a line that comes without. */
    id: id.optional(),
    name: line(longest.name, 'Say what this line is for'),
    description: optionalText(longest.description),
    quantity: decimalText(quantityLimits),
    unit,
    unitPrice: decimalText(unitPriceLimits),
    baseQuantity: decimalText({ ...quantityLimits, negative: false })
      .refine((text) => !/^0*(\.0*)?$/.test(text), 'Must be more than 0')
      .default('1'),
    allowances: z.array(lineAdjustment).max(most.ofLine, `At most ${most.ofLine} discounts on a line`).default([]),
    charges: z.array(lineAdjustment).max(most.ofLine, `At most ${most.ofLine} extra charges on a line`).default([]),
    vat: vat.prefault({ category: 'S', rate: '0' }),
  })
  .meta({ id: 'InvoiceLine' })

const totals = z
  .object({ lines: money, allowances: money, charges: money, net: money, tax: money, gross: money })
  .meta({ id: 'InvoiceTotals' })

/** 1 `from` (the invoice's currency) = `rate` `to` (the organization's): for the VAT of an invoice in a foreign currency. */
const exchange = z
  .object({
    from: currency,
    to: currency,
    rate: z.string('Enter the exchange rate').superRefine((text, context) => {
      const parsed = parseDecimal(text, exchangeRateLimits)
      const message = text === '' ? 'Enter the exchange rate' : parsed.ok ? 'Must be more than 0' : parsed.error
      if (!parsed.ok || parsed.value.digits === 0n) context.addIssue({ code: 'custom', message })
    }),
    /** Of which day the rate is. */
    date,
    source: line(100, 'Say where the exchange rate is from, such as ECB'),
  })
  .meta({ id: 'Exchange' })

const lines = z.array(invoiceLine).max(most.lines, `At most ${most.lines} lines`)

/** Fields left out come from the customer, then from the organization's defaults; null says "none". */
export const draftFields = {
  customerId: id.nullable().default(null),
  currency: currency.optional(),
  taxMode: taxMode.optional(),
  /** Of the paper, the PDF, the public page and the mail. */
  language: oneOf(languages).optional(),
  dueDate: date.nullable().default(null),
  /** Days from the issue date to the due date, used at issue when `dueDate` is null. */
  termsDays: termsDays.nullable().optional(),
  supplyDate: date.nullable().default(null),
  buyerReference: ownLine(200),
  orderReference: optionalLine(200),
  exchange: exchange.nullable().default(null),
  notes: longText(longest.notes)
    .transform((text) => text || null)
    .nullable()
    .optional(),
  lines: lines.default([]),
  allowances: z.array(documentAdjustment).max(most.ofDocument, `At most ${most.ofDocument} discounts`).default([]),
  charges: z.array(documentAdjustment).max(most.ofDocument, `At most ${most.ofDocument} extra charges`).default([]),
  /** What the client computed; the server computes again and refuses a difference. */
  totals: totals.partial().optional(),
}

/** UTF-8 takes no more for one of a text's UTF-16 units, nor does JSON for a quote or a line break. */
const bytesPerCharacter = 3
/** More than the names of fields, ids, numbers and codes take, of a line and of a discount or charge. */
const bytesBeside = { line: 512, adjustment: 192 }

/** What the largest invoice or quote that this contract allows takes as JSON: the server reads no more of one. */
export const draftBytes =
  most.lines *
    (bytesPerCharacter * (longest.name + longest.description + longestVatReason) +
      bytesBeside.line +
      2 * most.ofLine * (bytesPerCharacter * longest.reason + bytesBeside.adjustment)) +
  2 * most.ofDocument * (bytesPerCharacter * (longest.reason + longestVatReason) + bytesBeside.adjustment) +
  bytesPerCharacter * longest.notes +
  16 * bytesBeside.line

type Adjustment = { amount: string; percent?: string | undefined }
type Checked = {
  currency?: string | undefined
  lines: (LineInput & { allowances: Adjustment[]; charges: Adjustment[] })[]
  allowances: (Adjustment & { vat: Vat })[]
  charges: (Adjustment & { vat: Vat })[]
}

/** Rules that span fields: category O stands alone (BR-O-11..14), amounts have the currency's places, and are what their percentages come to. */
export function checkWhole(invoice: Checked, context: z.RefinementCtx): void {
  const issue = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
  const taxed = [
    ...invoice.lines.map((each, index) => ({ each, path: ['lines', index] })),
    ...invoice.allowances.map((each, index) => ({ each, path: ['allowances', index] })),
    ...invoice.charges.map((each, index) => ({ each, path: ['charges', index] })),
  ]
  const outside = taxed.filter(({ each }) => each.vat.category === 'O')
  if (outside.length > 0 && outside.length < taxed.length) {
    for (const { path } of outside) issue([...path, 'vat', 'category'], '"Not subject to VAT" cannot be mixed with VAT')
  }
  if (!invoice.currency) return
  const places = (list: { amount: string }[], path: (string | number)[]) => {
    list.forEach(({ amount }, index) => {
      const parsed = parseMoney(amount, invoice.currency!)
      if (!parsed.ok) issue([...path, index, 'amount'], parsed.error)
    })
  }
  places(invoice.allowances, ['allowances'])
  places(invoice.charges, ['charges'])
  invoice.lines.forEach((each, index) => {
    places(each.allowances, ['lines', index, 'allowances'])
    places(each.charges, ['lines', index, 'charges'])
  })
  // What a share is of can only be reckoned from what is right in itself.
  if (context.issues.length === 0) checkShares(invoice, invoice.currency, issue)
}

function isMore(text: string, than: bigint): boolean {
  const { digits, scale } = decimal(text)
  return digits > than * 10n ** BigInt(scale)
}

const belowZero = 'What this is a percentage of is below zero: enter an amount'

function checkShares(
  { lines, allowances, charges }: Checked,
  currency: string,
  issue: (path: (string | number)[], message: string) => void,
): void {
  const most = (list: readonly Adjustment[], path: (string | number)[]) =>
    list.forEach(({ percent }, index) => {
      if (percent !== undefined && isMore(percent, 100n)) issue([...path, index, 'percent'], 'At most 100 %')
    })
  most(allowances, ['allowances'])
  lines.forEach((line, index) => most(line.allowances, ['lines', index, 'allowances']))
  const check = <Each extends Adjustment>(
    list: readonly Each[],
    path: (string | number)[],
    base: (each: Each) => MinorUnits,
  ) =>
    list.forEach((each, index) => {
      if (each.percent === undefined) return
      const due = percentOf(base(each), each.percent)
      // A discount below zero would be a charge, and stand on the paper as what it is not.
      if (due < 0n) return issue([...path, index, 'percent'], belowZero)
      const parsed = parseMoney(each.amount, currency)
      if (parsed.ok && parsed.value !== due)
        issue([...path, index, 'amount'], `${each.percent} % comes to ${formatAmount(due, currency)} ${currency} here`)
    })
  lines.forEach((line, index) => {
    check(line.allowances, ['lines', index, 'allowances'], () => lineBase(line, currency))
    check(line.charges, ['lines', index, 'charges'], () => lineBase(line, currency))
  })
  check(allowances, ['allowances'], ({ vat }) => documentBase(lines, vat, currency))
  check(charges, ['charges'], ({ vat }) => documentBase(lines, vat, currency))
}

export const newInvoice = z
  .object({ id, ...draftFields })
  .superRefine(checkWhole)
  .meta({ id: 'NewInvoice' })
export type NewInvoiceInput = z.input<typeof newInvoice>

/** Without lines it says all that the invoice has left; with them it is the draft that a device made of that. */
export const newCreditNote = z
  .object({ id, ...draftFields, lines: lines.optional() })
  .superRefine((note, context) => {
    if (note.lines) checkWhole({ ...note, lines: note.lines }, context)
  })
  .meta({ id: 'NewCreditNote' })
export type NewCreditNoteInput = z.input<typeof newCreditNote>

/** Everything else comes from the invoice. */
export const newDuplicate = z.object({ id }).meta({ id: 'NewDuplicate' })

export const invoiceEdit = z.object(draftFields).superRefine(checkWhole).meta({ id: 'InvoiceEdit' })
export type InvoiceEdit = z.infer<typeof invoiceEdit>
export type InvoiceEditInput = z.input<typeof invoiceEdit>

/** What issuing freezes of the organization. */
export const sellerFields = {
  name: true,
  legalName: true,
  country: true,
  address: true,
  vatNumber: true,
  taxNumber: true,
  registrationNumber: true,
  endpoint: true,
  contact: true,
  bank: true,
  vatRegime: true,
  locale: true,
  logo: true,
} as const

const seller = organization.pick(sellerFields).meta({ id: 'Seller' })
export type Seller = z.infer<typeof seller>

/** What issuing freezes of the customer. */
export const buyerFields = {
  id: true,
  kind: true,
  name: true,
  country: true,
  email: true,
  contactName: true,
  address: true,
  vatNumber: true,
  registrationNumber: true,
  endpoint: true,
} as const

const buyer = customer.pick(buyerFields).meta({ id: 'Buyer' })
export type Buyer = z.infer<typeof buyer>

const vatGroup = z
  .object({
    category: vat.shape.category,
    rate: z.string(),
    reason: z.string().nullable(),
    base: money,
    tax: money,
  })
  .meta({ id: 'VatGroup' })

const invoiceTypes = ['380', '381'] as const
const linked = z.object({ id, number: z.string() }).meta({ id: 'LinkedInvoice' })

const summaryFields = {
  id,
  organizationId: id,
  /** UNTDID 1001: an invoice, or a credit note. Both have positive amounts. */
  type: oneOf(invoiceTypes),
  status: oneOf(invoiceStatuses),
  number: z.string().nullable(),
  issueDate: date.nullable(),
  dueDate: date.nullable(),
  currency,
  customerId: id.nullable(),
  /** The customer's name now, or as frozen at issue. */
  customerName: z.string().nullable(),
  net: money,
  tax: money,
  gross: money,
  /** By payments that were not reversed, and by credit notes. */
  paid: money,
  credited: money,
  amountDue: money,
  paymentStatus: oneOf(paymentStatuses).nullable(),
  overdue: z.boolean(),
  /** When it was last mailed, and when its public page was first seen by somebody else. */
  sentAt: instant.nullable(),
  viewedAt: instant.nullable(),
  ...rowFields,
}

/** One row of a list. */
export const invoiceSummary = z.object(summaryFields).meta({ id: 'InvoiceSummary' })
export type InvoiceSummary = z.infer<typeof invoiceSummary>

export const invoice = z
  .object({
    ...summaryFields,
    taxMode,
    language: oneOf(languages),
    termsDays: z.int().nullable(),
    supplyDate: date.nullable(),
    buyerReference: z.string().nullable(),
    orderReference: z.string().nullable(),
    exchange: exchange.nullable(),
    /** The organization's, as frozen at issue; of a draft what its exchange rate is into, null without one. */
    accountingCurrency: currency.nullable(),
    /** The whole VAT in the accounting currency, by the exchange rate; null without one. */
    accountingTax: money.nullable(),
    notes: z.string().nullable(),
    lines: z.array(invoiceLine.required({ id: true }).extend({ net: money })),
    allowances: z.array(documentAdjustment),
    charges: z.array(documentAdjustment),
    vat: z.array(vatGroup),
    totals,
    issuedAt: instant.nullable(),
    /** The last one recorded first; those that were reversed too. */
    payments: z.array(invoicePayment),
    /** Of a credit note: what it credits. Of an invoice: the credit notes that were issued for it. */
    creditedInvoice: linked.extend({ issueDate: date }).nullable(),
    creditNotes: z.array(linked.extend({ gross: money })),
    /** The quote that it was made of. */
    quote: linked.nullable(),
    /** Null while a draft. */
    seller: seller.nullable(),
    buyer: buyer.nullable(),
  })
  .meta({ id: 'Invoice' })
export type Invoice = z.infer<typeof invoice>

const invoiceSorts = [
  '-issueDate',
  'issueDate',
  '-number',
  'number',
  'customer',
  '-customer',
  'gross',
  '-gross',
  'dueDate',
  '-dueDate',
  '-updatedAt',
] as const
export type InvoiceSort = (typeof invoiceSorts)[number]

/**
 * Besides what is stored what is derived: the payment status, `overdue` (issued, something due, past its date in the organization's zone), and `to-give-back`
 * (more was paid than credit notes leave).
 */
const invoiceFilters = [...invoiceStatuses, 'overdue', 'to-give-back', ...paymentStatuses] as const
export type InvoiceFilter = (typeof invoiceFilters)[number]

export const invoiceQuery = pageQuery.extend({
  sort: oneOf(invoiceSorts).default('-issueDate'),
  status: oneOf(invoiceFilters).optional(),
  customerId: id.optional(),
})
export type InvoiceQuery = z.infer<typeof invoiceQuery>

/** Which XML; left out, the organization's profile, and the plain standard where it has none. */
export const xmlQuery = z.object({ profile: oneOf(['en16931', 'peppol', 'facturx', 'xrechnung']).optional() })

/** A mail with the invoice; the person's own words. */
export const invoiceSending = z
  .object({
    to: email,
    subject: line(200, 'Enter a subject'),
    message: longText(4000).refine((text) => text !== '', 'Write a few words'),
  })
  .meta({ id: 'InvoiceSending' })
export type InvoiceSending = z.infer<typeof invoiceSending>

/** The device makes the token and shows it; the server is told its SHA-256 alone (base64url), so that nothing kept here opens it. */
export const newPublicLink = z
  .object({ tokenHash: z.string().regex(/^[\w-]{43}$/, 'Must be a SHA-256 in base64url') })
  .meta({ id: 'NewPublicLink' })
export const publicLink = z.object({ createdAt: instant }).meta({ id: 'PublicLink' })
export type PublicLink = z.infer<typeof publicLink>

export const invoicePage = page(invoiceSummary).meta({ id: 'InvoicePage' })
export type InvoicePage = z.infer<typeof invoicePage>
