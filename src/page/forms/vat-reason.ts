import { useRef } from 'react'

/** What was written of one VAT category says nothing of another: each keeps its own while the form is open. Answers what the next one's reason is. */
export function useReasons(): (from: string, reason: string, to: string) => string {
  const byCategory = useRef(new Map<string, string>())
  return (from, reason, to) => {
    byCategory.current.set(from, reason)
    return byCategory.current.get(to) ?? ''
  }
}
