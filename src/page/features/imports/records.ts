// From the rows of a file to what is sent: one record for each customer and item; the lines of an invoice, which share its number, are one.
import type { ImportedRow } from '#shared/contract/import.ts'
import { isCurrency } from '#shared/currency.ts'
import { customerMatchKeys, itemMatchKeys, matchesOf, type MatchKeys } from '#shared/import-match.ts'
import { importFields, taxModeOf, type ImportField, type ImportKind, type Mapping } from './fields.ts'
import type { FileRow, FileTable } from './read-file.ts'
import { currenciesBeside, currenciesCalled, learnCurrencies, readCell, unitBeside, type Formats } from './values.ts'

export interface ImportRecord extends ImportedRow {
  /** What a person knows it by. */
  label: string
  /** Rows of an invoice's lines. */
  lineRows: number[]
  /** Why it is not even sent. */
  problem:
    | { kind: 'moreCells' }
    | { kind: 'double'; row: number }
    /** Of an own export: it has no number yet to be known by. */
    | { kind: 'draft' }
    /** Row `at` says of the invoice in this field what its first row does not. */
    | { kind: 'differs'; at: number; field: string }
    /** An amount is written with another currency than the row, or a quantity with another unit. */
    | { kind: 'otherCurrency'; at: number; field: string; written: string; currency: string }
    | { kind: 'otherUnit'; at: number; field: string }
    | null
}

/** An amount's currency, as it is written beside it. */
interface Denoted {
  at: number
  field: string
  written: string
}

type Values = Record<string, unknown>
const rowsAtOnce = 200

/** Made in slices, so that the screen stays awake. */
export async function recordsOf(
  kind: ImportKind,
  table: Pick<FileTable, 'head' | 'rows'>,
  mapping: Mapping,
  formats: Formats,
  ownCurrency: string,
): Promise<ImportRecord[]> {
  const fields = new Map(importFields(kind).map((field) => [field.name, field]))
  const columns = mapping.flatMap((name, column) => {
    const field = name === null ? undefined : fields.get(name)
    return field ? [{ column, field }] : []
  })
  // As documents/tables/columns.ts calls it.
  const idColumn = table.head.indexOf('Invoice ID')
  const saidMode = mapping.includes('taxMode') ? null : taxModeOf(table.head[mapping.indexOf('unitPrice')] ?? '')
  const records = new Map<string, ImportRecord>()
  const like = new Map<string, Like[]>()
  const denoted = new Map<ImportRecord, Denoted[]>()
  await learnCurrencies()
  for (const [index, row] of table.rows.entries()) {
    if (index % rowsAtOnce === 0) await new Promise((resolve) => setTimeout(resolve))
    const values = valuesOf(row, columns, formats)
    if (saidMode && 'unitPrice' in values) values['taxMode'] = saidMode
    const hasMore = row.cells.slice(table.head.length).some((cell) => cell !== '')
    const otherUnit = takeUnits(row, columns, values)
    const record =
      kind === 'invoices'
        ? addLine(records, row, values, hasMore, row.cells[idColumn] ?? '')
        : addRow(kind, records, like, row, values, hasMore)
    if (otherUnit !== null) record.problem ??= { kind: 'otherUnit', at: row.row, field: otherUnit }
    const found = denoted.get(record)
    if (found) found.push(...currenciesIn(row, columns))
    else denoted.set(record, currenciesIn(row, columns))
  }
  // Which currency an invoice is in any of its rows may say.
  for (const [record, found] of denoted) holdCurrencies(kind, record, found, ownCurrency)
  return [...records.values()]
}

type Columns = readonly { column: number; field: ImportField }[]

/** A unit beside a quantity is the line's; the field where it says another than the unit's own column does. */
function takeUnits({ cells }: FileRow, columns: Columns, { line }: Values): string | null {
  for (const { column, field } of columns) {
    const unit = field.cell === 'quantity' ? unitBeside(cells[column] ?? '') : undefined
    if (unit === undefined || !isPart(line)) continue
    line['unit'] ??= unit
    if (line['unit'] !== unit) return field.name
  }
  return null
}

function currenciesIn({ row, cells }: FileRow, columns: Columns): Denoted[] {
  return columns.flatMap(({ column, field }) =>
    field.cell === 'money'
      ? currenciesBeside(cells[column] ?? '').map((written) => ({ at: row, field: field.name, written }))
      : [],
  )
}

/**
 * An amount in another currency than its row is none of this row. Where the row says none it is in the organization's, which is then said: a customer may have
 * another. A sign of several says nothing more than that it may be.
 */
function holdCurrencies(kind: ImportKind, record: ImportRecord, denoted: readonly Denoted[], own: string): void {
  const currency = textOf(record.values['currency']) || own
  // What is no currency is named as that.
  if (!isCurrency(currency)) return
  const other = denoted.find(({ written }) => !currenciesCalled(written)!.has(currency))
  if (other) record.problem ??= { kind: 'otherCurrency', ...other, currency }
  const isCertain = denoted.some(({ written }) => currenciesCalled(written)!.size === 1)
  if (kind === 'invoices' && isCertain) record.values['currency'] ??= currency
}

function valuesOf({ cells }: FileRow, columns: Columns, formats: Formats): Values {
  const values: Values = {}
  for (const { column, field } of columns) {
    const cell = cells[column] ?? ''
    // Empty says nothing: what is there stays.
    if (cell === '') continue
    const path = field.name.split('.')
    const last = path.pop()!
    let part = values
    for (const step of path) part = (part[step] ??= {}) as Values
    part[last] = readCell(cell, field.cell, formats)
  }
  return values
}

/** A row of the file by what it is known by. */
interface Like {
  row: number
  keys: MatchKeys
}

/** `like`: the rows before that are none's double, by each of their keys. */
function addRow(
  kind: 'customers' | 'items',
  records: Map<string, ImportRecord>,
  like: Map<string, Like[]>,
  { row }: FileRow,
  values: Values,
  hasMore: boolean,
): ImportRecord {
  const keys = kind === 'customers' ? customerMatchKeys(values) : itemMatchKeys(values)
  const places = keys.flatMap((key, level) => (key === null ? [] : `${level} ${key}`))
  // Two ids are two rows here, whatever they share.
  const others = places
    .flatMap((place) => like.get(place) ?? [])
    .filter(({ keys: [id] }) => id === keys[0] || id === null || keys[0] === null)
  // As it would be taken once the rows before are here.
  const [double] = matchesOf(keys, [...new Set(others)])
  const record: ImportRecord = {
    row,
    values,
    label: textOf(values['name']),
    lineRows: [],
    problem: hasMore ? { kind: 'moreCells' } : double !== undefined ? { kind: 'double', row: double } : null,
  }
  if (double === undefined) {
    const known = { row, keys }
    for (const place of places) {
      const there = like.get(place)
      if (there) there.push(known)
      else like.set(place, [known])
    }
  }
  records.set(String(row), record)
  return record
}

/** `id`: of the invoice, in an own export. */
function addLine(
  records: Map<string, ImportRecord>,
  { row }: FileRow,
  values: Values,
  hasMore: boolean,
  id: string,
): ImportRecord {
  const { line: written = {}, ...said } = values
  const line = lineOf(written as Values)
  const number = textOf(values['number'])
  const isDraft = number === '' && id !== ''
  const key = isDraft ? `\0draft ${id}` : number || `\0${row}`
  const known = records.get(key)
  if (!known) {
    const record: ImportRecord = {
      row,
      values: { ...said, lines: [line] },
      label: isDraft ? textOf((values['customer'] as Values | undefined)?.['name']) : number,
      lineRows: [row],
      problem: hasMore ? { kind: 'moreCells' } : isDraft ? { kind: 'draft' } : null,
    }
    records.set(key, record)
    return record
  }
  // What the first of its rows does not say a later one may.
  const { lines, ...before } = known.values
  const field = differenceOf(before, said)
  known.values = { ...together(before, said), lines: [...(lines as unknown[]), line] }
  known.lineRows.push(row)
  if (hasMore) known.problem = { kind: 'moreCells' }
  else if (field !== null) known.problem ??= { kind: 'differs', at: row, field }
  return known
}

/** A discount and a charge are amounts here, and lists of them in the API. */
function lineOf({ discount, charge, ...line }: Values): Values {
  const listed = (amount: unknown) => (amount === undefined || /^0*(\.0*)?$/.test(textOf(amount)) ? [] : [{ amount }])
  const [allowances, charges] = [listed(discount), listed(charge)]
  return { ...line, ...(allowances.length > 0 && { allowances }), ...(charges.length > 0 && { charges }) }
}

const isPart = (value: unknown): value is Values => typeof value === 'object' && value !== null

function together(before: Values, said: Values): Values {
  const both: Values = { ...said, ...before }
  for (const [name, value] of Object.entries(before))
    if (isPart(value) && isPart(said[name])) both[name] = together(value, said[name])
  return both
}

/** The first field that both say, and not alike. */
function differenceOf(before: Values, said: Values): string | null {
  for (const [name, value] of Object.entries(said)) {
    const known = before[name]
    if (known === undefined) continue
    const below = isPart(known) && isPart(value) ? differenceOf(known, value) : null
    if (below !== null) return `${name}.${below}`
    if (!isPart(value) && known !== value) return name
  }
  return null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The row and the field that a pointer into a record's values is about. */
export function placeOf(record: ImportRecord, pointer: string): { row: number; field: string } {
  const [head = '', ...rest] = pointer.split('/').slice(1)
  if (head !== 'lines') return { row: record.row, field: [head, ...rest].join('.') }
  const [index = '0', ...path] = rest
  const below = path[0] === 'allowances' ? ['discount'] : path[0] === 'charges' ? ['charge'] : path
  return { row: record.lineRows[Number(index)] ?? record.row, field: ['line', ...below].join('.') }
}
