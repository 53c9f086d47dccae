// Items out of a file: known again by their id, their number or their name.
import { sql } from 'kysely'
import { importReport, rowImport, type ImportedOutcome, type ImportedRow } from '#shared/contract/import.ts'
import { itemEdit, type Item } from '#shared/contract/items.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { isUuid, uuidv7 } from '#shared/ids.ts'
import { itemMatchKeys, matchesOf, type MatchKeys } from '#shared/import-match.ts'
import { tenantEndpoint } from '#server/http/endpoint.ts'
import { findItem, itemFromRow } from '#server/rows/item-row.ts'
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
  vatOver,
  type ImportCall,
} from '#server/rows/row-import.ts'
import { updateRow } from '#server/rows/versioned-rows.ts'
import { insertItem, toColumns } from './store.ts'

interface Known {
  row: Item
  keys: MatchKeys
}

export const importItems = tenantEndpoint(
  'importItems',
  { summary: 'Import items', body: rowImport, answers: { 200: importReport } },
  async (call) => {
    const { tx, organizationId, body } = call
    // The counter row first: whoever changes one of them meanwhile comes before or after, never between.
    const revision = body.write ? await nextRevision(tx, organizationId) : null
    const organization = await organizationOf(call)
    const known = await itemsLike(
      call,
      body.rows.map(({ values }) => itemMatchKeys(values)),
    )
    const rows: ImportedOutcome[] = []
    for (const row of body.rows) rows.push(await take(call, row, organization, known, revision))
    return { status: 200, body: { rows } }
  },
)

/** Adds what it writes, or would write, to `known`: a later row may be about it. */
async function take(
  call: ImportCall,
  row: ImportedRow,
  organization: Organization,
  known: Known[],
  revision: bigint | null,
): Promise<ImportedOutcome> {
  const { tx, organizationId, now } = call
  const matches = matchesOf(itemMatchKeys(row.values), known)
  if (matches.length > 1) return badField(row, '/name', 'Several items here are like this one: name it by its ID')
  const before = matches[0] ?? null
  const idHere = before?.id || null
  const base = before ?? { taxMode: organization.defaults.taxMode }
  const vat = vatOver(organization, before?.vat, row.values['vat'])
  const judged = judge(itemEdit, { ...over(base, row.values), vat })
  if (!judged.ok) return bad(row, judged.errors, idHere)
  const { edit } = judged
  if (before && saysNothingNew(itemEdit, edit, before)) return outcome(row, 'same', idHere)
  const what = before ? 'changed' : 'new'
  const was = before?.name ?? null
  if (revision === null) {
    if (!before) known.push({ row: { id: '', ...edit } as Item, keys: itemMatchKeys({ ...edit }) })
    return outcome(row, what, idHere, { was })
  }
  const id = before?.id ?? uuidv7(Date.parse(now))
  if (before)
    await updateRow(tx, 'items', { organizationId, id, version: before.version }, toColumns(edit), revision, now)
  const after = (
    before
      ? await findItem(tx, organizationId, id)
      : await insertItem(tx, organizationId, { id, ...edit }, revision, now)
  )!
  await noteRow(call, before ? 'saveItem' : 'createItem', 'item', before, after)
  if (!before) known.push({ row: after, keys: itemMatchKeys({ ...after }) })
  return outcome(row, what, id, { was })
}

/** Every item that shares a key with one of these. */
async function itemsLike({ tx, organizationId }: ImportCall, wanted: readonly MatchKeys[]): Promise<Known[]> {
  const at = (level: number) => [...new Set(wanted.flatMap((keys) => keys[level] ?? []))]
  const ids = at(0).filter(isUuid)
  const [numbers, names] = [at(1), at(2)]
  const rows = await tx
    .selectFrom('items')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .where((eb) =>
      eb.or([
        ...(ids.length > 0 ? [eb('id', 'in', ids)] : []),
        ...(numbers.length > 0 ? [sql<boolean>`lower(sku) = any (${numbers})`] : []),
        ...(names.length > 0 ? [eb('nameKey', 'in', names)] : []),
      ]),
    )
    .orderBy('id')
    .execute()
  return rows.map((each) => {
    const row = itemFromRow(each)
    return { row, keys: itemMatchKeys({ ...row }) }
  })
}
