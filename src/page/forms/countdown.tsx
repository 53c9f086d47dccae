import { Timer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { text } from '#page/words/text.ts'
import type { Wait } from './wait.ts'

/** Counts down to the next try. A screen reader hears the beginning and the end, not every second. */
export function Countdown({ wait, words = text.wait.tooMany }: { wait: Wait; words?: (clock: string) => string }) {
  const { until, isWaiting, end } = wait
  const [, setTick] = useState(0)
  useEffect(() => {
    if (!isWaiting || until === null) return
    const timer = setInterval(() => {
      if (Date.now() >= until) end()
      else setTick((tick) => tick + 1)
    }, 250)
    return () => clearInterval(timer)
  }, [isWaiting, until, end])
  if (until === null) return null
  return <Said key={until} until={until} isWaiting={isWaiting} words={words} />
}

function Said({ until, isWaiting, words }: { until: number; isWaiting: boolean; words: (clock: string) => string }) {
  const left = secondsUntil(until)
  const [atFirst] = useState(left)
  return (
    <div className={`rounded-lg px-4 py-3 ${isWaiting ? 'bg-warn-soft text-warn' : 'bg-info-soft text-info'}`}>
      <p aria-hidden className="flex items-start gap-2 tabular-nums">
        <Timer className="mt-0.5 size-5 shrink-0" />
        {isWaiting ? words(clock(left)) : text.wait.over}
      </p>
      <output className="sr-only">{isWaiting ? text.wait.begins(atFirst) : text.wait.ends}</output>
    </div>
  )
}

function secondsUntil(until: number): number {
  return Math.max(0, Math.ceil((until - Date.now()) / 1000))
}

/** `0:42`, `14:05`, `1:02:00`. */
function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const rest = two(seconds % 60)
  return hours > 0 ? `${hours}:${two(minutes % 60)}:${rest}` : `${minutes}:${rest}`
}
