// Makes what a search of invoices and quotes looks at anew, for rows that were stored before it was as it is: text is folded by shared/search-key.ts alone.
import type { ClientBase } from 'pg'
import { invoiceSearchKey, type SearchedInvoice } from '#shared/invoice-keys.ts'
import { toMoney } from '#shared/money.ts'

interface Row extends Omit<SearchedInvoice, 'gross'> {
  organization: string
  id: string
  currency: string
  gross: string
}

const rowsAtOnce = 500
const nothing = '00000000-0000-0000-0000-000000000000'

export function rekeyInvoices(client: ClientBase): Promise<void> {
  return rekey(
    client,
    ['invoices', 'invoice_lines'],
    `order_reference as "orderReference", buyer_reference as "buyerReference", notes, allowances, charges, coalesce((
       select json_agg(json_build_object('name', name, 'description', description, 'allowances', allowances, 'charges', charges) order by position)
       from invoice_lines line where line.organization_id = invoices.organization_id and line.invoice_id = invoices.id
     ), '[]') as lines`,
  )
}

export function rekeyQuotes(client: ClientBase): Promise<void> {
  const content = ['orderReference', 'buyerReference', 'notes', 'allowances', 'charges', 'lines']
  return rekey(client, ['quotes'], content.map((name) => `content -> '${name}' as "${name}"`).join(', '))
}

/** As the owner of the tables, whom the wall binds as well: it is let down for this. The first of them is the one whose rows are searched. */
async function rekey(client: ClientBase, tables: readonly [string, ...string[]], columns: string): Promise<void> {
  const [table] = tables
  const wall = async (forced: 'force' | 'no force') => {
    for (const each of tables) await client.query(`alter table ${each} ${forced} row level security`)
  }
  await wall('no force')
  for (let last = [nothing, nothing]; ;) {
    const { rows } = await client.query<Row>(
      `select organization_id as organization, id, number, customer_name as "customerName", currency, gross_amount::text as gross, ${columns}
         from ${table} where (organization_id, id) > ($1, $2) order by organization_id, id limit ${rowsAtOnce}`,
      last,
    )
    if (rows.length === 0) break
    const keys = rows.map(({ gross, ...row }) =>
      invoiceSearchKey({ ...row, gross: toMoney(BigInt(gross), row.currency) }),
    )
    await client.query(
      `update ${table} set search_key = made.key from unnest($1::uuid[], $2::uuid[], $3::text[]) as made (organization, id, key)
        where organization_id = made.organization and ${table}.id = made.id`,
      [rows.map(({ organization }) => organization), rows.map(({ id }) => id), keys],
    )
    last = [rows.at(-1)!.organization, rows.at(-1)!.id]
  }
  await wall('force')
}
