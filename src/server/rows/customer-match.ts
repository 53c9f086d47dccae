// Which customers rows of a file are about: for the import of customers, and for that of invoices, which name theirs.
import { sql } from 'kysely'
import type { Customer } from '#shared/contract/customers.ts'
import { isUuid } from '#shared/ids.ts'
import { customerMatchKeys, type MatchKeys } from '#shared/import-match.ts'
import { customerFromRow } from './customer-row.ts'
import type { Tx } from '#server/db/database.ts'

export interface Known<Row> {
  row: Row
  keys: MatchKeys
}

/** Every customer that shares a key with one of these. */
export async function customersLike(
  tx: Tx,
  organizationId: string,
  wanted: readonly MatchKeys[],
): Promise<Known<Customer>[]> {
  const at = (level: number) => [...new Set(wanted.flatMap((keys) => keys[level] ?? []))]
  const ids = at(0).filter(isUuid)
  const [vatNumbers, emails, names] = [at(1), at(2), at(3)]
  const rows = await tx
    .selectFrom('customers')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .where((eb) =>
      eb.or([
        ...(ids.length > 0 ? [eb('id', 'in', ids)] : []),
        ...(vatNumbers.length > 0
          ? [sql<boolean>`upper(regexp_replace(vat_number, '[^[:alnum:]]', '', 'g')) = any (${vatNumbers})`]
          : []),
        ...(emails.length > 0 ? [sql<boolean>`lower(email) = any (${emails})`] : []),
        ...(names.length > 0 ? [eb('nameKey', 'in', names)] : []),
      ]),
    )
    .orderBy('id')
    .execute()
  return rows.map((each) => {
    const row = customerFromRow(each)
    return { row, keys: customerMatchKeys({ ...row }) }
  })
}
