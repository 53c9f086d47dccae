// The fonts of a PDF: Noto Sans in slices by script, so that an invoice loads only what it is written in. Which file holds what is Google's slicing,
// as the packages' `unicode.json` tell it; of signs the first slice that has one. Korean is Nanum Gothic, because Noto's is five times its size.

const slices: Readonly<Record<string, string>> = {
  'noto-sans-latin':
    '0000-00FF 0131 0152-0153 02BB-02BC 02C6 02DA 02DC 0304 0308 0329 2000-206F 20AC 2122 2191 2193 2212 2215 FEFF FFFD',
  'noto-sans-latin-ext':
    '0100-02BA 02BD-02C5 02C7-02CC 02CE-02D7 02DD-02FF 0304 0308 0329 1D00-1DBF 1E00-1E9F 1EF2-1EFF 2020 20A0-20AB 20AD-20C0 2113 2C60-2C7F A720-A7FF',
  'noto-sans-greek': '0370-0377 037A-037F 0384-038A 038C 038E-03A1 03A3-03FF',
  'noto-sans-cyrillic': '0301 0400-045F 0490-0491 04B0-04B1 2116',
  'noto-sans-vietnamese':
    '0102-0103 0110-0111 0128-0129 0168-0169 01A0-01A1 01AF-01B0 0300-0301 0303-0304 0308-0309 0323 0329 1EA0-1EF9 20AB',
  'noto-sans-greek-ext': '1F00-1FFF',
  'noto-sans-cyrillic-ext': '0460-052F 1C80-1C8A 20B4 2DE0-2DFF A640-A69F FE2E-FE2F',
  'noto-sans-devanagari': '0900-097F 1CD0-1CF9 200C-200D 20A8 20B9 20F0 25CC A830-A839 A8E0-A8FF 11B00-11B09',
  'noto-sans-hebrew-hebrew': '0590-05FF 20AA FB1D-FB4F',
  'noto-sans-arabic-arabic': '0600-06FF 0750-077F 0870-088E 0890-0891 0897-08E1 08E3-08FF FB50-FDFF FE70-FEFC',
  'noto-sans-sc-chinese-simplified':
    '2E80-2FDF 3000-30FF 3100-312F 31A0-31EF 3200-4DBF 4E00-9FFF F900-FAFF FE30-FE4F FF00-FFEF',
  'nanum-gothic-korean': '1100-11FF 3130-318F A960-A97F AC00-D7FF',
  'noto-sans-thai-thai': '0E01-0E5B',
  'noto-emoji-emoji':
    '20E3 2139 231A-231B 2328 23CF 23E9-23FA 24C2 2600-2604 260E-2620 2622-263A 2648-265F 2668 267B 267F 2692-26A1 26A7 26B0-26B1 26BD-2712 2714-271D 2721-2728 2733-2734 2744-2764 2795-2797 27A1-27BF 2B05-2B07 2B55 1F000-1FAFF E0020-E007F',
  'noto-sans-math-latin': '2070-2BFF 1D400-1D7FF 1EE00-1EEFF',
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
const sliceOf = new Map<number, string>()

/** The file that has this character. Text that no slice covers stands in the first one's sign for a missing character. */
export function fontFor(codePoint: number, bold: boolean): FontFile {
  let slice = sliceOf.get(codePoint)
  if (slice === undefined) {
    const found = ranges.find((each) => each.ranges.some(([from, to = from]) => codePoint >= from! && codePoint <= to!))
    slice = found?.slice ?? plain
    sliceOf.set(codePoint, slice)
  }
  return `${slice}-${bold && !ofOneWeight.has(slice) ? 700 : 400}-normal.woff`
}

/** Every file there may be, for whoever packs them. */
export const fontFiles: readonly FontFile[] = Object.keys(slices).flatMap((slice) =>
  (ofOneWeight.has(slice) ? [400] : [400, 700]).map((weight) => `${slice}-${weight}-normal.woff`),
)

/** `@fontsource/noto-sans-sc` of `noto-sans-sc-chinese-simplified-400-normal.woff`. */
export function packageOf(file: FontFile): string {
  return `@fontsource/${/^(nanum-gothic|noto-emoji|noto-sans(-hebrew|-arabic|-sc|-thai|-math)?)/.exec(file)![0]}`
}

/** The files that these texts need, in both weights: what stands bold is decided later. */
export function fontsOf(texts: Iterable<string>): Set<FontFile> {
  const files = new Set([fontFor(0x20, false), fontFor(0x20, true)])
  for (const text of texts)
    for (const character of text) {
      const codePoint = character.codePointAt(0)!
      if (codePoint < 0x80) continue
      files.add(fontFor(codePoint, false)).add(fontFor(codePoint, true))
    }
  return files
}
