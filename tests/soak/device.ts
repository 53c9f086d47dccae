// A device: one vault in IndexedDB, several contexts that each run the shipped gateway and may be killed, one lock between them.
import { IDBFactory } from 'fake-indexeddb'
import { promisifyRequest, type UseStore } from 'idb-keyval'
import { createGateway, type GatewayParts } from '#worker/gateway.ts'
import { createVault, type TokenState, type Vault } from '#worker/session/vault.ts'
import { claimsOf, origin, type SoakServer } from './server.ts'
import type { Steps } from './steps.ts'
import type { Sender, Transport } from './transport.ts'
import type { Watch } from './watch.ts'

/** What the person wants of the call that a context is answering: only these may change whose session lies in the vault. */
export type Purpose = 'call' | 'sign-in' | 'sign-out'

/** A worker, or the gateway of one page, from its start to its kill. */
export interface Life extends Sender {
  purpose: Purpose
  /** The same end, without being counted: the browser was closed. */
  end(): void
  /** The page says that somebody waits, or that the network came back. */
  tryNow(): void
  /** Null when it was killed before it had answered. */
  answer(request: Request): Promise<Response | null>
}

export interface Device {
  contexts: number
  /** What lies on the disk, for whoever can read it. */
  vault: Vault
  /** The living gateway of a context; started anew if it was killed. */
  life(context: number): Life
  /** Whose session lies in the vault; null when nobody is signed in. */
  sessionId(): string | null
  /** Sessions that the person ended here. */
  signedOut: Set<string>
  /** Something outside holds the lock and does not let go, as a frozen tab does. */
  lockIsStuck: boolean
  /** The device's clock is this far from the server's. */
  clockOffMs: number
  portal: boolean
}

const never = () => new Promise<never>(() => {})

export function createDevice(server: SoakServer, transport: Transport, steps: Steps, watch: Watch): Device {
  const base = openStore()
  const lock = createLock(() => device.lockIsStuck, watch)
  const lives: (Life | undefined)[] = []
  let current: string | null = null

  /** Every change of the record as it is committed. */
  function committed(life: Life, { authToken, refreshToken }: TokenState): void {
    const before = current
    current = refreshToken ? (claimsOf(authToken).sid ?? 'unreadable') : null
    if (authToken) transport.persisted.add(authToken)
    if (before === current) return
    if (before !== null && current === null) {
      if (life.purpose === 'sign-out') {
        watch.count('sign-outs by the person')
        device.signedOut.add(before)
      } else if (server.hasEnded(before) || server.mayHaveExpired(before)) {
        watch.count('ends by the server that arrived')
      } else watch.broke('honest-sign-out', 'the vault was cleared, and neither the person nor the server had ended it')
    } else if (life.purpose !== 'sign-in') {
      if (before === null) watch.broke('session-came-back', 'a session is in the vault again after it was cleared')
      else watch.broke('session-came-back', 'another session took the place of the one in the vault')
    }
  }

  function startLife(): Life {
    let alive = true
    let stepsLeft = Infinity
    let die = () => {}
    const death = new Promise<null>((resolve) => (die = () => resolve(null)))
    /** A killed context executes nothing more: what it waits for never comes. */
    const guard = <T>(work: () => Promise<T>): Promise<T> =>
      alive
        ? new Promise<T>((resolve, reject) => {
            work().then(
              (value) => void (alive && resolve(value)),
              (error: unknown) => void (alive && reject(error as Error)),
            )
          })
        : never()
    const step = () => {
      stepsLeft -= 1
      if (stepsLeft <= 0) life.kill()
    }
    const store: UseStore = (mode, callback) =>
      guard(() =>
        steps.take(async () => {
          step()
          if (!alive) return never()
          if (life.dice?.chance(0.003)) {
            watch.count('failed transactions')
            throw new DOMException('The connection was lost', 'InvalidStateError')
          }
          let written: TokenState | null = null
          const result = await base(mode, (objects) => callback(watchRecord(objects, (state) => (written = state))))
          if (written) committed(life, written)
          step()
          return result
        }, life),
      )
    const life: Life = {
      dice: null,
      purpose: 'call',
      parked: false,
      get portal() {
        return device.portal
      },
      parking: null,
      alive: () => alive,
      death,
      kill() {
        if (alive) watch.count('worker kills')
        life.end()
      },
      end() {
        alive = false
        lock.release(life)
        die()
      },
      killAfter: (steps) => void (stepsLeft = steps),
      tryNow: () => void (alive && gateway.tryNow()),
      async answer(request) {
        const background: Promise<unknown>[] = []
        const whole = async () => {
          const answer = await gateway.answer(request, (work) => void background.push(work))
          for (let done = 0; done < background.length; done += 1) await background[done]!.catch(() => {})
          return answer
        }
        return Promise.race([whole(), death])
      },
    }
    const parts: GatewayParts = {
      apiOrigin: origin,
      fetch: (input, init) =>
        guard(() => steps.take((away) => transport.send(life, input as string, init ?? {}, away), life)),
      vault: createVault(store),
      clock: () => server.nowMs() + device.clockOffMs,
      lock: (work) => guard(() => lock.request(life, work)),
      announce: () => {},
      random: () => life.dice?.next() ?? 0.5,
    }
    const gateway = createGateway(parts)
    return life
  }

  const device: Device = {
    contexts: 3,
    vault: createVault(base),
    life(context) {
      const known = lives[context]
      if (known?.alive()) return known
      const fresh = startLife()
      lives[context] = fresh
      return fresh
    },
    sessionId: () => current,
    signedOut: new Set(),
    lockIsStuck: false,
    clockOffMs: 0,
    portal: false,
  }
  return device
}

/** `navigator.locks` between the contexts: let go when its holder is killed, passed by when patience is over (surroundings.ts). */
function createLock(isStuck: () => boolean, watch: Watch) {
  let holder: Life | null = null
  let waiting: (() => void)[] = []
  const release = (life: Life) => {
    if (holder !== life) return
    holder = null
    const all = waiting
    waiting = []
    for (const each of all) each()
  }
  return {
    release,
    async request<T>(life: Life, work: () => Promise<T>): Promise<T> {
      while (holder || isStuck()) {
        // In virtual time: the holder is frozen or its network hangs for longer than the patience, or it may be.
        if (isStuck() || holder?.parked || life.dice?.chance(0.2)) {
          watch.count('lock passed by')
          return work()
        }
        await new Promise<void>((resolve) => waiting.push(resolve))
        if (!life.alive()) return never()
      }
      holder = life
      try {
        return await work()
      } finally {
        release(life)
      }
    },
  }
}

/** The vault's object store, in a browser of its own. */
export function openStore(): UseStore {
  const opening = new IDBFactory().open('docket-session', 1)
  opening.onupgradeneeded = () => void opening.result.createObjectStore('session')
  const database = promisifyRequest(opening as unknown as IDBRequest<IDBDatabase>)
  return async (mode, callback) =>
    callback((await database).transaction('session', mode, { durability: 'strict' }).objectStore('session'))
}

/** The same object store, with an eye on what is put in the record of the tokens. */
function watchRecord(objects: IDBObjectStore, wrote: (state: TokenState) => void): IDBObjectStore {
  return new Proxy(objects, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'put' && args[1] === 'authStore') wrote((args[0] as { state: TokenState }).state)
        return (value as (...args: unknown[]) => unknown).apply(target, args)
      }
    },
  })
}
