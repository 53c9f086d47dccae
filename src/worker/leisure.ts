// Work that no person waits for: begun a moment after it is asked for, once for all who ask meanwhile; then the device is left to others for longer than it took.

export interface Pace {
  afterMs: number
  /** So many times what the work took. */
  restPerWork: number
  longestRestMs: number
}

/** Work that fails is asked for again by whatever comes next: a person who has left meanwhile has none. */
export function atLeisure<Of>(
  work: (of: Of) => Promise<void>,
  { afterMs, restPerWork, longestRestMs }: Pace,
): (of: Of) => void {
  let isSoon = false
  let restUntilMs = 0
  return (of) => {
    if (isSoon) return
    isSoon = true
    const begin = async () => {
      isSoon = false
      const beganMs = performance.now()
      await work(of).catch(() => {})
      const endedMs = performance.now()
      restUntilMs = endedMs + Math.min(longestRestMs, restPerWork * (endedMs - beganMs))
    }
    setTimeout(() => void begin(), Math.max(afterMs, restUntilMs - performance.now()))
  }
}
