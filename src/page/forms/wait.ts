// Too many tries: until when the next one is not heard, so that a form can count down to it and lose nothing that was typed.
import { useState } from 'react'
import { ProblemError } from '#shared/problem.ts'

export interface Wait {
  /** Milliseconds since 1970; null while nothing is waited for. */
  until: number | null
  isWaiting: boolean
  /** True when the error says how long to wait, which begins now. */
  beginsWith(error: unknown): boolean
  begin(seconds: number): void
  /** The time is over: the next try is heard. */
  end(): void
  /** A new try is on its way: what was said of the old one is gone. */
  clear(): void
}

export function useWait(): Wait {
  const [until, setUntil] = useState<number | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  const begin = (seconds: number) => {
    setUntil(Date.now() + seconds * 1000)
    setWaiting(true)
  }
  return {
    until,
    isWaiting,
    begin,
    beginsWith(error) {
      if (!(error instanceof ProblemError) || error.code !== 'too_many_requests') return false
      if (error.retryAfterSeconds === null) return false
      begin(error.retryAfterSeconds)
      return true
    },
    end: () => setWaiting(false),
    clear() {
      setUntil(null)
      setWaiting(false)
    },
  }
}
