import type { Organization } from '#shared/contract/organizations.ts'
import type { Tx } from '#server/db/database.ts'
import { logoOf } from './logo-file.ts'

export interface Paper {
  size: Organization['paperSize']
  logo: Uint8Array<ArrayBuffer> | null
}

/** What an organization's documents are drawn on: the size it chose, with the logo that the seller was frozen with or has now. */
export async function paperOf(tx: Tx, organizationId: string, seller: Parameters<typeof logoOf>[2]): Promise<Paper> {
  const { paperSize } = await tx
    .selectFrom('organizations')
    .select('paperSize')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const logo = await logoOf(tx, organizationId, seller)
  return { size: paperSize === 'letter' ? 'letter' : 'A4', logo: logo?.content ?? null }
}
