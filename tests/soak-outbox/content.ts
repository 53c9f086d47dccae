// What the rows say, field by field: each save does at the server what it was to change, and nothing else.
import { isDeepStrictEqual } from 'node:util'
import { mayGivePlace, nextInLane, type Ledger, type Write } from './ledger.ts'
import type { Watch } from './watch.ts'

/** Of a row, or of a save: its fields, as far as this model changes them. */
export type Content = Readonly<Record<string, unknown>>

const fields: Readonly<Record<string, readonly string[]>> = {
  organization: ['name'],
  customer: ['name', 'phone'],
  invoice: ['customerId', 'lines'],
}

/** What a save changes of the row that its screen showed. */
export function changedIn(path: string, shown: object | null, body: object): Content {
  const kind =
    /\/(customer|invoice)s(\/|$)/.exec(path)?.[1] ?? (path.includes('/payments') ? 'payment' : 'organization')
  const of = (row: object | null, field: string) => (row ? valueOf(row as Content, field) : undefined)
  const changed = (fields[kind] ?? []).filter((field) => !isDeepStrictEqual(of(shown, field), of(body, field)))
  return Object.fromEntries(changed.map((field) => [field, of(body, field)]))
}

/** Lines have names and prices that are all the same here. */
function valueOf(row: Content, field: string): unknown {
  if (field !== 'lines') return row[field] ?? null
  return (row['lines'] as { quantity: string }[] | undefined)?.map(({ quantity }) => quantity)
}

/**
 * Of each write that changed a row, in the order of its versions: what is different is what the saves that it brings were to change, and all that they were
 * to change is so. It brings what gave its place to it as well. Not judged is what the person decided about a conflict: that is their word on every field.
 */
export function judgeContent(ledger: Ledger, watch: Watch): void {
  const writes = [...ledger.writes.values()]
  for (const [lane, keys] of ledger.byLane) {
    const [kind = ''] = lane.split(':')
    const ofRow = writes.filter((write) => write.lanes.includes(lane))
    const brought = Map.groupBy(ofRow, (write) => broughtBy(write, ofRow, ledger))
    const commits = keys.flatMap((key) => {
      const { version, row } = ledger.commits.get(key)!
      return row && version !== null ? [{ key, version, row }] : []
    })
    let before: Content | null = null
    const rows: { phone: string | undefined; row: Content }[] = []
    for (const { key, version, row } of commits.toSorted((a, b) => a.version - b.version)) {
      const was: Content | null = before
      before = row
      const own = ledger.writes.get(key)
      rows.push({ phone: own?.phone, row })
      const saves = brought.get(key) ?? []
      if (!own || saves.some((each) => isDecided(each, ledger))) continue
      // Of what was killed before it could say that it is stored, or put back after others, it is not known what it gave its place to.
      const unclear = ofRow.filter(
        (each) => each.phone === own.phone && (!each.isStored || ledger.wasReturned(each.key)),
      )
      for (const field of fields[kind] ?? []) {
        const value = valueOf(row, field)
        const isMeant = ({ changed }: Write) =>
          changed !== null && field in changed && isDeepStrictEqual(changed[field], value)
        const what = `${lane} ${field} at version ${version}, by ${key}: ${JSON.stringify(value)}`
        if ([...saves, ...unclear].some(isMeant)) continue
        if (was && !isDeepStrictEqual(valueOf(was, field), value))
          watch.broke('overwritten', `${what} in the place of ${JSON.stringify(valueOf(was, field))}`)
        const changes = ({ changed }: Write) => changed !== null && field in changed
        // One of those that was later to change it too may be all that it gave its place to.
        const isChangedAfter = (each: Write) => unclear.some((later) => later.place > each.place && changes(later))
        // It may have changed back what was then taken back: of that nothing is left.
        const isChangedBack = ({ phone, place }: Write) =>
          ofRow.some(
            (each) => each.phone === phone && each.place < place && ledger.discarded.has(each.key) && changes(each),
          )
        // Somebody else had saved the same before: then it was no change of theirs any more, and whoever changed it next was right to.
        const isSameElsewhere = ({ phone, changed }: Write) =>
          rows.some((each) => each.phone !== phone && isDeepStrictEqual(valueOf(each.row, field), changed![field]))
        // What one save changed and the next changed back, before anything was sent, is no change together.
        const inTurn = saves.filter(changes).toSorted((a, b) => a.place - b.place)
        const last = inTurn.at(-1)?.changed?.[field]
        if (inTurn.length > 1 && rows.some((each) => isDeepStrictEqual(valueOf(each.row, field), last))) continue
        const isJudged = (each: Write) => each.isStored && !unclear.includes(each) && changes(each)
        const isExcused = (each: Write) => isChangedAfter(each) || isChangedBack(each) || isSameElsewhere(each)
        const lost = saves.find((each) => isJudged(each) && !isExcused(each))
        if (lost) watch.broke('lost-write', `${what}, and ${lost.key} saved ${JSON.stringify(lost.changed![field])}`)
      }
    }
  }
}

/** The key that was done at the server with this save in it; undefined where the person took it back. */
function broughtBy(write: Write, ofRow: readonly Write[], ledger: Ledger): string | undefined {
  const { key } = write
  if (ledger.commits.has(key)) return key
  const heir = ledger.heir(key)
  if (heir !== undefined) return broughtBy(ledger.writes.get(heir)!, ofRow, ledger)
  if (ledger.discarded.has(key) || ledger.wasSent(key) || !mayGivePlace(write) || !write.isStored) return undefined
  const next = nextInLane(write, ofRow, ledger)
  return next?.method === 'PUT' ? broughtBy(next, ofRow, ledger) : undefined
}

function isDecided({ key }: Write, ledger: Ledger): boolean {
  return ledger.resolved.has(key) || ledger.resolved.has(ledger.origin(key))
}
