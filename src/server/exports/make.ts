// Makes the exports that were asked for, oldest first, in steps of one short transaction each: what a step has written stays, so that a process that is
// killed loses one step at most, and whoever deletes the export ends it between two.
import type { Organization } from '#shared/contract/organizations.ts'
import { todayIn } from '#shared/dates.ts'
import { languageOf } from '#shared/language.ts'
import { may } from '#shared/permissions.ts'
import type { Database, Tx } from '#server/db/database.ts'
import type { Exports } from '#server/db/tables.ts'
import { holdRevision } from '#server/rows/revision.ts'
import { setDue } from '#server/jobs/due-work.ts'
import { queueMail } from '#server/mail/queue.ts'
import { exportMail } from '#server/mail/templates.ts'
import { reminderRulesOf } from '#server/rows/due-reminders.ts'
import { findMembers } from '#server/rows/member-row.ts'
import { organizationForJob } from '#server/rows/organization-row.ts'
import { logoOf } from '#server/outgoing/logo-file.ts'
import { pdfOfRecord } from '#server/outgoing/pdf-of-record.ts'
import { addDocuments, documentList, issuedAfter } from './documents.ts'
import { countRows, files, kinds, readRows, type Asked, type Kind } from './rows.ts'
import { addPiece, addWhole, beginFile, nextFile, type Place } from './writing.ts'

const keptMs = 7 * 24 * 60 * 60_000
/** Well below what the queue takes for a lost job (jobs/queue.ts): what is left over is taken up by the next one. */
const longestRunMs = 60_000

const stages = [...kinds, 'documents', 'end'] as const
type Stage = (typeof stages)[number]

const unfinished = ['waiting', 'running'] as const
const documentListAt = files.length

interface Parts {
  publicUrl: string
  /** Called after a commit that left a mail in the queue. */
  mailQueued: () => void
}

/** A job (jobs/runner.ts). */
export function makeExports({ publicUrl, mailQueued }: Parts) {
  return async (db: Database, organizationId: string, nowMs: number): Promise<void> => {
    const began = performance.now()
    const now = () => new Date(nowMs + performance.now() - began).toISOString()
    const scope = { organizationIds: [organizationId] }
    while (performance.now() - began < longestRunMs) {
      // Drawing takes its time: between two transactions, and as a rule it was done at issue.
      const drawn = await db.asApp(scope, (tx) => nextDocuments(tx, organizationId))
      for (const id of drawn) await pdfOfRecord(db, { organizationId, id }, now())
      const isMore = await db.asApp(scope, (tx) => step({ tx, organizationId, publicUrl, drawn, now: now() }))
      if (!isMore) return mailQueued()
    }
  }
}

interface Step {
  tx: Tx
  organizationId: string
  publicUrl: string
  /** The documents that were next a moment ago: their PDFs are there. */
  drawn: string[]
  now: string
}

/** False: there is nothing more to do now. */
async function step(asked: Step): Promise<boolean> {
  const { tx, organizationId, now } = asked
  await tx.deleteFrom('exports').where('organizationId', '=', organizationId).where('expiresAt', '<=', now).execute()
  const organization = await organizationForJob(tx, organizationId)
  const row = organization && (await begun(tx, organizationId))
  if (!row) {
    // Whoever asks for one holds this as well: one that is not committed yet is not forgotten.
    if (organization) await holdRevision(tx, organizationId)
    if (organization && (await begun(tx, organizationId))) return true
    await setDue(tx, organizationId, 'export', organization && (await nextExpiry(tx, organizationId)))
    return false
  }
  const place = { tx, organizationId, exportId: row.id }
  if (row.state === 'waiting') await begin(place)
  else await goOn(place, row, organization, asked)
  return true
}

/** The export that is being made, or the next one; nobody else works on it before the commit. */
async function begun(tx: Tx, organizationId: string): Promise<Exports | undefined> {
  return tx
    .selectFrom('exports')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('state', 'in', unfinished)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}

async function begin(place: Place): Promise<void> {
  for (const [position, { file }] of files.entries()) await beginFile(place, position, file.name, file.head)
  await beginFile(place, documentListAt, documentList.name, documentList.head)
  const total = await countRows(place.tx, place.organizationId)
  await move(place, { state: 'running', stage: stages[0], total })
}

async function goOn(place: Place, row: Exports, organization: Organization, asked: Step): Promise<void> {
  const stage = row.stage as Stage
  if (stage === 'end') return end(place, row, organization, asked)
  const today = todayIn(organization.timeZone, Date.parse(asked.now))
  const reading: Asked = { ...place, afterId: row.afterId, today }
  const ids = stage === 'documents' ? await issuedAfter(reading) : await addRows(place, stage, reading)
  if (ids.length === 0) return move(place, { stage: stages[stages.indexOf(stage) + 1]!, afterId: null })
  // Another job has gone on meanwhile: what is next now is drawn first.
  if (stage === 'documents' && ids.some((id) => !asked.drawn.includes(id))) return
  if (stage === 'documents') await addDocuments(place, reading, ids, documentListAt)
  // What was made meanwhile comes along, and was not counted.
  const done = row.done + ids.length
  await move(place, { afterId: ids.at(-1)!, done, total: Math.max(row.total, done) })
}

/** Answers the ids of the rows. */
async function addRows(place: Place, stage: Kind, reading: Asked): Promise<readonly string[]> {
  const { ids, rows } = await readRows(stage, reading)
  const isFirst = reading.afterId === null
  for (const [position, { kind, file }] of files.entries())
    if (kind === stage && rows.length > 0) await addPiece(place, position, file.piece(rows, isFirst))
  return ids
}

async function end(place: Place, row: Exports, organization: Organization, asked: Step): Promise<void> {
  const { tx, organizationId } = place
  for (const [position, { file }] of files.entries()) await addPiece(place, position, file.end, true)
  await addPiece(place, documentListAt, '', true)
  const { role: _, ...shown } = organization
  const about = { exportedAt: asked.now, begunAt: row.createdAt, rows: row.done, organization: shown }
  const { version: _version, ...reminders } = await reminderRulesOf(tx, organizationId)
  const members = (await findMembers(tx, organizationId)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const whole = { 'organization.json': about, 'members.json': members, 'reminders.json': reminders }
  for (const [name, value] of Object.entries(whole))
    await addWhole(place, await nextFile(place), name, `${JSON.stringify(value, null, 2)}\n`)
  const logo = await logoOf(tx, organizationId, organization)
  if (logo) await addWhole(place, await nextFile(place), `logo.${logo.mediaType.split('/')[1]}`, logo.content)
  const expiresAt = new Date(Date.parse(asked.now) + keptMs).toISOString()
  await move(place, { state: 'ready', stage: null, afterId: null, finishedAt: asked.now, expiresAt })
  const to = await requester(tx, organizationId, row.requestedBy)
  const link = `${asked.publicUrl}/organization/${organizationId}/data`
  if (!to) return
  const mail = exportMail(languageOf([organization.locale]), organization.name, link)
  await queueMail(tx, { to, kind: 'export', organizationId, ...mail }, asked.now)
}

/** What is issued and comes next, where that is what is being written. */
async function nextDocuments(tx: Tx, organizationId: string): Promise<string[]> {
  const row = await tx
    .selectFrom('exports')
    .select(['afterId', 'stage'])
    .where('organizationId', '=', organizationId)
    .where('state', 'in', unfinished)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  // The date does not matter: no row is read.
  return row?.stage === 'documents' ? issuedAfter({ tx, organizationId, afterId: row.afterId, today: '' }) : []
}

/** Their email; null for who is no longer allowed to have it. */
async function requester(tx: Tx, organizationId: string, userId: string): Promise<string | null> {
  const [member] = await findMembers(tx, organizationId, [userId])
  return member && may(member, 'organization.export') ? member.email : null
}

async function nextExpiry(tx: Tx, organizationId: string): Promise<string | null> {
  const { expiresAt } = await tx
    .selectFrom('exports')
    .select((eb) => eb.fn.min('expiresAt').as('expiresAt'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return expiresAt
}

async function move({ tx, organizationId, exportId }: Place, change: Partial<Exports>): Promise<void> {
  await tx
    .updateTable('exports')
    .set(change)
    .where('organizationId', '=', organizationId)
    .where('id', '=', exportId)
    .execute()
}
