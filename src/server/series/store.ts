// The gap report: read from what was issued itself, not from what the counters say of it.
import { sql } from 'kysely'
import type { SeriesReport } from '#shared/contract/series.ts'
import { numberPeriod, type NumberReset } from '#shared/invoice-number.ts'
import type { Tx } from '#server/db/database.ts'
import { areGiven, firstFree } from '#server/rows/free-number.ts'
import { quoteSeries } from '#server/rows/organization-row.ts'

const mostGaps = 100

type Period = SeriesReport['periods'][number]

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
  {
    organizationId,
    id: seriesId,
    kind,
    pattern,
  }: { organizationId: string; id: string; kind: string; pattern: string },
  period: string,
  lastSequence: bigint,
): Promise<Period['missing']> {
  const { rows } = await sql<{ from: string; to: string; near: string }>`
    select before + 1 as "from", sequence - 1 as "to", near
    from (
      select sequence, coalesce(lag(sequence) over (order by sequence), 0) as before, content ->> 'issueDate' as near
      from issued_invoices
      where organization_id = ${organizationId} and series_id = ${seriesId} and period = ${period}
    ) as given
    where sequence > before + 1
    order by before
    limit ${mostGaps}`.execute(tx)
  const end = await tx
    .selectFrom('issuedInvoices')
    .select(['sequence', sql<string>`content ->> 'issueDate'`.as('near')])
    .where('organizationId', '=', organizationId)
    .where('seriesId', '=', seriesId)
    .where('period', '=', period)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const gaps = rows.map(({ from, to, near }) => ({ from: Number(from), to: Number(to), near }))
  if (lastSequence > end.sequence)
    gaps.push({ from: Number(end.sequence) + 1, to: Number(lastSequence), near: end.near })
  const missing: Period['missing'] = []
  for (const { from, to, near } of gaps) {
    // `near`: an issue date of their time.
    const of = { organizationId, kind, pattern, issueDate: near }
    missing.push({ from, to, isPassedOver: await areGiven(tx, of, BigInt(from), BigInt(to)) })
  }
  return missing
}
