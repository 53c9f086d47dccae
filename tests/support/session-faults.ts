// What is done to a session in a real browser: its token expires, its worker is killed, its page is reloaded hard.
import { once } from 'node:events'
import type http from 'node:http'
import { expect, type CDPSession, type Page } from '@playwright/test'
import type { Unsent, UnsentEntry } from '#shared/outbox.ts'
import { expired } from './expired.ts'
import type { ArrivedRequest, Network } from './network.ts'

export interface Vault {
  authToken: string
  refreshToken: string
}

const refreshPath = '/api/v1/auth/refresh-token'

/** The two tokens as they lie on the disk; both empty when signed out. */
export function vaultOf(page: Page): Promise<Vault> {
  return page.evaluate(async () => {
    const opening = indexedDB.open('docket-session')
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error!)
    })
    const asked = database.transaction('session').objectStore('session').get('authStore')
    const found = await new Promise<{ state: Vault } | undefined>((resolve, reject) => {
      asked.onsuccess = () => resolve(asked.result as { state: Vault } | undefined)
      asked.onerror = () => reject(asked.error!)
    })
    database.close()
    return found?.state ?? { authToken: '', refreshToken: '' }
  })
}

/** Puts these tokens on the disk, and what else is kept there stays. */
async function writeVault(page: Page, state: Vault): Promise<void> {
  await page.evaluate(async (written) => {
    const opening = indexedDB.open('docket-session')
    const database = await new Promise<IDBDatabase>((resolve) => (opening.onsuccess = () => resolve(opening.result)))
    const transaction = database.transaction('session', 'readwrite', { durability: 'strict' })
    transaction.objectStore('session').put({ version: 1, state: written }, 'authStore')
    await new Promise((resolve) => (transaction.oncomplete = resolve))
    database.close()
  }, state)
}

/** Keeps the tokens and the device's key aside, so that a session that ended here can be brought back. */
export async function setAside(page: Page): Promise<void> {
  await moveSession(page, 'docket-session', 'session', 'aside', 'session')
}

export async function bringBack(page: Page): Promise<void> {
  await moveSession(page, 'aside', 'session', 'docket-session', 'session')
}

async function moveSession(page: Page, from: string, fromStore: string, to: string, toStore: string): Promise<void> {
  await page.evaluate(
    async (road) => {
      const open = (name: string, store: string) =>
        new Promise<IDBDatabase>((resolve, reject) => {
          const opening = indexedDB.open(name, 1)
          opening.onupgradeneeded = () => opening.result.createObjectStore(store)
          opening.onsuccess = () => resolve(opening.result)
          opening.onerror = () => reject(opening.error!)
        })
      const source = await open(road.from, road.fromStore)
      const reading = source.transaction(road.fromStore)
      const asked = ['authStore', 'deviceKey'].map(
        (name) => [name, reading.objectStore(road.fromStore).get(name)] as const,
      )
      await new Promise((resolve) => (reading.oncomplete = resolve))
      source.close()
      const target = await open(road.to, road.toStore)
      const writing = target.transaction(road.toStore, 'readwrite', { durability: 'strict' })
      for (const [name, { result }] of asked) writing.objectStore(road.toStore).put(result, name)
      await new Promise((resolve) => (writing.oncomplete = resolve))
      target.close()
    },
    { from, fromStore, to, toStore },
  )
}

/**
 * Makes the device believe that its access token is over; what was there before. What the network is to answer is laid by `prepare`: after it,
 * something in the background may already have renewed.
 */
export async function expireToken(page: Page, prepare?: (good: Vault) => void): Promise<Vault> {
  const before = await vaultOf(page)
  prepare?.(before)
  await writeVault(page, { ...before, authToken: expired(before.authToken) })
  return before
}

/**
 * A tab whose worker never takes it over after a hard reload, as on a device too slow for the boot gate: the gateway runs in the page. Stands
 * on this address.
 */
export async function hostGateway(page: Page, address: string): Promise<Devtools> {
  await page.addInitScript(() => {
    const post = ServiceWorker.prototype.postMessage
    ServiceWorker.prototype.postMessage = function (message: { type?: string }, ...rest: unknown[]) {
      if (message.type !== 'claim') Reflect.apply(post, this, [message, ...rest])
    }
  })
  if (!page.url().endsWith(address)) await page.goto(address)
  // A worker that is still being installed would take it over when it is done.
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  const devtools = await openDevtools(page)
  const listed = listedByItself(page)
  await devtools.hardReload()
  await listed
  return devtools
}

/** A list that the page's own gateway got, past any worker. */
export async function listedByItself(page: Page): Promise<void> {
  await page.waitForResponse(
    (answer) =>
      answer.url().includes('/api/v1/organizations') && answer.status() === 200 && !answer.fromServiceWorker(),
  )
}

/** Everything on the screen is asked for anew. */
export async function askAgain(page: Page): Promise<void> {
  await page.evaluate(() => void window.dispatchEvent(new Event('online')))
}

/** Asks until it shows: while a pull is under way, no other is begun. */
export async function askUntil(page: Page, isSeen: () => boolean | Promise<boolean>): Promise<void> {
  const look = async () => {
    await askAgain(page)
    return isSeen()
  }
  await expect.poll(look).toBe(true)
}

/** Until the page's own gateway has got a list by it. */
export async function askUntilListed(page: Page): Promise<void> {
  let isListed = false
  const listed = listedByItself(page).then(() => (isListed = true))
  await askUntil(page, () => isListed)
  await listed
}

/** What waits on the device, or for its person. */
export async function unsentIn(page: Page): Promise<UnsentEntry[]> {
  return ((await fetchIn(page, '/device/outbox')).body as Unsent).entries
}

export interface Devtools {
  /** Ends every worker at once, in whatever it is doing. */
  killWorkers(): Promise<void>
  /** As Shift+Reload: the page is not controlled afterwards. */
  hardReload(): Promise<void>
  session: CDPSession
}

export async function openDevtools(page: Page): Promise<Devtools> {
  const session = await page.context().newCDPSession(page)
  await session.send('ServiceWorker.enable')
  return {
    session,
    killWorkers: async () => void (await session.send('ServiceWorker.stopAllWorkers')),
    async hardReload() {
      const loaded = page.waitForEvent('load')
      await session.send('Page.reload', { ignoreCache: true })
      await loaded
    },
  }
}

/** Kills the workers while this request is under way, and waits until its connection is gone. */
export async function killUnder(request: http.IncomingMessage, devtools: Devtools): Promise<void> {
  const gone = once(request.socket, 'close')
  await devtools.killWorkers()
  await gone
}

export const isRefresh = ({ url }: http.IncomingMessage): boolean => url === refreshPath

/** Refresh calls that arrived from here on. */
export function refreshesSince(network: Network): () => ArrivedRequest[] {
  const start = network.arrived.length
  return () => network.arrived.slice(start).filter(({ path }) => path === refreshPath)
}

/** Calls that reached the server without a token, among those that must carry one. */
export function bareCalls({ passed }: Network): string[] {
  return passed
    .filter(
      ({ path, hasBearer }) =>
        !hasBearer && !/\/auth\/(register|login|refresh-token|verify-email|logout)|openapi/.test(path),
    )
    .map(({ method, path, status }) => `${method} ${path} ${status}`)
}

export interface Answered {
  status: number
  // Whatever came: tests say what it must be.
  body: any // oxlint-disable-line typescript/no-explicit-any
}

/** A call by a script of the page, past the device's copy; in a page without a worker it would go out bare, so only in a controlled one. */
export function fetchIn(
  page: Page,
  path: string,
  write?: { body: unknown; key: string; version?: number | undefined },
): Promise<Answered> {
  return page.evaluate(
    async ({ url, posted }) => {
      if (!navigator.serviceWorker.controller) throw new Error('This page is not controlled')
      const answer = await fetch(
        url,
        posted
          ? {
              method: 'POST',
              headers: {
                'content-type': 'application/json',
                'idempotency-key': posted.key,
                ...(posted.version !== undefined && { 'if-match': `"${posted.version}"` }),
              },
              body: JSON.stringify(posted.body),
            }
          : { cache: 'reload' },
      )
      const text = await answer.text()
      return { status: answer.status, body: (text ? JSON.parse(text) : null) as unknown }
    },
    { url: `/api/v1${path}`, posted: write },
  )
}
