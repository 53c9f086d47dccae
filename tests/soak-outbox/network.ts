// The network between the devices and the shipped server: it loses, repeats, delays, stalls and forges, and a worker may die at any point of it.
import { problem } from '#shared/problem.ts'
import type { Dice } from '#tests/soak/dice.ts'
import type { Sent, SoakServer } from '#tests/soak/server.ts'
import { working, type Steps } from '#tests/soak/steps.ts'
import { foreign, truncated } from '#tests/soak/transport.ts'
import { outside } from './browser.ts'
import type { Ledger } from './ledger.ts'
import type { Life } from './phone.ts'
import type { Watch } from './watch.ts'

/** Of each request in bad weather: chances that add up to less than one; the rest is delivered. */
const chances = { lostRequest: 0.13, lostReply: 0.13, stall: 0.06, passing: 0.09, broken: 0.09, kill: 0.06 }
/** Besides: it is delivered once more, later. */
const duplicate = 0.08

export interface Network {
  send(life: Life, url: string, init: RequestInit): Promise<Response>
  /** To the server, with an eye on it; also for whoever writes from elsewhere. */
  deliver(sent: Sent): Promise<Response>
  /** Delivers what is due by now. */
  tick(): Promise<void>
  nextMs(): number
  /** Everything that is held back goes on. */
  release(): void
}

const never = () => new Promise<never>(() => {})
const lost = () => new TypeError('Failed to fetch')

export function createNetwork(server: SoakServer, ledger: Ledger, steps: Steps, dice: Dice, watch: Watch): Network {
  let late: { sent: Sent; dueMs: number }[] = []
  let held: (() => void)[] = []

  const reach = async (sent: Sent) => {
    const answer = await server.fetch(sent)
    await ledger.arrived(sent, answer)
    return answer
  }
  const deliver = (sent: Sent) => outside(() => working(reach(sent)))

  function later(sent: Sent): void {
    watch.count('delivered twice or late')
    late.push({ sent, dueMs: server.nowMs() + dice.below(dice.chance(0.6) ? 8000 : 5 * 60_000) })
  }

  /** Waits until it is let go, or the sender gives up. */
  function stalled(signal: AbortSignal | null | undefined): Promise<void> {
    watch.count('stalled requests')
    return new Promise((resolve, reject) => {
      held.push(resolve)
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
  }

  async function passed(life: Life, sent: Sent, init: RequestInit, away: <T>(wait: Promise<T>) => Promise<T>) {
    watch.count('requests')
    server.pass(dice.below(300))
    const { phone } = life
    if (phone.weather === 'offline') throw lost()
    if (phone.weather === 'portal') return foreign(dice)
    if (phone.weather === 'good') return deliver(sent)
    if (dice.chance(duplicate)) later(sent)
    let roll = dice.next()
    const is = (chance: number) => (roll -= chance) < 0
    if (is(chances.lostRequest)) {
      watch.count('lost requests')
      if (dice.chance(0.3)) later(sent)
      throw lost()
    }
    if (is(chances.lostReply)) {
      watch.count('lost replies')
      await deliver(sent)
      throw lost()
    }
    if (is(chances.stall)) {
      const [arrivesFirst, isHeard] = [dice.chance(0.5), dice.chance(0.7)]
      const answer = arrivesFirst ? await deliver(sent) : null
      await away(stalled(init.signal))
      if (!isHeard) throw lost()
      return answer ?? deliver(sent)
    }
    if (is(chances.passing)) {
      watch.count('refused for now (429, 5xx)')
      return passing(dice)
    }
    if (is(chances.broken)) {
      watch.count('foreign or cut answers')
      return dice.chance(0.5) ? foreign(dice) : truncated(await deliver(sent))
    }
    if (is(chances.kill) && !phone.immune) {
      const point = dice.below(3)
      const answer = point > 0 ? await deliver(sent) : null
      if (point < 2) {
        life.kill()
        return never()
      }
      life.killAfter(1 + dice.below(6))
      return answer!
    }
    return deliver(sent)
  }

  return {
    deliver,
    async send(life, url, init) {
      const sent: Sent = {
        method: init.method!,
        url,
        headers: new Headers(init.headers),
        body: (init.body as ArrayBuffer | null) ?? null,
      }
      const landed = ledger.leaves(life.phone.name, sent, life.alive)
      try {
        return await steps.take((away) => passed(life, sent, init, away), life)
      } finally {
        landed()
      }
    },
    nextMs: () => Math.min(...late.map(({ dueMs }) => dueMs)),
    async tick() {
      const due = late.filter(({ dueMs }) => dueMs <= server.nowMs())
      late = late.filter(({ dueMs }) => dueMs > server.nowMs())
      for (const { sent } of due) await deliver(sent)
    },
    release() {
      const all = held
      held = []
      for (const each of all) each()
    },
  }
}

/** Docket's own, or of a proxy before it: what passes by itself. */
function passing(dice: Dice): Response {
  const status = dice.pick([408, 425, 429, 500, 502, 503, 504])
  const headers = { 'content-type': 'application/problem+json', 'x-docket': '1' }
  const asked = dice.chance(0.3) ? { 'retry-after': String(dice.below(90)) } : {}
  return Response.json(problem('too_many_requests'), { status, headers: { ...headers, ...asked } })
}
