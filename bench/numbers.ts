// Medians and their noise: every figure is a median of interleaved rounds, given with the quartiles around it.

export interface Figure {
  median: number
  /** First and third quartile. */
  quartiles: [number, number]
  rounds: number
}

export function figure(values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!)
  return { median: at(0.5), quartiles: [at(0.25), at(0.75)], rounds: values.length }
}

function round(value: number): number {
  return Number(value.toPrecision(4))
}
