// A person's phone for the bench: Chromium on a profile that outlives it, somebody signed in, and a network between it and the server to break.
import path from 'node:path'
import { chromium, type BrowserContext, type CDPSession, type Page } from '@playwright/test'
import { build, type Rolldown } from 'vite'
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import { apiPath, sessionPath } from '#shared/endpoint.ts'
import { outboxPath, type UnsentCounts } from '#shared/outbox.ts'
import type { Session } from '#shared/session.ts'
import { controlled, mailedLink, pulled, registerOnly } from '#tests/support/browser.ts'
import { customerBody, invoiceBody, organizationBody } from '#tests/support/bodies.ts'
import { openNetwork, type Network } from '#tests/support/network.ts'
import { until } from '#tests/support/people.ts'
import { freePort, startServer, type ServerProcess } from '#tests/support/server-process.ts'
import { browserOptions } from '#tools/browser.ts'
import { root } from '#tools/sources.ts'
import type { fillCopy } from './copy-script.ts'

interface CopyScript {
  fillCopy: typeof fillCopy
}

/** This Chromium was seen to die of some twenty in one life. */
const mostKills = 5
const copyScriptPath = '/bench-copy.js'
/** A page that asks for nothing of its own, and that the worker controls. */
export const emptyPage = '/bench.html'

export interface Phone {
  server: ServerProcess
  /** The server's. */
  dataDir: string
  network: Network
  userId: string
  page(): Page
  devtools(): CDPSession
  /** A browser of a new process on the same profile, standing on this path; without one, on an empty page. */
  relaunch(at?: string): Promise<void>
  /** Ends the worker, wherever it is; it starts again with the next call. */
  stopWorker(): Promise<void>
  /** A write by a script of the page; its answer. */
  write(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Written>
  /** An organization with a customer, a draft and an issued invoice, made on the phone and known to the server. */
  makeBooks(): Promise<Books>
  /** Puts this many invoices like those of the books onto the phone, as a pull would; the server does not know them. */
  fill(books: Books, count: number): Promise<void>
  close(): Promise<void>
}

export interface Written {
  status: number
  body: { id: string; version: number; revision: number }
  ms: number
}

export interface Books {
  organizationId: string
  customerId: string
  draft: Invoice
  issued: Invoice
}

/** `environment` goes to the server; `folder` holds its data and the browser's profile. */
export async function openPhone(folder: string, environment: Record<string, string> = {}): Promise<Phone> {
  const port = await freePort()
  const dataDir = path.join(folder, 'data')
  const server = await startServer(
    { DATA_DIR: dataDir, PUBLIC_URL: `http://localhost:${port}`, ...environment },
    { file: 'dist/server/server.js' },
  )
  const network = await openNetwork(port, () => server.url, {
    [copyScriptPath]: ['text/javascript', await bundleCopyScript()],
    [emptyPage]: ['text/html', '<!doctype html><title>bench</title>'],
  })
  let context: BrowserContext
  let page: Page
  let devtools: CDPSession
  let kills = 0

  const phone: Phone = {
    server,
    dataDir,
    network,
    userId: '',
    page: () => page,
    devtools: () => devtools,
    async relaunch(at) {
      await context?.close()
      kills = 0
      context = await chromium.launchPersistentContext(path.join(folder, 'profile'), {
        ...browserOptions(),
        baseURL: network.url,
        viewport: { width: 390, height: 844 },
        locale: 'en-GB',
      })
      page = context.pages()[0] ?? (await context.newPage())
      devtools = await context.newCDPSession(page)
      await devtools.send('ServiceWorker.enable')
      if (at === undefined) return
      await page.goto(at)
      await controlled(page)
    },
    async stopWorker() {
      if (kills >= mostKills) await phone.relaunch(new URL(page.url()).pathname)
      kills += 1
      await devtools.send('ServiceWorker.stopAllWorkers')
    },
    write: (method, at, body, headers = {}) =>
      page.evaluate(writeInPage, { method, url: apiPath + at, body, headers, key: uuidv7() }),
    async makeBooks() {
      const organization = organizationBody()
      const base = `/organizations/${organization.id}`
      const customer = customerBody()
      const [draft, issued] = [invoiceBody(customer.id), invoiceBody(customer.id)]
      await phone.write('POST', '/organizations', organization)
      await phone.write('POST', `${base}/customers`, customer)
      for (const body of [draft, issued]) await phone.write('POST', `${base}/invoices`, body)
      await phone.write('POST', `${base}/invoices/${issued.id}/issue`, undefined, { 'if-match': '"1"' })
      await settled(phone)
      const read = (id: string) => readInPage<Invoice>(phone, `${base}/invoices/${id}`, 'reload')
      const books = {
        organizationId: organization.id,
        customerId: customer.id,
        draft: await read(draft.id),
        issued: await read(issued.id),
      }
      if (!books.issued.number) throw new Error('The bench found its books not at the server')
      return books
    },
    async fill(books, count) {
      const work = { script: copyScriptPath, userId: phone.userId, books, count, today: new Date().toISOString() }
      await page.evaluate(async ({ script, ...what }) => {
        const copyScript = (await import(script)) as CopyScript
        await copyScript.fillCopy(what)
      }, work)
    },
    async close() {
      await context.close()
      await network.close()
      await server.end('SIGTERM')
    },
  }

  await phone.relaunch()
  const email = await registerOnly(page!)
  await page!.goto(await mailedLink({ server }, email))
  await page!.waitForURL('**/dashboard')
  await controlled(page!)
  phone.userId = await until(async () => {
    const session = await readInPage<Session>(phone, sessionPath)
    return session.status === 'ACTIVE' ? session.userId : null
  })
  return phone
}

/** Until the copy has come to its end and nothing waits. */
export async function settled(phone: Phone): Promise<void> {
  await until(() => pulled(phone.page()), 60_000)
  await until(async () => (await waitingOn(phone)) === 0, 120_000)
}

export async function waitingOn(phone: Phone): Promise<number> {
  const { waiting, attention } = await readInPage<UnsentCounts>(phone, outboxPath)
  if (attention > 0) throw new Error(`The server refused ${attention} writes of the bench`)
  return waiting
}

/** `cache: 'reload'` asks the server, past the device. */
function readInPage<Body>(phone: Phone, at: string, cache: RequestCache = 'default'): Promise<Body> {
  return phone.page().evaluate(async (call) => (await (await fetch(call.url, { cache: call.cache })).json()) as never, {
    url: apiPath + at,
    cache,
  })
}

async function writeInPage(call: {
  method: string
  url: string
  body: object | undefined
  headers: Record<string, string>
  key: string
}): Promise<Written> {
  const began = performance.now()
  const answer = await fetch(call.url, {
    method: call.method,
    headers: { 'content-type': 'application/json', 'idempotency-key': call.key, ...call.headers },
    body: call.body === undefined ? null : JSON.stringify(call.body),
  })
  const text = await answer.text()
  const ms = performance.now() - began
  if (!answer.ok) throw new Error(`The bench got ${answer.status}: ${text}`)
  return { status: answer.status, body: (text ? JSON.parse(text) : null) as Written['body'], ms }
}

async function bundleCopyScript(): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: path.join(root, 'bench/copy-script.ts'), formats: ['es'], fileName: 'copy' },
    },
  })
  const [bundle] = built as Rolldown.RolldownOutput[]
  return bundle!.output[0].code
}
