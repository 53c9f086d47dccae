// What is due of an invoice as money comes, is credited and is given back.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { balanceOf, canTakeBack, canVoid, isRefund, mayRemind, wireBalance } from '#shared/invoice-balance.ts'
import { toMoney } from '#shared/money.ts'

const eur = (minor: bigint) => toMoney(minor, 'EUR')
const issued = (gross: bigint, paid: bigint, credited: bigint) => ({
  type: '380',
  status: 'issued' as const,
  currency: 'EUR',
  gross: eur(gross),
  paid: eur(paid),
  credited: eur(credited),
})

describe('money given back', () => {
  test('takes what is overpaid to nothing, whole and in part', () => {
    const credited = issued(100n, 100n, 100n)
    expect(wireBalance(credited)).toEqual({ paid: eur(100n), amountDue: eur(-100n), paymentStatus: 'credited' })
    expect(wireBalance(credited, -40n)).toMatchObject({ amountDue: eur(-60n) })
    expect(wireBalance(credited, -100n)).toEqual({ paid: eur(0n), amountDue: eur(0n), paymentStatus: 'credited' })
    expect(wireBalance(issued(100n, 100n, 30n), -30n)).toMatchObject({ amountDue: eur(0n), paymentStatus: 'paid' })
  })

  test('leaves nobody to remind, and nothing to void', () => {
    for (const paid of [100n, 60n, 0n]) {
      expect(mayRemind(issued(100n, paid, 100n))).toBe(false)
      expect(canVoid({ type: '380', status: 'issued', gross: 100n, paid, credited: 100n }, null)).toBe(false)
    }
  })

  test('is told by its sign, also in what nobody has checked yet', () => {
    for (const amount of ['-1', '-0.01']) expect(isRefund({ amount: { amount, currency: 'EUR' } })).toBe(true)
    for (const body of [null, {}, { amount: null }, { amount: '-1' }, { amount: { amount: -1 } }, { amount: eur(1n) }])
      expect(isRefund(body)).toBe(false)
  })
})

test('whatever is paid, credited, given back and reversed by the rules: paid is the sum of what stands, never below nothing, and no more than was invoiced', () => {
  const step = fc.record({
    what: fc.constantFrom('pay', 'credit', 'refund', 'reverse'),
    part: fc.constantFrom(1, 30, 50, 100),
    which: fc.nat(),
  })
  const counts = { refund: 0, reverse: 0, refused: 0 }
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      fc.array(step, { minLength: 10, maxLength: 30 }),
      (gross, steps) => {
        let payments: bigint[] = []
        let credited = 0n
        const paidOf = () => payments.reduce((sum, each) => sum + each, 0n)
        const balance = () => balanceOf({ type: '380', status: 'issued', gross, paid: paidOf(), credited })
        for (const { what, part, which } of steps) {
          const { amountDue } = balance()
          const some = (whole: bigint) => (whole * BigInt(part)) / 100n
          if (what === 'credit') credited += some(gross - credited)
          if (what === 'pay' && amountDue > 0n) payments.push(some(amountDue))
          if (what === 'refund' && amountDue < 0n) {
            payments.push(some(amountDue))
            counts.refund += 1
          }
          if (what === 'reverse' && payments.length > 0) {
            const index = which % payments.length
            if (canTakeBack({ paid: paidOf() }, payments[index]!)) {
              const before = balance().amountDue
              const [taken] = payments.splice(index, 1)
              // Just what it paid is due again; of a refund, just what it gave back is to be given back again.
              expect(balance().amountDue).toBe(before + taken!)
              counts.reverse += 1
            } else counts.refused += 1
          }
          const { amountDue: due, paymentStatus } = balance()
          expect(paidOf() >= 0n && paidOf() <= gross).toBe(true)
          expect(due).toBe(gross - credited - paidOf())
          // What was credited whole is owed by nobody, however often money went to and fro.
          if (paymentStatus === 'credited') expect(due <= 0n).toBe(true)
          payments = payments.filter((each) => each !== 0n)
        }
      },
    ),
    { numRuns: 1000 },
  )
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(50)
})
