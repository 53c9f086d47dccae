// What must be true when the network is well and nothing waits any more: what the screen said, held against the server's own rows.
import { formatAmount } from '#shared/money.ts'
import { marked, placeOf, websiteGross, type Books, type Commit, type Part, type Stored, type Write } from './ledger.ts'
import { createWatch, type Watch } from './watch.ts'

export function judge(writes: readonly Write[], books: Books, watch: Watch): void {
  const { commits, rows, numbers } = books
  const mine = writes.filter(({ isElsewhere }) => !isElsewhere)
  const theirs = new Set(writes.filter(({ isElsewhere }) => isElsewhere).map(({ key }) => key))
  const acts = new Map(writes.map(({ key, act }) => [key, act]))
  for (const { isAcknowledged } of mine) if (isAcknowledged) watch.count('writes acknowledged')
  for (const { key } of commits) if (!theirs.has(key)) watch.count('writes done at the server')
  for (const row of rows) {
    const answers = commits.filter(({ body }) => body?.['id'] === row.id)
    const versions = answers.toSorted((one, other) => versionOf(one) - versionOf(other))
    nothingOlder(row, versions)
    ofRow(
      row,
      writes.filter(({ id }) => id === row.id),
      versions,
    )
    if (row.kind !== 'organization' && !row.isDeleted && row.version !== answers.length)
      watch.broke('done-twice', `${row.kind} ${row.id} is at version ${row.version}, by ${answers.length} writes`)
  }
  for (const write of mine)
    if (write.isAcknowledged && !rows.some(({ id }) => id === write.id)) watch.broke('lost-write', inWords(write))
  judgePayments(writes, books, watch)
  for (const row of rows) wasAsked(row)
  for (const { kind, id } of books.strays) watch.broke('unasked', `${kind} ${id}`)
  const series = Map.groupBy(numbers, (each) => each.series)
  for (const [, given] of series)
    given.forEach(({ sequence }, index) => {
      watch.count('invoices numbered')
      if (sequence !== index + 1) watch.broke('number-gap', given.map((each) => each.sequence).join(' '))
    })

  /** Each field goes on to what was saved later, whatever form it was that was saved. */
  function nothingOlder({ kind, id }: Stored, versions: readonly Commit[]): void {
    for (const names of Object.values(marked[kind]))
      for (const [index, { key, body }] of versions.entries()) {
        const field = names?.[1]
        const before = versions[index - 1]?.body
        if (field && before && body && placeOf(body[field]) < placeOf(before[field]))
          watch.broke(
            'overwritten',
            `${field} of ${kind} ${id} by ${key}: ${String(body[field])} in the place of ${String(before[field])}`,
          )
      }
  }

  /** Whether somebody asked for what the row is, acknowledged or not: it may have arrived. */
  function wasAsked({ kind, id, here, aside, elsewhere, isDeleted, isIssued }: Stored): void {
    const own = writes.filter((write) => write.id === id && write.kind === kind)
    const isOfScript = (act: Write['act']) => own.some((write) => write.act === act)
    const isWritten = (mark: string | null) => mark === null || own.some((write) => write.mark === mark)
    const asked = isOfScript('create') && (!isDeleted || isOfScript('delete')) && (!isIssued || isOfScript('issue'))
    if (!asked || ![here, aside, elsewhere].every(isWritten))
      watch.broke('unasked', `${kind} ${id}: ${JSON.stringify({ here, aside, elsewhere, isDeleted, isIssued })}`)
  }

  /** `versions`: the server's answers to what was made and saved of it, under whatever key, in their order. */
  function ofRow(row: Stored, all: readonly Write[], versions: readonly Commit[]): void {
    const here = all.filter(({ isElsewhere }) => !isElsewhere)
    const valueAt = (index: number, names: Names) =>
      names ? ((versions[index]?.body?.[names[1]] ?? null) as string | null) : null
    const isSave = ({ key, body }: Commit) =>
      !theirs.has(key) && acts.get(key) !== 'issue' && body?.['status'] !== 'issued'
    const { here: own, aside } = marked[row.kind]
    for (const [names, stands, mine, others] of [
      [own, row.here, here.filter(({ opened }) => !opened), aside],
      [aside, row.aside, here.filter(({ opened }) => opened), own],
    ] as const) {
      // A save that changed the other field alone repeats this one.
      const isOfOther = (index: number) =>
        valueAt(index, names) === valueAt(index - 1, names) && valueAt(index, others) !== valueAt(index - 1, others)
      const written = versions
        .flatMap((each, index) => (isSave(each) && !isOfOther(index) ? [valueAt(index, names)] : []))
        .filter((mark) => mark !== null)
      for (const mark of new Set(written))
        if (written.filter((each) => each === mark).length > 1 && names === own)
          watch.broke('done-twice', `${row.kind} ${row.id} was written ${mark} more than once`)
      for (const write of mine)
        if (
          write.isAcknowledged &&
          write.mark !== null &&
          !written.includes(write.mark) &&
          !isReplaced(write, mine, written)
        )
          watch.broke('lost-write', inWords(write))
      if (row.isDeleted) continue
      // What was said last stands there; or what came after it, of which nothing was said.
      const marks = mine.filter(({ mark }) => mark !== null)
      const last = marks.findLastIndex(({ isAcknowledged }) => isAcknowledged)
      if (last >= 0 && !marks.slice(last).some(({ mark }) => mark === stands))
        watch.broke('lost-write', `${inWords(marks[last]!)}: ${stands} stands there`)
    }
    for (const write of here) {
      if (!write.isAcknowledged) continue
      if (write.act === 'delete' && !row.isDeleted) watch.broke('lost-write', inWords(write))
      if (write.act === 'issue' && !row.isIssued) watch.broke('lost-write', inWords(write))
    }
    const latest = all.findLast(({ isElsewhere }) => isElsewhere)
    if (!row.isDeleted && latest && latest.mark !== row.elsewhere)
      watch.broke('lost-write', `${inWords(latest)} from elsewhere: ${row.elsewhere} stands there`)
  }
}

type Names = readonly [string, string] | null

const versionOf = ({ body }: Commit) => Number(body?.['version'] ?? 0)

/** Each payment once, of the amount and on the invoice that was asked for, and the invoice's sum is theirs. */
function judgePayments(writes: readonly Write[], { rows, parts, sums }: Books, watch: Watch): void {
  const paid = rows.filter(({ kind }) => kind === 'payment')
  for (const [mark, same] of Map.groupBy(paid, ({ here }) => here))
    if (same.length > 1) watch.broke('done-twice', `the payment ${mark} stands there ${same.length} times`)
  for (const { id } of paid) {
    watch.count('payments at the server')
    const asked = writes.find((write) => write.kind === 'payment' && write.id === id)?.parts?.map(of)
    const stands = parts.filter(({ paymentId }) => paymentId === id).map(of)
    if ((asked?.length ?? 0) > 1) watch.count('of these on two invoices')
    if (asked && asked.toSorted().join() !== stands.toSorted().join())
      watch.broke('wrong-sum', `payment ${id}: ${asked.join(' ')} asked, ${stands.join(' ')} recorded`)
  }
  for (const { id, gross, paid: sum, credited } of sums) {
    const received = parts.filter(({ invoiceId }) => invoiceId === id).reduce((all, { amount }) => all + amount, 0n)
    if (gross !== websiteGross || credited !== 0n || sum !== received || sum > gross)
      watch.broke('wrong-sum', `invoice ${id}: ${inEuros(sum)} of ${inEuros(gross)} paid, by ${inEuros(received)}`)
  }
}

const inEuros = (amount: bigint) => formatAmount(amount, 'EUR')
const of = ({ invoiceId, amount }: Part) => `${inEuros(amount)} on ${invoiceId}`

/** The first that was acknowledged and is not at the server, in words. */
export function lostOf(writes: readonly Write[], books: Books): string | null {
  let lost: string | null = null
  const broke: Watch['broke'] = (rule, detail) => void (rule === 'lost-write' && (lost ??= detail))
  judge(writes, books, { ...createWatch(), broke })
  return lost
}

/** A save or a draft's creation that was never tried gives its place to the next save, whose content holds what it did not change. */
function isReplaced(write: Write, here: readonly Write[], written: readonly unknown[]): boolean {
  const later = here.slice(here.indexOf(write) + 1).filter(({ act }) => act === 'save')
  const mayGivePlace = write.act === 'save' || (write.act === 'create' && write.kind === 'invoice')
  return mayGivePlace && later.some(({ mark }) => written.includes(mark))
}

function inWords({ act, kind, id, key, mark }: Write): string {
  return `${act} ${kind} ${id} as ${mark} under ${key ?? 'a key of the form'}`
}
