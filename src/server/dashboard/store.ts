// The dashboard's figures: sums per currency (never added together), computed by the database.
import { sql } from 'kysely'
import type { CurrencyFigures, Dashboard } from '#shared/contract/dashboard.ts'
import { ageGroups, attentionShown, monthsShown, attentionOf } from '#shared/dashboard.ts'
import { lastMonths } from '#shared/dates.ts'
import { toMoney } from '#shared/money.ts'
import type { Tx } from '#server/db/database.ts'
import { overdue, signedGross, summaryFromRow, toGiveBack } from '#server/rows/invoice-row.ts'
import { owedByAge } from './ageing.ts'
import { topCustomers } from './top-customers.ts'

/** `ownCurrency` has figures even before its first invoice. */
export async function findDashboard(
  tx: Tx,
  organizationId: string,
  today: string,
  ownCurrency: string,
): Promise<Dashboard> {
  const months = lastMonths(today, monthsShown)
  const sums = await sumsByCurrency(tx, organizationId, months[0]!, today)
  const owed = await owedByAge(tx, organizationId, today)
  const top = await topCustomers(tx, organizationId, months[0]!)
  const byMonth = await sumsByMonth(tx, organizationId, months[0]!)
  const currencies = [...new Set([ownCurrency, ...sums.map((row) => row.currency)])]
  const { customers } = await tx
    .selectFrom('customers')
    .select((eb) => eb.fn.countAll().as('customers'))
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return {
    today,
    customers: Number(customers),
    currencies: currencies.map((currency): CurrencyFigures => {
      const row = sums.find((each) => each.currency === currency)
      const figure = (count = 0n, amount = '0') => ({ count: Number(count), amount: toMoney(BigInt(amount), currency) })
      return {
        currency,
        drafts: figure(row?.draftCount, row?.draftAmount),
        invoiced: figure(row?.invoicedCount, row?.invoicedAmount),
        paid: figure(row?.paidCount, row?.paidAmount),
        outstanding: figure(row?.outstandingCount, row?.outstandingAmount),
        overdue: figure(row?.overdueCount, row?.overdueAmount),
        toGiveBack: figure(row?.backCount, row?.backAmount),
        ageing: ageGroups.map((days, group) => {
          const ones = owed.filter((each) => each.currency === currency && each.group === group)
          const amount = ones.reduce((sum, each) => sum + each.amount, 0n)
          return { days, count: ones.reduce((sum, each) => sum + each.count, 0), amount: toMoney(amount, currency) }
        }),
        topCustomers: top.get(currency) ?? [],
        months: months.map((month) => {
          const found = byMonth.find((each) => each.currency === currency && each.month === month)
          return { month, invoiced: toMoney(BigInt(found?.amount ?? '0'), currency) }
        }),
      }
    }),
    attention: await needsAttention(tx, organizationId, today),
  }
}

/** Sums of bigint are numeric in PostgreSQL, which arrive as text without a fraction. */
async function sumsByCurrency(tx: Tx, organizationId: string, firstMonth: string, today: string) {
  const gross = signedGross
  const due = sql<bigint>`(gross_amount - paid_amount - credited_amount)`
  const draft = sql<boolean>`status = 'draft'`
  const invoiced = sql<boolean>`status in ('issued', 'uncollectible') and issue_date >= ${`${firstMonth}-01`}`
  // No more than credit notes leave of it: what is above that is given back.
  const stays = sql<bigint>`greatest(least(paid_amount, gross_amount - credited_amount), 0)`
  const paid = sql<boolean>`${invoiced} and ${stays} > 0`
  const outstanding = sql<boolean>`type = '380' and status = 'issued' and ${due} > 0`
  const count = (condition: typeof draft) => sql<bigint>`count(*) filter (where ${condition})`
  const sum = (amount: typeof gross, condition: typeof draft) =>
    sql<string>`coalesce(sum(${amount}) filter (where ${condition}), 0)`
  return tx
    .selectFrom('invoices')
    .select([
      'currency',
      count(draft).as('draftCount'),
      sum(gross, sql<boolean>`${draft} and type = '380'`).as('draftAmount'),
      count(sql<boolean>`${invoiced} and type = '380'`).as('invoicedCount'),
      sum(gross, invoiced).as('invoicedAmount'),
      count(paid).as('paidCount'),
      sum(stays, paid).as('paidAmount'),
      count(outstanding).as('outstandingCount'),
      sum(due, outstanding).as('outstandingAmount'),
      count(overdue(today)).as('overdueCount'),
      sum(due, overdue(today)).as('overdueAmount'),
      count(toGiveBack).as('backCount'),
      sum(sql<bigint>`-${due}`, toGiveBack).as('backAmount'),
    ])
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .groupBy('currency')
    .orderBy('currency')
    .execute()
}

async function sumsByMonth(tx: Tx, organizationId: string, firstMonth: string) {
  return tx
    .selectFrom('invoices')
    .select([
      'currency',
      sql<string>`to_char(issue_date, 'YYYY-MM')`.as('month'),
      sql<string>`sum(${signedGross})`.as('amount'),
    ])
    .where('organizationId', '=', organizationId)
    .where('status', 'in', ['issued', 'uncollectible'])
    .where('issueDate', '>=', `${firstMonth}-01`)
    .groupBy(['currency', 'month'])
    .execute()
}

async function needsAttention(tx: Tx, organizationId: string, today: string) {
  const open = tx
    .selectFrom('invoices')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .limit(attentionShown)
  const [back, late, drafts] = [
    await open.where(toGiveBack).orderBy('id').execute(),
    await open.where(overdue(today)).orderBy('dueDate').orderBy('id').execute(),
    await open.where('status', '=', 'draft').orderBy('updatedAt').orderBy('id').execute(),
  ]
  return attentionOf({ back, overdue: late, drafts }).map((row) => summaryFromRow(row, today))
}
