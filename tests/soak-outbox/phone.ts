// A device of the model: one disk, two contexts (the worker, and the gateway in a page without one) that run the shipped gateway and may be killed.
import { IDBFactory } from 'fake-indexeddb'
import type { UseStore } from 'idb-keyval'
import { apiPath } from '#shared/endpoint.ts'
import type { Broadcast } from '#shared/worker-messages.ts'
import { openStore } from '#tests/soak/device.ts'
import type { Dice } from '#tests/soak/dice.ts'
import { asBody, claimsOf, origin, type SoakServer } from '#tests/soak/server.ts'
import { working, type Mortal } from '#tests/soak/steps.ts'
import { createDevice } from '#worker/device.ts'
import { createGateway, type Gateway } from '#worker/gateway.ts'
import { createVault } from '#worker/session/vault.ts'
import { abortAll, within, type Surroundings } from './browser.ts'
import { createLocks } from './locks.ts'
import type { Watch } from './watch.ts'

export type Weather = 'good' | 'bad' | 'offline' | 'portal'

export interface Answered {
  status: number
  // Whatever came: the person looks for what they know.
  body: any // oxlint-disable-line typescript/no-explicit-any
  headers: Headers
}

/** A worker, or the gateway of one page, from its start to its kill. */
export interface Life extends Mortal, Surroundings {
  readonly phone: Phone
  kill(): void
  /** Dies as it begins this many more transactions, or as they are on the disk. */
  killAfter(steps: number): void
  /** Null when it was killed before it had answered, or the answer was cut off. */
  call(method: string, path: string, asked?: Asked): Promise<Answered | null>
  trigger(what: 'tryNow' | 'sync'): void
}

export interface Asked {
  body?: unknown
  headers?: Record<string, string>
  /** The server's own word, past the copy. */
  fresh?: boolean
}

export interface Phone {
  readonly name: string
  weather: Weather
  /** Its clock is this far from the server's. */
  clockOffMs: number
  /** Nothing is killed while the person decides, so that what they decided is known. */
  immune: boolean
  life(context: number): Life
  restart(): void
  /** The session that lies in its vault. */
  sessionId(): Promise<string | null>
  /** Runs the timers that are due by now. */
  tick(): void
  /** When the next of them is due, in the server's time. */
  nextMs(): number
}

export interface PhoneParts {
  name: string
  server: SoakServer
  watch: Watch
  dice: Dice
  hasLocks: boolean
  send(life: Life, url: string, init: RequestInit): Promise<Response>
  tell(message: Broadcast): void
}

const never = () => new Promise<never>(() => {})

export function createPhone(parts: PhoneParts): Phone {
  const { server, watch, dice, send, tell } = parts
  const factory = new IDBFactory()
  const base = openStore()
  const locks = createLocks()
  const lives: (Life | undefined)[] = []
  let timers: { life: Life; dueMs: number; work: () => void }[] = []

  function start(): Life {
    let alive = true
    let stepsLeft = Infinity
    let die = () => {}
    const death = new Promise<null>((resolve) => (die = () => resolve(null)))
    const life: Life = {
      phone,
      factory,
      death,
      alive: () => alive,
      step() {
        stepsLeft -= 1
        if (stepsLeft <= 0 && alive && !phone.immune) life.kill()
      },
      later: (work, ms) => void timers.push({ life, dueMs: server.nowMs() + ms, work }),
      kill() {
        if (!alive) return
        watch.count('worker kills')
        alive = false
        abortAll(life)
        locks.release(life)
        die()
      },
      killAfter: (steps) => void (stepsLeft = steps),
      async call(method, path, { body, headers = {}, fresh = false } = {}) {
        const request = new Request(`${origin}${apiPath}${path}`, {
          method,
          headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
          body: body === undefined ? null : asBody(body),
          ...(fresh && { cache: 'reload' }),
        })
        const answer = await Promise.race([within(life, () => gateway.answer(request)), death])
        const text = answer && (await answer.text())
        try {
          return answer && { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null }
        } catch {
          // Cut off on its way: the page has no answer.
          return null
        }
      },
      trigger: (what) => void within(life, () => gateway[what]()),
    }
    const store: UseStore = (mode, callback) => (alive ? working(base(mode, callback)) : never())
    const clock = () => server.nowMs() + phone.clockOffMs
    const lock = <T>(name: string, work: () => Promise<T>) => (alive ? locks.request(life, name, work) : never())
    const gateway: Gateway = createGateway({
      apiOrigin: origin,
      fetch: (input, init) => (alive ? send(life, input as string, init ?? {}) : never()),
      vault: createVault(store),
      clock,
      lock: (work) => lock('session', work),
      announce: () => {},
      random: dice.next,
      device: (road) =>
        createDevice({
          ...road,
          apiOrigin: origin,
          clock,
          random: dice.next,
          lock: parts.hasLocks ? lock : null,
          tell: (message) => alive && tell(message),
          wakeLater: () => {},
        }),
    })
    return life
  }

  const phone: Phone = {
    name: parts.name,
    weather: 'good',
    clockOffMs: 0,
    immune: false,
    life(context) {
      const known = lives[context]
      if (known?.alive()) return known
      const fresh = start()
      lives[context] = fresh
      return fresh
    },
    restart() {
      for (const life of lives) life?.kill()
    },
    async sessionId() {
      const { refreshToken, authToken } = await working(createVault(base).read())
      return refreshToken ? (claimsOf(authToken).sid ?? null) : null
    },
    nextMs: () => Math.min(...timers.filter(({ life }) => life.alive()).map(({ dueMs }) => dueMs)),
    tick() {
      const due = timers.filter(({ dueMs }) => dueMs <= server.nowMs())
      timers = timers.filter(({ dueMs }) => dueMs > server.nowMs())
      for (const { life, work } of due) if (life.alive()) within(life, work)
    },
  }
  return phone
}
