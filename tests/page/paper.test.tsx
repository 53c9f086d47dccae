// The screen's paper, the public page and the PDF say the same: every text of the one content, in its order, and nothing else.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { prerenderToNodeStream } from 'react-dom/static'
import { expect, test } from 'vitest'
import type { PrintedDocument } from '#documents/content.ts'
import { contentOf, textsOf, type Content } from '#documents/pdf/content.ts'
import { InvoicePaper } from '#page/features/invoices/invoice-paper.tsx'
import { article } from '#server/public/page.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { buyer, documentOf, line, seller } from '#tests/support/issued-documents.ts'

const vat = { category: 'S' as const, rate: '19' }
const rich = {
  supplyDate: '2026-11-10',
  orderReference: 'PO-77',
  notes: 'Thank you.\nSee you soon.',
  lines: [
    line({
      name: 'Work',
      description: 'Two\nlines',
      quantity: '2',
      unit: 'HUR',
      unitPrice: '95.50',
      allowances: [{ amount: '19.10', percent: '10', reason: 'Spring' }],
      charges: [{ amount: '2.50' }],
      vat,
    }),
    line({ name: 'Nails', quantity: '250', unit: 'GRM', unitPrice: '1.25', baseQuantity: '100', vat }),
    line({ name: 'Abroad', quantity: '-1', vat: { category: 'AE', rate: '0' } }),
  ],
  allowances: [{ amount: '12.10', reason: 'Loyal customer', vat }],
  charges: [{ amount: '4.90', reason: null, vat }],
}
const creditedInvoice = { id: buyer.id, number: 'INV-0', issueDate: '2026-10-01' }
const quote = { ...documentOf(rich), type: 'quote', validUntil: '2026-12-24', dueDate: null } as const
const foreign = {
  ...rich,
  currency: 'USD',
  exchange: { from: 'USD', to: 'EUR', rate: '0.92', date: '2026-11-21', source: 'ECB' },
}
const documents: [what: string, document: PrintedDocument][] = [
  ['an invoice', documentOf(rich)],
  ['one that is paid by a transfer', documentOf({ lines: [line({})] })],
  ['with VAT included', documentOf({ ...rich, taxMode: 'gross' })],
  ['in German', documentOf({ ...rich, taxMode: 'gross', language: 'de' })],
  ['a credit note', documentOf({ ...rich, type: '381', creditedInvoice })],
  ['in a foreign currency', documentOf(foreign)],
  ['in a foreign currency, in German', documentOf({ ...foreign, language: 'de' })],
  ['a quote', quote],
  ['a draft', { ...documentOf(rich), number: null, issueDate: null }],
]

/** What a reader reads of markup, without space: it is set differently on each. */
function read(markup: string): string {
  return bare(
    markup
      .replace(/<[^>]*>/g, '')
      .replace(
        /&(amp|lt|gt|quot|#x27|#39);/g,
        (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'",
      ),
  )
}
const bare = (text: string) => text.replace(/\s/g, '')

/** Takes each text away once; what nobody expected is left. */
function without(shown: string, texts: readonly string[]): string {
  return texts
    .map(bare)
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, text) => {
      expect(left).toContain(text)
      return left.replace(text, () => '')
    }, shown)
}

test('one of them has a code to scan', () => {
  const withCode = documents.filter(([, document]) => contentOf({ document, seller, buyer, size: 'A4' }).transfer)
  expect(withCode.map(([what]) => what)).toEqual(['one that is paid by a transfer'])
})

const heads = ({ words }: Content) => [words.to, words.item, words.quantity, words.price, words.vat, words.amount]

async function onScreen(
  document: Parameters<typeof contentOf>[0]['document'],
  isOpen: boolean,
  isVoid = false,
): Promise<string> {
  const organization = { ...seller, id: buyer.id, logo: null } as unknown as Organization
  const invoice = { ...document, customerName: null }
  const { prelude } = await prerenderToNodeStream(
    <QueryClientProvider client={new QueryClient()}>
      <InvoicePaper invoice={invoice} organization={organization} customer={null} isOpen={isOpen} isVoid={isVoid} />
    </QueryClientProvider>,
  )
  return new Response(prelude as never).text()
}

test.each(documents)('%s: the screen’s paper', async (_, document) => {
  const content = contentOf({ document, seller, buyer, size: 'A4' })
  const markup = await onScreen(document, true)
  const { title, ...said } = content
  expect(title).toBeTruthy()
  // On a phone the price and the VAT stand a second time.
  const narrow = content.rows.map(({ price, vat: rate }) => `×${price}·${rate}`)
  const code = content.transfer ? [content.words.scan] : []
  const paper = read(markup.replace(/<template[^]*?<\/template>|<script[^]*?<\/script>/g, ''))
  expect(without(paper, [...textsOf({ ...said, title: content.heading }), ...heads(content), ...narrow, ...code])).toBe(
    '',
  )
  expect(markup.includes('<svg')).toBe(content.transfer !== null)
  // Nobody is asked to pay once more what is paid.
  expect(await onScreen(document, false)).not.toContain('<svg')
})

test.each(documents)('%s: the public page', (_, document) => {
  const content = contentOf({ document, seller, buyer, size: 'A4' })
  const { words, rows, total, bank } = content
  const page = read(article(content, '/p', {}))
  const lines = rows.map(({ quantity, price, vat: rate }) => `${quantity}×${price}·${rate}`)
  const code = content.transfer ? [words.scan] : []
  const more = [
    ...code,
    words.download,
    words.from,
    words.to,
    content.seller.name,
    ...(bank.length > 0 ? [words.pay] : []),
  ]
  const texts = textsOf({ ...content, rows: rows.map((row) => ({ ...row, quantity: '', price: '', vat: '' })) })
  // The seller and the total stand at the top as well.
  expect(without(page, [...texts, ...lines, ...more, ...total])).toBe('')
})

test.each([
  ['en', 'VOID'],
  ['de', 'STORNIERT'],
] as const)(
  'a void invoice says so on the screen and the public page, and nobody is asked to pay, in %s',
  async (language, mark) => {
    const document = { ...documentOf({ lines: [line({})], language }), number: 'INV-7' }
    const { words, bank } = contentOf({ document, seller, buyer, size: 'A4' })
    // The holder is the seller, who stands above as well.
    const asked = ['<svg', words.iban, ...bank.slice(0, 2).map(([, value]) => value)]
    const content = contentOf({ document, seller, buyer, size: 'A4', isVoid: true })
    for (const [open, isVoid] of [
      [await onScreen(document, true), await onScreen(document, false, true)],
      [article(contentOf({ document, seller, buyer, size: 'A4' }), '/p', {}), article(content, '/p', {})],
    ] as const) {
      expect(open).not.toContain(mark)
      for (const each of asked) expect(open).toContain(each)
      expect(isVoid).toContain(mark)
      for (const each of asked) expect(isVoid).not.toContain(each)
    }
  },
)

test('the date of a correction is not called that of an invoice', () => {
  const labelled = (document: PrintedDocument) =>
    contentOf({ document, seller, buyer, size: 'A4' }).facts.map(([label]) => label)
  const german = { ...rich, language: 'de' as const }
  expect(labelled(documentOf(german))).toContain('Rechnungsdatum')
  const corrected = labelled(documentOf({ ...german, type: '381', creditedInvoice }))
  expect(corrected).toContain('Datum')
  expect(corrected).not.toContain('Rechnungsdatum')
  expect(labelled({ ...quote, language: 'de' })).toContain('Datum')
})

test.each([
  ['en', 'VAT in EUR at 1 USD = 0.92 EUR (ECB, 21 Nov 2026)', '€29.77'],
  ['de', 'MwSt. in EUR zum Kurs 1 USD = 0,92 EUR (ECB, 21.11.2026)', '29,77 €'],
] as const)('the VAT in the own currency stands below the VAT, and by which rate, in %s', (language, label, amount) => {
  const { totals } = contentOf({ document: documentOf({ ...foreign, language }), seller, buyer, size: 'A4' })
  expect(totals.at(-1)).toEqual([label, amount])
  const plain = documentOf({ ...foreign, exchange: null, language })
  expect(contentOf({ document: plain, seller, buyer, size: 'A4' }).totals).toEqual(totals.slice(0, -1))
})

test('what a person typed has the direction that it begins in, on the screen and on the public page', async () => {
  const typed = [
    '\u05E9\u05DC\u05D5\u05DD 24 A',
    '\u05E8\u05D7\u05D5\u05D1 7 B',
    '\u05D5\u05D9\u05D8\u05D4 3 C',
    '\u05D4\u05E0\u05D7\u05D4 5 D',
  ]
  const [name, street, notes, reason] = typed as [string, string, string, string]
  const address = { ...buyer.address, line1: street }
  const document = documentOf({
    seller: { ...seller, name, legalName: street },
    buyer: { ...buyer, name, address },
    notes,
    allowances: [{ amount: '1.00', reason, vat }],
    lines: [line({ name, description: notes, vat, charges: [{ amount: '2.50', reason }] })],
  })
  const content = contentOf({ document, seller: document.seller!, buyer: document.buyer, size: 'A4' })
  for (const markup of [await onScreen(document, true), article(content, '/p', {})]) {
    const elements = markup.split(/(?=<(?!strong|\/))/).filter((each) => typed.some((text) => each.includes(text)))
    expect(elements.length).toBeGreaterThanOrEqual(9)
    expect(elements.filter((each) => !/^<\w+ (class="[^"]*" )?dir="auto"/.test(each))).toEqual([])
  }
})
