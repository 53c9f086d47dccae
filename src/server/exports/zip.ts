// The ZIP of an export as it is downloaded: written around the packed pieces while they are read, some at a time, as fast as they are taken.
import { Zip, type ZipInputFile } from 'fflate'
import type { Scope, Database, Tx } from '#server/db/database.ts'
import type { ExportFiles } from '#server/db/tables.ts'

interface Wanted {
  db: Database
  scope: Scope
  organizationId: string
  exportId: string
  /** Stands at the files in the ZIP. */
  madeAt: string
  /** Throws when whoever downloads may no longer do so; looked at with each reading. */
  confirm: (tx: Tx) => Promise<void>
}

const filesAtOnce = 20
const piecesAtOnce = 8
const packed = 8
const stored = 0

export async function* zipOf(wanted: Wanted): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let made: Uint8Array<ArrayBuffer>[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    made.push(bytes as Uint8Array<ArrayBuffer>)
  })
  for (let after = -1; ;) {
    const files = await inside(wanted, (tx) => nextFiles(tx, wanted, after))
    for (const file of files) {
      const entry: ZipInputFile = {
        filename: file.name,
        crc: Number(file.crc),
        size: Number(file.size),
        compression: file.pdfOf === null ? packed : stored,
        mtime: wanted.madeAt,
      }
      zip.add(entry)
      if (file.content !== null) entry.ondata!(null, file.content, true)
      else {
        for await (const { content, isLast } of piecesOf(wanted, file.position)) {
          entry.ondata!(null, content, isLast)
          yield* made
          made = []
        }
      }
      yield* made
      made = []
    }
    const last = files.at(-1)
    if (!last) break
    after = last.position
  }
  zip.end()
  yield* made
}

function inside<T>({ db, scope, confirm }: Wanted, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.asApp(scope, async (tx) => {
    await confirm(tx)
    return work(tx)
  })
}

/** The next files, a PDF of record with its content. */
async function nextFiles(
  tx: Tx,
  { organizationId, exportId }: Wanted,
  after: number,
): Promise<(ExportFiles & { content: Uint8Array<ArrayBuffer> | null })[]> {
  return tx
    .selectFrom('exportFiles')
    .leftJoin('invoiceFiles', (join) =>
      join
        .onRef('invoiceFiles.organizationId', '=', 'exportFiles.organizationId')
        .onRef('invoiceFiles.invoiceId', '=', 'exportFiles.pdfOf')
        .onRef('invoiceFiles.kind', '=', 'exportFiles.pdfKind'),
    )
    .selectAll('exportFiles')
    .select('invoiceFiles.content')
    .where('exportFiles.organizationId', '=', organizationId)
    .where('exportId', '=', exportId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(filesAtOnce)
    .execute()
}

interface Piece {
  content: Uint8Array<ArrayBuffer>
  isLast: boolean
}

/** Of one file, in order; the last one says so. */
async function* piecesOf(wanted: Wanted, file: number): AsyncGenerator<Piece> {
  const { organizationId, exportId } = wanted
  for (let after = -1; ;) {
    const pieces = await inside(wanted, (tx) =>
      tx
        .selectFrom('exportPieces')
        .select(['position', 'content'])
        .where('organizationId', '=', organizationId)
        .where('exportId', '=', exportId)
        .where('file', '=', file)
        .where('position', '>', after)
        .orderBy('position')
        // One more tells whether there is a next one.
        .limit(piecesAtOnce + 1)
        .execute(),
    )
    const shown = pieces.slice(0, piecesAtOnce)
    for (const [index, { content }] of shown.entries()) yield { content, isLast: index === pieces.length - 1 }
    if (pieces.length <= piecesAtOnce) return
    after = shown.at(-1)!.position
  }
}
