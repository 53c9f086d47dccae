import type { MinorUnits } from '#shared/money.ts'

/** What of an amount goes to each of what is due, in that order: the first is paid whole before the next gets any. What is over goes nowhere. */
export function spreadInOrder(amount: MinorUnits, due: readonly MinorUnits[]): MinorUnits[] {
  let left = amount
  return due.map((each) => {
    const part = left < each ? left : each
    left -= part
    return part
  })
}
