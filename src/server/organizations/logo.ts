// An organization's logo: the pictures are kept by their hash and never change, its row says which one is shown now.
import { createHash } from 'node:crypto'
import type { Logo } from '#shared/contract/organizations.ts'
import { mostLogoBytes, mostLogoSide, pictureOf } from '#shared/picture.ts'
import type { Tx } from '#server/db/database.ts'
import { fieldProblem } from '#server/http/problems.ts'
import { isSoundPng } from './sound-png.ts'

/** Keeps a picture and tells what it is; whoever sends what is none, or too large a one, hears it at the field. */
export async function keepLogo(tx: Tx, organizationId: string, base64: string, now: string): Promise<Logo> {
  const content = new Uint8Array(Buffer.from(base64, 'base64'))
  if (content.length > mostLogoBytes) throw fieldProblem('/content', 'This picture is too large: at most 200 kB')
  const picture = pictureOf(content)
  if (!picture) throw fieldProblem('/content', 'This is no PNG or JPEG picture')
  const { mediaType, width, height } = picture
  if (Math.max(width, height) > mostLogoSide)
    throw fieldProblem('/content', `This picture is too large: at most ${mostLogoSide} pixels wide and high`)
  // After its size is known to be small.
  if (mediaType === 'image/png' && !isSoundPng(content))
    throw fieldProblem('/content', 'This picture is damaged: save it once more, or as a JPEG')
  const hash = createHash('sha256').update(content).digest('hex')
  await tx
    .insertInto('logos')
    .values({ organizationId, contentHash: hash, mediaType, content, addedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { hash, mediaType, width, height }
}

/** False when the row's version is no longer `version`. */
export async function showLogo(
  tx: Tx,
  organizationId: string,
  logo: Logo | null,
  { version, revision, now }: { version: number; revision: bigint; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('organizations')
    .set({ logo: logo && JSON.stringify(logo), version: version + 1, revision, updatedAt: now })
    .where('id', '=', organizationId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
