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
import { fontFiles, fontFor, fontsOf, packageOf } from '#documents/pdf/fonts.ts'
import { invoicePdf } from '#documents/pdf/pdf.ts'
import { createTypesetter } from '#documents/pdf/typesetter.ts'
import { buyer, documentOf, line, seller } from '#tests/support/issued-documents.ts'

const { resolve } = createRequire(import.meta.url)
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
  test('the code to scan is there for an issued invoice in euros with an IBAN and something to pay, and else not', () => {
    const lines = [line({})]
    const transfer = contentOf(paperOf({ lines })).transfer!
    expect(epcText(transfer)).toBe(
      'BCD\n002\n1\nSCT\nABNANL2A\nAnn Works B.V.\nNL91ABNA0417164300\nEUR917.18\n\n\nINV-1',
    )
    const without = [
      paperOf({ lines, currency: 'SEK' }),
      paperOf({ lines, type: '381' }),
      paperOf({ lines: [line({ quantity: '-1' })] }),
      paperOf({ lines }, { seller: { ...seller, bank: { iban: null, bic: null, holder: null } } }),
      { ...paperOf({ lines }), document: { ...documentOf({ lines }), ...draft } },
    ]
    for (const paper of without) expect(contentOf(paper).transfer).toBeNull()
  })
  test('a credit note says what it corrects, and names no account to pay to', () => {
    const precedingInvoice = { number: 'INV-0', issueDate: '2026-10-01' }
    const content = contentOf(paperOf({ lines: [line({})], type: '381', precedingInvoice }))
    expect(content).toMatchObject({ title: 'Credit note INV-1', texts: ['Corrects invoice INV-0'], bank: [] })
    // As an invoice of the product has it.
    const paper = paperOf({ lines: [line({})], type: '381' })
    const document = { ...paper.document, creditedInvoice: { number: 'INV-0' } }
    expect(contentOf({ ...paper, document }).texts).toEqual(['Corrects invoice INV-0'])
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
    expect(labels).toEqual(expect.arrayContaining(['Number', 'Date', 'Valid until']))
    expect(labels).not.toContain('Due date')
    expect(content.total).toEqual(contentOf(paperOf({ lines: [line({})] })).total)
  })
  test('taken back it is a draft, although it has its number', () => {
    expect(contentOf(quoted({ number: 'Q-0001', issueDate: null }))).toMatchObject({ isDraft: true, title: 'Quote' })
  })
})

describe('the file', () => {
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
  test('all of it stands in the sizes of the layout', async () => {
    const pdf = Buffer.from(await invoicePdf(paperOf({ lines: [line({ name: 'Website, AV and Toner' })] }), load))
    const sizes = streamsOf(pdf).flatMap((stream) => [...stream.matchAll(/\/F\d+ (\S+) Tf/g)].map(([, size]) => size))
    expect(new Set(sizes)).toEqual(new Set(['8.5', '9.5', '12', '13', '15']))
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
    expect(drawn('a\n\nb').length).toBe(3)
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
