// A file of rows as text cells: which characters, which delimiter, and what is wrong with it as a whole. Read in slices, so that the screen stays awake.
import { csvRows, unmarked } from '#documents/tables/csv.ts'

export type Encoding = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be'
/** Those that are guessed, and so can be changed. */
export const guessedEncodings: readonly Encoding[] = ['utf-8', 'windows-1252']
/** Those of a spreadsheet's "Unicode text": the mark that it begins with leaves no doubt. */
const marks = [
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
] as const
export const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

export interface FileRow {
  /** As a spreadsheet counts: the head is 1. */
  row: number
  cells: string[]
}

export interface FileTable {
  head: string[]
  rows: FileRow[]
  encoding: Encoding
  delimiter: Delimiter
}

export type FileProblem =
  | { problem: 'tooLarge' | 'empty' | 'noRows' | 'binary' | 'tooManyRows' }
  /** A quote that never ends, or ends in the middle: from this row on nothing can be trusted. */
  | { problem: 'quotes'; row: number }

export const largestBytes = 10 * 1024 * 1024
export const mostRows = 20_000
const sliceCharacters = 64 * 1024

interface Chosen {
  encoding?: Encoding | undefined
  delimiter?: Delimiter | undefined
}

/** What is not chosen is guessed. */
export async function readTable(file: Blob, chosen: Chosen = {}): Promise<FileTable | FileProblem> {
  if (file.size > largestBytes) return { problem: 'tooLarge' }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const { text, encoding } = decode(bytes, chosen.encoding)
  // A NUL stands in no text: a spreadsheet's own format, a picture, or UTF-16 without its mark.
  if (text.includes('\0')) return { problem: 'binary' }
  if (text.trim() === '') return { problem: 'empty' }
  const parsed = await parse(text, chosen.delimiter)
  if ('problem' in parsed) return parsed
  const [head, ...rows] = parsed.rows
  if (!head) return { problem: 'empty' }
  if (rows.length === 0) return { problem: 'noRows' }
  if (rows.length > mostRows) return { problem: 'tooManyRows' }
  return { head: head.cells, rows, encoding, delimiter: parsed.delimiter }
}

/** What is no UTF-8 was written by an older spreadsheet: every byte means something in Windows-1252. */
function decode(bytes: Uint8Array, chosen: Encoding | undefined): { text: string; encoding: Encoding } {
  const marked = marks.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))
  const known = marked?.encoding ?? chosen
  if (known) return { text: new TextDecoder(known).decode(bytes), encoding: known }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
  }
}

/** The rows that hold something, the head first. */
async function parse(
  text: string,
  chosen: Delimiter | undefined,
): Promise<{ rows: FileRow[]; delimiter: Delimiter } | FileProblem> {
  const whole = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  // Excel's own first line, which names what parts the cells and is no row of them.
  const named = /^\uFEFF?sep=(.)\n/i.exec(whole)
  const lines = whole.slice(named?.[0].length ?? 0)
  const delimiter = chosen ?? delimiters.find((each) => each === named?.[1]) ?? guessDelimiter(lines)
  const rows: FileRow[] = []
  let row = named ? 1 : 0
  let rest = ''
  for (let from = 0; from < lines.length; from += sliceCharacters) {
    // Between two slices the screen has its turn.
    await new Promise((resolve) => setTimeout(resolve))
    const isLast = from + sliceCharacters >= lines.length
    const slice = rest + lines.slice(from, from + sliceCharacters)
    // The library's own streaming drops rows when it is paused between two slices: this is the part of it that leaves a row that was cut.
    const { data, errors, meta } = csvRows(slice, { delimiter, isPart: !isLast })
    const wrong = errors.find(({ type }) => type === 'Quotes')
    if (wrong) return { problem: 'quotes', row: row + (wrong.row ?? 0) + 1 }
    for (const cells of data) {
      row += 1
      const shown = cells.map((cell) => unmarked(cell.trim()))
      if (shown.some((cell) => cell !== '')) rows.push({ row, cells: shown })
    }
    rest = slice.slice(meta.cursor)
  }
  return { rows, delimiter }
}

/** By the head: the one that parts it into most columns. */
function guessDelimiter(text: string): Delimiter {
  const columns = (delimiter: Delimiter) => csvRows(text.trimStart(), { delimiter, most: 1 }).data[0]?.length ?? 0
  return delimiters.reduce((best, each) => (columns(each) > columns(best) ? each : best))
}
