// The sums that people have published as wrong elsewhere: typed into the form, they come to the same on every floor (DOMAIN.md "Money").
import { expect, test } from 'vitest'
import { contentOf } from '#documents/pdf/content.ts'
import { liveAmounts, toBody } from '#page/features/invoices/draft-body.ts'
import { emptyAdjustment, toValues, type DraftValues } from '#page/features/invoices/draft-values.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice, InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { formatMoney } from '#shared/format.ts'
import { uuidv7 } from '#shared/ids.ts'
import { wireTotals } from '#shared/invoice-totals.ts'
import { customerBody, organizationBody } from '#tests/support/bodies.ts'
import { pdfTexts } from '#tests/support/pdf-text.ts'
import { offline, startWalk, version } from '#tests/support/walk.ts'

const { walk, online, send, get, atServer, isSynced, signUp } = startWalk()

type TypedLine = [quantity: string, unitPrice: string, rate: string]
interface Case {
  says: string
  taxMode: 'net' | 'gross'
  lines: TypedLine[]
  discount?: [amount: string, rate: string]
  totals: { net: string; tax: string; gross: string }
}

const cases: Case[] = [
  {
    says: '500.00 including 10 %',
    taxMode: 'gross',
    lines: [['1', '500,00', '10']],
    totals: { net: '454.55', tax: '45.45', gross: '500.00' },
  },
  {
    says: '2 x 379.00 including 21 %',
    taxMode: 'gross',
    lines: [['2', '379,00', '21']],
    totals: { net: '626.45', tax: '131.55', gross: '758.00' },
  },
  {
    says: '340.00 + 13.90 including 19 %',
    taxMode: 'gross',
    lines: [
      ['1', '340,00', '19'],
      ['1', '13.90', '19'],
    ],
    totals: { net: '297.39', tax: '56.51', gross: '353.90' },
  },
  {
    says: '8500 less 7500 at 19 %',
    taxMode: 'net',
    lines: [['1', '8500', '19']],
    discount: ['7500', '19'],
    totals: { net: '1000.00', tax: '190.00', gross: '1190.00' },
  },
  {
    says: '1.96 x 2 including 13 % and 0.04 x 2 including 24 %',
    taxMode: 'gross',
    lines: [
      ['2', '1,96', '13'],
      ['2', '0,04', '24'],
    ],
    totals: { net: '3.53', tax: '0.47', gross: '4.00' },
  },
  {
    says: '115 including 15 %',
    taxMode: 'gross',
    lines: [['1', '115', '15']],
    totals: { net: '100.00', tax: '15.00', gross: '115.00' },
  },
]

function typed(organization: Organization, customerId: string, { taxMode, lines, discount }: Case): DraftValues {
  const blank = { ...toValues(null, organization), customerId }
  const vat = (rate: string) => ({ category: 'S', rate, reason: '' })
  return {
    ...blank,
    taxMode,
    lines: lines.map(([quantity, unitPrice, rate]) => ({
      ...blank.lines[0]!,
      id: uuidv7(),
      name: 'Work',
      quantity,
      unitPrice,
      vat: vat(rate),
    })),
    allowances: discount ? [{ ...emptyAdjustment(), kind: 'amount', amount: discount[0], vat: vat(discount[1]) }] : [],
  }
}

/** What an element of the XML holds; the first of its name is that of the document. */
const inXml = (xml: string, name: string) => new RegExp(`<cbc:${name} currencyID="EUR">([^<]+)<`).exec(xml)?.[1]

test.each(cases)('$says: form, list, answer, paper, PDF file, XML and figure', async (wanted) => {
  const { net, tax, gross } = wanted.totals
  const eur = (amount: string) => ({ amount, currency: 'EUR' })
  const sums = { net: eur(net), tax: eur(tax), gross: eur(gross) }
  await signUp()
  const own = organizationBody({ locale: 'en-GB', registrationNumber: '12345678' })
  const organization: Organization = (await send('POST', '/organizations', own)).body
  const base = `/organizations/${organization.id}`
  const customer: Customer = (await send('POST', `${base}/customers`, customerBody())).body
  await walk.browser.post({ type: 'sync' })

  const values = typed(organization, customer.id, wanted)
  expect(wireTotals(liveAmounts(values).totals, 'EUR')).toMatchObject(sums)

  // Reckoned by the device, which has nobody to ask.
  walk.network = offline
  const id = uuidv7()
  const drafted = await send('POST', `${base}/invoices`, { id, ...toBody(values, null) })
  expect(drafted).toMatchObject({ status: 202, body: { totals: sums, ...sums } })
  expect((await get(`${base}/invoices`)).body.data).toMatchObject([{ id, gross: eur(gross) }])
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()

  const path = `${base}/invoices/${id}`
  const answer = await send('POST', `${path}/issue`, undefined, version((await get(path)).body))
  expect(answer).toMatchObject({ status: 200, body: { totals: sums, amountDue: eur(gross) } })
  await walk.browser.post({ type: 'sync' })
  for (const read of [get, atServer]) {
    const [row]: InvoiceSummary[] = (await read(`${base}/invoices`)).body.data
    expect(row).toMatchObject({ id, ...sums, amountDue: eur(gross) })
    const [figures] = (await read(`${base}/dashboard`)).body.currencies
    expect(figures).toMatchObject({ invoiced: { amount: eur(gross) }, outstanding: { amount: eur(gross) } })
    expect(figures.months.at(-1).invoiced).toEqual(eur(gross))
  }

  const invoice = (await atServer(path)).body as Invoice
  const paper = contentOf({ document: invoice, seller: invoice.seller!, buyer: invoice.buyer, size: 'A4' })
  expect(paper.total[1]).toBe(formatMoney(eur(gross), 'en-GB'))
  expect(paper.totals.map(([, amount]) => amount)).toContain(formatMoney(eur(net), 'en-GB'))
  const taxes = invoice.vat.map((group) => formatMoney(group.tax, 'en-GB'))
  expect(paper.totals.map(([, amount]) => amount)).toEqual(expect.arrayContaining(taxes))

  // The file that the customer gets, as a reader of PDFs finds it.
  const file = await walk.browser.fetch(`/api/v1${path}/pdf`)
  const drawn = pdfTexts(new Uint8Array(await file.arrayBuffer()))
  const amounts = [gross, net, ...invoice.vat.map((group) => group.tax.amount)].map((each) =>
    formatMoney(eur(each), 'en-GB'),
  )
  expect(drawn).toEqual(expect.arrayContaining([invoice.number, ...amounts]))
  expect(drawn.slice(drawn.lastIndexOf('Total')).slice(0, 2)).toEqual(['Total', formatMoney(eur(gross), 'en-GB')])

  const answered = await walk.browser.fetch(`/api/v1${path}/ubl.xml`)
  expect(answered.status).toBe(200)
  const xml = await answered.text()
  expect(inXml(xml, 'TaxExclusiveAmount')).toBe(net)
  expect(inXml(xml, 'TaxAmount')).toBe(tax)
  expect(inXml(xml, 'TaxInclusiveAmount')).toBe(gross)
  expect(inXml(xml, 'PayableAmount')).toBe(gross)
})
