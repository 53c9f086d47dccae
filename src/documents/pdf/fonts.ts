// The fonts of a PDF: Noto Sans in slices by script, so that an invoice loads only what it is written in. Which file holds what is Google's slicing,
// less what a file has no glyph for; a character stands in the first slice that has it. Of Chinese the common 7300 signs are there, which is no range.
// Korean is Nanum Gothic, because Noto's is five times its size. Burmese is not here: the library does not put its signs in their order.

const slices: Readonly<Record<string, string>> = {
  'noto-sans-latin':
    '0020-007E 00A0-00FF 0131 0152-0153 02BB-02BC 02C6 02DA 02DC 0304 0308 0329 200B-200F 2013-2014 2018-201A 201C-201E 2022 2026 202A-202E 2032-2033 2039-203A 2044 2060-206F 20AC 2122 2212 FEFF FFFD',
  'noto-sans-latin-ext':
    '0100-02CC 02CE-02D7 02DD-02FF 1D00-1DBF 1E00-1E9F 1EF2-1EFF 2020 20A0-20C0 2113 2C60-2C7F A720-A7CA A7D0-A7D1 A7D3 A7D5-A7D9 A7F2-A7FF',
  'noto-sans-greek': '0370-03E1 03F0-03FF',
  'noto-sans-cyrillic': '0301 0400-045F 0490-0491 04B0-04B1 2116',
  'noto-sans-vietnamese': '0300 0303 0309 0323 1EA0-1EF1',
  'noto-sans-greek-ext': '1F00-1FFE',
  'noto-sans-cyrillic-ext': '0460-052F 1C80-1C88 2DE0-2DFF A640-A69F FE2E-FE2F',
  'noto-sans-devanagari': '0900-097F 20F0 25CC A8FF',
  'noto-sans-hebrew-hebrew': '0591-05F4 FB1D-FB4F',
  'noto-sans-arabic-arabic':
    '0600-06FF 0750-077F 0870-088E 0890-0891 0898-08E1 08E3-08FF FB50-FBC2 FBD3-FD8F FD92-FDC7 FDCF-FDFF FE70-FEFC',
  'noto-sans-sc-chinese-simplified':
    '3000-3003 3005-301B 301D-301E 3041-312F 3220-3224 32A3 339C-339D 33A1 4E00-9FFF F900-FAFF FE30-FE31 FE34-FE36 FE39 FE3D-FE41 FE43 FE4B-FE4C FE4E-FE4F FF01-FF49 FF4B-FF59 FF5B-FF5E FFE0-FFE1 FFE3 FFE5',
  'nanum-gothic-korean': '3131-3163 3165-318E AC00-D7A3',
  'noto-sans-thai-thai': '0E01-0E5B',
  'noto-sans-georgian-georgian': '10A0-10FF 1C90-1CBF 2D00-2D2D',
  'noto-sans-armenian-armenian': '0531-058F FB13-FB17',
  'noto-sans-bengali-bengali': '0980-09FE',
  'noto-sans-tamil-tamil': '0B82-0BFA',
  'noto-sans-gujarati-gujarati': '0A81-0AFF',
  'noto-sans-gurmukhi-gurmukhi': '0A01-0A76',
  'noto-sans-oriya-oriya': '0B01-0B77',
  'noto-sans-telugu-telugu': '0C00-0C5A 0C5D-0C7F',
  'noto-sans-kannada-kannada': '0C80-0CD6 0CDD-0CF3',
  'noto-sans-malayalam-malayalam': '0D00-0D7F',
  'noto-sans-sinhala-sinhala': '0D81-0DF4',
  'noto-sans-lao-lao': '0E81-0EDF',
  'noto-sans-khmer-khmer': '1780-17F9 19E0-19FF',
  'noto-sans-ethiopic-ethiopic': '1200-1399 2D80-2DDE AB01-AB2E',
  'noto-emoji-emoji':
    '20E3 2139 231A-231B 2328 23CF 23E9-23F3 23F8-23FA 24C2 2600-2604 260E 2611 2614-2615 2618 261D 2620 2622-2623 2626 262A 262E-262F 2638-263A 2648-2653 265F 2668 267B 267F 2692-2697 2699 269B-269C 26A0-26A1 26A7 26B0-26B1 26BD-26BE 26C4-26C5 26C8 26CE-26CF 26D1 26D3-26D4 26E9-26EA 26F0-26F5 26F7-26FA 26FD 2702 2705 2708-270D 270F 2712 2714 2716 271D 2721 2728 2733-2734 2744 2747 274C 274E 2753-2755 2757 2763-2764 2795-2797 27A1 27B0 27BF 2B05-2B07 2B55 1F004 1F0CF 1F170-1F171 1F17E-1F17F 1F18E 1F191-1F19A 1F1E6-1F1FF 1F201-1F202 1F21A 1F22F 1F232-1F23A 1F250-1F251 1F300-1F321 1F324-1F393 1F396-1F397 1F399-1F39B 1F39E-1F3F0 1F3F3-1F3F5 1F3F7-1F4FD 1F4FF-1F53D 1F549-1F54E 1F550-1F567 1F56F-1F570 1F573-1F57A 1F587 1F58A-1F58D 1F590 1F595-1F596 1F5A4-1F5A5 1F5A8 1F5B1-1F5B2 1F5BC 1F5C2-1F5C4 1F5D1-1F5D3 1F5DC-1F5DE 1F5E1 1F5E3 1F5E8 1F5EF 1F5F3 1F5FA-1F64F 1F680-1F6C5 1F6CB-1F6D2 1F6D5-1F6E5 1F6E9 1F6EB-1F6F0 1F6F3-1F6FC 1F7E0-1F7F0 1F90C-1F93A 1F93C-1F945 1F947-1F9FF 1FA70-1FAFA E0020-E007F',
  'noto-sans-math-latin':
    '2015-2017 2021 2025 2034-2038 203C 2040 2043 2047 2050 2057 20D0-20DF 20E1 20E4-20EF 2102 2107 210A-2112 2115 2118-211D 2124 2126-2129 212B-212D 212F-2138 213C-214B 2190-2300 2302 2305-2306 2308-230B 2310-2313 2317 2319-2323 232C 2332 2336-237A 237C 2394-2395 239B-23B9 23CE-23D0 23DC-23E7 2422-2423 2474-2475 2500 2506 250C 2510 2514 2518 2550 2571-2572 2577 2580 2584 2588 258C 2590-2593 25A0-2606 2609 2621 263B-263E 2640 2642 2660-266F 267E-2689 26A5 26AA-26AC 26B2 2713 2720 272A 2736 2739 273D 2772-2773 279B 27C0-27FF 2900-2B04 2B0E-2B4C 2B50-2B54 2BFE 1D400-1D7FF 1EE00-1EEF1 1F780-1F7D8',
}
/** Heavy, or there is no other: what stands bold in them is drawn as the rest. */
const ofOneWeight = new Set(['noto-sans-sc-chinese-simplified', 'noto-emoji-emoji', 'noto-sans-math-latin'])

/** Name of a font's file without its folder: `noto-sans-greek-700-normal.woff`. */
export type FontFile = string
/** Reads or fetches a font; the same bytes on server and device. */
export type LoadFont = (file: FontFile) => Promise<Uint8Array>

const ranges = Object.entries(slices).map(([slice, text]) => ({
  slice,
  ranges: text.split(' ').map((range) => range.split('-').map((end) => Number.parseInt(end, 16))),
}))
const plain = ranges[0]!.slice
const sliceOf = new Map<number, string | null>()

function sliceFor(codePoint: number): string | null {
  let slice = sliceOf.get(codePoint)
  if (slice === undefined) {
    const found = ranges.find((each) => each.ranges.some(([from, to = from]) => codePoint >= from! && codePoint <= to!))
    slice = found?.slice ?? null
    sliceOf.set(codePoint, slice)
  }
  return slice
}

/** The file that has this character. Text that no slice covers stands in the first one's sign for a missing character. */
export function fontFor(codePoint: number, bold: boolean): FontFile {
  const slice = sliceFor(codePoint) ?? plain
  return `${slice}-${bold && !ofOneWeight.has(slice) ? 700 : 400}-normal.woff`
}

/** What looks like a character that no font has, and has no compatibility form. */
const alike: Readonly<Record<string, string>> = {
  '\u2010': '-',
  '\u2012': '–',
  '\u201b': '‘',
  '\u201f': '“',
  '\u2027': '·',
  '☐': '□',
  '✗': '✖',
  '✘': '✖',
}

/** A character as it is drawn: what no font has by its equivalent, such as a narrow space by a space, or `₂` and `㎡` by `2` and `m2`. */
export function drawnAs(character: string): string {
  if (sliceFor(character.codePointAt(0)!) !== null) return character
  if (/[\s\p{Cc}]/u.test(character)) return ' '
  return Array.from(character.normalize('NFKC'), (each) => alike[each] ?? each).join('')
}

/** The characters that no font has, nor what is equal to them: they are drawn as the sign for that. Loose marks are left out without one. */
export function lackingIn(texts: Iterable<string>): string[] {
  const characters = new Set(Array.from(texts, (text) => Array.from(text.normalize())).flat())
  const hasNone = (each: string) => sliceFor(each.codePointAt(0)!) === null
  return [...characters].filter((each) => !/[\p{M}\p{Cf}]/u.test(each) && Array.from(drawnAs(each)).some(hasNone))
}

/** Every file there may be, for whoever packs them. */
export const fontFiles: readonly FontFile[] = Object.keys(slices).flatMap((slice) =>
  (ofOneWeight.has(slice) ? [400] : [400, 700]).map((weight) => `${slice}-${weight}-normal.woff`),
)

/** `@fontsource/noto-sans-sc` of `noto-sans-sc-chinese-simplified-400-normal.woff`. */
export function packageOf(file: FontFile): string {
  return `@fontsource/${/^(nanum-gothic|noto-emoji|noto-sans(-(?!(latin|greek|cyrillic|vietnamese|devanagari))[a-z]+)?)/.exec(file)![0]}`
}

/** The files that these texts need, in both weights: what stands bold is decided later. */
export function fontsOf(texts: Iterable<string>): Set<FontFile> {
  const files = new Set([fontFor(0x20, false), fontFor(0x20, true)])
  for (const text of texts)
    for (const character of Array.from(text.normalize(), drawnAs).join('')) {
      const codePoint = character.codePointAt(0)!
      if (codePoint < 0x80) continue
      files.add(fontFor(codePoint, false)).add(fontFor(codePoint, true))
    }
  return files
}
