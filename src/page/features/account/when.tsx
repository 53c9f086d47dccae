import { useEffect, useState } from 'react'
import { now } from '#page/device/clock.ts'
import { formatInstant, formatRelative } from '#page/words/format.ts'

const aMinuteMs = 60_000

/** How long ago, in words that stay true while the screen is open; the exact time on asking. */
export function When({ at }: { at: string }) {
  const [nowMs, setNow] = useState(now)
  useEffect(() => {
    const timer = setInterval(() => setNow(now()), aMinuteMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatRelative(at, Math.max(nowMs, Date.parse(at)))}
    </time>
  )
}
