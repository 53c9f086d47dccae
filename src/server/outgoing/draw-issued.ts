// Draws the PDFs of record that are not there yet, a job (jobs/runner.ts): issuing notes it as due in its own transaction, so that none is forgotten,
// whoever issued and whatever was killed after the commit.
import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Tx } from '#server/db/database.ts'
import { setDue } from '#server/jobs/due-work.ts'
import { holdRevision } from '#server/rows/revision.ts'
import { pdfKinds, pdfOfRecord } from './pdf-of-record.ts'

const atOnce = 50
/** Well below what the queue takes for a lost job (jobs/queue.ts): what is left over is taken up by the next one. */
const longestRunMs = 60_000
/** Who asks for one has it drawn at once: what is drawn ahead leaves processor and database to whoever is waiting for an answer, for so many times what it took. */
const restPerDrawing = 4
const longestRestMs = 1000

export async function drawIssued(db: Database, organizationId: string, nowMs: number): Promise<void> {
  const scope = { organizationIds: [organizationId] }
  const now = new Date(nowMs).toISOString()
  const endsAt = performance.now() + longestRunMs
  // One that cannot be drawn holds up no other; the job fails by it in the end.
  const failures: Error[] = []
  let after: string | null = null
  while (performance.now() < endsAt) {
    const ids = await db.asApp(scope, (tx) => undrawnAfter(tx, organizationId, after))
    for (const id of ids)
      if (performance.now() < endsAt) {
        const beganMs = performance.now()
        await pdfOfRecord(db, { organizationId, id }, now).catch((error: Error) => failures.push(error))
        await pause(Math.min(longestRestMs, restPerDrawing * (performance.now() - beganMs)))
      }
    after = ids.at(-1) ?? null
    if (after !== null) continue
    if (failures.length > 0) break
    if (await db.asApp(scope, (tx) => isDone(tx, organizationId))) return
  }
  if (failures[0]) throw failures[0]
}

/** Nobody issues between the look and the note: issuing holds the organization's counter row as well. */
async function isDone(tx: Tx, organizationId: string): Promise<boolean> {
  await holdRevision(tx, organizationId)
  const isOne = (await undrawnAfter(tx, organizationId, null)).length > 0
  if (!isOne) await setDue(tx, organizationId, 'documents', null)
  return !isOne
}

async function undrawnAfter(tx: Tx, organizationId: string, after: string | null): Promise<string[]> {
  let query = tx
    .selectFrom('issuedInvoices')
    .select('issuedInvoices.invoiceId')
    .where('issuedInvoices.organizationId', '=', organizationId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('invoiceFiles')
            .select('invoiceFiles.kind')
            .whereRef('invoiceFiles.organizationId', '=', 'issuedInvoices.organizationId')
            .whereRef('invoiceFiles.invoiceId', '=', 'issuedInvoices.invoiceId')
            .where('invoiceFiles.kind', 'in', pdfKinds),
        ),
      ),
    )
  if (after !== null) query = query.where('issuedInvoices.invoiceId', '>', after)
  const rows = await query.orderBy('issuedInvoices.invoiceId').limit(atOnce).execute()
  return rows.map(({ invoiceId }) => invoiceId)
}
