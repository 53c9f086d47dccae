// What must be true when the network is well and nothing waits any more: what the screen said, held against the server's own rows.
import { marked, type Books, type Commit, type Stored, type Write } from './ledger.ts'
import type { Watch } from './watch.ts'

export function judge(writes: readonly Write[], { commits, rows, numbers }: Books, watch: Watch): void {
  const mine = writes.filter(({ isElsewhere }) => !isElsewhere)
  const theirs = new Set(writes.filter(({ isElsewhere }) => isElsewhere).map(({ key }) => key))
  const acts = new Map(writes.map(({ key, act }) => [key, act]))
  for (const { isAcknowledged } of mine) if (isAcknowledged) watch.count('writes acknowledged')
  for (const { key } of commits) if (!theirs.has(key)) watch.count('writes done at the server')
  for (const row of rows) {
    const answers = commits.filter(({ body }) => body?.['id'] === row.id)
    const saves = answers.filter(
      ({ key, body }) => !theirs.has(key) && acts.get(key) !== 'issue' && body?.['status'] !== 'issued',
    )
    ofRow(
      row,
      writes.filter(({ id }) => id === row.id),
      saves,
    )
    if (row.kind !== 'organization' && !row.isDeleted && row.version !== answers.length)
      watch.broke('done-twice', `${row.kind} ${row.id} is at version ${row.version}, by ${answers.length} writes`)
  }
  for (const write of mine)
    if (write.isAcknowledged && !rows.some(({ id }) => id === write.id)) watch.broke('lost-write', inWords(write))
  const series = Map.groupBy(numbers, (each) => each.series)
  for (const [, given] of series)
    given.forEach(({ sequence }, index) => {
      watch.count('invoices numbered')
      if (sequence !== index + 1) watch.broke('number-gap', given.map((each) => each.sequence).join(' '))
    })

  /** `saves`: the server's answers to what this device made and saved of it, under whatever key. */
  function ofRow(row: Stored, all: readonly Write[], saves: readonly Commit[]): void {
    const field = marked[row.kind].here[1]
    const written = saves.map(({ body }) => body![field] as string | null).filter((mark) => mark !== null)
    for (const mark of new Set(written))
      if (written.filter((each) => each === mark).length > 1)
        watch.broke('done-twice', `${row.kind} ${row.id} was written ${mark} more than once`)

    const here = all.filter(({ isElsewhere }) => !isElsewhere)
    for (const write of here) {
      if (!write.isAcknowledged) continue
      if (write.act === 'delete' && !row.isDeleted) watch.broke('lost-write', inWords(write))
      if (write.act === 'issue' && !row.isIssued) watch.broke('lost-write', inWords(write))
      if (write.mark !== null && !written.includes(write.mark) && !isReplaced(write, here, written))
        watch.broke('lost-write', inWords(write))
    }
    if (row.isDeleted) return
    // What was said last stands there; or what came after it, of which nothing was said.
    const marks = here.filter(({ mark }) => mark !== null)
    const last = marks.findLastIndex(({ isAcknowledged }) => isAcknowledged)
    if (last >= 0 && !marks.slice(last).some(({ mark }) => mark === row.here))
      watch.broke('lost-write', `${inWords(marks[last]!)}: ${row.here} stands there`)
    const latest = all.findLast(({ isElsewhere }) => isElsewhere)
    if (latest && latest.mark !== row.elsewhere)
      watch.broke('lost-write', `${inWords(latest)} from elsewhere: ${row.elsewhere} stands there`)
  }
}

/** A save that was never tried gives its place to the next one, whose content holds what it did not change. */
function isReplaced(write: Write, here: readonly Write[], written: readonly unknown[]): boolean {
  const later = here.slice(here.indexOf(write) + 1).filter(({ act }) => act === 'save')
  return write.act === 'save' && later.some(({ mark }) => written.includes(mark))
}

function inWords({ act, kind, id, key, mark }: Write): string {
  return `${act} ${kind} ${id} as ${mark} under ${key ?? 'a key of the form'}`
}
