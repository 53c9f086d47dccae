// A browser around src/sw.ts, in Node: a hand-made ServiceWorkerGlobalScope, IndexedDB that outlives the worker, and a network to tamper with.
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { vi } from 'vitest'
import type { Broadcast, PageMessage } from '#shared/worker-messages.ts'
import { origin } from './app.ts'

/** Held on to, because the device's clock takes the place of the global one. */
const serverNow = Date.now

type Fetch = (request: Request) => Promise<Response>

export interface Browser {
  /** What the worker's network does; tests put their faults around the real server here. */
  network: Fetch
  /** The device's clock is this far off. */
  clockOffMs: number
  /** Starts the worker, or starts it anew after a kill: storage stays, everything in memory is gone. */
  startWorker(): Promise<void>
  /** A fetch of a page; what the worker does not answer goes to the network bare. */
  fetch(target: string | Request, init?: RequestInit & { mode?: RequestMode }): Promise<Response>
  /** The same, read as JSON. */
  call(path: string, init?: RequestInit): Promise<{ status: number; body: any; headers: Headers }> // oxlint-disable-line typescript/no-explicit-any
  post(message: PageMessage): Promise<void>
  /** Requests that reached the network, in order. */
  sent: Request[]
  /** What the worker told the pages. */
  told: Broadcast[]
  claimed(): boolean
  /** The record `authStore` as it lies on the disk. */
  vault(): Promise<{ version: number; state: { authToken: string; refreshToken: string } } | undefined>
  writeVault(value: unknown): Promise<void>
  /** Keeps everything on the disk aside; what it resolves to puts it back. */
  setAside(): Promise<() => Promise<void>>
  dispatch(type: string, event?: object): Promise<unknown>
}

/** A navigation cannot be made with the constructor; the worker only looks at `mode`. */
function asMode(request: Request, mode: RequestMode): Request {
  const shown = new Proxy(request, {
    get(target, name) {
      if (name === 'mode') return mode
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value
    },
  })
  bare.set(shown, request)
  return shown
}

/** What the worker asks for as it was asked: no other request can be made of a proxy. */
const bare = new WeakMap<object, Request>()

export function openBrowser(network: Fetch): Browser {
  const databases = new IDBFactory()
  const caches = fakeCaches((request) => browser.network(request))
  const told: Broadcast[] = []
  const sent: Request[] = []
  let listeners = new Map<string, ((event: object) => void)[]>()
  let claimed = false

  class ExtendableEvent {
    readonly type: string
    readonly work: Promise<unknown>[] = []
    constructor(type: string) {
      this.type = type
    }
    waitUntil(work: Promise<unknown>): void {
      // Told by `settled`, in its turn.
      work.catch(() => {})
      this.work.push(work)
    }
    /** Waits for everything, also for what was added while waiting. */
    async settled(): Promise<void> {
      for (let done = 0; done < this.work.length; done += 1) await this.work[done]
    }
  }
  class FetchEvent extends ExtendableEvent {
    readonly request: Request
    answer: Promise<Response> | null = null
    constructor(request: Request) {
      super('fetch')
      this.request = request
    }
    respondWith(answer: Response | Promise<Response>): void {
      this.answer = Promise.resolve(answer)
      this.work.push(this.answer.catch(() => {}))
    }
  }

  const client = { postMessage: (message: Broadcast) => void told.push(message) }
  class DeviceDate extends Date {
    static override now(): number {
      return serverNow() + browser.clockOffMs
    }
  }

  async function emit(event: ExtendableEvent & object): Promise<void> {
    for (const listener of listeners.get(event.type) ?? []) listener(event)
    await event.settled()
  }

  const scope = {
    // Workbox says nothing of what it does.
    __WB_DISABLE_DEV_LOGS: true,
    location: new URL(`${origin}/sw.js`),
    registration: { scope: `${origin}/` },
    clients: {
      matchAll: async () => [client],
      claim: async () => void (claimed = true),
    },
    skipWaiting: async () => {},
    addEventListener: (type: string, listener: (event: object) => void) =>
      void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    __WB_MANIFEST: [
      ...['/index.html', '/dashboard.html', '/login.html', '/assets/start-abc.js'].map((url) => ({
        url,
        revision: '1',
      })),
      'assets/small.pack',
    ],
  }

  const browser: Browser = {
    network,
    clockOffMs: 0,
    sent,
    told,
    claimed: () => claimed,
    async startWorker() {
      listeners = new Map()
      vi.resetModules()
      const everything = {
        ...scope,
        Date: DeviceDate,
        ExtendableEvent,
        FetchEvent,
        indexedDB: databases,
        caches,
        BroadcastChannel: class {
          postMessage(): void {}
        },
        fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
          const request = new Request(
            input instanceof Request ? (bare.get(input) ?? input) : new URL(input, origin),
            init,
          )
          sent.push(request.clone())
          request.signal.throwIfAborted()
          return browser.network(request)
        },
      }
      vi.stubGlobal('self', everything)
      for (const [name, value] of Object.entries(everything)) vi.stubGlobal(name, value)
      await import('#sw.ts')
    },
    async fetch(target, { mode = 'cors', ...init } = {}) {
      const request = target instanceof Request ? target : new Request(new URL(target, origin), init)
      const event = new FetchEvent(asMode(request, mode))
      for (const listener of listeners.get('fetch') ?? []) listener(event)
      if (event.answer) return event.answer
      sent.push(event.request)
      return browser.network(event.request)
    },
    async call(path, init = {}) {
      const json = init.body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await browser.fetch(path, { ...init, headers: { ...json, ...(init.headers as object) } })
      const text = await answer.text()
      return { status: answer.status, body: text ? JSON.parse(text) : null, headers: answer.headers }
    },
    async post(data) {
      await emit(Object.assign(new ExtendableEvent('message'), { data }))
    },
    async dispatch(type, more = {}) {
      await emit(Object.assign(new ExtendableEvent(type), more))
    },
    vault: () => inStore('readonly', (store) => store.get('authStore')) as ReturnType<Browser['vault']>,
    async setAside() {
      const names = (await inStore('readonly', (store) => store.getAllKeys())) as string[]
      const values = (await inStore('readonly', (store) => store.getAll())) as unknown[]
      return async () => {
        for (const [index, name] of names.entries())
          await inStore('readwrite', (store) => store.put(values[index], name))
      }
    },
    writeVault: async (value) => void (await inStore('readwrite', (store) => store.put(value, 'authStore'))),
  }

  function inStore(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const opening = databases.open('docket-session', 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('session')
      opening.onerror = () => reject(opening.error as Error)
      opening.onsuccess = () => {
        const request = work(opening.result.transaction('session', mode).objectStore('session'))
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error as Error)
      }
    })
  }
  return browser
}

/** What the shell needs of Cache Storage: named maps from address to answer. */
function fakeCaches(network: Fetch) {
  const stores = new Map<string, Map<string, Response>>()
  const addressOf = (input: RequestInfo | URL) => new URL(input instanceof Request ? input.url : input, origin).href
  const open = async (name: string) => {
    const entries = stores.get(name) ?? new Map<string, Response>()
    stores.set(name, entries)
    return {
      match: async (input: RequestInfo) => entries.get(addressOf(input))?.clone(),
      put: async (input: RequestInfo, answer: Response) => void entries.set(addressOf(input), answer),
      add: async (input: RequestInfo) =>
        void entries.set(addressOf(input), await network(new Request(addressOf(input)))),
      keys: async () => [...entries.keys()].map((address) => new Request(address)),
      delete: async (input: RequestInfo) => entries.delete(addressOf(input)),
      matchAll: async () => [...entries.values()].map((answer) => answer.clone()),
    }
  }
  return {
    open,
    keys: async () => [...stores.keys()],
    delete: async (name: string) => stores.delete(name),
    async match(input: RequestInfo) {
      for (const name of stores.keys()) {
        const found = await (await open(name)).match(input)
        if (found) return found
      }
      return undefined
    },
  }
}
