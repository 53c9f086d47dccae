// What Docket uses of two libraries that come without types, or with types that want Node's.
declare module 'pdfkit' {
  interface TextOptions {
    lineBreak?: boolean
    features?: readonly string[]
    baseline?: 'alphabetic'
    /** Known already: else the library shapes the text once more to measure it. */
    textWidth?: number
  }
  export default class PDFDocument {
    constructor(options: {
      size: [width: number, height: number]
      margin: number
      autoFirstPage: boolean
      bufferPages: boolean
      font: string
      lang: string
      displayTitle: boolean
      pdfVersion: '1.7'
      info: { Title: string; Author: string; Creator: string; Producer: string; CreationDate: Date; ModDate: Date }
    })
    registerFont(name: string, bytes: Uint8Array): this
    font(name: string): this
    fontSize(size: number): this
    fillColor(color: string): this
    widthOfString(text: string, options?: TextOptions): number
    text(text: string, x: number, y: number, options: TextOptions): this
    rect(x: number, y: number, width: number, height: number): this
    fill(color: string): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    lineWidth(width: number): this
    stroke(color: string): this
    save(): this
    restore(): this
    fillOpacity(opacity: number): this
    rotate(angle: number, options: { origin: [number, number] }): this
    openImage(bytes: Uint8Array): { width: number; height: number }
    image(
      opened: { width: number; height: number },
      x: number,
      y: number,
      options: { width: number; height: number },
    ): this
    addPage(): this
    bufferedPageRange(): { start: number; count: number }
    switchToPage(index: number): this
    end(): void
    file(bytes: Uint8Array, options: FileOptions): unknown
    ref(data: Record<string, unknown>): { end(bytes?: Uint8Array): void }
    appendXML(xml: string): void
    /** What has no public name: the catalog, the font that is set, and what writes the metadata. */
    _root: { data: Record<string, unknown> }
    _font: EmbeddedFont
    _addInfo: () => void
  }
  export interface EmbeddedFont {
    font: ShapedFont
    /** Glyphs of the font by their numbers in the file. */
    subset: { glyphs: number[] }
    /** What the glyph of each of these numbers says. */
    unicode: (readonly number[])[]
    widths: number[]
    layout(text: string, features?: readonly string[]): { glyphs: readonly Glyph[]; positions: readonly unknown[] }
    /** Numbers in the file, as four hexadecimal digits. */
    encode(text: string, features?: readonly string[]): [codes: string[], positions: readonly unknown[]]
  }
  export interface Glyph {
    id: number
    codePoints: readonly number[]
  }
  export interface ShapedFont {
    hasGlyphForCodePoint(codePoint: number): boolean
    getGlyph(id: number, codePoints?: readonly number[]): Glyph | null
    _layoutEngine: { engine: { GPOSProcessor: MarkPositions | null } | null }
  }
  interface MarkPositions {
    applyAnchor(mark: { markAnchor: object | null }, anchor: object | null, letter: number): void
  }
  interface FileOptions {
    name: string
    type: string
    relationship: 'Alternative'
    description: string
    creationDate: Date
    modifiedDate: Date
  }
}
declare module 'pdfkit/output' {
  import type PDFDocument from 'pdfkit'
  export function toBytes(document: PDFDocument): Promise<Uint8Array<ArrayBuffer>>
}
declare module 'bidi-js' {
  interface Bidi {
    getEmbeddingLevels(text: string): {
      levels: Uint8Array
      paragraphs: { start: number; end: number; level: number }[]
    }
    getMirroredCharacter(character: string): string | null
  }
  export default function bidiFactory(): Bidi
}
