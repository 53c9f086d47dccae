// A new build is deployed while Docket is open: what is offered, what waits, and that nothing typed is lost (OFFLINE.md "Shell and updates").
import type { Page } from '@playwright/test'
import { deployBuild, type Deployment } from '#tests/support/builds.ts'
import {
  controlled,
  expect,
  go,
  mailedLink,
  makeCustomer,
  makeDraft,
  registerOnly,
  signUp,
  test as base,
} from '#tests/support/browser.ts'
import { signedInAccount } from '#tests/support/api-client.ts'
import { organizationBody } from '#tests/support/bodies.ts'
import { makeFullBooks, type FullBooks } from '#tests/support/full-books.ts'
import { readDevice, rowsOf, writeDevice, type OldEntry } from '#tests/support/old-devices.ts'
import { askedFor, mostAtOnce } from '#tests/support/network.ts'
import { askAgain, fetchIn, hostGateway, openDevtools } from '#tests/support/session-faults.ts'

const test = base.extend<{ deployment: Deployment }>({
  deployment: async ({ network }, provide) => {
    const deployment = await deployBuild(network)
    await provide(deployment)
    deployment.remove()
  },
})

// Each opens several tabs and loads each anew with every build.
test.beforeEach(() => test.setTimeout(900_000))

/** Which build this page is of: its entry is named after it. What stands in its way is told with it. */
async function isOf(page: Page, build: number): Promise<void> {
  const look = () => page.evaluate(lookAtUpdate).catch(() => 'is being loaded')
  await expect.poll(look, { timeout: 60_000 }).toMatch(build === 0 ? /-[\w-]+\.js / : RegExp(`\\.${build}\\.js `))
}

async function lookAtUpdate(): Promise<string> {
  const entry = document.querySelector('script[type=module][src]')?.getAttribute('src')
  const registration = await navigator.serviceWorker.getRegistration()
  const { installing = null, waiting = null, active = null } = registration ?? {}
  const workers = Object.entries({ installing, waiting, active }).map(([at, worker]) => `${at}: ${worker?.state}`)
  return [`${entry} `, ...workers, document.body.innerText].join('; ')
}

/** The person comes back to this tab. */
const comeBack = (page: Page, event = 'focus') =>
  page.evaluate((name) => void (name === 'focus' ? window : document).dispatchEvent(new Event(name)), event)

const ready = (page: Page) => page.getByText('A new version of Docket is ready.')
const waits = (page: Page) => page.getByText('The new version is loaded here as soon as')
const updateNow = (page: Page) => page.getByRole('button', { name: 'Update now' }).click()

test('one tap makes every tab current, again and again, and what is typed stays in each', async ({
  page,
  docket,
  context,
  deployment,
}) => {
  await signUp(page, docket, { customer: 'Bob the Baker' })
  await page.getByRole('link', { name: 'Edit' }).click()
  const editing = page.url()
  const tabs = { one: page, two: await context.newPage() }
  await tabs.two.goto(editing)
  for (const [name, tab] of Object.entries(tabs)) await tab.getByLabel('Street and number').fill(`${name} lane`)
  const unsent = await context.newPage()
  await unsent.goto('/dashboard/organizations/new')
  await unsent.getByLabel('Name', { exact: true }).fill('Second Works')
  const secret = await context.newPage()
  await secret.goto('/account/security')
  await secret.getByLabel('Current password').fill('half a pass')
  const reader = await context.newPage()
  await reader.goto('/dashboard')
  await controlled(reader)

  deployment.next()
  await comeBack(reader)
  for (const tab of [...Object.values(tabs), unsent, secret, reader]) {
    await expect(ready(tab)).toBeVisible()
    await isOf(tab, 0)
  }
  await updateNow(reader)
  for (const tab of [...Object.values(tabs), unsent, reader]) await isOf(tab, 1)
  for (const [name, tab] of Object.entries(tabs)) {
    await expect(tab.getByLabel('Street and number')).toHaveValue(`${name} lane`)
    await expect(tab.getByText('It has been put back')).toBeVisible()
  }
  await expect(unsent.getByLabel('Name', { exact: true })).toHaveValue('Second Works')
  // A password is kept nowhere: its page waits.
  await expect(waits(secret)).toBeVisible()
  await isOf(secret, 0)
  await expect(secret.getByLabel('Current password')).toHaveValue('half a pass')

  await unsent.getByRole('button', { name: 'Create organization' }).click()
  await expect(unsent.getByRole('heading', { name: 'Second Works' })).toBeVisible()
  // Left: the old page goes on with parts that it had not loaded yet, and only then gives way.
  await go(secret, 'Invoices')
  await isOf(secret, 1)
  await expect(secret.getByRole('heading', { name: 'Invoices' })).toBeVisible()

  // Nothing is typed anew: what was put back is kept as well as what is typed.
  deployment.next()
  await comeBack(secret, 'visibilitychange')
  await updateNow(tabs.two)
  for (const tab of [...Object.values(tabs), unsent, secret, reader]) await isOf(tab, 2)
  for (const [name, tab] of Object.entries(tabs))
    await expect(tab.getByLabel('Street and number')).toHaveValue(`${name} lane`)
  await tabs.two.getByRole('button', { name: 'Save customer' }).click()
  await expect(tabs.two.getByText('two lane')).toBeVisible()
})

/** Forms of what the device has no copy of, or that begin with what it has: what is typed into them, and where. */
const moreForms: Record<string, { address: (books: FullBooks) => string; label: string; typed: string }> = {
  'a new quote': { address: () => '/quotes/new', label: 'Description, Line 1', typed: 'Garden wall' },
  'a quote': { address: (books) => `quotes/${books.draftQuoteId}/edit`, label: 'Description, Line 1', typed: 'Fence' },
  'a new schedule': { address: (books) => `recurring/new?from=${books.issuedIds[0]}`, label: 'Every', typed: '3' },
  'a schedule': { address: (books) => `recurring/${books.recurringId}`, label: 'Every', typed: '5' },
  'what recurs': {
    address: (books) => `recurring/${books.recurringId}/edit`,
    label: 'Description, Line 1',
    typed: 'Rent',
  },
  'the rules of reminders': {
    address: () => 'reminders',
    label: 'Subject (English)',
    typed: 'Pay {number}, please',
  },
  'the settings': { address: () => 'settings', label: 'Legal name', typed: 'Ann Works V.O.F.' },
}

test('what is typed into forms that the server alone can save stays too; a file that was read waits', async ({
  page,
  docket,
  context,
  deployment,
}) => {
  const email = await signUp(page, docket)
  const books = await makeFullBooks(docket.server.url, email)
  await controlled(page)
  const tabs: { tab: Page; label: string; typed: string; name: string }[] = []
  for (const [name, { address, label, typed }] of Object.entries(moreForms)) {
    const tab = await context.newPage()
    await tab.goto(new URL(address(books), `${docket.network.url}/organization/${books.organizationId}/`).href)
    await tab.getByLabel(label, { exact: true }).first().fill(typed)
    tabs.push({ tab, label, typed, name })
  }
  const file = await context.newPage()
  await file.goto(`/organization/${books.organizationId}/import/customers`)
  const buffer = Buffer.from('name,country\nKluut,NL\n')
  await file.getByLabel('CSV file').setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer })
  await expect(file.getByText('customers.csv')).toBeVisible()

  deployment.next()
  await comeBack(page)
  await updateNow(page)
  for (const { tab, label, typed, name } of tabs) {
    await isOf(tab, 1)
    await expect(tab.getByText('It has been put back'), name).toBeVisible()
    await expect(tab.getByLabel(label, { exact: true }).first(), name).toHaveValue(typed)
  }
  // What was read of a file, and what its columns were said to be, is not kept: its page waits.
  await expect(waits(file)).toBeVisible()
  await isOf(file, 0)
  await go(file, 'Invoices')
  await isOf(file, 1)
})

const namesOf = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name).toSorted()

test('what the build before queued is delivered by the new one, once, whichever tab asks for it', async ({
  page,
  docket,
  network,
  context,
  deployment,
}) => {
  const email = await signUp(page, docket, { customer: 'Known' })
  const other = await context.newPage()
  await other.goto('/customers')
  await expect(other.getByRole('list', { name: 'Customers' })).toContainText('Known')
  const elsewhere = await signedInAccount(docket.server.url, email)
  const base = `/organizations/${/organization\/([\w-]+)/.exec(page.url())![1]!}`
  // One that the server has done already, and its answer was lost.
  network.fault = 'lost-answer'
  await makeCustomer(other, 'Arrived before')
  network.fault = 'down'
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Known, changed')
  await page.getByRole('button', { name: 'Save customer' }).click()
  await makeCustomer(page, 'Queued')
  await makeDraft(page, 'Queued')
  const tabs = [page, other]
  for (const tab of tabs) await expect(tab.getByRole('link', { name: '4 waiting' })).toBeVisible()

  deployment.next()
  await comeBack(other)
  await updateNow(other)
  for (const tab of tabs) {
    await isOf(tab, 1)
    await expect(tab.getByRole('link', { name: '4 waiting' })).toBeVisible()
  }
  await network.quiet()
  network.passed.length = 0
  network.fault = 'none'
  await Promise.all(tabs.map(askAgain))
  for (const tab of tabs) await expect(tab.getByRole('link', { name: 'All synced' })).toBeVisible()
  const writes = askedFor(network.passed).filter(({ method }) => method !== 'GET')
  // By one of the two: what is tried once more was given up before.
  for (const { key } of writes) expect(mostAtOnce(network.arrived.filter((each) => each.key === key))).toBe(1)
  const written = writes.map(({ method, path }) => `${method} ${path}`)
  expect(written.toSorted()).toEqual([
    `POST /api/v1${base}/customers`,
    `POST /api/v1${base}/customers`,
    `POST /api/v1${base}/invoices`,
    expect.stringMatching(`PUT /api/v1${base}/customers/`),
  ])
  const { body: customers } = await elsewhere.call('GET', `${base}/customers`)
  expect(namesOf(customers)).toEqual(['Arrived before', 'Known, changed', 'Queued'])
  expect((await elsewhere.call('GET', `${base}/invoices`)).body.data).toHaveLength(1)
})

test('what a build of long ago left on the disk is delivered after two deploys', async ({
  page,
  docket,
  network,
  context,
  deployment,
}) => {
  const email = await signUp(page, docket)
  const elsewhere = await signedInAccount(docket.server.url, email)
  const { body: session } = await fetchIn(page, '/auth/session')
  const device = readDevice('first-outbox', session)
  const entries = rowsOf<OldEntry>(device, 'outbox')
  const { organizationId, id } = entries[0]!
  const base = `/organizations/${organizationId}`
  const known = { id, name: 'Known', country: 'NL' }
  expect((await elsewhere.call('POST', '/organizations', organizationBody({ id: organizationId }))).status).toBe(201)
  expect((await elsewhere.call('POST', `${base}/customers`, known)).status).toBe(201)
  network.fault = 'down'
  // Nothing of today's has it open.
  const devtools = await openDevtools(page)
  await page.goto('/healthz')
  await devtools.killWorkers()
  await page.evaluate(writeDevice, device)
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto('/dashboard')
    await expect(tab.getByRole('link', { name: `${entries.length} waiting` })).toBeVisible()
  }
  for (const build of [1, 2]) {
    deployment.next()
    await comeBack(page)
    await expect(ready(page)).toBeVisible()
    // It has something to ask of its worker all the time. One that is asked while it is being ended would go on for minutes.
    await other.evaluate(() => void setInterval(() => window.dispatchEvent(new Event('offline')), 10))
    await updateNow(page)
    for (const tab of [page, other]) await isOf(tab, build)
  }
  await network.quiet()
  network.passed.length = 0
  network.fault = 'none'
  await Promise.all([page, other].map(askAgain))
  for (const tab of [page, other]) await expect(tab.getByRole('link', { name: 'All synced' })).toBeVisible()
  expect(askedFor(network.passed).filter(({ method }) => method !== 'GET')).toHaveLength(entries.length)
  const { body: customers } = await elsewhere.call('GET', `${base}/customers`)
  expect(namesOf(customers)).toEqual(['Known, changed three times', 'Made offline'])
  const { body: invoices } = await elsewhere.call('GET', `${base}/invoices`)
  expect(invoices.data).toMatchObject([{ status: 'issued', number: expect.stringMatching(/-0001$/) }])
})

test('the session that brought the worker can take an update as well', async ({
  page,
  docket,
  context,
  deployment,
}) => {
  const email = await registerOnly(page)
  await controlled(page)
  // Left open: Chromium's queue of updates can stand still behind a tab that was closed while it registered.
  const link = await context.newPage()
  await link.goto(await mailedLink(docket, email))
  await expect(link.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await comeBack(page)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  expect(await page.evaluate(() => performance.getEntriesByType('navigation')[0]!.name)).toContain('/register')

  deployment.next()
  await comeBack(page)
  await expect(ready(page)).toBeVisible()
  await updateNow(page)
  await isOf(page, 1)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

test('a tab that no worker controlled becomes current too', async ({ page, docket, context, deployment }) => {
  await signUp(page, docket)
  const hosted = await context.newPage()
  await hostGateway(hosted, '/customers')
  deployment.next()
  await comeBack(page)
  await expect(ready(hosted)).toBeVisible()
  await updateNow(page)
  for (const tab of [page, hosted]) await isOf(tab, 1)
})

test('a password half typed on a screen without an offer stays as well', async ({ page, deployment }) => {
  await page.goto('/login')
  await controlled(page)
  await page.getByLabel('Email').fill('ann@example.com')
  await page.getByLabel('Password').fill('half a pass')
  deployment.next()
  await comeBack(page)
  // Agreed to in a tab that has gone since.
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const changed = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
    while (!registration.waiting) await new Promise((resolve) => requestAnimationFrame(resolve))
    registration.waiting.postMessage({ type: 'skip-waiting' })
    await changed
  })
  await expect(page.getByLabel('Password')).toHaveValue('half a pass')
  await isOf(page, 0)
  // The email goes on to the next screen with the person, so it holds there too.
  await page.getByRole('link', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible()
  await page.getByLabel('Name').fill('Ann Works')
  await expect(page.getByLabel('Email')).toHaveValue('ann@example.com')
  await isOf(page, 0)
  await page.getByLabel('Email').fill('')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await isOf(page, 1)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('text that the device refuses to keep is not loaded away from under the person', async ({
  page,
  docket,
  deployment,
}) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  await go(page, 'Customers')
  await page.getByRole('button', { name: 'New customer' }).click()
  await page.evaluate(() => {
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (key, value) {
      if (key.includes('.draft.')) throw new DOMException('Full', 'QuotaExceededError')
      Reflect.apply(setItem, this, [key, value])
    }
  })
  await page.getByLabel('Name', { exact: true }).fill('Full House')
  deployment.next()
  await comeBack(page)
  await updateNow(page)
  await expect(waits(page)).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Full House')
  await page.getByRole('button', { name: 'Create customer' }).click()
  await expect(page.getByRole('heading', { name: 'Full House' })).toBeVisible()
  await isOf(page, 1)
})

test('every file of the build is on the device; the server has the files of the build before and no page in a missing one’s place', async ({
  page,
  request,
  deployment,
}) => {
  // What this server of files does not have is asked of Docket's own, which has no build of this name.
  deployment.next()
  await page.goto('/login')
  await controlled(page)
  const kept = await page.evaluate(async () => {
    const found: string[] = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname)
    return found
  })
  // The paper's fonts and colours come when a PDF is drawn: they are no part of the shell.
  const ofTheShell = () => deployment.assets().filter((name) => /\.(js|css)$/.test(name))
  const before = ofTheShell()
  expect(before.length).toBeGreaterThan(40)
  for (const document of ['index', 'landing', 'login', 'register']) expect(kept).toContain(`/${document}.html`)
  expect(before.filter((name) => !kept.includes(`/assets/${name}`))).toEqual([])
  // Chromium takes them from there itself: no worker is woken for them.
  const devtools = await page.context().newCDPSession(page)
  let status: string | undefined
  devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => (status = versions.at(-1)?.runningStatus))
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.stopAllWorkers')
  await expect.poll(() => status).toBe('stopped')
  const asked = deployment.asked.length
  expect(await page.evaluate(async (name) => (await fetch(`/assets/${name}`)).status, before[0]!)).toBe(200)
  expect([status, deployment.asked.slice(asked)]).toEqual(['stopped', []])

  deployment.next()
  const now = ofTheShell()
  expect(now.filter((name) => before.includes(name))).toEqual([])
  for (const name of [before[0]!, now[0]!]) expect((await request.get(`/assets/${name}`)).status()).toBe(200)
  deployment.next()
  for (const name of [before[0]!, 'start-nothing.js']) {
    const missing = await request.get(`/assets/${name}`)
    expect(missing.status()).toBe(404)
    expect(missing.headers()['content-type']).not.toContain('html')
  }
  expect((await request.get('/sw.js')).headers()['cache-control']).toBe('no-cache')

  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).updateViaCache)).toBe('none')
  const lookedFor = () => deployment.asked.filter((path) => path === '/sw.js').length
  for (const event of ['focus', 'visibilitychange']) {
    const looks = lookedFor()
    // A look that is under way already is enough for the browser.
    await expect(async () => {
      await comeBack(page, event)
      expect(lookedFor()).toBeGreaterThan(looks)
    }).toPass()
  }
})
