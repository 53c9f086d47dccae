// Tables as CSV (RFC 4180): UTF-8 with a mark that says so, because spreadsheets guess otherwise; numbers as plain decimal text, dates as ISO 8601.
import papa from 'papaparse'

export interface Column<Row> {
  name: string
  value: (row: Row) => string | number | boolean | null | undefined
}

/**
 * What a spreadsheet would take for a formula gets an apostrophe before it; a plain number, a negative one too, stays one. The full-width signs
 * stand for the others in spreadsheets of East Asia.
 */
const formula = /^(?!-?\d+(\.\d+)?$)[=+\-@\t\r\n＝＋－＠]/

/** As the library reads them: rows of cells, what is wrong with them (a row of its `data`, from 0), and where the last whole row ends in the text. */
export interface CsvRows {
  data: string[][]
  errors: { type: string; row?: number }[]
  meta: { cursor: number }
}

/** Lines end with a line feed. `isPart`: the text is cut somewhere, so the last row may be half of one and is left out. */
export function csvRows(
  text: string,
  { delimiter, isPart = false, most = 0 }: { delimiter: string; isPart?: boolean; most?: number },
): CsvRows {
  return new papa.Parser({ delimiter, newline: '\n', preview: most }).parse(text, 0, isPart)
}

/** The first line, with the byte order mark before it. */
export function csvHead<Row>(columns: readonly Column<Row>[]): string {
  return `\u{feff}${linesOf([columns.map(({ name }) => name)])}`
}

/** A line for each row; nothing for none. */
export function csvLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return rows.length === 0 ? '' : linesOf(rows.map((row) => columns.map(({ value }) => value(row) ?? '')))
}

/** A cell as it was before {@link csvLines} marked it as no formula. */
export function unmarked(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
}

function linesOf(cells: unknown[][]): string {
  return `${papa.unparse(cells, { newline: '\r\n', escapeFormulae: formula })}\r\n`
}
