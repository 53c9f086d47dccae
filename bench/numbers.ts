// Medians and their noise: every figure is a median of interleaved rounds, given with the quartiles around it.

export interface Figure {
  median: number
  /** First and third quartile. */
  quartiles: [number, number]
  rounds: number
}

export function figure(values: readonly number[]): Figure {
  const at = (share: number) => percentile(values, share)
  return { median: at(0.5), quartiles: [at(0.25), at(0.75)], rounds: values.length }
}

/** The value that this share of the others stay below: 0.95 for the 95th percentile. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!)
}

export function round(value: number): number {
  return Number(value.toPrecision(4))
}
