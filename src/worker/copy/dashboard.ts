// The dashboard's figures from the device's copy: what server/dashboard/store.ts asks its database, reckoned over the rows of the device.
import type { CurrencyFigures, Dashboard } from '#shared/contract/dashboard.ts'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import {
  ageGroupOf,
  ageGroups,
  attentionShown,
  monthsShown,
  attentionOf,
  topCustomersShown,
} from '#shared/dashboard.ts'
import { lastMonths } from '#shared/dates.ts'
import { isToGiveBack } from '#shared/invoice-balance.ts'
import { onDay } from '#shared/invoice-summary.ts'
import { minorUnitsOf, toMoney } from '#shared/money.ts'
import { allOf, type CopyDatabase } from './stores.ts'

const rowsAtOnce = 500

interface Sum {
  count: number
  amount: bigint
}
interface Sums {
  drafts: Sum
  invoiced: Sum
  paid: Sum
  outstanding: Sum
  overdue: Sum
  toGiveBack: Sum
  ageing: Sum[]
  months: Map<string, bigint>
  customers: Map<string, { invoiced: bigint; last: InvoiceSummary }>
}

export async function dashboardOf(
  database: CopyDatabase,
  organization: { id: string; currency: string },
  today: string,
): Promise<Dashboard> {
  const months = lastMonths(today, monthsShown)
  const byCurrency = new Map<string, Sums>([[organization.currency, noSums()]])
  const back: InvoiceSummary[] = []
  const overdue: InvoiceSummary[] = []
  const drafts: InvoiceSummary[] = []
  for await (const kept of summaries(database, organization.id)) {
    const row = onDay(kept, today)
    const sums = byCurrency.get(row.currency) ?? noSums()
    byCurrency.set(row.currency, sums)
    const [whole, paid, due] = [row.gross, row.paid, row.amountDue].map(minorUnitsOf) as [bigint, bigint, bigint]
    // What is above what credit notes leave of it is given back.
    const stays = due < 0n ? paid + due : paid
    // What a credit note takes back counts against what was invoiced.
    const isCredit = row.type === '381'
    const gross = isCredit ? -whole : whole
    if (row.status === 'draft') add(sums.drafts, isCredit ? 0n : whole)
    if (row.status === 'issued' && due > 0n) {
      add(sums.outstanding, due)
      add(sums.ageing[ageGroupOf(row.dueDate, today)]!, due)
    }
    if (row.overdue) {
      add(sums.overdue, due)
      overdue.push(row)
    }
    if (isToGiveBack(row)) {
      add(sums.toGiveBack, -due)
      back.push(row)
    }
    const month = row.issueDate?.slice(0, 7) ?? ''
    if ((row.status === 'issued' || row.status === 'uncollectible') && month >= months[0]!) {
      add(sums.invoiced, gross, isCredit ? 0 : 1)
      if (stays > 0n) add(sums.paid, stays)
      sums.months.set(month, (sums.months.get(month) ?? 0n) + gross)
      const known = row.customerId === null ? null : (sums.customers.get(row.customerId) ?? { invoiced: 0n, last: row })
      if (known) {
        const last = byDate(row, known.last) > 0 ? row : known.last
        sums.customers.set(row.customerId!, { invoiced: known.invoiced + gross, last })
      }
    }
    if (row.status === 'draft') drafts.push(row)
  }
  const first = (rows: InvoiceSummary[], key: (row: InvoiceSummary) => string) =>
    rows.toSorted((a, b) => compare(key(a), key(b)) || compare(a.id, b.id)).slice(0, attentionShown)
  const [own, ...others] = [...byCurrency.keys()]
  return {
    today,
    customers: await database.count('customers', allOf(organization.id)),
    currencies: [own!, ...others.toSorted()].map((currency): CurrencyFigures => {
      const sums = byCurrency.get(currency)!
      const figure = ({ count, amount }: Sum) => ({ count, amount: toMoney(amount, currency) })
      return {
        currency,
        drafts: figure(sums.drafts),
        invoiced: figure(sums.invoiced),
        paid: figure(sums.paid),
        outstanding: figure(sums.outstanding),
        overdue: figure(sums.overdue),
        toGiveBack: figure(sums.toGiveBack),
        ageing: ageGroups.map((days, group) => ({ days, ...figure(sums.ageing[group]!) })),
        topCustomers: mostInvoiced(sums, currency),
        months: months.map((month) => ({ month, invoiced: toMoney(sums.months.get(month) ?? 0n, currency) })),
      }
    }),
    attention: attentionOf({
      back: first(back, () => ''),
      overdue: first(overdue, (row) => row.dueDate!),
      drafts: first(drafts, (row) => row.updatedAt),
    }),
  }
}

function mostInvoiced({ customers }: Sums, currency: string): CurrencyFigures['topCustomers'] {
  return [...customers]
    .filter(([, { invoiced }]) => invoiced > 0n)
    .toSorted(([a, left], [b, right]) => compare(right.invoiced, left.invoiced) || compare(a, b))
    .slice(0, topCustomersShown)
    .map(([customerId, { invoiced, last }]) => ({
      customerId,
      name: last.customerName!,
      invoiced: toMoney(invoiced, currency),
    }))
}

/** Of what is issued. */
function byDate(a: InvoiceSummary, b: InvoiceSummary): number {
  return compare(a.issueDate!, b.issueDate!) || compare(a.id, b.id)
}

async function* summaries(database: CopyDatabase, organizationId: string): AsyncGenerator<InvoiceSummary> {
  let range = allOf(organizationId)
  for (;;) {
    const records = await database.getAll('invoices', range, rowsAtOnce)
    for (const { row } of records) yield row
    const last = records.at(-1)
    if (!last || records.length < rowsAtOnce) return
    range = IDBKeyRange.bound([organizationId, last.id], range.upper, true, false)
  }
}

function noSums(): Sums {
  const sum = (): Sum => ({ count: 0, amount: 0n })
  return {
    drafts: sum(),
    invoiced: sum(),
    paid: sum(),
    outstanding: sum(),
    overdue: sum(),
    toGiveBack: sum(),
    ageing: ageGroups.map(sum),
    months: new Map(),
    customers: new Map(),
  }
}

function add(sum: Sum, amount: bigint, count = 1): void {
  sum.count += count
  sum.amount += amount
}

function compare<Key extends string | bigint>(a: Key, b: Key): number {
  return a < b ? -1 : a > b ? 1 : 0
}
