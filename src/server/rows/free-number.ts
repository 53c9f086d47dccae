// Which number of a series comes next, and which of its places another pattern has used: the counter of a new pattern begins below numbers that are given.
import { sql } from 'kysely'
import { formatNumber } from '#shared/invoice-number.ts'
import type { Tx } from '#server/db/database.ts'
import { quoteSeries } from './organization-row.ts'

/** Most that are looked up at once. */
const lookAhead = 50

interface Numbers {
  organizationId: string
  /** Whose: quotes have numbers of their own. */
  kind: string
  pattern: string
  /** Names the year and month. */
  issueDate: string
}

/** The first place from `sequence` on whose number nobody has. */
export async function firstFree(tx: Tx, of: Numbers, sequence: bigint): Promise<{ sequence: bigint; number: string }> {
  for (let from = sequence; ; from += BigInt(lookAhead)) {
    const places = placesFrom(of, from, lookAhead)
    const used = await usedOf(tx, of, places)
    const free = places.find(({ number }) => !used.has(number.toLowerCase()))
    if (free) return free
  }
}

/** Whether all numbers of these places are given. Ends at the first that are not, however many there are. */
export async function areGiven(tx: Tx, of: Numbers, from: bigint, to: bigint): Promise<boolean> {
  return (await firstFree(tx, of, from)).sequence > to
}

function placesFrom({ pattern, issueDate }: Numbers, from: bigint, count: number) {
  return Array.from({ length: count }, (_, offset) => {
    const sequence = from + BigInt(offset)
    return { sequence, number: formatNumber(pattern, Number(sequence), issueDate) }
  })
}

/** In small letters: `INV-1` and `inv-1` are the same number (shared/invoice-number.ts). */
async function usedOf(tx: Tx, { organizationId, kind }: Numbers, places: readonly { number: string }[]) {
  const numbers = places.map(({ number }) => number.toLowerCase())
  const rows = await tx
    .selectFrom(kind === quoteSeries ? 'quotes' : 'issuedInvoices')
    .select('number')
    .where('organizationId', '=', organizationId)
    .where(sql<string>`lower(number)`, 'in', numbers)
    .execute()
  return new Set(rows.map(({ number }) => number!.toLowerCase()))
}
