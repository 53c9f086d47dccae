import { expect, test } from 'vitest'
import { attentionOf } from '#shared/dashboard.ts'

const made = (kind: string, count: number) => Array.from({ length: count }, (_, each) => `${kind}${each + 1}`)
const named = (back: number, overdue: number, drafts: number) =>
  attentionOf({ back: made('b', back), overdue: made('o', overdue), drafts: made('d', drafts) }).join(' ')

test('money of others is named first, and never leaves what is overdue without a place', () => {
  expect(named(0, 0, 0)).toBe('')
  expect(named(6, 6, 6)).toBe('b1 b2 o1 o2 o3 o4')
  expect(named(6, 1, 6)).toBe('b1 b2 o1 b3 b4 b5')
  expect(named(1, 6, 6)).toBe('b1 o1 o2 o3 o4 o5')
  expect(named(3, 1, 6)).toBe('b1 b2 o1 b3 d1 d2')
  expect(named(0, 2, 6)).toBe('o1 o2 d1 d2 d3 d4')
})
