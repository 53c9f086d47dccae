// Makes what a search of invoices looks at anew, for rows that were stored before it was as it is: text is folded by shared/search-key.ts alone.
import type { ClientBase } from 'pg'
import { invoiceSearchKey } from '#shared/invoice-keys.ts'
import { toMoney } from '#shared/money.ts'

interface Row {
  organization: string
  id: string
  number: string | null
  customerName: string | null
  orderReference: string | null
  notes: string | null
  currency: string
  gross: string
  lines: { name: string; description: string | null }[]
}

const rowsAtOnce = 500
const nothing = '00000000-0000-0000-0000-000000000000'

/** As the owner of the tables, whom the wall binds as well: it is let down for this. */
export async function rekeyInvoices(client: ClientBase): Promise<void> {
  const wall = async (forced: 'force' | 'no force') => {
    for (const table of ['invoices', 'invoice_lines'])
      await client.query(`alter table ${table} ${forced} row level security`)
  }
  await wall('no force')
  for (let last = [nothing, nothing]; ;) {
    const { rows } = await client.query<Row>(
      `select organization_id as organization, id, number, customer_name as "customerName", order_reference as "orderReference",
              notes, currency, gross_amount::text as gross, coalesce((
                select json_agg(json_build_object('name', name, 'description', description) order by position)
                from invoice_lines line where line.organization_id = invoices.organization_id and line.invoice_id = invoices.id
              ), '[]') as lines
         from invoices where (organization_id, id) > ($1, $2) order by organization_id, id limit ${rowsAtOnce}`,
      last,
    )
    if (rows.length === 0) break
    const keys = rows.map(({ gross, ...row }) =>
      invoiceSearchKey({ ...row, gross: toMoney(BigInt(gross), row.currency) }),
    )
    await client.query(
      `update invoices set search_key = made.key from unnest($1::uuid[], $2::uuid[], $3::text[]) as made (organization, id, key)
        where organization_id = made.organization and invoices.id = made.id`,
      [rows.map(({ organization }) => organization), rows.map(({ id }) => id), keys],
    )
    last = [rows.at(-1)!.organization, rows.at(-1)!.id]
  }
  await wall('force')
}
