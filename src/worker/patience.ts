// How long the network is waited for before a call is given up: a read that comes to a standstill, a write where nobody is there any more.
import type { Call } from './wire.ts'

const standstillMs = 20_000

/** A read that nobody answers, or that comes to a standstill, is given up, so that it can be asked for again: what comes may take its time, and no write is broken off. */
export async function sendRead(call: Call, send: (call: Call) => Promise<Response>): Promise<Response> {
  if (call.method !== 'GET') return send(call)
  const limit = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => limit.abort(), standstillMs)
  }
  wait()
  const signal = call.signal ? AbortSignal.any([call.signal, limit.signal]) : limit.signal
  try {
    const answer = await send({ ...call, signal })
    if (!answer.body) return answer
    const comes = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, to) {
        wait()
        to.enqueue(chunk)
      },
      flush: () => clearTimeout(timer),
    })
    wait()
    return new Response(answer.body.pipeThrough(comes), answer)
  } catch (error) {
    clearTimeout(timer)
    throw error
  }
}

/** How long a write may go unanswered before it is asked whether anybody is there, and how long that may take: longer each time that it was in vain. */
const silentMs = 500
const firstPatienceMs = 2000
const longestPatienceMs = 20_000
const betweenLooksMs = 5000
/** What goes up on a slow line keeps everything else waiting. */
const leastBytesPerMs = 10

/** Sends what only the server takes. A network that stands still gives no answer: then it is given up, and whoever waits is told so. A server that takes long is there. */
export function createWriteSender(): (
  call: Call,
  send: (call: Call) => Promise<Response>,
  isThere: () => Promise<boolean>,
) => Promise<Response> {
  let patienceMs = firstPatienceMs
  return async (call, send, isThere) => {
    const limit = new AbortController()
    let isOver = false
    const look = async (afterMs: number): Promise<void> => {
      await pause(afterMs)
      if (isOver) return
      const within = pause(patienceMs + (call.body?.byteLength ?? 0) / leastBytesPerMs).then(() => false)
      const isHeard = await Promise.race([isThere(), within])
      if (isOver) return
      if (isHeard) return look(betweenLooksMs)
      patienceMs = Math.min(2 * patienceMs, longestPatienceMs)
      limit.abort()
    }
    look(silentMs).catch(() => {})
    try {
      const signal = call.signal ? AbortSignal.any([call.signal, limit.signal]) : limit.signal
      const answer = await send({ ...call, signal })
      patienceMs = firstPatienceMs
      return answer
    } finally {
      isOver = true
    }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
