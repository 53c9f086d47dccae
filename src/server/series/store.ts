// The gap report: read from what was issued itself, not from what the counters say of it.
import { sql } from 'kysely'
import type { SeriesReport } from '#shared/contract/series.ts'
import { numberPeriod, type NumberReset } from '#shared/invoice-number.ts'
import type { Tx } from '#server/db/database.ts'
import { areGiven, firstFree } from '#server/rows/free-number.ts'
import { quoteSeries } from '#server/rows/organization-row.ts'

const mostGaps = 100

type Period = SeriesReport['periods'][number]

interface Numbered {
  organizationId: string
  id: string
  kind: string
  /** Of today, for what was given before each number kept its own. */
  pattern: string
}

export async function reportSeries(tx: Tx, organizationId: string, today: string): Promise<SeriesReport[]> {
  const series = await tx
    .selectFrom('numberSeries')
    .selectAll()
    .where('organizationId', '=', organizationId)
    // Quotes may leave out numbers: nobody has to account for them.
    .where('kind', '!=', quoteSeries)
    .orderBy('kind')
    .execute()
  const counters = await tx
    .selectFrom('numberCounters')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .execute()
  const reports: SeriesReport[] = []
  for (const { id, kind, pattern, reset } of series) {
    const periods = await periodsOf(tx, organizationId, id)
    for (const period of periods) {
      const counter = counters.find((each) => each.seriesId === id && each.period === period.period)
      const gaps = await gapsOf(tx, { organizationId, id, kind, pattern }, period.period, counter?.lastSequence ?? 0n)
      period.missing.push(...gaps)
    }
    const now = numberPeriod(reset as NumberReset, today)
    const last = counters.find((each) => each.seriesId === id && each.period === now)?.lastSequence ?? 0n
    const { number: next } = await firstFree(tx, { organizationId, kind, pattern, issueDate: today }, last + 1n)
    reports.push({ id, kind, pattern, reset: reset as NumberReset, next, periods })
  }
  return reports
}

/** Every period in which numbers were given, newest first, its gaps still to be found. */
async function periodsOf(tx: Tx, organizationId: string, seriesId: string): Promise<Period[]> {
  const rows = await tx
    .selectFrom('issuedInvoices')
    .where('organizationId', '=', organizationId)
    .where('seriesId', '=', seriesId)
    .groupBy('period')
    .orderBy('period', 'desc')
    .select((eb) => [
      'period',
      eb.fn.countAll<string>().as('issued'),
      sql<string>`(array_agg(number order by sequence))[1]`.as('first'),
      sql<string>`(array_agg(number order by sequence desc))[1]`.as('last'),
    ])
    .execute()
  const doubles = await tx
    .selectFrom('issuedInvoices')
    .where('organizationId', '=', organizationId)
    .where('seriesId', '=', seriesId)
    .groupBy(['period', 'number'])
    .having((eb) => eb(eb.fn.countAll(), '>', 1))
    .select(['period', 'number'])
    .limit(mostGaps)
    .execute()
  return rows.map(({ period, issued, first, last }) => ({
    period,
    issued: Number(issued),
    first,
    last,
    missing: [],
    doubled: doubles.filter((each) => each.period === period).map(({ number }) => number),
  }))
}

/** Each run of places before a number, and after the last one up to what the counter has given, that no number has. */
async function gapsOf(
  tx: Tx,
  { organizationId, id: seriesId, kind, pattern }: Numbered,
  period: string,
  lastSequence: bigint,
): Promise<Period['missing']> {
  // Whoever took the number after a gap passed the gap over, or nobody did: by the pattern and on the day of that number.
  const { rows: gaps } = await sql<{ from: string; to: string; issueDate: string; pattern: string | null }>`
    select before + 1 as "from", sequence - 1 as "to", "issueDate", pattern
    from (
      select sequence, coalesce(lag(sequence) over (order by sequence), 0) as before,
        content ->> 'issueDate' as "issueDate", pattern
      from issued_invoices
      where organization_id = ${organizationId} and series_id = ${seriesId} and period = ${period}
    ) as given
    where sequence > before + 1
    order by before
    limit ${mostGaps}`.execute(tx)
  const missing: Period['missing'] = []
  for (const { from, to, issueDate, pattern: own } of gaps) {
    const of = { organizationId, kind, pattern: own ?? pattern, issueDate }
    missing.push({ from: Number(from), to: Number(to), isPassedOver: await areGiven(tx, of, BigInt(from), BigInt(to)) })
  }
  const { last } = await tx
    .selectFrom('issuedInvoices')
    .select((eb) => eb.fn.max('sequence').as('last'))
    .where('organizationId', '=', organizationId)
    .where('seriesId', '=', seriesId)
    .where('period', '=', period)
    .executeTakeFirstOrThrow()
  // A counter goes on with a number, in one transaction: what it has given beyond the last number was passed over by nobody.
  if (lastSequence > last) missing.push({ from: Number(last) + 1, to: Number(lastSequence), isPassedOver: false })
  return missing
}
