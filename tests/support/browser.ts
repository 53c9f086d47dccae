// What every browser test has: a built Docket on a database of its own, a network to break, an eye on the console, and the main road's steps.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect as expectSoon, test as base, type Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { testPatienceMs } from '#tools/browser.ts'
import { postsOf, registeredAccount, type Account } from './api-client.ts'
import { customerBody, invoiceBody, itemBody, organizationBody } from './bodies.ts'
import { password, until } from './people.ts'
import { openNetwork, type Network } from './network.ts'
import { freePort, startServer, type ServerProcess } from './server-process.ts'

export interface Docket {
  network: Network
  server: ServerProcess
  /** Ends the server and starts it anew on the same data. */
  restart(): Promise<void>
  /** Milliseconds since 1970 by the server's clock. */
  now(): Promise<number>
  /** A minute goes by at the server and on this page, and nobody waits for it. */
  passMinute(page: Page): Promise<void>
}

let tests = 0

interface PerWorker {
  docket: Docket
}
interface PerTest {
  network: Network
  /** Errors of the console, uncaught errors and violations of the policy, but for refusals that the test itself asks for. */
  complaints: string[]
}

export const test = base.extend<PerTest, PerWorker>({
  docket: [
    // oxlint-disable-next-line no-empty-pattern -- The runner reads from the pattern what a fixture needs.
    async ({}, provide) => {
      const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-browser-'))
      // The page is opened through the network, so that is the address Docket knows itself by.
      const port = await freePort()
      const start = () =>
        startServer(
          {
            DATA_DIR: dataDir,
            PUBLIC_URL: `http://localhost:${port}`,
            TRUST_PROXY: '1',
            NODE_OPTIONS: `--import=${new URL('server-clock.ts', import.meta.url).href}`,
          },
          { file: 'dist/server/server.js' },
        )
      const docket: Docket = {
        server: await start(),
        network: await openNetwork(port, () => docket.server.url),
        async restart() {
          if (docket.server.child.exitCode === null) await docket.server.end('SIGKILL')
          docket.server = await start()
        },
        async now() {
          const { headers } = await fetch(`${docket.server.url}/api/v1/openapi.json`)
          return Date.parse(headers.get('date')!)
        },
        async passMinute(page) {
          const before = await docket.now()
          docket.server.child.kill('SIGUSR2')
          await until(async () => (await docket.now()) - before > 60_000 || undefined)
          await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + 61_000)
        },
      }
      await provide(docket)
      await docket.network.close()
      await docket.server.end('SIGTERM')
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ docket }, provide) => provide(docket.network.url),
  // Every test begins with a network that works, also after one that broke it and named no more than `docket`.
  network: [
    async ({ docket }, provide) => {
      // Limits count by place: what one test used up is not taken from the next.
      docket.network.place = `10.0.${tests >> 8}.${tests & 255}`
      tests += 1
      docket.network.passed.length = 0
      docket.network.arrived.length = 0
      await provide(docket.network)
      Object.assign(docket.network, { fault: 'none', before: null, after: null, loseAnswers: false })
    },
    { auto: true },
  ],
  complaints: async ({ context, network }, provide) => {
    const complaints: string[] = []
    // What only the server knows cannot be had while a test keeps it away; whether a screen asks meanwhile depends on its pace.
    const isKeptAway = () => network.arrived.filter(({ endedAt }) => endedAt !== null).length > network.passed.length
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
        // oxlint-disable-next-line no-console -- Read by the test.
        console.error(`CSP ${violatedDirective} ${blockedURI} ${sample}`),
      )
    })
    context.on('console', (message) => {
      // The first call of a device has no nonce yet: a 400 that the gateway answers itself (SESSION.md "Refresh").
      if (message.type() !== 'error' || /status of 400/.test(message.text())) return
      if (!/status of 503/.test(message.text()) || !isKeptAway()) complaints.push(message.text())
    })
    context.on('weberror', (error) => complaints.push(String(error.error())))
    await provide(complaints)
  },
})
export { password }

/** As patient as playwright.config.ts is, also where these steps are taken by a script. */
export const expect = expectSoon.configure({ timeout: testPatienceMs })

/** What somebody new has when they sign in. Each needs what stands above it: left out, that is Bob the Baker of Ann Works. */
interface Books {
  organization?: string
  customer?: string
  /** Names and prices. */
  items?: [name: string, unitPrice: string][]
  /** Each of 917.18 EUR with VAT. */
  invoices?: ('draft' | 'issued')[]
}

/**
 * Somebody new signs in on the screen, and stands on what was made last of their books, else on the dashboard. The worker controls it and has pulled all of
 * it: whoever takes the network away has all on the device. What they have was made by calls: some pages less to load in every test.
 */
export async function signUp(
  page: Page,
  { server, network }: Pick<Docket, 'server' | 'network'>,
  books: Books = {},
): Promise<string> {
  const { email, account } = await registeredAccount(server.url, { name: 'Ann Works', place: network.place })
  const made = await makeBooks(account, books, network.place)
  // Their one session is the page's.
  await account.call('POST', '/auth/logout', {})
  await page.goto(`/login?to=${made.path}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(made.path)
  await expect(page.getByRole('heading', { name: made.title, exact: true })).toBeVisible()
  await controlled(page)
  if (made.path !== '/dashboard') await expect.poll(() => pulled(page)).toBe(true)
  return email
}

async function makeBooks(
  account: Account,
  { organization, customer, items = [], invoices = [] }: Books,
  place: string | null,
) {
  if (!organization && !customer && !items.length && !invoices.length) return { path: '/dashboard', title: 'Dashboard' }
  const post = postsOf(account, place ? { 'x-forwarded-for': place } : {})
  const seller = await post('/organizations', organizationBody(organization ? { name: organization } : {}))
  const base = `/organizations/${seller.id}`
  const screen = `/organization/${seller.id}`
  for (const [name, unitPrice] of items) await post(`${base}/items`, itemBody({ name, unitPrice }))
  if (!customer && !invoices.length) return { path: screen, title: seller.name }
  const buyer = await post(`${base}/customers`, customerBody(customer ? { name: customer } : {}))
  let last = { path: `${screen}/customers/${buyer.id}`, title: buyer.name }
  for (const status of invoices) {
    const draft = await post(`${base}/invoices`, invoiceBody(buyer.id))
    const invoice =
      status === 'draft' ? draft : await post(`${base}/invoices/${draft.id}/issue`, undefined, draft.version)
    last = { path: `${screen}/invoices/${invoice.id}`, title: invoice.number ?? 'Draft' }
  }
  return last
}

/** Registers on the screen, opens the mailed link in the same tab, and stands on the dashboard. */
export async function registerAndVerify(page: Page, docket: Pick<Docket, 'server'>): Promise<string> {
  const email = await registerOnly(page)
  await page.goto(await mailedLink(docket, email))
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  return email
}

/** Registers on the screen and stands on verify-email. */
export async function registerOnly(page: Page): Promise<string> {
  const email = `${uuidv7()}@example.com`
  await page.goto('/register')
  await page.getByLabel('Name').fill('Ann Works')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  return email
}

/** The link of the newest mail to this address, from the development mailbox. */
export function mailedLink(
  docket: Pick<Docket, 'server'>,
  email: string,
  kind: 'verification' | 'reset' | 'confirm' | 'invitation' = 'verification',
  patienceMs?: number,
): Promise<string> {
  return until(async () => {
    const mailbox = await (await fetch(`${docket.server.url}/dev/mailbox`)).text()
    const mail = mailbox
      .split('<article>')
      .find((article) => article.includes(`<p>To ${email},`) && article.includes(`${kind}Token=`))
    return new RegExp(`href="(http[^"]+${kind}Token=[\\w-]+)"`).exec(mail ?? '')?.[1]
  }, patienceMs)
}

export async function makeOrganization(page: Page, name = 'Ann Works'): Promise<void> {
  await page.getByRole('button', { name: 'New organization' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Country').selectOption('NL')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

export async function makeCustomer(page: Page, name = 'Bob the Baker'): Promise<void> {
  await go(page, 'Customers')
  await page.getByRole('button', { name: 'New customer' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Country').selectOption('NL')
  await page.getByRole('button', { name: 'Create customer' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

export async function makeItem(page: Page, name = 'Hour of work', price = '85.50'): Promise<void> {
  await go(page, 'Items')
  await page.getByRole('button', { name: 'New item' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Unit price').fill(price)
  await page.getByLabel('VAT rate').fill('0')
  await page.getByRole('button', { name: 'Create item' }).click()
  await expect(page.getByRole('list', { name: 'Items' })).toContainText(name)
}

/** In the editor of an invoice or a quote, by the first letters of the name. */
export async function chooseCustomer(page: Page, name: string): Promise<void> {
  await page.getByLabel('Customer').fill(name.slice(0, 3))
  // Offered once it is known who is found: until then the list may still move away under a press.
  await expect(page.getByRole('option', { name: /^New customer/ })).toBeVisible()
  await page.getByRole('option', { name }).click()
}

/** Fills a new invoice with one line and saves it; stands on the draft. */
export async function makeDraft(page: Page, customer = 'Bob the Baker'): Promise<void> {
  await go(page, 'Invoices')
  await page.getByRole('button', { name: 'New invoice' }).click()
  await chooseCustomer(page, customer)
  await page.getByLabel('Description, Line 1').fill('Website')
  await page.getByLabel('Quantity').fill('2')
  await page.getByLabel('Unit price').fill('379,00')
  await page.getByLabel('VAT rate').fill('21')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
}

export async function issueDraft(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Issue invoice' }).click()
  await expect(page.getByRole('heading', { name: /^INV-\d{4}-\d{4}$/ })).toBeVisible()
}

/** What an invoice's screen keeps in its menu. */
export async function fromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** By the navigation, which every screen has. */
export async function go(page: Page, name: 'Dashboard' | 'Invoices' | 'Customers' | 'Items'): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).filter({ visible: true }).click()
  // Its title: a customer's screen has a heading "Invoices" and a "New invoice" of its own, and is still there while the list is on its way.
  await expect(page.getByRole('heading', { name, exact: true, level: 1 })).toBeVisible()
}

/** Waits until the service worker controls this page. */
export async function controlled(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

/** What the first frame is drawn from, which is written a second after the last change; undefined before the first. */
export function paintCache(page: Page): Promise<[key: string, value: string] | undefined> {
  return page.evaluate(() => Object.entries(localStorage).find(([key]) => /^docket\.paint\.[0-9a-f-]{36}$/.test(key)))
}

/** Whether the device's copy has come to its end. */
export function pulled(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const { name } = (await indexedDB.databases()).find((each) => each.name?.startsWith('docket-device.')) ?? {}
    if (!name) return false
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error!)
    })
    const feeds = await new Promise<{ organizationId: string; isComplete: boolean }[]>((resolve) => {
      const reading = database.transaction('feeds').objectStore('feeds').getAll()
      reading.onsuccess = () => resolve(reading.result)
    })
    database.close()
    return feeds.some(({ organizationId }) => organizationId !== '') && feeds.every(({ isComplete }) => isComplete)
  })
}
