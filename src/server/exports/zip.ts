// The ZIP of an export as it is downloaded: written around the packed pieces while they are read, some at a time, as fast as they are taken.
import type { Scope, Database, Tx } from '#server/db/database.ts'
import type { ExportFiles } from '#server/db/tables.ts'
import { zipFrame } from './zip-format.ts'

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

export async function* zipOf(wanted: Wanted): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const frame = zipFrame(wanted.madeAt)
  for (let after = -1; ;) {
    const files = await inside(wanted, (tx) => nextFiles(tx, wanted, after))
    for (const { name, crc, size, packedSize, pdfOf, content, position } of files) {
      yield frame.begin({
        name,
        crc: Number(crc),
        size: Number(size),
        packedSize: Number(packedSize),
        isPacked: pdfOf === null,
      })
      if (content !== null) yield content
      else yield* piecesOf(wanted, position)
    }
    const last = files.at(-1)
    if (!last) break
    after = last.position
  }
  yield frame.end()
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

/** Of one file, in order. */
async function* piecesOf(wanted: Wanted, file: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
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
        .limit(piecesAtOnce)
        .execute(),
    )
    for (const { content } of pieces) yield content
    if (pieces.length < piecesAtOnce) return
    after = pieces.at(-1)!.position
  }
}
