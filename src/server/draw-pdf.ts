// Draws documents with the fonts that are installed here, on the paper that an organization has chosen.
import fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import { packageOf, type FontFile } from '#documents/pdf/fonts.ts'
import { invoicePdf, type Paper } from '#documents/pdf/pdf.ts'
import type { Tx } from './db/database.ts'

export type { Paper } from '#documents/pdf/pdf.ts'

const { resolve } = createRequire(import.meta.url)
const fonts = new Map<FontFile, Promise<Uint8Array>>()

export function drawPdf(paper: Paper): Promise<Uint8Array<ArrayBuffer>> {
  return invoicePdf(paper, readFont)
}

export async function paperOf(tx: Tx, organizationId: string): Promise<Paper['size']> {
  const { paperSize } = await tx
    .selectFrom('organizations')
    .select('paperSize')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return paperSize === 'letter' ? 'letter' : 'A4'
}

function readFont(file: FontFile): Promise<Uint8Array> {
  let bytes = fonts.get(file)
  if (!bytes) fonts.set(file, (bytes = fs.readFile(resolve(`${packageOf(file)}/files/${file}`))))
  return bytes
}
