// Rows of a file on their way in: first judged, then written; the same call does both, so that what was shown is what happens.
import * as z from 'zod'
import { id, money, oneOf } from './common.ts'

/** How many rows go in one call, and so in one transaction. */
export const rowsPerImport = 100

/** `values`: what the file says of it, in the fields of the API; what it does not say stays as it is, or as it is by default. */
const importedRow = z.object({
  /** Its place in the file, to be named by. */
  row: z.int().min(1),
  values: z.record(z.string().max(60), z.unknown()),
})
export type ImportedRow = z.infer<typeof importedRow>

export const rowImport = z
  .object({
    /** False: it is only said what would happen. */
    write: z.boolean(),
    rows: z.array(importedRow).min(1, 'No rows').max(rowsPerImport, `At most ${rowsPerImport} rows`),
  })
  .meta({ id: 'RowImport' })

const outcomes = ['new', 'changed', 'same', 'bad'] as const

const importedOutcome = z.object({
  row: z.int(),
  /** Bad rows are left out; the others are written all or none. */
  outcome: oneOf(outcomes),
  /** Of the row here that it is about; of a new one only once it is written. */
  id: id.nullable(),
  /** What the customer or item that it changes is called until then. */
  was: z.string().nullable(),
  /** What an invoice that comes in comes to. */
  gross: money.nullable(),
  /** Why it is bad: pointers into `values`. */
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })),
})
export type ImportedOutcome = z.infer<typeof importedOutcome>

export const importReport = z.object({ rows: z.array(importedOutcome) }).meta({ id: 'ImportReport' })
export type ImportReport = z.infer<typeof importReport>
