// Many tabs, one session: the gateways that pages run themselves, each an instance of its own, on one vault and the real lock of the platform.
import { IDBFactory } from 'fake-indexeddb'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Gateway } from '#worker/gateway.ts'
import { createBrowserGateway } from '#worker/surroundings.ts'
import { uuidv7 } from '#shared/ids.ts'
import { openFresh } from '#tests/support/database.ts'
import { origin, startTestApp, type TestApp } from '#tests/support/app.ts'
import { password } from '#tests/support/people.ts'

const tabs = 20
const expiries = 50
/** Within the 15 s in which a token counts as expired; its nonce is still good, so a renewal is one trip. */
const untilExpiredMs = 590_000
const lockName = 'docket-session'
const lockPatienceMs = 10_000
const realNow = Date.now

let app: TestApp
beforeAll(async () => {
  app = await startTestApp(await openFresh('postgresql'))
})
afterAll(() => app.db.close())

let passedMs: number
let refreshes: number
let underWay: number
let mostUnderWay: number

beforeEach(() => {
  passedMs = 0
  refreshes = 0
  underWay = 0
  mostUnderWay = 0
  vi.stubGlobal('location', new URL(origin))
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage(): void {}
    },
  )
  vi.stubGlobal(
    'Date',
    class extends Date {
      static override now(): number {
        return realNow() + passedMs
      }
    },
  )
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const request = new Request(input, init)
    if (!request.url.endsWith('/auth/refresh-token')) return app.fetch(request)
    refreshes += 1
    underWay += 1
    mostUnderWay = Math.max(mostUnderWay, underWay)
    return app.fetch(request).finally(() => (underWay -= 1))
  })
})
afterEach(() => vi.unstubAllGlobals())

async function call(gateway: Gateway, method: string, path: string, body?: object) {
  const request = new Request(`${origin}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  })
  const answer = await gateway.answer(request)
  return { status: answer.status, body: (await answer.json()) as { userId: string; id: string } }
}

/** The gateways, signed in; every one has spoken to the server, so that it knows a nonce. */
async function open(many: number) {
  const gateways = Array.from({ length: many }, () => createBrowserGateway())
  const registration = { name: 'Ann', email: `${uuidv7()}@example.com`, password }
  const { userId } = (await call(gateways[0]!, 'POST', '/auth/register', registration)).body
  const callAll = (each: readonly Gateway[]) => Promise.all(each.map((one) => call(one, 'GET', '/account')))
  await callAll(gateways)
  return { gateways, userId, callAll }
}

function expire(): void {
  passedMs += untilExpiredMs
  app.pass(untilExpiredMs)
}

test.each([
  ['twenty tabs that wake with an expired token', tabs],
  ['twenty callers of one gateway', 1],
])('%s: one refresh under way, at most 1.02 per expiry', async (_, instances) => {
  const { gateways, userId, callAll } = await open(instances)
  const callers = Array.from({ length: tabs }, (__, index) => gateways[index % instances]!)
  for (let expiry = 0; expiry < expiries; expiry += 1) {
    expire()
    const answers = await callAll(callers)
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(callers.map(() => [200, userId]))
  }
  expect(mostUnderWay).toBe(1)
  expect(refreshes).toBeGreaterThanOrEqual(expiries)
  expect(refreshes / expiries).toBeLessThanOrEqual(1.02)
})

test('a lock that is stuck for longer than patience is passed by: nobody is signed out, nobody waits for ever', async () => {
  const { gateways, userId, callAll } = await open(tabs)
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  // The patience is ten seconds; here it passes sooner.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === lockPatienceMs ? 50 : ms))
  let letGo = () => {}
  const frozen = new Promise<void>((resolve) => (letGo = resolve))
  const held = navigator.locks.request(lockName, () => frozen)
  for (let expiry = 0; expiry < 3; expiry += 1) {
    expire()
    const answers = await callAll(gateways)
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(gateways.map(() => [200, userId]))
  }
  // Nothing but the lock spares the renewals: here each tab may make its own.
  expect(refreshes).toBeGreaterThan(3)
  expect(refreshes).toBeLessThanOrEqual(3 * tabs)
  letGo()
  await held
  vi.mocked(AbortSignal.timeout).mockRestore()

  const before = refreshes
  expire()
  expect((await callAll(gateways)).every(({ status }) => status === 200)).toBe(true)
  expect(refreshes - before).toBe(1)
})
