import { expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Payment } from '#shared/contract/payments.ts'
import { csvFiles, jsonFile } from '#documents/tables/tables.ts'

test('money given back stands in the tables as a number with its minus, which no spreadsheet takes for a formula', () => {
  const amount = { amount: '-17.18', currency: 'EUR' }
  const refund = { id: 'p1', date: '2026-11-20', amount, method: 'cash', reference: '-Till 4', reversal: null }
  const allocations = [{ invoiceId: 'i1', invoiceNumber: 'INV-1', amount }]
  const payment = { ...refund, customerId: 'c1', customerName: 'Bob', allocations } as unknown as Payment
  const invoice = { id: 'i1', number: 'INV-1', payments: [refund] } as unknown as Invoice
  const [payments] = csvFiles.payments
  expect(payments!.piece([payment], true)).toBe(`2026-11-20,Bob,-17.18,EUR,cash,"'-Till 4",INV-1,,,p1,c1\r\n`)
  const ofInvoices = csvFiles.invoices.find(({ name }) => name === 'invoice-payments.csv')
  expect(ofInvoices!.piece([invoice], true)).toBe(`INV-1,2026-11-20,-17.18,EUR,cash,"'-Till 4",,i1,p1\r\n`)
  const { head, piece, end } = jsonFile.payments
  expect(JSON.parse(head + piece([payment], true) + end)).toEqual([payment])
})
