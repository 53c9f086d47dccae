// What a reader of the PDF file itself finds in it: the text as it is drawn, its glyphs read back through each font's ToUnicode map.
import { unzlibSync } from 'fflate'

/** The pieces of text in the order they are drawn; a line that changes its font stands in several. */
export const pdfTexts = (pdf: Uint8Array): string[] => pdfPages(pdf).flat()

/** The same, page by page. */
export function pdfPages(pdf: Uint8Array): string[][] {
  const file = Buffer.from(pdf)
  const objects = objectsOf(file.toString('latin1'))
  const stream = (id: string) => streamOf(file, objects.get(id)!)
  const fonts = new Map<string, Map<string, string>>()
  for (const { text } of objects.values())
    for (const [, entries] of text.matchAll(/\/Font <<([^>]*)>>/g))
      for (const [, name, id] of entries!.matchAll(/\/(\w+) (\d+) 0 R/g)) {
        const [, map] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id!)!.text)!
        fonts.set(name!, lettersOf(stream(map!)))
      }
  const pages = [...objects.values()].flatMap(
    ({ text }) => /\/Type \/Page\b[^]*?\/Contents (\d+) 0 R/.exec(text)?.[1] ?? [],
  )
  return pages.map((id) => shownIn(stream(id), fonts))
}

interface PdfObject {
  text: string
  /** Where it begins in the file. */
  at: number
}

function objectsOf(text: string): Map<string, PdfObject> {
  const found = text.matchAll(/^(\d+) 0 obj\n([^]*?)\n(?:endobj|stream\n)/gm)
  return new Map([...found].map((each) => [each[1]!, { text: each[2]!, at: each.index + each[0].length }]))
}

function streamOf(file: Buffer, { text, at }: PdfObject): string {
  const [, length] = /\/Length (\d+)/.exec(text)!
  return Buffer.from(unzlibSync(file.subarray(at, at + Number(length)))).toString('latin1')
}

/** Glyph to text, of a map that counts its glyphs from 0. */
function lettersOf(map: string): Map<string, string> {
  const letters = new Map<string, string>()
  for (const [, from, , list] of map.matchAll(/<([0-9a-f]{4})> <([0-9a-f]{4})> \[([^\]]*)\]/g))
    [...list!.matchAll(/<([0-9a-f ]*)>/g)].forEach(([, units], index) => {
      const glyph = (Number.parseInt(from!, 16) + index).toString(16).padStart(4, '0')
      letters.set(glyph, Buffer.from(units!.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'))
    })
  return letters
}

function shownIn(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  let letters: ReadonlyMap<string, string> = new Map()
  const shown: string[] = []
  for (const [, font, run] of content.matchAll(/\/(\w+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (font !== undefined) letters = fonts.get(font)!
    else {
      const glyphs = [...run!.matchAll(/<([0-9a-f]*)>/g)].flatMap(([, codes]) => codes!.match(/.{4}/g) ?? [])
      shown.push(glyphs.map((glyph) => letters.get(glyph) ?? '\uFFFD').join(''))
    }
  }
  return shown
}
