// Invoice numbers: gap-free and never twice, whatever runs at the same time or is rolled back (DOMAIN.md "Numbers").
import { numberPeriod, type NumberReset } from '#shared/invoice-number.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Tx } from '#server/db/database.ts'
import { firstFree } from '#server/rows/free-number.ts'
import { invoiceSeries, laterSeries } from '#server/rows/organization-row.ts'

export interface TakenNumber {
  number: string
  /** By which the number was written: a series may have another one tomorrow. */
  pattern: string
  seriesId: string
  period: string
  sequence: bigint
}

type Series = typeof invoiceSeries | keyof typeof laterSeries

/**
 * Takes the next number. The counter's row stays locked until the commit, so the next one waits; a rollback gives the number back.
 * Numbers that an earlier pattern has used already (its counter was another one) are passed over.
 */
export async function takeNumber(
  tx: Tx,
  organizationId: string,
  kind: Series,
  issueDate: string,
): Promise<TakenNumber> {
  const series = await seriesOf(tx, organizationId, kind)
  const period = numberPeriod(series.reset as NumberReset, issueDate)
  const counter = { organizationId, seriesId: series.id, period }
  const { lastSequence } = await tx
    .insertInto('numberCounters')
    .values({ ...counter, lastSequence: 1n })
    .onConflict((conflict) =>
      conflict
        .columns(['organizationId', 'seriesId', 'period'])
        .doUpdateSet((eb) => ({ lastSequence: eb('numberCounters.lastSequence', '+', 1n) })),
    )
    .returning('lastSequence')
    .executeTakeFirstOrThrow()

  const { pattern } = series
  const { sequence, number } = await firstFree(tx, { organizationId, kind, pattern, issueDate }, lastSequence)
  if (sequence !== lastSequence) {
    await tx
      .updateTable('numberCounters')
      .set({ lastSequence: sequence })
      .where((eb) => eb.and(counter))
      .execute()
  }
  return { number, pattern, seriesId: series.id, period, sequence }
}

/** The series of credit notes is there from the first of them on, and so is that of quotes. */
async function seriesOf(tx: Tx, organizationId: string, kind: Series) {
  const find = tx
    .selectFrom('numberSeries')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('kind', '=', kind)
  if (kind === invoiceSeries) return find.executeTakeFirstOrThrow()
  const found = await find.executeTakeFirst()
  if (found) return found
  // Of two first ones at once the second waits here and then finds what the first has made.
  await tx
    .insertInto('numberSeries')
    .values({
      organizationId,
      id: uuidv7(),
      kind,
      ...laterSeries[kind],
    })
    .onConflict((conflict) => conflict.columns(['organizationId', 'kind']).doNothing())
    .execute()
  return find.executeTakeFirstOrThrow()
}
