// The oracle of the schedules of faults (tests/browser/faults): each of its rules fails where what it forbids stands in the server's books.
import { describe, expect, test } from 'vitest'
import type { Books, Stored, Write } from '#tests/browser/faults/ledger.ts'
import { judge, lostOf } from '#tests/browser/faults/oracle.ts'
import { createWatch } from '#tests/browser/faults/watch.ts'

const part = { invoiceId: 'bill', amount: 1718n }

function asked(
  kind: Write['kind'],
  id: string,
  act: Write['act'],
  mark: string | null,
  more: Partial<Write> = {},
): Write {
  return { key: `${act}-${id}`, kind, id, act, mark, isElsewhere: false, isAcknowledged: true, ...more }
}

function stored(kind: Stored['kind'], id: string, here: string | null, version = 1): Stored {
  return { kind, id, version, here, aside: null, elsewhere: null, isDeleted: false, isIssued: false }
}

/** What a person asked for, and what the server has when everything went well: a customer, and an invoice that was issued and paid in part. */
function allIsWell(): { writes: Write[]; books: Books } {
  const writes = [
    asked('customer', 'bob', 'create', 'M001'),
    asked('invoice', 'bill', 'create', 'M002'),
    asked('invoice', 'bill', 'issue', null),
    asked('payment', 'part', 'create', 'M003', { parts: [part] }),
  ]
  const books: Books = {
    commits: writes.map(({ key, act, id, mark }) => ({
      key: key!,
      body: {
        ...(act === 'issue' ? { id, status: 'issued', version: 2 } : { id, version: 1 }),
        name: mark,
        notes: mark ?? 'M002',
        reference: mark,
      },
    })),
    rows: [
      stored('customer', 'bob', 'M001'),
      { ...stored('invoice', 'bill', 'M002', 2), isIssued: true },
      stored('payment', 'part', 'M003'),
    ],
    numbers: [{ series: 'invoices 2026', sequence: 1 }],
    parts: [{ paymentId: 'part', ...part }],
    sums: [{ id: 'bill', gross: 91_718n, paid: 1718n, credited: 0n }],
    strays: [],
  }
  return { writes, books }
}

function judged({ writes, books }: ReturnType<typeof allIsWell>): string | null {
  const watch = createWatch()
  judge(writes, books, watch)
  try {
    watch.check()
    return null
  } catch (error) {
    return (error as { rule: string }).rule
  }
}

test('what was asked for, once, breaks no rule', () => {
  expect(judged(allIsWell())).toBeNull()
})

test('a save, and then one of a form that was opened before it, both stand there', () => {
  const { writes, books } = allIsWell()
  writes.push(asked('customer', 'bob', 'save', 'M004'), asked('customer', 'bob', 'save', 'M005', { opened: {} }))
  books.commits.push({ key: 'save-bob', body: { id: 'bob', version: 2, name: 'M004' } })
  books.commits.push({ key: 'merged', body: { id: 'bob', version: 3, name: 'M004', contactName: 'M005' } })
  Object.assign(books.rows[0]!, { version: 3, here: 'M004', aside: 'M005' })
  expect(judged({ writes, books })).toBeNull()
})

test('what was asked for and never acknowledged may be there or not', () => {
  const { writes, books } = allIsWell()
  for (const write of writes) write.isAcknowledged = false
  expect(judged({ writes, books })).toBeNull()
  const nothing = { commits: [], rows: [], numbers: [], parts: [], sums: [], strays: [] }
  expect(judged({ writes, books: nothing })).toBeNull()
})

const wrongs: [string, rule: string, (books: Books, writes: Write[]) => void][] = [
  [
    'a payment is missing',
    'lost-write',
    (books) => {
      books.rows.pop()
      books.commits.pop()
      books.parts.pop()
      books.sums[0]!.paid = 0n
    },
  ],
  [
    'a payment stands there twice',
    'done-twice',
    (books) => {
      books.rows.push(stored('payment', 'again', 'M003'))
      books.commits.push({ key: 'another', body: { id: 'again', reference: 'M003' } })
      books.parts.push({ paymentId: 'again', ...part })
      books.sums[0]!.paid += part.amount
    },
  ],
  [
    'a payment is of another amount',
    'wrong-sum',
    (books) => {
      books.parts[0]!.amount = 1719n
      books.sums[0]!.paid = 1719n
    },
  ],
  [
    'a payment is on another invoice',
    'wrong-sum',
    (books) => {
      books.parts[0]!.invoiceId = 'other'
      books.sums[0]!.paid = 0n
    },
  ],
  [
    'a payment has two parts',
    'wrong-sum',
    (books) => {
      books.parts.push({ paymentId: 'part', ...part })
      books.sums[0]!.paid += part.amount
    },
  ],
  ['an invoice’s sum is not that of its payments', 'wrong-sum', (books) => (books.sums[0]!.paid = 0n)],
  [
    'more is paid than is due',
    'wrong-sum',
    (books, writes) => {
      writes[3]!.parts = [{ ...part, amount: 91_719n }]
      books.parts[0]!.amount = books.sums[0]!.paid = 91_719n
    },
  ],
  ['an invoice is of another amount', 'wrong-sum', (books) => (books.sums[0]!.gross = 45_859n)],
  ...(['customer', 'invoice', 'payment'] as const).map((kind): (typeof wrongs)[number] => [
    `nobody asked for a ${kind}`,
    'unasked',
    (books) => {
      books.rows.push(stored(kind, 'stranger', null))
      books.commits.push({ key: 'another', body: { id: 'stranger' } })
    },
  ]),
  ['nobody asked for an item', 'unasked', (books) => books.strays.push({ kind: 'items', id: 'hour' })],
  ['nobody asked to delete it', 'unasked', (books) => (books.rows[0]!.isDeleted = true)],
  ['nobody asked to issue it', 'unasked', (books, writes) => writes.splice(2, 1) && books],
  [
    'a form that was opened before puts back what another save had changed',
    'overwritten',
    (books, writes) => {
      const opened = { id: 'bob', version: 1, name: 'M001' }
      writes.push(asked('customer', 'bob', 'save', 'M004'), {
        ...asked('customer', 'bob', 'save', 'M005', { opened }),
        key: 'old-form',
      })
      const saved = { id: 'bob', version: 2, name: 'M004' }
      books.commits.push({ key: 'save-bob', body: saved })
      books.commits.push({ key: 'old-form', body: { ...opened, version: 3, contactName: 'M005' } })
      Object.assign(books.rows[0]!, { version: 3, aside: 'M005' })
    },
  ],
  [
    'what a form saved that was opened before is not there',
    'lost-write',
    (books, writes) =>
      writes.push(asked('customer', 'bob', 'save', 'M004', { opened: { id: 'bob', version: 1 } })) && books,
  ],
  ['nobody wrote what stands there', 'unasked', (books) => (books.rows[0]!.elsewhere = 'E009')],
]

describe('a rule fails', () => {
  test.each(wrongs)('%s', (_, rule, plant) => {
    const planted = structuredClone(allIsWell())
    plant(planted.books, planted.writes)
    expect(judged(planted)).toBe(rule)
  })
})

test('a word on the screen is held against what is missing alone', () => {
  const { writes, books } = allIsWell()
  books.strays.push({ kind: 'items', id: 'hour' })
  expect(lostOf(writes, books)).toBeNull()
  books.rows.pop()
  expect(lostOf(writes, books)).toContain('create payment part')
})
