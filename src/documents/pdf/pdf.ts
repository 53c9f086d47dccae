// An invoice as a PDF: the same layout for the PDF of record on the server and for what a device makes without a network.
import PDFDocument, { type EmbeddedFont, type ShapedFont } from 'pdfkit'
import { toBytes } from 'pdfkit/output'
import { contentOf, textsOf, type Content, type Paper, type Row } from './content.ts'
import { epcCode } from './epc-code.ts'
import { addFacturX, type FacturX } from './factur-x.ts'
import { fontsOf, type LoadFont } from './fonts.ts'
import { describe } from './metadata.ts'
import { unpackWoff } from './woff.ts'
import { createTypesetter, lineHeight, mirrored, turnedAround, type Line, type Style } from './typesetter.ts'

export type { Paper } from './content.ts'

/** In points, 72 to an inch. */
const sizes = { A4: [595.28, 841.89], letter: [612, 792] } as const
const margin = 48
const gap = 10
const logoBox = { width: 170, height: 56 }

const muted = '#4b5563'
const rule = '#d1d5db'
const body: Style = { size: 9.5 }
const small: Style = { size: 8.5, color: muted }
const strong: Style = { size: 9.5, bold: true }

/** Least widths of the columns right of the description, which keeps this much where their numbers are long. */
const columns = { quantity: 62, price: 76, vat: 66, amount: 78 } as const
type Column = keyof typeof columns
const leastDescription = 150

/** With `facturX` a hybrid invoice: PDF/A-3b with the XML inside. */
export async function invoicePdf(
  paper: Paper,
  loadFont: LoadFont,
  facturX: FacturX | null = null,
): Promise<Uint8Array<ArrayBuffer>> {
  const content = contentOf(paper)
  const [width, height] = sizes[paper.size]
  const date = new Date(`${paper.document.issueDate ?? '2000-01-01'}T00:00:00Z`)
  const pdf = new PDFDocument({
    size: [width, height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    // Without this the library would look for one of the 14 fonts that know nothing but Latin.
    font: '',
    lang: content.language,
    displayTitle: true,
    pdfVersion: '1.7',
    info: {
      Title: content.title,
      Author: content.seller.name,
      Creator: 'Docket',
      Producer: 'Docket',
      CreationDate: date,
      ModDate: date,
    },
  })
  const { scan, draft, void: voided, item, quantity, price, vat, amount, to } = content.words
  const fixedTexts = [scan, draft, voided, item, quantity, price, vat, amount, to]
  await Promise.all(
    [...fontsOf([...textsOf(content), ...fixedTexts])].map(async (file) =>
      pdf.registerFont(file, unpackWoff(await loadFont(file))),
    ),
  )
  describe(pdf, { title: content.title, author: content.seller.name, date })
  const finished = toBytes(pdf)
  draw(pdf, content, width, height, paper.logo ?? null)
  if (facturX) addFacturX(pdf, facturX, date)
  pdf.end()
  return finished
}

function draw(pdf: PDFDocument, content: Content, width: number, height: number, logo: Uint8Array | null): void {
  const fonts = new Map<string, ShapedFont>()
  const fontOf = (name: string): ShapedFont => {
    let font = fonts.get(name)
    if (!font) fonts.set(name, (font = withoutNullAnchors(legible(pdf.font(name)._font).font)))
    return font
  }
  const type = createTypesetter(pdf, (font, codePoint) => fontOf(font).hasGlyphForCodePoint(codePoint))
  const { words } = content
  const inner = width - 2 * margin
  const bottom = height - margin - 18
  let y = 0

  const newPage = () => {
    pdf.addPage()
    y = margin
  }
  /** Makes room for so much; answers whether that took a new page. */
  const room = (needed: number): boolean => {
    if (y + needed <= bottom) return false
    newPage()
    return true
  }
  const lines = (
    set: readonly Line[],
    box: { x: number; width: number },
    top: number,
    style: Style,
    align?: 'left' | 'right',
  ) => {
    set.forEach((line, index) =>
      type.drawLine(line, box, baseline(top, style) + index * style.size * lineHeight, style, align ?? 'start'),
    )
    return top + heightOf(set, style)
  }
  const paragraph = (
    text: string,
    box: { x: number; width: number },
    top: number,
    style: Style,
    align?: 'left' | 'right',
  ) => lines(type.breakLines(text, box.width, style), box, top, style, align)

  newPage()

  // The head: who sends it on the left, what it is on the right.
  const left = { x: margin, width: inner * 0.52 }
  const right = { x: margin + inner * 0.56, width: inner * 0.44 }
  let leftY =
    paragraph(content.seller.name, left, logo ? picture(logo, left, y) : y, { size: 15, bold: true }, 'left') + 2
  for (const line of content.seller.lines) leftY = paragraph(line, left, leftY, body, 'left')
  let rightY = paragraph(content.heading, right, y, { size: 15, bold: true }, 'right') + 2
  for (const [label, value] of content.facts) rightY = pair(label, value, right, rightY)
  y = Math.max(leftY, rightY) + 24

  y = paragraph(words.to, left, y, small)
  y = paragraph(content.buyer.name, left, y, { size: 12, bold: true }, 'left') + 1
  for (const line of content.buyer.lines) y = paragraph(line, left, y, body, 'left')
  y += 24

  /** One that cannot be read is left out: the paper says everything else. */
  function openedImage(bytes: Uint8Array) {
    try {
      return pdf.openImage(bytes)
    } catch {
      return null
    }
  }

  /** As large as its box lets it be; answers where the text below it begins. */
  function picture(bytes: Uint8Array, box: { x: number; width: number }, top: number): number {
    const opened = openedImage(bytes)
    if (opened === null) return top
    const scale = Math.min(logoBox.width / opened.width, logoBox.height / opened.height)
    const size = { width: opened.width * scale, height: opened.height * scale }
    pdf.image(opened, box.x, top, size)
    return top + size.height + 10
  }

  table()
  totals()
  ending()
  marks()

  function pair(label: string, value: string, box: { x: number; width: number }, top: number, style = body): number {
    // Half of it, and as much more as a reference wants that is not to be broken.
    const width = box.width * Math.min(Math.max(type.unbroken(value, style) / box.width, 0.5), 0.75)
    const labels = type.breakLines(label, box.width - width - gap, style)
    const values = type.breakLines(value, width, style)
    lines(labels, { x: box.x, width: box.width - width }, top, style.bold ? style : { ...style, color: muted })
    lines(values, { x: box.x + box.width - width, width }, top, style, 'right')
    return top + Math.max(heightOf(labels, style), heightOf(values, style))
  }

  function table(): void {
    // No number is broken: a column is as wide as its longest, and where all are too wide together, the numbers are set smaller.
    const names = Object.keys(columns) as Column[]
    const longest = names.map((name) => Math.max(...content.rows.map((row) => type.unbroken(row[name], body))))
    const isLong = (name: Column, index: number) => longest[index]! + gap > columns[name]
    const short = names.filter((name, index) => !isLong(name, index))
    const left = short.reduce((rest, name) => rest - columns[name], inner - gap - leastDescription)
    const needed = longest.filter((_, index) => isLong(names[index]!, index)).reduce((sum, each) => sum + each + gap, 0)
    const figures = { ...body, size: body.size * Math.min(1, left / needed) }
    const widths = names.map((name, index) =>
      Math.max(columns[name], (longest[index]! * figures.size) / body.size + gap + 0.1),
    )
    const fixed = widths.reduce((sum, each) => sum + each, 0)
    const description = { x: margin, width: inner - fixed - gap }
    const boxes = {} as Record<Column, { x: number; width: number }>
    let x = margin + inner - fixed
    for (const [index, name] of names.entries()) {
      boxes[name] = { x: x + gap, width: widths[index]! - gap }
      x += widths[index]!
    }
    const head = () => {
      const heads: Style = { ...small, bold: true }
      paragraph(words.item, description, y, heads)
      for (const name of names) paragraph(words[name], boxes[name], y, heads, 'right')
      y += heads.size * lineHeight + 4
      line(y)
      y += 6
    }
    const measured = content.rows.map(measure)
    // Its head is nowhere without a row under it.
    room(small.size * lineHeight + 10 + (measured[0]?.kept ?? 40))
    head()
    for (const row of measured) tableRow(row)

    function measure(row: Row) {
      const text = [
        ...type.breakLines(row.name, description.width, strong).map((each) => ({ line: each, style: strong })),
        ...row.details.flatMap((detail) =>
          type.breakLines(detail, description.width, small).map((each) => ({ line: each, style: small })),
        ),
      ]
      const cells = names.map((name) => ({
        box: boxes[name],
        set: type.breakLines(row[name], boxes[name].width, figures),
      }))
      const cellsHeight = Math.max(...cells.map(({ set }) => heightOf(set, figures)))
      const textHeight = text.reduce((sum, { style }) => sum + style.size * lineHeight, 0)
      // A row stays whole; one that is longer than half a page may run on.
      const kept = Math.min(Math.max(cellsHeight, textHeight), (bottom - margin) / 2) + 8
      return { text, cells, cellsHeight, kept }
    }

    function tableRow({ text, cells, cellsHeight, kept }: ReturnType<typeof measure>): void {
      if (room(kept)) head()
      for (const { box, set } of cells) lines(set, box, y, figures, 'right')
      const top = y
      for (const { line: each, style } of text) {
        if (y + style.size * lineHeight > bottom) {
          newPage()
          head()
        }
        type.drawLine(each, description, baseline(y, style), style, 'start')
        y += style.size * lineHeight
      }
      if (y > top) y = Math.max(y, top + cellsHeight)
      y += 5
      line(y)
      y += 6
    }
  }

  function totals(): void {
    const box = { x: margin + inner * 0.45, width: inner * 0.55 }
    const total: Style = { size: 13, bold: true }
    const height = content.totals.reduce((all, [label, value]) => all + sumOf(label, value, box, body).height, 60)
    // Together if a page can hold them, else as they come; the total is not left alone.
    if (height < bottom - margin) room(height)
    if (content.note !== null) y = paragraph(content.note, { x: margin, width: inner }, y, small, 'right')
    y += 6
    for (const [index, [label, value]] of content.totals.entries()) {
      room(sumOf(label, value, box, body).height + (index === content.totals.length - 1 ? 60 : 0))
      y = sum(label, value, box, y, body)
    }
    y += 4
    line(y, box)
    y = sum(...content.total, box, y + 5, total) + 18
  }

  function sumOf(label: string, value: string, box: { width: number }, style: Style) {
    const [shown] = type.breakLines(value, box.width, style)
    const labels = type.breakLines(label, box.width - type.widthOf(shown!, style) - gap, style)
    return { shown: shown!, labels, height: heightOf(labels, style) + 2 }
  }

  function sum(label: string, value: string, box: { x: number; width: number }, top: number, style: Style): number {
    const { shown, labels, height } = sumOf(label, value, box, style)
    // On the left in any script: on the right stands what it comes to.
    lines(labels, box, top, style.bold ? style : { ...style, color: muted }, 'left')
    type.drawLine(shown, box, baseline(top, style), style, 'right')
    return top + height
  }

  function ending(): void {
    for (const text of content.texts) {
      for (const each of type.breakLines(text, inner, body)) {
        room(body.size * lineHeight)
        y = lines([each], { x: margin, width: inner }, y, body)
      }
      y += 6
    }
    if (content.bank.length === 0) return
    // What was written ends here, and where to pay begins: the code needs white around it too.
    if (content.texts.length > 0) y += 8
    const side = 84
    room(Math.max(content.bank.length * 16, content.transfer ? side + 18 : 0))
    const box = { x: margin, width: inner - (content.transfer ? side + 30 : 0) }
    let bankY = y
    for (const [label, value] of content.bank) {
      const labels = type.breakLines(label, 90, body)
      lines(labels, { x: box.x, width: 90 }, bankY, { ...body, color: muted })
      bankY = paragraph(value, { x: box.x + 96, width: box.width - 96 }, bankY, body, 'left')
    }
    if (content.transfer) {
      const x = margin + inner - side
      code(epcCode(content.transfer), x, y, side)
      const captions = type.breakLines(words.scan, 120, small)
      lines(captions, { x: x - 130, width: 120 }, y + side - heightOf(captions, small), small, 'right')
    }
    y = Math.max(bankY, content.transfer ? y + side : 0)
  }

  function code(modules: readonly boolean[][], x: number, top: number, side: number): void {
    const module = side / modules.length
    for (const [row, cells] of modules.entries())
      for (let from = 0; from < cells.length; from += 1) {
        if (!cells[from]) continue
        let to = from
        while (cells[to + 1]) to += 1
        // A hair over, or seams show between the rows.
        pdf.rect(x + from * module, top + row * module, (to - from + 1) * module, module + 0.05)
        from = to
      }
    pdf.fill('#000000')
  }

  /** On every page, when their number is known: which it is, and that it is a draft, or void. */
  function marks(): void {
    const { count } = pdf.bufferedPageRange()
    for (let page = 0; page < count; page += 1) {
      pdf.switchToPage(page)
      const footer = height - margin
      const box = { x: margin, width: inner }
      if (count > 1) lines(type.breakLines(content.title, inner, small).slice(0, 1), box, footer, small)
      lines(type.breakLines(words.page(page + 1, count), inner, small), box, footer, small, 'right')
      if (content.isDraft) mark(words.draft, '#9ca3af', 0.25)
      else if (content.isVoid) mark(words.void, '#b42318', 0.3)
    }
  }

  function mark(word: string, color: string, opacity: number): void {
    const style: Style = { size: 110, bold: true, color }
    const [set] = type.breakLines(word, Infinity, style)
    const markWidth = type.widthOf(set!, style)
    pdf
      .save()
      .rotate(-45, { origin: [width / 2, height / 2] })
      .fillOpacity(opacity)
    type.drawLine(set!, { x: (width - markWidth) / 2, width: markWidth }, height / 2 + 40, style, 'start')
    pdf.restore()
  }

  function line(at: number, box: { x: number; width: number } = { x: margin, width: inner }): void {
    pdf
      .moveTo(box.x, at)
      .lineTo(box.x + box.width, at)
      .lineWidth(0.6)
      .stroke(rule)
  }
}

function heightOf(set: readonly Line[], { size }: Style): number {
  return set.length * size * lineHeight
}

/**
 * A font need not say where a mark stands on a letter (OpenType, GPOS: an anchor's offset may be NULL): then it stands where it is. The library throws
 * at that, as at a vowel sign of Malayalam or Gurmukhi.
 */
function withoutNullAnchors(font: ShapedFont): ShapedFont {
  const positions = font._layoutEngine.engine?.GPOSProcessor
  if (!positions) return font
  const apply = positions.applyAnchor.bind(positions)
  positions.applyAnchor = (mark, anchor, letter) => {
    if (mark.markAnchor && anchor) apply(mark, anchor, letter)
  }
  return font
}

/**
 * One shape may stand for several letters: ب, ن and ت are one tooth with other dots. The libraries let it say what was written with it first, so that a
 * search finds none of the others: here the shape says what it was asked for, and is in the file once for each. So it is with a bracket that is drawn
 * mirrored, from right to left: who reads the file turns the line around and no bracket, and is told which was written.
 */
function legible(font: EmbeddedFont): EmbeddedFont {
  const { font: shaped, subset, unicode, widths } = font
  const getGlyph = shaped.getGlyph.bind(shaped)
  shaped.getGlyph = (id, codePoints) => {
    const glyph = getGlyph(id, codePoints)
    if (!codePoints || !glyph || isSaid(glyph.codePoints, codePoints)) return glyph
    return Object.create(glyph, { codePoints: { value: codePoints } }) as typeof glyph
  }
  const encode = font.encode.bind(font)
  const others = new Map<string, number>()
  font.encode = (text, features) => {
    const [codes, positions] = encode(text, features)
    // What is not shaped has a shape for each of its letters.
    if (!features) return [codes, positions]
    const turned = features.includes(turnedAround)
    const said = font.layout(text, features).glyphs.map((glyph, index) => {
      const code = codes[index]!
      const first = Number.parseInt(code, 16)
      const letters = turned ? glyph.codePoints.map(asWritten) : glyph.codePoints
      if (isSaid(letters, unicode[first]!)) return code
      const name = [glyph.id, ...letters].join(' ')
      const other = others.get(name) ?? subset.glyphs.push(glyph.id) - 1
      others.set(name, other)
      widths[other] = widths[first]!
      unicode[other] = letters
      return other.toString(16).padStart(4, '0')
    })
    return [said, positions]
  }
  return font
}

function isSaid(codePoints: readonly number[], others: readonly number[]): boolean {
  return codePoints.length === others.length && codePoints.every((each, index) => each === others[index])
}

/** Of a character that was mirrored to be drawn. */
function asWritten(codePoint: number): number {
  return mirrored(String.fromCodePoint(codePoint)).codePointAt(0)!
}

/** Of a line whose top is here. */
function baseline(top: number, { size }: Style): number {
  return top + size * 1.05
}
