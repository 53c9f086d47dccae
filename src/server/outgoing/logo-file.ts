import type { Logo } from '#shared/contract/organizations.ts'
import type { Tx } from '#server/db/database.ts'

export interface LogoFile {
  content: Uint8Array<ArrayBuffer>
  mediaType: string
}

/** The picture of this hash; undefined when the organization never had it. */
export async function findLogo(tx: Tx, organizationId: string, hash: string): Promise<LogoFile | undefined> {
  return tx
    .selectFrom('logos')
    .select(['content', 'mediaType'])
    .where('organizationId', '=', organizationId)
    .where('contentHash', '=', hash)
    .executeTakeFirst()
}

/** The bytes for a paper: of the logo that the seller was frozen with, or has now. */
export async function logoOf(
  tx: Tx,
  organizationId: string,
  seller: { logo?: Logo | null | undefined },
): Promise<LogoFile | null> {
  return seller.logo ? ((await findLogo(tx, organizationId, seller.logo.hash)) ?? null) : null
}
