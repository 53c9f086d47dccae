// The device's own calls, which never leave it: what is unsent, and what the person does about it (shared/outbox.ts).
import { apiPath } from '#shared/endpoint.ts'
import { uuidv7 } from '#shared/ids.ts'
import { countsOf, outboxPath, type OutboxFile, type Resolution, type Unsent } from '#shared/outbox.ts'
import { pauseFirstSync } from '#worker/copy/apply.ts'
import { firstSyncOf } from '#worker/copy/pull.ts'
import { wholeList, type CopyDatabase } from '#worker/copy/stores.ts'
import { deviceAnswer, deviceProblem, type Call } from '#worker/wire.ts'
import { rowsOf, toUnsent, type Entry } from './entry.ts'
import { discard, resolve, retryParked } from './decisions.ts'
import { fileOf, importEntries } from './file.ts'
import { tryLost } from './queue.ts'
import { anybodyWaits } from './spare.ts'

interface Answered {
  answer: Response
  isChanged?: boolean
  /** Something may be sent now. */
  isSent?: boolean
}

/** To whoever is not signed in: that something waits for its person, and not a word more. */
export async function answerSealed(leavers: readonly string[]): Promise<Response> {
  const unsent = { waiting: 0, attention: 0, entries: [], firstSync: null, othersWait: await anybodyWaits(leavers) }
  return deviceAnswer(unsent satisfies Unsent)
}

export async function answerOutbox(
  database: CopyDatabase,
  userId: string,
  call: Call,
  nowMs: number,
): Promise<Answered> {
  const { pathname, searchParams } = new URL(call.url)
  const what = pathname.slice((apiPath + outboxPath).length)
  const key = decodeURIComponent(what.slice(1))
  const body = call.body ? (JSON.parse(new TextDecoder().decode(call.body)) as unknown) : null
  switch (`${call.method} ${what}`) {
    case 'GET ': {
      const stored = await database.getAll('outbox')
      const entries = toUnsent(stored, await namesOf(database, stored), nowMs)
      const feeds = await database.getAll('feeds')
      // Before the list of organizations has come it is under way as well, with nothing counted.
      const isListHere = feeds.some(({ organizationId }) => organizationId === wholeList.organizationId)
      const firstSync = firstSyncOf(feeds) ?? (isListHere ? null : { told: 0, total: 0 })
      const unsent = { ...countsOf(entries), entries, firstSync, othersWait: await anybodyWaits([userId]) }
      return { answer: deviceAnswer(unsent satisfies Unsent) }
    }
    case 'POST /retry':
      if (!(await retryParked(database))) return { answer: deviceProblem('device_full') }
      return { answer: deviceAnswer(undefined, 204), isChanged: true, isSent: true }
    case 'POST /pause':
    case 'POST /resume':
      await pauseFirstSync(database, what === '/pause')
      return { answer: deviceAnswer(undefined, 204) }
    case 'GET /export':
      return { answer: deviceAnswer(fileOf(userId, await database.getAll('outbox'))) }
    case 'POST /import': {
      const file = body as OutboxFile
      const isFile = file?.docket === 'unsent' && file.version === 1 && Array.isArray(file.entries)
      const read = isFile
        ? await importEntries(database, file, userId, searchParams.has('whole') ? 'all-or-none' : 'what-fits')
        : null
      if (!read) return { answer: deviceProblem('invalid_request', { detail: 'This is no file of unsent changes.' }) }
      // As it was told then: the organization may be the person's again by now.
      await tryLost(database)
      const answer = deviceAnswer({
        imported: read.imported,
        refused: file.entries.length - read.imported - read.known,
      })
      return { answer, isChanged: true, isSent: true }
    }
  }
  if (call.method === 'DELETE') {
    const alone = searchParams.has('alone')
    const taken = await discard(database, key, alone)
    if (taken.length === 0) {
      // Alone it cannot be had: something builds on it.
      const stays = alone && (await database.getFromIndex('outbox', 'byKey', key))
      return { answer: deviceProblem(stays ? 'invalid_transition' : 'not_found') }
    }
    return { answer: deviceAnswer(fileOf(userId, taken)), isChanged: true, isSent: true }
  }
  if (call.method === 'PUT') {
    const isResolved = await resolve(database, key, body as Resolution, uuidv7())
    if (!isResolved) return { answer: deviceProblem('not_found') }
    return { answer: deviceAnswer(undefined, 204), isChanged: true, isSent: true }
  }
  return { answer: deviceProblem('not_found') }
}

async function namesOf(database: CopyDatabase, entries: readonly Entry[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const { organizationId, body, ...entry } of entries) {
    for (const { id } of rowsOf({ organizationId, ...entry }).slice(1)) {
      const number = (await database.get('invoiceDetails', [organizationId, id]))?.row.number
      if (number) names.set(id, number)
    }
    const id = body?.['customerId']
    const found = typeof id === 'string' ? await database.get('customers', [organizationId, id]) : undefined
    if (found) names.set(found.row.id, found.row.name)
  }
  return names
}
