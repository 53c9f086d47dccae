// A device and the server in one process: what a page asks goes through src/sw.ts to the real server, over a network that does what the test says.
import { openDB, type IDBPDatabase } from 'idb'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Unsent } from '#shared/outbox.ts'
import { problemMediaType } from '#shared/problem-form.ts'
import { problem, type ProblemCode } from '#shared/problem.ts'
import { startTestApp, type TestApp } from './app.ts'
import { customerBody, invoiceBody, organizationBody } from './bodies.ts'
import { openFresh } from './database.ts'
import { password, until } from './people.ts'
import { openBrowser, type Browser } from './worker-scope.ts'

export type Network = (request: Request) => Promise<Response>

export interface Walk {
  /** One server for all tests of the file. */
  app: TestApp
  /** A new device for each. */
  browser: Browser
  /** What happens to a request of this device; online when a test begins. */
  network: Network
}

export const offline = async (): Promise<Response> => {
  throw new TypeError('Failed to fetch')
}

const held: Request[] = []

/** No answer ever comes. What nobody holds is collected together with its signal, and is then never told that it was given up. */
export const hanging: Network = (request) => {
  held.push(request)
  return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
}

/** Docket's own words of a refusal, whoever on the way says them. */
export function refusal(code: ProblemCode, headers: Record<string, string> = {}): Response {
  const said = problem(code)
  return Response.json(said, {
    status: said.status,
    headers: { 'content-type': problemMediaType, 'x-docket': '1', ...headers },
  })
}

export const version = (row: { version: number }) => ({ 'if-match': `"${row.version}"` })

/** With what this device keeps, past the worker. */
export async function onDevice<Result>(work: (database: IDBPDatabase) => Promise<Result>): Promise<Result> {
  const { name } = (await indexedDB.databases()).find((each) => each.name?.startsWith('docket-device.'))!
  const database = await openDB(name!)
  return work(database).finally(() => database.close())
}

/** For the file that calls it: what is there before each test, and what its person does. */
export function startWalk() {
  const walk = {} as Walk
  const online: Network = (request) => walk.app.fetch(request)
  beforeAll(async () => {
    walk.app = await startTestApp(await openFresh('postgresql'))
  })
  afterAll(() => walk.app.db.close())
  beforeEach(async () => {
    // What is put off is put off by as much each time, and never by nothing.
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    walk.network = online
    walk.browser = openBrowser((request) => walk.network(request))
    await walk.browser.startWorker()
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    walk.browser.call(`/api/v1${path}`, {
      method,
      headers: { 'idempotency-key': uuidv7(), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const get = (path: string) => walk.browser.call(`/api/v1${path}`)
  const unsent = async () => (await get('/device/outbox')).body as Unsent

  async function atServer(path: string) {
    const answer = await walk.browser.fetch(`/api/v1${path}`, { cache: 'reload' })
    expect(answer.headers.get('x-docket-source')).not.toBe('device')
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }

  async function signUp(): Promise<string> {
    const email = `${uuidv7()}@example.com`
    expect((await send('POST', '/auth/register', { name: 'Ann', email, password })).status).toBe(201)
    expect((await get(`/auth/verify-email?token=${await walk.app.mailedToken(email)}`)).status).toBe(200)
    return email
  }

  /** Somebody new, with an organization, and everything pulled. */
  async function ready(): Promise<{ base: string; email: string }> {
    const email = await signUp()
    const organization = organizationBody()
    expect((await send('POST', '/organizations', organization)).status).toBe(201)
    await walk.browser.post({ type: 'sync' })
    return { base: `/organizations/${organization.id}`, email }
  }

  return {
    walk,
    online,
    /** It arrives, and its answer does not. */
    async loseAnswers(request: Request): Promise<Response> {
      await walk.app.fetch(request)
      throw new TypeError('Failed to fetch')
    },
    send,
    get,
    /** The server's own word, past the copy. */
    atServer,
    /** The device answers these as the server does. */
    async expectSame(...paths: string[]): Promise<void> {
      for (const path of paths) expect((await get(path)).body).toEqual((await atServer(path)).body)
    },
    /** The same person posts from elsewhere: this device hears nothing of it. */
    elsewhere(path: string, body?: object, headers: Record<string, string> = {}) {
      const authorization = walk.browser.sent.map((sent) => sent.headers.get('authorization')).findLast(Boolean)!
      return walk.app.send('POST', `/api/v1${path}`, {
        ...(body && { body }),
        headers: { authorization, 'idempotency-key': uuidv7(), ...headers },
      })
    },
    unsent,
    isSynced: () => until(async () => ((await unsent()).entries.length === 0 ? true : undefined), 300_000),
    signUp,
    signIn: (email: string) => send('POST', '/auth/login', { email, password }),
    ready,
    /** Theirs too: an invoice over 917.18 EUR that is issued and on the device. */
    async issued(): Promise<{ base: string; invoice: Invoice; path: string }> {
      const { base } = await ready()
      const customer = customerBody()
      await send('POST', `${base}/customers`, customer)
      const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
      const path = `${base}/invoices/${draft.id}`
      const { status, body } = await send('POST', `${path}/issue`, undefined, version(draft))
      expect({ status, number: body.number }).toEqual({ status: 200, number: expect.any(String) })
      await walk.browser.post({ type: 'sync' })
      return { base, invoice: body, path }
    },
    /** The server's row of a customer moves on under another hand. */
    changedElsewhere: ({ id, organizationId }: { id: string; organizationId: string }, change: object) =>
      walk.app.db.asApp({ userId: id, organizationIds: [organizationId] }, (tx) =>
        tx
          .updateTable('customers')
          .set({ ...change, version: 2 })
          .where('id', '=', id)
          .where('organizationId', '=', organizationId)
          .execute(),
      ),
  }
}
