// What a worker finds around it, per life: IndexedDB, timers and limits in virtual time. They are globals, so whose they are follows the call
// (AsyncLocalStorage); with its life's end code goes on for a moment, and reaches neither disk nor network any more.
import { AsyncLocalStorage } from 'node:async_hooks'
import 'fake-indexeddb/auto'
import { IDBDatabase, IDBOpenDBRequest } from 'fake-indexeddb'
import { working } from '#tests/soak/steps.ts'

export interface Surroundings {
  readonly factory: IDBFactory
  alive(): boolean
  /** Called as a transaction begins and when it is on the disk: the life may end at either. */
  step(): void
  later(work: () => void, ms: number): void
}

const whose = new AsyncLocalStorage<Surroundings>()
const owners = new WeakMap<object, Surroundings>()
const open = new WeakMap<Surroundings, Set<IDBTransaction>>()

/** Runs as this life. */
export function within<T>(life: Surroundings, work: () => T): T {
  return whose.run(life, work)
}

/** Runs outside of every device, as the server does. */
export function outside<T>(work: () => T): T {
  return whose.exit(work)
}

/** What was not on the disk is not: the browser takes it back. */
export function abortAll(life: Surroundings): void {
  for (const transaction of open.get(life) ?? [])
    try {
      transaction.abort()
    } catch {
      // It is being committed.
    }
}

// What a transaction that was taken back throws into code that is no more.
process.on('unhandledRejection', (error) => {
  if (!(error instanceof DOMException)) throw error
})

const realTimeout = globalThis.setTimeout
globalThis.setTimeout = ((work: () => void, ms = 0, ...rest: unknown[]) => {
  const life = whose.getStore()
  if (!life) return realTimeout(work, ms, ...rest)
  life.later(work, ms)
  return 0
}) as typeof setTimeout

const realLimit = AbortSignal.timeout.bind(AbortSignal)
AbortSignal.timeout = (ms) => {
  const life = whose.getStore()
  if (!life) return realLimit(ms)
  const controller = new AbortController()
  life.later(() => controller.abort(new DOMException('Too late', 'TimeoutError')), ms)
  return controller.signal
}

const here = (): Surroundings => {
  const life = whose.getStore()
  if (!life) throw new Error('IndexedDB is asked for outside of every device')
  return life
}
const settled = (request: IDBOpenDBRequest) =>
  working(
    new Promise<void>((resolve) => {
      for (const type of ['success', 'error', 'blocked']) request.addEventListener(type, () => resolve())
    }),
  )

globalThis.indexedDB = {
  open(name: string, version?: number) {
    const life = here()
    if (!life.alive()) return new IDBOpenDBRequest()
    const request = life.factory.open(name, version)
    void settled(request)
    request.addEventListener('success', () => owners.set(request.result, life))
    return request
  },
  deleteDatabase(name: string) {
    const life = here()
    if (!life.alive()) return new IDBOpenDBRequest()
    const request = life.factory.deleteDatabase(name)
    void settled(request)
    return request
  },
  databases: () => here().factory.databases(),
  cmp: (first: unknown, second: unknown) => here().factory.cmp(first, second),
} as globalThis.IDBFactory

const begin = IDBDatabase.prototype.transaction
IDBDatabase.prototype.transaction = function (this: globalThis.IDBDatabase, ...args: Parameters<typeof begin>) {
  const life = owners.get(this)
  life?.step()
  if (life && !life.alive()) throw new DOMException('The worker is gone', 'InvalidStateError')
  const transaction = begin.apply(this, args)
  if (!life) return transaction
  const all = open.get(life) ?? new Set()
  open.set(life, all.add(transaction))
  const over = new Promise<void>((resolve) => {
    for (const type of ['complete', 'abort'])
      transaction.addEventListener(type, () => {
        all.delete(transaction)
        if (type === 'complete') life.step()
        resolve()
      })
  })
  void working(over)
  return transaction
}
