// What stands on the PDF: the same figures as everywhere, every script in its order, and the code that a bank's app scans.
import fs from 'node:fs'
import path from 'node:path'
import { createRequire } from 'node:module'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { unzlibSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { ciiXml } from '#documents/cii/cii.ts'
import { contentOf, type Paper } from '#documents/pdf/content.ts'
import { epcText } from '#documents/pdf/epc-code.ts'
import { drawnAs, fontFiles, fontFor, fontsOf, lackingIn, packageOf } from '#documents/pdf/fonts.ts'
import { invoicePdf } from '#documents/pdf/pdf.ts'
import { createTypesetter } from '#documents/pdf/typesetter.ts'
import { unpackWoff } from '#documents/pdf/woff.ts'
import { wordsOf } from '#documents/words.ts'
import type { Exchange } from '#shared/exchange.ts'
import { unitCodes } from '#shared/units.ts'
import { vatCategories, vatCategoryCodes, type VatCategory } from '#shared/vat.ts'
import { buyer, documentOf, line, seller } from '#tests/support/issued-documents.ts'
import { pdfPages, pdfTexts } from '#tests/support/pdf-text.ts'

const require = createRequire(import.meta.url)
const { resolve } = require
const load = async (file: string) => new Uint8Array(fs.readFileSync(resolve(`${packageOf(file)}/files/${file}`)))
const paperOf = (asked: Parameters<typeof documentOf>[0], more: Partial<Paper> = {}): Paper => {
  const document = documentOf(asked)
  return { document, seller: document.seller!, buyer: document.buyer, size: 'A4', ...more }
}
const draft = { number: null, issueDate: null }
/** What its packed streams hold. */
function streamsOf(pdf: Buffer): string[] {
  const text = pdf.toString('latin1')
  return [...text.matchAll(/\/Length (\d+)\s+\/Filter \/FlateDecode\s+>>\s+stream\n/g)].map((found) => {
    const from = found.index + found[0].length
    return Buffer.from(unzlibSync(pdf.subarray(from, from + Number(found[1])))).toString('latin1')
  })
}
const pages = (pdf: Uint8Array) =>
  Buffer.from(pdf)
    .toString('latin1')
    .match(/\/Type \/Page\b/g)!.length

describe('content', () => {
  test('prices that hold their VAT: the customer sees what was typed, and the published sums', () => {
    const lines = [line({ quantity: '1', unitPrice: '500.00', vat: { category: 'S', rate: '10' } })]
    const content = contentOf(paperOf({ taxMode: 'gross', lines }))
    expect(content.rows[0]).toMatchObject({ price: '€500.00', amount: '€500.00', vat: '10 %' })
    expect(content.totals).toEqual([
      ['Without VAT', '€454.55'],
      ['VAT 10 % of €454.55', '€45.45'],
    ])
    expect(content.total).toEqual(['Total', '€500.00'])
    expect(content.note).toBe('Prices and amounts include VAT')
  })
  test('prices that bear no VAT are not said to include any, above the words that say why', () => {
    const priced = (category: VatCategory, rate: string) =>
      line({ quantity: '1', unitPrice: '500.00', vat: { category, rate } })
    const noteOf = (language: 'en' | 'de', ...lines: ReturnType<typeof line>[]) =>
      contentOf(paperOf({ taxMode: 'gross', language, lines })).note
    for (const category of vatCategoryCodes.filter((code) => !vatCategories[code].taxed))
      expect([noteOf('en', priced(category, '0')), noteOf('de', priced(category, '0'))]).toEqual([null, null])
    expect(noteOf('de', priced('E', '0'), priced('Z', '0'))).toBeNull()
    expect(noteOf('de', priced('E', '0'), priced('S', '19'))).toBe('Preise und Beträge enthalten die MwSt.')
  })
  test('the taxable amount stands there per rate and per exemption; where nothing else does, the subtotal is it', () => {
    const exempt = { category: 'E' as const, rate: '0', reason: 'Exempt from VAT' }
    const lines = [
      line({ quantity: '1', unitPrice: '100.00', vat: { category: 'S', rate: '21' } }),
      line({ quantity: '1', unitPrice: '40.00', vat: exempt }),
      line({ quantity: '1', unitPrice: '60.00', vat: { category: 'Z', rate: '0' } }),
    ]
    const { totals } = contentOf(paperOf({ lines, allowances: [{ amount: '5.00', vat: exempt }] }))
    expect(totals.slice(1)).toEqual([
      ['Without VAT', '€195.00'],
      ['VAT 21 % of €100.00', '€21.00'],
      ['Exempt: VAT 0 % of €35.00', '€0.00'],
      ['Zero rated: VAT 0 % of €60.00', '€0.00'],
    ])
    expect(contentOf(paperOf({ lines: [lines[1]!] })).totals).toEqual([['Without VAT', '€40.00']])
  })
  test.each(['net', 'gross'] as const)(
    'discounts and charges of the document stand as they were typed, each with its reason, and with the rows they come to the total: %s',
    (taxMode) => {
      const vat = { category: 'S' as const, rate: '21' }
      const document = documentOf({
        taxMode,
        lines: [line({ quantity: '1', unitPrice: '121.00' })],
        allowances: [
          { amount: '12.10', percent: '10', reason: 'Loyal customer', vat },
          { amount: '1.00', vat },
        ],
        charges: [{ amount: '2.50', reason: 'Freight', vat }],
      })
      const { rows, totals, total } = contentOf({ document, seller, buyer, size: 'A4' })
      expect(totals.slice(0, 4)).toEqual([
        ['Loyal customer 10 %', '-€12.10'],
        ['Discount', '-€1.00'],
        ['Freight', '€2.50'],
        ['Without VAT', taxMode === 'net' ? '€110.40' : '€91.24'],
      ])
      expect(totals.slice(4)).toEqual([
        taxMode === 'net' ? ['VAT 21 % of €110.40', '€23.18'] : ['VAT 21 % of €91.24', '€19.16'],
      ])
      const cents = (text: string) => Number(text.replace(/[€.]/g, ''))
      const visible = [...rows.map(({ amount }) => amount), ...totals.slice(0, 3).map(([, amount]) => amount)]
      const sum = visible.reduce((left, text) => left + cents(text), 0)
      expect(sum).toBe(cents(taxMode === 'net' ? totals[3]![1] : total[1]))
    },
  )
  test('every unit that the editor offers has its words in both languages', () => {
    for (const language of ['en', 'de'] as const)
      for (const unit of unitCodes) {
        const { units } = wordsOf(language)
        expect(Object.keys(units), `${unit} in ${language}`).toContain(unit)
        expect([units[unit]].flat()).not.toContain(unit)
      }
  })
  test.each([
    ['3', 'HUR', 'en', '3 h'],
    ['90', 'MIN', 'en', '90 min'],
    ['1', 'DAY', 'en', '1 day'],
    ['2.5', 'DAY', 'de', '2,5 Tage'],
    ['1', 'ANN', 'de', '1 Jahr'],
    ['12', 'C62', 'en', '12'],
    ['12', 'H87', 'en', '12'],
    ['7.25', 'MTK', 'de', '7,25 m²'],
    ['2', 'XYZ', 'en', '2 XYZ'],
  ] as const)('a quantity with its unit: %s %s in %s', (quantity, unit, language, expected) => {
    const lines = [line({ quantity, unit, baseQuantity: '100' })]
    const [row] = contentOf(paperOf({ language, lines })).rows
    expect(row!.quantity).toBe(expected)
    expect(row!.price).toMatch(unit === 'DAY' ? / \/ 100 (days|Tage)$/ : / \/ 100/)
  })
  test('the code to scan is there for an issued invoice in euros with an IBAN and something to pay, and else not', () => {
    const lines = [line({})]
    const transfer = contentOf(paperOf({ lines })).transfer!
    expect(epcText(transfer)).toBe(
      'BCD\n002\n1\nSCT\nABNANL2A\nAnn Works B.V.\nNL91ABNA0417164300\nEUR917.18\n\n\nINV-1',
    )
    const without = [
      paperOf({ lines, currency: 'SEK' }),
      // The scheme's limit is 999,999,999.99.
      paperOf({ lines: [line({ quantity: '1', unitPrice: '1000000000', vat: { category: 'Z', rate: '0' } })] }),
      paperOf({ lines, type: '381' }),
      paperOf({ lines: [line({ quantity: '-1' })] }),
      paperOf({ lines }, { seller: { ...seller, bank: { iban: null, bic: null, holder: null } } }),
      { ...paperOf({ lines }), document: { ...documentOf({ lines }), ...draft } },
    ]
    for (const paper of without) expect(contentOf(paper).transfer).toBeNull()
  })
  test('a credit note says what it corrects, and names no account to pay to', () => {
    const creditedInvoice = { number: 'INV-0', issueDate: '2026-10-01' }
    const content = contentOf(paperOf({ lines: [line({})], type: '381', creditedInvoice }))
    expect(content).toMatchObject({ title: 'Credit note INV-1', texts: ['Corrects invoice INV-0'], bank: [] })
  })
})

describe('a quote', () => {
  const quoted = (more: object = {}): Paper => {
    const paper = paperOf({ lines: [line({})] })
    return {
      ...paper,
      document: { ...paper.document, type: 'quote', validUntil: '2026-12-24', dueDate: null, ...more },
    }
  }
  test('says that it is one and until when it is good; there is nothing to pay and nowhere to pay it', () => {
    const content = contentOf(quoted({ number: 'Q-0001' }))
    expect(content).toMatchObject({ title: 'Quote Q-0001', isDraft: false, bank: [], transfer: null })
    const labels = content.facts.map(([label]) => label)
    expect(labels).toEqual(expect.arrayContaining(['Quote number', 'Date', 'Valid until']))
    expect(labels).not.toContain('Due date')
    expect(content.total).toEqual(contentOf(paperOf({ lines: [line({})] })).total)
  })
  test('taken back it is a draft, although it has its number', () => {
    expect(contentOf(quoted({ number: 'Q-0001', issueDate: null }))).toMatchObject({ isDraft: true, title: 'Quote' })
  })
})

describe('the file', () => {
  test('as many discounts of the document as there may be run on, and nothing stands below the page', async () => {
    const vat = { category: 'S' as const, rate: '21' }
    const allowances = Array.from({ length: 50 }, () => ({ amount: '1.00', reason: 'Loyal customer '.repeat(12), vat }))
    const pdf = Buffer.from(await invoicePdf(paperOf({ lines: [line({})], allowances, charges: allowances }), load))
    expect(pages(pdf)).toBeGreaterThan(5)
    const heights = streamsOf(pdf).flatMap((stream) =>
      [...stream.matchAll(/1 0 0 1 [\d.-]+ ([\d.-]+) Tm/g)].map(([, y]) => Number(y)),
    )
    expect(heights.length).toBeGreaterThan(100)
    expect(Math.min(...heights)).toBeGreaterThan(0)
  })
  test('the same content makes the same bytes; a draft and other paper make others', async () => {
    const paper = paperOf({ lines: [line({})] })
    const [one, two] = [await invoicePdf(paper, load), await invoicePdf(paper, load)]
    expect(Buffer.from(one).subarray(0, 5).toString()).toBe('%PDF-')
    expect(Buffer.compare(one, two)).toBe(0)
    const letter = await invoicePdf({ ...paper, size: 'letter' }, load)
    expect(Buffer.from(letter).toString('latin1')).toContain('[0 0 612 792]')
    const asDraft = await invoicePdf({ ...paper, document: { ...paper.document, ...draft } }, load)
    expect(asDraft.length).not.toBe(one.length)
  })
  test('as Factur-X it says and holds what PDF/A-3b and its readers want', async () => {
    const firm = { ...seller, name: 'Bread & <Butter>' }
    // What no font has stands as the sign for that, never as a missing glyph.
    const document = documentOf({ seller: firm, lines: [line({ name: 'Emoji 😀 ᚠ', description: 'שלום\n面包' })] })
    const paper = { document, seller: firm, buyer: document.buyer, size: 'A4' as const }
    const colors = fs.readFileSync(path.join(path.dirname(resolve('pdfkit')), 'data/sRGB_IEC61966_2_1.icc'))
    const pdf = Buffer.from(await invoicePdf(paper, load, { xml: ciiXml(document), colors }))
    const text = pdf.toString('latin1')
    expect(text.startsWith('%PDF-1.7\n%')).toBe(true)
    expect(pdf.subarray(10, 14).every((byte) => byte > 127)).toBe(true)
    expect(text).toMatch(/\/Type \/Catalog[^]*?\/AF \[\d+ 0 R\][^]*?\/OutputIntents \[\d+ 0 R\][^]*?\/Metadata \d+ 0 R/)
    expect(text).toMatch(
      /\/Type \/Filespec\s+\/AFRelationship \/Alternative\s+\/F \(factur-x.xml\)\s+\/EF[^]*?\/UF \(factur-x.xml\)/,
    )
    expect(text).toMatch(/\/Type \/EmbeddedFile\s+\/Params[^]*?\/ModDate[^]*?\/Subtype \/text#2Fxml/)
    expect(text).toMatch(/\/S \/GTS_PDFA1[^]*?\/DestOutputProfile \d+ 0 R/)
    expect(text).toMatch(/\/ID \[<[0-9a-f]{32}> <[0-9a-f]{32}>\]/)
    expect(text).not.toMatch(/\/Encrypt|\/SMask|\/Group|\/ca |\/JavaScript|\/Subtype \/Type1/)
    const fonts = text.match(/\/Type \/FontDescriptor/g)!
    expect(text.match(/\/FontFile[23] \d+ 0 R/g)).toHaveLength(fonts.length)
    const xmp = Buffer.from(/<\?xpacket begin[^]*?<\?xpacket end="w"\?>/.exec(text)![0], 'latin1').toString()
    expect(XMLValidator.validate(xmp)).toBe(true)
    const said = new XMLParser({ removeNSPrefix: true, parseTagValue: false }).parse(xmp).xmpmeta.RDF.Description
    expect(Object.assign({}, ...said)).toMatchObject({
      part: '3',
      conformance: 'B',
      DocumentType: 'INVOICE',
      DocumentFileName: 'factur-x.xml',
      Version: '1.0',
      ConformanceLevel: 'EN 16931',
      creator: { Seq: { li: 'Bread & <Butter>' } },
    })
    const properties = said.find((each: object) => 'schemas' in each).schemas.Bag.li.property.Seq.li
    expect(properties.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'ConformanceLevel',
      'DocumentFileName',
      'DocumentType',
      'Version',
    ])
    const shown = streamsOf(pdf).filter((stream) => stream.includes(' Tf'))
    const glyphs = shown.flatMap((stream) => [...stream.matchAll(/<([0-9a-f]+)>/g)].map(([, codes]) => codes!))
    expect(glyphs.length).toBeGreaterThan(20)
    for (const codes of glyphs) expect(codes.match(/.{4}/g)).not.toContain('0000')
  })
  test('no letter is larger than the heading, whatever was measured between', async () => {
    const long = line({ name: 'Copper pipe to the kitchen', description: 'Two words, עברית and 面包 on one line' })
    const streams = streamsOf(Buffer.from(await invoicePdf(paperOf({ lines: [long] }), load)))
    const sizes = streams.flatMap((stream) => [...stream.matchAll(/ ([\d.]+) Tf/g)].map(([, size]) => Number(size)))
    expect(sizes.length).toBeGreaterThan(20)
    expect(Math.max(...sizes)).toBeLessThan(40)
  })
  test('long numbers stay whole: they take no more lines than short ones, and keep to the paper', async () => {
    const textsIn = async (prices: readonly string[], quantity: string) => {
      const lines = prices.map((unitPrice) =>
        line({ quantity, unitPrice, vat: { category: 'Z', rate: '0', reason: null } }),
      )
      return streamsOf(Buffer.from(await invoicePdf(paperOf({ lines, currency: 'USD' }), load)))
        .flatMap((stream) => [...stream.matchAll(/1 0 0 1 ([\d.-]+) [\d.-]+ Tm/g)])
        .map(([, x]) => Number(x))
    }
    const short = await textsIn(['1.00', '2.00', '3.00'], '1')
    for (const long of [
      await textsIn(['12345678.90', '123456789.00', '2.00'], '1'),
      await textsIn(['12345.654321', '123456789.00', '2.00'], '99999.1234'),
      await textsIn(['12345678.654321', '9999999999.99', '2.00'], '999.1234'),
    ]) {
      expect(long.length).toBe(short.length)
      expect(Math.min(...long)).toBeGreaterThanOrEqual(48)
    }
  })
  test('a reference as long as those of public buyers stands whole', async () => {
    const buyerReference = '04011000-1234512345-06'
    expect(pdfTexts(await invoicePdf(paperOf({ buyerReference }), load))).toContain(buyerReference)
  })

  test('what a discount is called stands left of its amount, whichever way it is written', async () => {
    const startsOf = async (reason: string) => {
      const vat = { category: 'S', rate: '19', reason: null } as const
      const paper = paperOf({ lines: [line({})], allowances: [{ amount: '10.00', reason, vat }] })
      return (
        streamsOf(Buffer.from(await invoicePdf(paper, load)))
          .flatMap((stream) => [...stream.matchAll(/1 0 0 1 ([\d.-]+) [\d.-]+ Tm/g)])
          .map(([, x]) => Number(x))
          // Where the column of the totals begins.
          .filter((x) => Math.abs(x - 272.68) < 0.1).length
      )
    }
    expect(await startsOf('Agreed')).toBeGreaterThan(3)
    expect(await startsOf('خصم')).toEqual(await startsOf('Agreed'))
    expect(await startsOf('הנחה')).toEqual(await startsOf('Agreed'))
  })

  test('of 60 VAT rates each stands on the paper, and the total', async () => {
    const lines = Array.from({ length: 60 }, (_, index) =>
      line({ vat: { category: 'S', rate: String(index + 1), reason: null } }),
    )
    const paper = paperOf({ lines })
    const streams = streamsOf(Buffer.from(await invoicePdf(paper, load)))
    // Where each text stands, from the top edge of its page: above it there is none.
    const tops = streams.flatMap((stream) =>
      [...stream.matchAll(/1 0 0 1 [\d.-]+ ([\d.-]+) Tm/g)].map(([, y]) => Number(y)),
    )
    expect(tops.length).toBeGreaterThan(120)
    expect(Math.min(...tops)).toBeGreaterThan(30)
  })
  test('a mark that a font gives no place on its letter does not stop the paper', async () => {
    const name = 'വെബ്സൈറ്റ് ਪੰਜਾਬੀ ការរចនាគេហទំព័រ'
    expect(pages(await invoicePdf(paperOf({ lines: [line({ name })] }), load))).toBe(1)
  })
  test.each(['en', 'de'] as const)(
    'the table’s heads stand over its rows on each page, and nothing is lost between the pages: %s',
    async (language) => {
      const { item, quantity, price, vat, amount, page } = wordsOf(language)
      const heads = [item, quantity, price, vat, amount].join(' ')
      const names = Array.from({ length: 120 }, (_, index) => `Position-${index + 1}.`)
      // One that is longer than a page takes the heads along as well.
      const long = line({ name: 'Survey', description: 'Measured\n'.repeat(200).trim() })
      const lines = [...names.map((name) => line({ name })), long]
      const drawn = pdfPages(await invoicePdf(paperOf({ language, lines }), load)).map((texts) => texts.join(' '))
      expect(drawn.length).toBeGreaterThan(5)
      expect(drawn.join(' ').match(/Position-\d+\./g)).toEqual(names)
      for (const [index, text] of drawn.entries()) {
        expect(text).toContain(page(index + 1, drawn.length))
        const [before, ...rows] = text.split(heads)
        const hasRows = /Position|Measured/.test(text)
        expect(rows, `page ${index + 1}`).toHaveLength(hasRows ? 1 : 0)
        // What is above them on a page that goes on is nothing; on the first it is the letter's head.
        if (hasRows && index > 0) expect(before).toBe('')
        if (hasRows) expect(before).not.toMatch(/Position|Measured/)
      }
    },
  )
  test('the heads do not stand alone at the foot of a page, however long the first row and what is above it', async () => {
    const { item } = wordsOf('en')
    const first = (rows: number) => line({ name: 'Survey', description: 'Measured\n'.repeat(rows).trim() })
    for (const rows of [1, 12, 24, 36])
      for (const words of [10, 40, 80, 120]) {
        const paper = paperOf({ lines: [first(rows)] }, { buyer: { ...buyer, name: 'Municipality '.repeat(words) } })
        const drawn = pdfPages(await invoicePdf(paper, load)).map((texts) => texts.join(' '))
        const headed = drawn.filter((text) => text.includes(`${item} `))
        expect(headed.length).toBeGreaterThan(0)
        for (const text of headed) expect(text, `${rows} rows below ${words} words`).toContain('Measured')
      }
  })
  test('120 lines run over pages; one that is longer than a page as well; Chinese does not take for ever', async () => {
    const many = Array.from({ length: 120 }, (_, index) => line({ name: `Position ${index + 1}` }))
    expect(pages(await invoicePdf(paperOf({ lines: many }), load))).toBeGreaterThan(3)
    const long = line({ name: '网站', description: '北京市朝阳区建国路八十八号。'.repeat(140) })
    const startedAt = performance.now()
    expect(pages(await invoicePdf(paperOf({ lines: [long, line({})] }), load))).toBeGreaterThan(1)
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })
})

interface Font {
  hasGlyphForCodePoint(codePoint: number): boolean
}

describe('fonts', () => {
  test('each file is in its package', () => {
    for (const file of fontFiles) expect(fs.existsSync(resolve(`${packageOf(file)}/files/${file}`))).toBe(true)
  })
  test('an invoice loads what it is written in', () => {
    const slices = (text: string) => [...fontsOf([text])].map((file) => file.replace(/-(400|700)-normal.woff$/, ''))
    expect(new Set(slices('Website €'))).toEqual(new Set(['noto-sans-latin']))
    expect(slices('Πίτα')).toContain('noto-sans-greek')
    expect(slices('شركة')).toContain('noto-sans-arabic-arabic')
    expect(fontFor('店'.codePointAt(0)!, true)).toBe('noto-sans-sc-chinese-simplified-400-normal.woff')
  })
  test.each([
    '한국어 ㄱ',
    'ภาษาไทย กำ',
    '日本語 ひらがな カタカナ 面包',
    'हिन्दी ₹',
    '😊 👍🏽 👨‍🔧 🇩🇪 ⚠️ ✔ ✅ ❌ ⭐ ☎ ✉',
    'ქართული Հայերեն አማርኛ',
    'বাংলা தமிழ் ગુજરાતી ਪੰਜਾਬੀ ଓଡ଼ିଆ తెలుగు ಕನ್ನಡ മലയാളം සිංහල',
    'ລາວ ខ្មែរ',
    '↑ ↓ † ‡ ―',
    '→ ← ↔ ≤ ≥ ≈ ≠ √ ∞ ● ■ ▪ ✓ ★ ½ ² ³ ″ ′ Ω ± ø',
  ])('the font that is chosen has each sign of %s', async (written) => {
    const Pdf = require('pdfkit') as new () => { font(bytes: Buffer): { _font: { font: Font } } }
    const missing: string[] = []
    for (const bold of [false, true])
      for (const character of written.normalize().replaceAll(/[\s\u200d\p{M}]/gu, '')) {
        const codePoint = character.codePointAt(0)!
        const file = Buffer.from(unpackWoff(await load(fontFor(codePoint, bold))))
        if (!new Pdf().font(file)._font.font.hasGlyphForCodePoint(codePoint)) missing.push(character)
      }
    expect(missing).toEqual([])
  })
  test('a slice has each character that is looked for in it, but for rare Chinese', async () => {
    const Pdf = require('pdfkit') as new () => { font(bytes: Buffer): { _font: { font: Font } } }
    const fonts = new Map<string, Font>()
    const lacking: string[] = []
    for (let codePoint = 0x20; codePoint < 0x1f_fff; codePoint += 1) {
      const character = String.fromCodePoint(codePoint)
      if (!/\p{Assigned}/u.test(character) || /[\p{C}\p{M}]/u.test(character)) continue
      if (lackingIn([character]).length > 0 || /\p{Script=Han}/u.test(drawnAs(character))) continue
      for (const drawn of drawnAs(character)) {
        const file = fontFor(drawn.codePointAt(0)!, false)
        if (!fonts.has(file)) fonts.set(file, new Pdf().font(Buffer.from(unpackWoff(await load(file))))._font.font)
        if (!fonts.get(file)!.hasGlyphForCodePoint(drawn.codePointAt(0)!)) lacking.push(character)
      }
    }
    expect(lacking).toEqual([])
  })
  test('what no font has is drawn as its equivalent, or is named', () => {
    const spaces = '\u202f\u2009\u2007\u2002\u205f'
    expect(Array.from(`F${spaces}CFA`, drawnAs).join('')).toBe('F     CFA')
    expect(Array.from('a\u2010b\u2011c\u2012d', drawnAs).join('')).toBe('a-b-c–d')
    expect(Array.from('CO₂ 20 ℃ ①', drawnAs).join('')).toBe('CO2 20 °C 1')
    expect(lackingIn(['F\u202fCFA CO₂ Cafe\u0301 ✗ 👨‍🔧 עברית', 'ქართული'])).toEqual([])
    expect(lackingIn(['ᚠ and ‰ of ‰', 'ᚠ'])).toEqual(['ᚠ', '‰'])
  })
})

test('letters of one shape are found as themselves: ن, ب and ت share a tooth', async () => {
  const words = 'والنور والبناء والتجارة'
  const pdf = await invoicePdf(paperOf({ lines: [line({ description: words })] }), load)
  // Drawn from left to right, which is from the last letter to the first.
  expect(Array.from(pdfTexts(pdf).join('')).toReversed().join('')).toContain(words)
})

test('brackets of a line from right to left are found as they were written, and others are as they were', async () => {
  const words = '(نافذة) «باب» [مطبخ]'
  const pdf = await invoicePdf(
    paperOf({ lines: [line({ description: words }), line({ description: 'Door (oak)' })] }),
    load,
  )
  const drawn = pdfTexts(pdf).join('')
  expect(Array.from(drawn).toReversed().join('')).toContain(words)
  expect(drawn).toContain('Door (oak)')
})

describe('the typesetter', () => {
  /** Each character is a tenth of its size wide; what is drawn is noted from left to right. */
  function drawn(text: string, width = Infinity): string[][] {
    const found: { text: string; x: number }[] = []
    const pdf = {
      font: () => pdf,
      fontSize: () => pdf,
      fillColor: () => pdf,
      widthOfString: (each: string) => each.length * 100,
      text: (each: string, x: number) => void found.push({ text: each, x }),
    }
    const type = createTypesetter(pdf as never)
    const style = { size: 10 }
    return type.breakLines(text, width, style).map((each) => {
      found.length = 0
      type.drawLine(each, { x: 0, width: 100 }, 0, style, 'start')
      return found.toSorted((a, b) => a.x - b.x).map((run) => run.text)
    })
  }
  // The library turns a run of a right-to-left script around itself: it is given in logical order.
  test.each([
    ['Website', [['Website']]],
    ['שלום 12 Web', [['Web', ' ', '12', ' ', 'שלום']]],
    ['שלום 12 עולם', [['עולם', ' ', '12', ' ', 'שלום']]],
    ['Web שלום', [['Web ', 'שלום']]],
    ['שלום (Web)', [['(', 'Web', ') ', 'שלום']]],
    // Arabic digits read from left to right in a font that is turned around: they are given the other way.
    ['عام ٢٠٢٦', [['٦٢٠٢', ' ', 'عام']]],
    ['a\u200eb', [['ab']]],
  ])('%s', (text, runs) => {
    expect(drawn(text)).toEqual(runs)
  })
  test('lines break at spaces, between Chinese characters but not before a closing mark, and inside what is too long', () => {
    expect(drawn('aaaa bbbb cccc', 10).map((each) => each.join(''))).toEqual(['aaaa bbbb', 'cccc'])
    expect(drawn('设计网站，面包店', 4).map((each) => each.join(''))).toEqual(['设计网', '站，面包', '店'])
    expect(drawn('abcdefgh', 3).map((each) => each.join(''))).toEqual(['abc', 'def', 'gh'])
    expect(drawn('ภาษาไทยง่าย', 6).map((each) => each.join(''))).toEqual(['ภาษา', 'ไทย', 'ง่าย'])
    expect(drawn('กำกำ'.repeat(2), 3).every(([run]) => !/^\p{M}/u.test(run!))).toBe(true)
    expect(drawn('a\n\nb').length).toBe(3)
    // Nothing breaks at a space that is made for that; a letter and its accent are one.
    expect(drawn('1\u202f234,50\u00a0€ net', 10).map((each) => each.join(''))).toEqual(['1 234,50\u00a0€', 'net'])
    expect(drawn('Cafe\u0301')).toEqual([['Café']])
  })
  test('what is shaped to break a text grows with the text, not with its lines or its words', () => {
    let shaped = 0
    const pdf = {
      font: () => pdf,
      fontSize: () => pdf,
      widthOfString: (each: string) => {
        shaped += each.length
        return each.length * 100
      },
    }
    const prose = Array.from({ length: 400 }, (_, index) => `word${index} and`).join(' ')
    for (const [text, most] of [
      [prose, 4],
      ['x'.repeat(4000), 40],
    ] as const) {
      shaped = 0
      const set = createTypesetter(pdf as never).breakLines(text, 60, { size: 10 })
      expect(
        set
          .map((each) => each.text)
          .join('')
          .replaceAll(' ', ''),
      ).toBe(text.replaceAll(' ', ''))
      expect(Math.max(...set.map((each) => each.text.length))).toBeLessThanOrEqual(60)
      expect(shaped).toBeLessThan(most * text.length)
    }
  })
})

test('what comes from people cannot break the paper', async () => {
  const name = '\u202e🙂 ไทย \ufffe'
  const pdf = await invoicePdf(
    paperOf({ lines: [line({ name })] }, { buyer: { ...buyer, name: name.repeat(10) } }),
    load,
  )
  expect(pages(pdf)).toBe(1)
})

test.each([
  ['en', 'VAT in EUR at 1 USD = 0.92 EUR (ECB, 21 Nov 2026)', '€146.45'],
  ['de', 'MwSt. in EUR zum Kurs 1 USD = 0,92 EUR (ECB, 21.11.2026)', '146,45 €'],
] as const)('the VAT in the own currency is drawn with its rate, in %s', async (language, label, amount) => {
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ')
  const drawn = async (exchange: Exchange | null) => {
    const pdf = await invoicePdf(paperOf({ language, currency: 'USD', exchange, lines: [line({})] }), load)
    expect(pages(pdf)).toBe(1)
    return plain(pdfTexts(pdf).join(' '))
  }
  const exchange = { from: 'USD', to: 'EUR', rate: '0.92', date: '2026-11-21', source: 'ECB' }
  const text = await drawn(exchange)
  expect(text).toContain(`${label} ${plain(amount)}`)
  expect(await drawn(null)).toBe(text.replace(` ${label} ${plain(amount)}`, ''))
  // As long as it may be it is broken, and the amount still stands beside it.
  const source = 'Österreichische Nationalbank '.repeat(4).slice(0, 100).trim()
  const long = await drawn({ ...exchange, rate: '1234567890.0123456789', source })
  expect(long).toContain(source)
})
