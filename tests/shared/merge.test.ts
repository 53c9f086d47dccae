import { describe, expect, test } from 'vitest'
import { merge } from '#shared/merge.ts'

const row = {
  id: 'c1',
  organizationId: 'o1',
  name: 'Bob',
  email: null,
  phone: '1',
  address: { line1: 'Mill Lane 1', line2: null, city: 'Delft' },
  version: 3,
  revision: 30,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
}
const sent = { name: 'Bob', email: '', phone: '1', address: { line1: 'Mill Lane 1', line2: '', city: 'Delft' } }
const later = { version: 4, revision: 31, updatedAt: '2026-01-02T00:00:00Z' }

describe('two changes of one row (OFFLINE.md "Conflict")', () => {
  test('fields that do not overlap come together without a question', () => {
    const { merged, inQuestion } = merge(row, { ...sent, name: 'Robert' }, { ...row, ...later, email: 'b@example.com' })
    expect(inQuestion).toEqual([])
    expect(merged).toEqual({ ...sent, name: 'Robert', email: 'b@example.com', address: row.address })
  })
  test('what both changed is in question, and stands as it was saved here', () => {
    const { merged, inQuestion } = merge(row, { ...sent, phone: '2' }, { ...row, ...later, phone: '3' })
    expect(inQuestion).toEqual(['phone'])
    expect(merged['phone']).toBe('2')
  })
  test('the same change on both sides is no question', () => {
    expect(merge(row, { ...sent, phone: '2' }, { ...row, ...later, phone: '2' }).inQuestion).toEqual([])
  })
  test('a number written longer than the row has it is the same number; what only looks like one is text', () => {
    const line = { name: '1.0', quantity: '9', unitPrice: '379', vat: { category: 'S', rate: '21', reason: null } }
    const typed = { ...line, unitPrice: '379.00', vat: { category: 'S', rate: '21.0' } }
    const draft = { ...row, lines: [line] }
    const theirs = { ...draft, ...later, lines: [{ ...line, quantity: '8' }] }
    expect(merge(draft, { lines: [typed] }, theirs)).toEqual({ merged: { lines: theirs.lines }, inQuestion: [] })
    for (const other of [
      { ...typed, name: '1' },
      { ...typed, unitPrice: '379.01' },
      { ...typed, unitPrice: '379,00' },
    ])
      expect(merge(draft, { lines: [other] }, theirs).inQuestion).toEqual(['lines'])
  })
  test('a field emptied here and changed there is one', () => {
    const { merged, inQuestion } = merge(row, { ...sent, phone: '' }, { ...row, ...later, phone: '3' })
    expect(inQuestion).toEqual(['phone'])
    expect(merged['phone']).toBe('')
  })
  test('an empty text is what null is: nothing was changed', () => {
    const { merged, inQuestion } = merge(row, sent, { ...row, ...later, email: 'b@example.com' })
    expect(inQuestion).toEqual([])
    expect(merged['email']).toBe('b@example.com')
    expect(merge({ ...row, endpoint: null }, { endpoint: { scheme: '' } }, { endpoint: null }).inQuestion).toEqual([])
  })
  test('an object is one field, whichever part of it was changed', () => {
    const mine = { ...sent, address: { ...sent.address, city: 'Leiden' } }
    const theirs = { ...row, ...later, address: { ...row.address, line1: 'Mill Lane 2' } }
    expect(merge(row, mine, theirs).inQuestion).toEqual(['address'])
    expect(merge(row, mine, { ...row, ...later, address: { ...row.address, city: 'Leiden' } }).inQuestion).toEqual([])
  })
  test('what both wrote into an address that was empty is one address; what either corrected is in question', () => {
    const empty = { line1: null, line2: null, city: null, postalCode: null }
    const base = { ...row, address: empty }
    const mine = { ...sent, address: { ...empty, line1: 'Kade 1', line2: '' } }
    const filled = { ...base, ...later, address: { ...empty, city: 'Utrecht', postalCode: '3511' } }
    const both = { line1: 'Kade 1', line2: null, city: 'Utrecht', postalCode: '3511' }
    expect(merge(base, mine, filled)).toMatchObject({ inQuestion: [], merged: { address: both } })
    expect(merge(base, mine, { ...filled, address: { ...both, line1: 'Quay 2' } }).inQuestion).toEqual(['address'])
    expect(merge(base, mine, { ...filled, address: both }).inQuestion).toEqual([])
    const street = { ...base, address: { ...empty, line1: 'Mill Lane 1' } }
    expect(merge(street, mine, filled).inQuestion).toEqual(['address'])
  })
  test('a rate that the server let go of with the old own currency is no question where mine is into the new one', () => {
    const [old, fresh] = ['EUR', 'GBP'].map((to) => ({
      from: 'USD',
      to,
      rate: '0.92',
      date: '2026-11-21',
      source: 'ECB',
    }))
    const merged = (mine: object) => merge({ exchange: old }, { exchange: mine }, { exchange: null })
    expect(merged(fresh!)).toEqual({ merged: { exchange: fresh }, inQuestion: [] })
    expect(merged({ ...old, rate: '0.93' }).inQuestion).toEqual(['exchange'])
  })

  test('lines are one field; what the server adds to them is no change', () => {
    const line = { id: 'l1', name: 'Website', quantity: '2', vat: { category: 'S', rate: '21' } }
    const stored = { ...line, vat: { ...line.vat, reason: null }, net: { amount: '2.00', currency: 'EUR' } }
    const base = { lines: [stored], notes: null }
    const theirs = { lines: [stored, { ...stored, id: 'l2' }], notes: 'Thanks' }
    expect(merge(base, { lines: [line], notes: '' }, theirs)).toEqual({ merged: theirs, inQuestion: [] })
    expect(merge(base, { lines: [{ ...line, quantity: '3' }], notes: '' }, theirs).inQuestion).toEqual(['lines'])
    expect(merge(base, { lines: [], notes: '' }, theirs).inQuestion).toEqual(['lines'])
  })
  test('a discount that is no percentage any more is another one, on either side', () => {
    const line = (more: object) => ({
      lines: [{ name: 'Website', allowances: [{ amount: '5.00', ...more }] }],
      notes: null,
    })
    const [percent, fixed] = [line({ percent: '10' }), line({})]
    expect(merge(percent, fixed, { ...percent, notes: 'Theirs' })).toEqual({
      merged: { ...fixed, notes: 'Theirs' },
      inQuestion: [],
    })
    const mine = { ...line({ percent: '12' }), notes: null }
    expect(merge(percent, mine, fixed).inQuestion).toEqual(['lines'])
    expect(merge(percent, percent, fixed)).toEqual({ merged: fixed, inQuestion: [] })
  })
  test('what a save leaves out and somebody set stays; where both gave up what stood there it is in question', () => {
    const base = { customerId: 'a', buyerReference: null }
    const mine = { customerId: 'b' }
    const theirs = { ...base, buyerReference: 'PO-7' }
    expect(merge(base, mine, theirs)).toEqual({ merged: { ...mine, buyerReference: 'PO-7' }, inQuestion: [] })
    expect(merge(base, mine, base)).toEqual({ merged: mine, inQuestion: [] })
    const before = { ...base, buyerReference: 'PO-6' }
    expect(merge(before, mine, theirs)).toEqual({ merged: mine, inQuestion: ['buyerReference'] })
    expect(merge(before, mine, before)).toEqual({ merged: mine, inQuestion: [] })
  })
  test('what a row says of itself is never in question; totals are reckoned anew', () => {
    const mine = { ...row, name: 'Robert', version: 2, unsent: 'waiting', totals: { net: '1' } }
    const { merged, inQuestion } = merge(row, mine, { ...row, ...later })
    expect(inQuestion).toEqual([])
    expect(merged).toMatchObject({ id: 'c1', name: 'Robert', ...later })
    expect(merged).not.toHaveProperty('totals')
  })
  test('without the row it was made on, all that differs is in question', () => {
    const theirs = { ...row, ...later, name: 'Robert', phone: '2' }
    expect(merge(null, sent, theirs).inQuestion).toEqual(['name', 'phone'])
  })
  test('nothing that came in is changed', () => {
    const mine = { ...sent, phone: '2' }
    const before = structuredClone({ row, mine })
    merge(row, mine, { ...row, phone: '3' })
    expect({ row, mine }).toEqual(before)
  })
})
