// Customers out of a file: known again by their id, VAT number, email or name.
import { customerEdit, type Customer } from '#shared/contract/customers.ts'
import { importReport, rowImport, type ImportedOutcome, type ImportedRow } from '#shared/contract/import.ts'
import { uuidv7 } from '#shared/ids.ts'
import { customerMatchKeys, matchesOf } from '#shared/import-match.ts'
import { customersLike } from '#server/rows/customer-match.ts'
import { findCustomer } from '#server/rows/customer-row.ts'
import { renameInDrafts } from '#server/rows/draft-customer.ts'
import { tenantEndpoint } from '#server/http/endpoint.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { organizationOf } from '#server/rows/organization-row.ts'
import {
  bad,
  badField,
  judge,
  noteRow,
  outcome,
  over,
  saysNothingNew,
  type ImportCall,
} from '#server/rows/row-import.ts'
import { updateRow } from '#server/rows/versioned-rows.ts'
import { insertCustomer, toColumns } from './store.ts'

export const importCustomers = tenantEndpoint(
  'importCustomers',
  { summary: 'Import customers', body: rowImport, answers: { 200: importReport } },
  async (call) => {
    const { tx, organizationId, body } = call
    // The counter row first: whoever changes one of them meanwhile comes before or after, never between.
    const revision = body.write ? await nextRevision(tx, organizationId) : null
    const { country } = await organizationOf(call)
    const known = await customersLike(
      tx,
      organizationId,
      body.rows.map(({ values }) => customerMatchKeys(values)),
    )
    const rows: ImportedOutcome[] = []
    for (const row of body.rows) rows.push(await take(call, row, country, known, revision))
    return { status: 200, body: { rows } }
  },
)

/** Adds what it writes, or would write, to `known`: a later row may be about it. */
async function take(
  call: ImportCall,
  row: ImportedRow,
  country: string,
  known: Awaited<ReturnType<typeof customersLike>>,
  revision: bigint | null,
): Promise<ImportedOutcome> {
  const { tx, organizationId, now } = call
  const matches = matchesOf(customerMatchKeys(row.values), known)
  if (matches.length > 1) return badField(row, '/name', 'Several customers here are like this one: name it by its ID')
  const before = matches[0] ?? null
  const idHere = before?.id || null
  const judged = judge(customerEdit, over(before ?? { country }, row.values))
  if (!judged.ok) return bad(row, judged.errors, idHere)
  const { edit } = judged
  if (before && saysNothingNew(customerEdit, edit, before)) return outcome(row, 'same', idHere)
  const what = before ? 'changed' : 'new'
  const was = before?.name ?? null
  if (revision === null) {
    if (!before) known.push({ row: { id: '', ...edit } as Customer, keys: customerMatchKeys({ ...edit }) })
    return outcome(row, what, idHere, { was })
  }
  const id = before?.id ?? uuidv7(Date.parse(now))
  if (before) {
    await updateRow(tx, 'customers', { organizationId, id, version: before.version }, toColumns(edit), revision, now)
    await renameInDrafts(tx, organizationId, { id, name: edit.name }, revision)
  }
  const made = { id, ...edit, language: edit.language ?? null }
  const after = (
    before ? await findCustomer(tx, organizationId, id) : await insertCustomer(tx, organizationId, made, revision, now)
  )!
  await noteRow(call, before ? 'saveCustomer' : 'createCustomer', 'customer', before, after)
  if (!before) known.push({ row: after, keys: customerMatchKeys({ ...after }) })
  return outcome(row, what, id, { was })
}
