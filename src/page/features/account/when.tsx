import { useEffect, useState } from 'react'
import { formatInstant, formatRelative } from '#page/words/format.ts'

const aMinuteMs = 60_000

/** How long ago, in words that stay true while the screen is open; the exact time on asking. */
export function When({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), aMinuteMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatRelative(at, Math.max(now, Date.parse(at)))}
    </time>
  )
}
