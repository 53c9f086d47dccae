// The files of an export, written piece by piece: each piece is packed by itself and ends on a byte, so that another process can go on with the next.
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Tx } from '#server/db/database.ts'

const deflateRaw = promisify<zlib.InputType, zlib.ZlibOptions, Buffer<ArrayBuffer>>(zlib.deflateRaw)

export interface Place {
  tx: Tx
  organizationId: string
  exportId: string
}

/** Begins a file with its first piece. */
export async function beginFile(place: Place, position: number, name: string, head: string): Promise<void> {
  const { tx, organizationId, exportId } = place
  await tx
    .insertInto('exportFiles')
    .values({ organizationId, exportId, position, name, crc: 0n, size: 0n, packedSize: 0n, pdfOf: null, pdfKind: null })
    .execute()
  await addPiece(place, position, head)
}

/** Adds to a file; what is added last ends it. The packing is done by a thread of its own. */
export async function addPiece(place: Place, position: number, text: string, isLast = false): Promise<void> {
  if (text === '' && !isLast) return
  const { tx, organizationId, exportId } = place
  const bytes = Buffer.from(text)
  const content = await deflateRaw(bytes, {
    finishFlush: isLast ? zlib.constants.Z_FINISH : zlib.constants.Z_SYNC_FLUSH,
  })
  const file = tx
    .selectFrom('exportFiles')
    .select(['crc', 'size', 'packedSize'])
    .where('organizationId', '=', organizationId)
    .where('exportId', '=', exportId)
    .where('position', '=', position)
  const { crc, size, packedSize } = await file.executeTakeFirstOrThrow()
  const last = await tx
    .selectFrom('exportPieces')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('organizationId', '=', organizationId)
    .where('exportId', '=', exportId)
    .where('file', '=', position)
    .executeTakeFirstOrThrow()
  // Nothing was there before: its highest position is null.
  const next = ((last.position as number | null) ?? -1) + 1
  await tx
    .insertInto('exportPieces')
    .values({ organizationId, exportId, file: position, position: next, content })
    .execute()
  await tx
    .updateTable('exportFiles')
    .set({
      crc: BigInt(zlib.crc32(bytes, Number(crc))),
      size: size + BigInt(bytes.length),
      packedSize: packedSize + BigInt(content.length),
    })
    .where('organizationId', '=', organizationId)
    .where('exportId', '=', exportId)
    .where('position', '=', position)
    .execute()
}

/** A file whose one piece is all of it. */
export async function addWhole(
  place: Place,
  position: number,
  name: string,
  whole: string | Uint8Array<ArrayBuffer>,
): Promise<void> {
  const { tx, organizationId, exportId } = place
  const bytes = typeof whole === 'string' ? Buffer.from(whole) : whole
  const content = await deflateRaw(bytes, {})
  const measured = { crc: BigInt(zlib.crc32(bytes)), size: BigInt(bytes.length), packedSize: BigInt(content.length) }
  await tx
    .insertInto('exportFiles')
    .values({ organizationId, exportId, position, name, ...measured, pdfOf: null, pdfKind: null })
    .execute()
  await tx
    .insertInto('exportPieces')
    .values({ organizationId, exportId, file: position, position: 0, content })
    .execute()
}

/** A PDF of record, by reference: as a file of the ZIP it is not packed, which it is in itself. */
export async function addPdf(
  place: Place,
  position: number,
  name: string,
  pdfOf: string,
  { content, kind: pdfKind }: { content: Uint8Array; kind: string },
): Promise<void> {
  const { tx, organizationId, exportId } = place
  const size = BigInt(content.byteLength)
  await tx
    .insertInto('exportFiles')
    .values({
      organizationId,
      exportId,
      position,
      name,
      crc: BigInt(zlib.crc32(content)),
      size,
      packedSize: size,
      pdfOf,
      pdfKind,
    })
    .execute()
}

/** The place after the last file. */
export async function nextFile({ tx, organizationId, exportId }: Place): Promise<number> {
  const { position } = await tx
    .selectFrom('exportFiles')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('organizationId', '=', organizationId)
    .where('exportId', '=', exportId)
    .executeTakeFirstOrThrow()
  return ((position as number | null) ?? -1) + 1
}
