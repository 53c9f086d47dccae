// Sends records in batches: each is one transaction, so that of a batch all is written or nothing, and sent again under the same key it is written once.
import { rowsPerImport, type ImportedOutcome, type ImportReport } from '#shared/contract/import.ts'
import type { EndpointName } from '#shared/endpoints.ts'
import { uuidv7 } from '#shared/ids.ts'
import { call } from '#page/api.ts'
import type { ImportKind } from './fields.ts'
import type { ImportRecord } from './records.ts'

export interface Judged {
  record: ImportRecord
  /** Null: nothing was heard of it. */
  outcome: ImportedOutcome | null
}

const calls: Readonly<Record<ImportKind, EndpointName>> = {
  customers: 'importCustomers',
  items: 'importItems',
  invoices: 'importInvoices',
}

export interface Run {
  judged: Judged[]
  /** Why it ended before its end; null when it did not. */
  stoppedBy: unknown
}

interface Asked {
  kind: ImportKind
  organizationId: string
  records: readonly ImportRecord[]
  write: boolean
  signal: AbortSignal
  onProgress: (done: number) => void
}

export async function sendRecords({ kind, organizationId, records, write, signal, onProgress }: Asked): Promise<Run> {
  const judged: Judged[] = records.map((record) => ({ record, outcome: null }))
  const sent = judged.filter(({ record }) => record.problem === null)
  // A row here that two of the file are about: the second would undo the first.
  const taken = new Map<string, number>()
  for (let from = 0; from < sent.length; from += rowsPerImport) {
    const batch = sent.slice(from, from + rowsPerImport)
    try {
      const report = await sendBatch(kind, organizationId, batch, write, signal)
      for (const [index, each] of batch.entries()) each.outcome = namingWhatIsMissing(each.record, report.rows[index]!)
    } catch (error) {
      return { judged, stoppedBy: error }
    }
    for (const each of batch) {
      const id = each.outcome!.id
      if (write || id === null || kind === 'invoices') continue
      const row = taken.get(id)
      if (row === undefined) taken.set(id, each.record.row)
      else each.record.problem = { kind: 'double', row }
    }
    onProgress(from + batch.length)
  }
  return { judged, stoppedBy: null }
}

/** Whatever is said of a name that the row does not have: that it is missing comes first. */
export function namingWhatIsMissing(
  { values }: Pick<ImportRecord, 'values'>,
  outcome: ImportedOutcome,
): ImportedOutcome {
  if (outcome.errors.length === 0 || values['name'] !== undefined) return outcome
  const errors = outcome.errors.map((each) => (each.pointer === '/name' ? { ...each, detail: 'Enter a name' } : each))
  return { ...outcome, errors }
}

const tries = 3

/** A lost answer is asked for again under the same key: what was written then is not written twice. */
async function sendBatch(
  kind: ImportKind,
  organizationId: string,
  batch: readonly Judged[],
  write: boolean,
  signal: AbortSignal,
): Promise<ImportReport> {
  const rows = batch.map(({ record: { row, values } }) => ({ row, values }))
  const key = uuidv7()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call<ImportReport>(calls[kind], { params: { organizationId }, body: { write, rows }, key, signal })
    } catch (error) {
      const isLost = error instanceof Error && 'code' in error && error.code === 'undeliverable'
      if (!isLost || attempt >= tries || signal.aborted) throw error
    }
  }
}

/** What a second call would write: neither bad nor here already. */
export function toWrite(judged: readonly Judged[]): ImportRecord[] {
  return judged.flatMap(({ record, outcome }) =>
    record.problem === null && (outcome?.outcome === 'new' || outcome?.outcome === 'changed') ? record : [],
  )
}
