// The tables that leave the house and their columns, from the rows as the API shows them: an amount always stands beside its currency.
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Item } from '#shared/contract/items.ts'
import type { Payment } from '#shared/contract/payments.ts'
import type { Quote } from '#shared/contract/quotes.ts'
import type { Recurring } from '#shared/contract/recurring.ts'
import { formatAmount, minorUnitsOf } from '#shared/money.ts'
import type { Column } from './csv.ts'

export const customerColumns: readonly Column<Customer>[] = [
  { name: 'Name', value: ({ name }) => name },
  { name: 'Kind', value: ({ kind }) => kind },
  { name: 'Contact person', value: ({ contactName }) => contactName },
  { name: 'Email', value: ({ email }) => email },
  { name: 'Phone', value: ({ phone }) => phone },
  { name: 'Street', value: ({ address }) => address.line1 },
  { name: 'Address line 2', value: ({ address }) => address.line2 },
  { name: 'Postal code', value: ({ address }) => address.postalCode },
  { name: 'City', value: ({ address }) => address.city },
  { name: 'Region', value: ({ address }) => address.region },
  { name: 'Country', value: ({ country }) => country },
  { name: 'VAT number', value: ({ vatNumber }) => vatNumber },
  { name: 'Registration number', value: ({ registrationNumber }) => registrationNumber },
  { name: 'E-invoice scheme', value: ({ endpoint }) => endpoint?.scheme },
  { name: 'E-invoice address', value: ({ endpoint }) => endpoint?.id },
  { name: 'Currency', value: ({ currency }) => currency },
  { name: 'Days to pay', value: ({ termsDays }) => termsDays },
  { name: 'Buyer reference', value: ({ buyerReference }) => buyerReference },
  { name: 'Language', value: ({ language }) => language },
  { name: 'Notes', value: ({ notes }) => notes },
  { name: 'ID', value: ({ id }) => id },
]

export const itemColumns: readonly Column<Item>[] = [
  { name: 'Name', value: ({ name }) => name },
  { name: 'Item number', value: ({ sku }) => sku },
  { name: 'Description', value: ({ description }) => description },
  { name: 'Unit', value: ({ unit }) => unit },
  { name: 'Unit price', value: ({ unitPrice }) => unitPrice },
  { name: 'Currency', value: ({ currency }) => currency },
  { name: 'Prices', value: ({ taxMode }) => taxMode },
  { name: 'VAT category', value: ({ vat }) => vat.category },
  { name: 'VAT rate', value: ({ vat }) => vat.rate },
  { name: 'VAT reason', value: ({ vat }) => vat.reason },
  { name: 'ID', value: ({ id }) => id },
]

export const invoiceColumns: readonly Column<Invoice>[] = [
  { name: 'Number', value: ({ number }) => number },
  { name: 'Type', value: typeOf },
  { name: 'Status', value: ({ status }) => status },
  { name: 'Issue date', value: ({ issueDate }) => issueDate },
  { name: 'Due date', value: ({ dueDate }) => dueDate },
  { name: 'Supply date', value: ({ supplyDate }) => supplyDate },
  { name: 'Customer', value: ({ customerName }) => customerName },
  { name: 'Customer VAT number', value: ({ buyer }) => buyer?.vatNumber },
  { name: 'Currency', value: ({ currency }) => currency },
  { name: 'Prices', value: ({ taxMode }) => taxMode },
  { name: 'Net', value: ({ net }) => net.amount },
  { name: 'VAT', value: ({ tax }) => tax.amount },
  { name: 'Gross', value: ({ gross }) => gross.amount },
  { name: 'Accounting currency', value: ({ accountingCurrency }) => accountingCurrency },
  { name: 'VAT in accounting currency', value: ({ accountingTax }) => accountingTax?.amount },
  { name: 'Exchange rate', value: ({ exchange }) => exchange?.rate },
  { name: 'Exchange rate date', value: ({ exchange }) => exchange?.date },
  { name: 'Exchange rate source', value: ({ exchange }) => exchange?.source },
  { name: 'Paid', value: ({ paid }) => paid.amount },
  { name: 'Credited', value: ({ credited }) => credited.amount },
  { name: 'Amount due', value: ({ amountDue }) => amountDue.amount },
  { name: 'Payment status', value: ({ paymentStatus }) => paymentStatus },
  { name: 'Overdue', value: ({ overdue }) => (overdue ? 'yes' : 'no') },
  { name: 'Credits invoice', value: ({ creditedInvoice }) => creditedInvoice?.number },
  { name: 'Order reference', value: ({ orderReference }) => orderReference },
  { name: 'Buyer reference', value: ({ buyerReference }) => buyerReference },
  { name: 'Notes', value: ({ notes }) => notes },
  { name: 'Sent', value: ({ sentAt }) => sentAt },
  { name: 'ID', value: ({ id }) => id },
  { name: 'Customer ID', value: ({ customerId }) => customerId },
]

/** A part of an invoice, with the invoice that it is of. */
interface PartOf<Part> {
  invoice: Invoice
  part: Part
}

type Line = Invoice['lines'][number]

/** A file of these lines can be imported as invoices: it says of each line what its invoice says. */
export const lineColumns: readonly Column<PartOf<Line>>[] = [
  { name: 'Number', value: ({ invoice }) => invoice.number },
  { name: 'Type', value: ({ invoice }) => typeOf(invoice) },
  { name: 'Line', value: ({ invoice, part }) => invoice.lines.indexOf(part) + 1 },
  { name: 'Customer', value: ({ invoice }) => invoice.customerName },
  { name: 'Issue date', value: ({ invoice }) => invoice.issueDate },
  { name: 'Due date', value: ({ invoice }) => invoice.dueDate },
  { name: 'Supply date', value: ({ invoice }) => invoice.supplyDate },
  { name: 'Currency', value: ({ invoice }) => invoice.currency },
  { name: 'Accounting currency', value: ({ invoice }) => invoice.exchange?.to },
  { name: 'Exchange rate', value: ({ invoice }) => invoice.exchange?.rate },
  { name: 'Exchange rate date', value: ({ invoice }) => invoice.exchange?.date },
  { name: 'Exchange rate source', value: ({ invoice }) => invoice.exchange?.source },
  { name: 'Prices', value: ({ invoice }) => invoice.taxMode },
  { name: 'Item', value: ({ part }) => part.name },
  { name: 'Description', value: ({ part }) => part.description },
  { name: 'Quantity', value: ({ part }) => part.quantity },
  { name: 'Unit', value: ({ part }) => part.unit },
  { name: 'Unit price', value: ({ part }) => part.unitPrice },
  { name: 'Base quantity', value: ({ part }) => part.baseQuantity },
  { name: 'Discounts', value: ({ invoice, part }) => sumOf(part.allowances, invoice.currency) },
  { name: 'Charges', value: ({ invoice, part }) => sumOf(part.charges, invoice.currency) },
  { name: 'VAT category', value: ({ part }) => part.vat.category },
  { name: 'VAT rate', value: ({ part }) => part.vat.rate },
  { name: 'VAT reason', value: ({ part }) => part.vat.reason },
  { name: 'Line net', value: ({ part }) => part.net.amount },
  { name: 'Invoice discounts', value: ({ invoice }) => sumOf(invoice.allowances, invoice.currency) },
  { name: 'Invoice charges', value: ({ invoice }) => sumOf(invoice.charges, invoice.currency) },
  { name: 'Invoice gross', value: ({ invoice }) => invoice.gross.amount },
  { name: 'Invoice ID', value: ({ invoice }) => invoice.id },
]

export const vatColumns: readonly Column<PartOf<Invoice['vat'][number]>>[] = [
  { name: 'Number', value: ({ invoice }) => invoice.number },
  { name: 'VAT category', value: ({ part }) => part.category },
  { name: 'VAT rate', value: ({ part }) => part.rate },
  { name: 'VAT reason', value: ({ part }) => part.reason },
  { name: 'Net', value: ({ part }) => part.base.amount },
  { name: 'VAT', value: ({ part }) => part.tax.amount },
  { name: 'Currency', value: ({ invoice }) => invoice.currency },
  { name: 'Invoice ID', value: ({ invoice }) => invoice.id },
]

/** What was paid on invoices: a payment of several stands here once for each. */
export const invoicePaymentColumns: readonly Column<PartOf<Invoice['payments'][number]>>[] = [
  { name: 'Number', value: ({ invoice }) => invoice.number },
  { name: 'Date', value: ({ part }) => part.date },
  { name: 'Amount', value: ({ part }) => part.amount.amount },
  { name: 'Currency', value: ({ part }) => part.amount.currency },
  { name: 'Method', value: ({ part }) => part.method },
  { name: 'Reference', value: ({ part }) => part.reference },
  { name: 'Reversed', value: ({ part }) => part.reversal?.at },
  { name: 'Invoice ID', value: ({ invoice }) => invoice.id },
  { name: 'Payment ID', value: ({ part }) => part.id },
]

export const paymentColumns: readonly Column<Payment>[] = [
  { name: 'Date', value: ({ date }) => date },
  { name: 'Customer', value: ({ customerName }) => customerName },
  { name: 'Amount', value: ({ amount }) => amount.amount },
  { name: 'Currency', value: ({ amount }) => amount.currency },
  { name: 'Method', value: ({ method }) => method },
  { name: 'Reference', value: ({ reference }) => reference },
  { name: 'Invoices', value: ({ allocations }) => allocations.map(({ invoiceNumber }) => invoiceNumber).join(', ') },
  { name: 'Reversed', value: ({ reversal }) => reversal?.at },
  { name: 'Why reversed', value: ({ reversal }) => reversal?.reason },
  { name: 'ID', value: ({ id }) => id },
  { name: 'Customer ID', value: ({ customerId }) => customerId },
]

export const quoteColumns: readonly Column<Quote>[] = [
  { name: 'Number', value: ({ number }) => number },
  { name: 'Status', value: ({ status }) => status },
  { name: 'Issue date', value: ({ issueDate }) => issueDate },
  { name: 'Valid until', value: ({ validUntil }) => validUntil },
  { name: 'Customer', value: ({ customerName }) => customerName },
  { name: 'Currency', value: ({ currency }) => currency },
  { name: 'Prices', value: ({ taxMode }) => taxMode },
  { name: 'Net', value: ({ net }) => net.amount },
  { name: 'VAT', value: ({ tax }) => tax.amount },
  { name: 'Gross', value: ({ gross }) => gross.amount },
  { name: 'Answer', value: ({ answer }) => answer?.answer },
  { name: 'Answered by', value: ({ answer }) => answer?.name },
  { name: 'Answered', value: ({ answer }) => answer?.at },
  { name: 'Invoice', value: ({ invoice }) => invoice?.number },
  { name: 'Order reference', value: ({ orderReference }) => orderReference },
  { name: 'Buyer reference', value: ({ buyerReference }) => buyerReference },
  { name: 'Notes', value: ({ notes }) => notes },
  { name: 'Sent', value: ({ sentAt }) => sentAt },
  { name: 'ID', value: ({ id }) => id },
  { name: 'Customer ID', value: ({ customerId }) => customerId },
  { name: 'Invoice ID', value: ({ invoice }) => invoice?.id },
]

export const recurringColumns: readonly Column<Recurring>[] = [
  { name: 'Customer', value: ({ customerName }) => customerName },
  { name: 'Interval', value: ({ interval }) => interval },
  { name: 'Every', value: ({ every }) => every },
  { name: 'Starts', value: ({ startsOn }) => startsOn },
  { name: 'Ends', value: ({ endsOn }) => endsOn },
  { name: 'Becomes', value: ({ action }) => action },
  { name: 'Paused', value: ({ paused }) => (paused ? 'yes' : 'no') },
  { name: 'Next', value: ({ nextOn }) => nextOn },
  { name: 'Last', value: ({ lastOn }) => lastOn },
  { name: 'Problem', value: ({ lastProblem }) => lastProblem },
  { name: 'Gross', value: ({ gross }) => gross.amount },
  { name: 'Currency', value: ({ gross }) => gross.currency },
  { name: 'ID', value: ({ id }) => id },
  { name: 'Customer ID', value: ({ customerId }) => customerId },
  { name: 'Last invoice ID', value: ({ lastInvoiceId }) => lastInvoiceId },
]

/** Each invoice's parts of a kind, with the invoice. */
export function partsOf<Part>(invoices: readonly Invoice[], parts: (invoice: Invoice) => readonly Part[]) {
  return invoices.flatMap((invoice) => parts(invoice).map((part): PartOf<Part> => ({ invoice, part })))
}

function typeOf({ type }: Invoice): string {
  return type === '381' ? 'credit note' : 'invoice'
}

function sumOf(adjustments: Line['allowances'], currency: string): string {
  return formatAmount(
    adjustments.reduce((sum, { amount }) => sum + minorUnitsOf({ amount, currency }), 0n),
    currency,
  )
}
