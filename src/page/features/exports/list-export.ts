// What a list shows, as a file: read page by page by the list's own call, so that it works wherever the list does, without a connection too.
import type { EndpointName } from '#shared/endpoints.ts'
import { csvFiles, jsonFile, type ExportedKind, type ExportedRows, type TableFile } from '#documents/tables/tables.ts'
import { call } from '#page/api.ts'
import { markOf } from '#page/device/saved.ts'

/** `tables`: every table of the kind in a ZIP, where it has several. */
export type ExportFormat = 'csv' | 'tables' | 'json'

export interface ListExport {
  kind: ExportedKind
  organizationId: string
  /** What the list is asked with. */
  query: Readonly<Record<string, string | undefined>>
  /** These, where some were chosen of the list; invoices only. */
  chosen?: readonly { id: string }[]
}

interface Asked extends ListExport {
  format: ExportFormat
  signal: AbortSignal
  onProgress: (rows: number) => void
}

const listCalls: Readonly<Record<ExportedKind, EndpointName>> = {
  customers: 'listCustomers',
  items: 'listItems',
  invoices: 'listInvoices',
  payments: 'listPayments',
}
const pageRows = 100
const callsAtOnce = 8

export async function exportList(asked: Asked): Promise<{ name: string; file: Blob }> {
  const { kind, format } = asked
  const files = (
    format === 'json' ? [jsonFile[kind]] : format === 'csv' ? csvFiles[kind].slice(0, 1) : csvFiles[kind]
  ) as readonly TableFile<unknown>[]
  const parts = files.map(({ head }) => [head])
  let done = 0
  for await (const rows of pagesOf(asked)) {
    for (const [index, file] of files.entries()) parts[index]!.push(file.piece(rows, done === 0))
    done += rows.length
    asked.onProgress(done)
  }
  for (const [index, { end }] of files.entries()) parts[index]!.push(end)
  if (files.length > 1) return { name: `${kind}.zip`, file: await zipped(files, parts) }
  const type = format === 'json' ? 'application/json' : 'text/csv'
  return { name: files[0]!.name, file: new Blob(parts[0], { type }) }
}

async function* pagesOf({ kind, organizationId, query, chosen, signal }: Asked): AsyncGenerator<unknown[]> {
  if (chosen) {
    for (let from = 0; from < chosen.length; from += pageRows)
      yield await wholeInvoices(organizationId, chosen.slice(from, from + pageRows), signal)
    return
  }
  let cursor: string | undefined
  do {
    const { data, page } = await call<{ data: { id: string }[]; page: { nextCursor: string | null } }>(
      listCalls[kind],
      {
        params: { organizationId },
        query: { ...query, limit: pageRows, cursor },
        signal,
      },
    )
    // A payment that waits on this device pays nothing yet, and the file could not say so.
    const rows = kind === 'payments' ? data.filter((row) => markOf(row) === null) : data
    if (rows.length > 0) yield kind === 'invoices' ? await wholeInvoices(organizationId, rows, signal) : rows
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}

/** A list has no lines: each is asked for, some at once. */
async function wholeInvoices(
  organizationId: string,
  rows: readonly { id: string }[],
  signal: AbortSignal,
): Promise<ExportedRows['invoices'][]> {
  const whole: ExportedRows['invoices'][] = []
  for (let from = 0; from < rows.length; from += callsAtOnce) {
    const some = rows.slice(from, from + callsAtOnce)
    whole.push(
      ...(await Promise.all(
        some.map(({ id }) =>
          call<ExportedRows['invoices']>('getInvoice', { params: { organizationId, invoiceId: id }, signal }),
        ),
      )),
    )
  }
  return whole
}

/** Packed piece by piece, with a turn for the screen between two. */
async function zipped(files: readonly { name: string }[], parts: readonly string[][]): Promise<Blob> {
  const { Zip, ZipDeflate } = await import('fflate')
  const made: Uint8Array<ArrayBuffer>[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    made.push(bytes as Uint8Array<ArrayBuffer>)
  })
  const encoder = new TextEncoder()
  for (const [index, { name }] of files.entries()) {
    const entry = new ZipDeflate(name)
    zip.add(entry)
    for (const part of parts[index]!) {
      entry.push(encoder.encode(part))
      await new Promise((resolve) => setTimeout(resolve))
    }
    entry.push(new Uint8Array(), true)
  }
  zip.end()
  return new Blob(made, { type: 'application/zip' })
}
