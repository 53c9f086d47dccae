// Invoice numbers: gap-free and never twice, whatever runs at the same time or is rolled back (DOMAIN.md "Numbers").
import { formatNumber, numberPeriod, type NumberReset } from '#shared/invoice-number.ts'
import type { Tx } from '#server/db/database.ts'
import { invoiceSeries } from '#server/organization-row.ts'

export interface TakenNumber {
  number: string
  seriesId: string
  period: string
  sequence: bigint
}

const lookAhead = 50

/**
 * Takes the next number. The counter's row stays locked until the commit, so the next one waits; a rollback gives the number back.
 * Numbers that an earlier pattern has used already (its counter was another one) are passed over.
 */
export async function takeNumber(tx: Tx, organizationId: string, issueDate: string): Promise<TakenNumber> {
  const series = await tx
    .selectFrom('numberSeries')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('kind', '=', invoiceSeries)
    .executeTakeFirstOrThrow()
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

  let sequence = lastSequence
  for (;;) {
    const candidates = Array.from({ length: lookAhead }, (_, offset) => sequence + BigInt(offset))
    const numbers = candidates.map((each) => formatNumber(series.pattern, Number(each), issueDate))
    const taken = await tx
      .selectFrom('issuedInvoices')
      .select('number')
      .where('organizationId', '=', organizationId)
      .where('number', 'in', numbers)
      .execute()
    const used = new Set(taken.map((row) => row.number))
    const free = numbers.findIndex((number) => !used.has(number))
    if (free >= 0) {
      sequence = candidates[free]!
      if (sequence !== lastSequence) {
        await tx
          .updateTable('numberCounters')
          .set({ lastSequence: sequence })
          .where((eb) => eb.and(counter))
          .execute()
      }
      return { number: numbers[free]!, seriesId: series.id, period, sequence }
    }
    sequence += BigInt(lookAhead)
  }
}
