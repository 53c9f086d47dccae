// What each column of a file is, and how it writes what is written in more than one way: guessed, and to be changed.
import { importText } from '#page/words/import-words.ts'
import { SelectField } from '#page/ui/field.tsx'
import { Notice, Section } from '#page/ui/screen.tsx'
import { importFields, vatLeftOut, type ImportKind, type Mapping } from './fields.ts'
import { delimiters, guessedEncodings, type Delimiter, type Encoding, type FileTable } from './read-file.ts'
import { dateOrders, type Formats } from './values.ts'

const t = importText
const samplesShown = 2

interface Props {
  kind: ImportKind
  table: FileTable
  mapping: Mapping
  formats: Formats
  isBusy: boolean
  onReread: (chosen: { encoding: Encoding; delimiter: Delimiter }) => void
  onChange: (mapping: Mapping, formats: Formats) => void
}

export function Columns({ kind, table, mapping, formats, isBusy, onReread, onChange }: Props) {
  const { encoding, delimiter, head } = table
  const hasDates = importFields(kind).some(({ cell }) => cell === 'date')
  const fields = importFields(kind).map(({ name, word }) => ({ value: name, label: t.fields[word] ?? word }))
  const choices = [{ value: '', label: t.leaveOut }, ...fields]
  /** A field is filled by one column: what another had it for is left out there. */
  const choose = (column: number, name: string) =>
    onChange(
      mapping.map((known, index) => (index === column ? name || null : known === name ? null : known)),
      formats,
    )
  const leftOut = vatLeftOut(kind, head, mapping)
  return (
    <Section title={t.columns}>
      <p className="text-muted">{t.columnsLead}</p>
      {leftOut !== null && <Notice tone="warn">{t.vatLeftOut(leftOut)}</Notice>}
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <SelectField
          label={t.encoding}
          name="encoding"
          value={encoding}
          disabled={isBusy}
          onChange={({ currentTarget }) => onReread({ delimiter, encoding: currentTarget.value as Encoding })}
          choices={(guessedEncodings.includes(encoding) ? guessedEncodings : [encoding]).map((value) => ({
            value,
            label: t.encodings[value],
          }))}
        />
        <SelectField
          label={t.delimiter}
          name="delimiter"
          value={delimiter}
          disabled={isBusy}
          onChange={({ currentTarget }) => onReread({ encoding, delimiter: currentTarget.value as Delimiter })}
          choices={delimiters.map((value) => ({ value, label: t.delimiters[value] }))}
        />
        {kind !== 'customers' && (
          <SelectField
            label={t.decimalMark}
            name="decimalMark"
            value={formats.decimalMark}
            disabled={isBusy}
            onChange={({ currentTarget }) =>
              onChange(mapping, { ...formats, decimalMark: currentTarget.value as Formats['decimalMark'] })
            }
            choices={(['.', ','] as const).map((value) => ({ value, label: t.decimalMarks[value] }))}
          />
        )}
        {hasDates && (
          <SelectField
            label={t.dateOrder}
            name="dateOrder"
            value={formats.dateOrder}
            disabled={isBusy}
            onChange={({ currentTarget }) =>
              onChange(mapping, { ...formats, dateOrder: currentTarget.value as Formats['dateOrder'] })
            }
            choices={dateOrders.map((value) => ({ value, label: t.dateOrders[value] }))}
          />
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {head.map((name, column) => (
          <SelectField
            key={column}
            label={name || t.column(column + 1)}
            name={`columns.${column}`}
            hint={samplesOf(table, column)}
            value={mapping[column] ?? ''}
            disabled={isBusy}
            onChange={({ currentTarget }) => choose(column, currentTarget.value)}
            choices={choices}
          />
        ))}
      </div>
    </Section>
  )
}

function samplesOf({ rows }: FileTable, column: number): string {
  const cells: string[] = []
  for (const row of rows.slice(0, 200)) {
    const cell = row.cells[column]
    if (cell && !cells.includes(cell)) cells.push(cell.length > 40 ? `${cell.slice(0, 40)}…` : cell)
    if (cells.length === samplesShown) break
  }
  return cells.length > 0 ? t.sample(cells.join(' · ')) : t.emptyColumn
}
