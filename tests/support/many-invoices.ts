import { sql } from 'kysely'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Actor, TestApp } from './app.ts'

/** As if this draft had been made so many times more, each a millisecond after the one before; quicker than asking for each. */
export async function copyDraft(
  app: TestApp,
  { userId }: Actor,
  { organizationId, id }: Invoice,
  count: number,
): Promise<void> {
  const idOf = sql`(left(${id}, -6) || lpad(to_hex(n), 6, '0'))::uuid`
  await app.db.asApp({ userId, organizationIds: [organizationId] }, async (tx) => {
    await sql`
      insert into invoices
      select (jsonb_populate_record(invoice, jsonb_build_object(
        'id', ${idOf}, 'revision', invoice.revision + n, 'updated_at', invoice.updated_at + n * interval '1 ms'
      ))).*
      from invoices invoice, generate_series(1, ${count}::int) n
      where organization_id = ${organizationId} and invoice.id = ${id}`.execute(tx)
    await sql`
      insert into invoice_lines
      select (jsonb_populate_record(line, jsonb_build_object('invoice_id', ${idOf}))).*
      from invoice_lines line, generate_series(1, ${count}::int) n
      where organization_id = ${organizationId} and invoice_id = ${id}`.execute(tx)
    await sql`update organization_revisions set revision = revision + ${count}::int where organization_id = ${organizationId}`.execute(
      tx,
    )
  })
}
