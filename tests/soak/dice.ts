// Chance that can be thrown again: every decision of a run comes from seeds that fast-check keeps.

export interface Dice {
  /** From 0 up to 1. */
  next(): number
  chance(probability: number): boolean
  /** A whole number from 0 up to, and without, the limit. */
  below(limit: number): number
  pick<T>(from: readonly T[]): T
}

/** mulberry32. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, chance: (probability) => next() < probability, pick: (from) => from[below(from.length)]! }
}

/** Thrown the same for the same words. */
export function createDiceFor(...words: (string | number)[]): Dice {
  // FNV-1a.
  let mixed = 0x811c9dc5
  for (const unit of new TextEncoder().encode(words.join(' '))) mixed = Math.imul(mixed ^ unit, 0x01000193)
  return createDice(mixed)
}
