// With the network gone: every screen opens, everything is saved, all of it arrives once, and nothing stays of whoever signs out (OFFLINE.md).
import type { Page } from '@playwright/test'
import {
  controlled,
  expect,
  go,
  makeCustomer,
  makeDraft,
  makeOrganization,
  pulled,
  signUp,
  test,
  type Docket,
} from '#tests/support/browser.ts'
import { askedFor } from '#tests/support/network.ts'
import { askAgain, fetchIn } from '#tests/support/session-faults.ts'
import { tracesOf } from '#tests/support/traces.ts'

async function withBooks(page: Page, docket: Docket): Promise<string> {
  const email = await signUp(page, docket, {
    organization: 'Zilverreiger Works',
    customer: 'Zilverreiger Customer',
    items: [['Hour of work', '85.50']],
    invoices: ['issued', 'draft'],
  })
  return email
}

const synced = (page: Page) => page.getByRole('link', { name: 'All synced' })

for (const [name, viewport] of [
  ['phone', { width: 390, height: 844 }],
  ['desk', { width: 1440, height: 900 }],
] as const)
  test(`a day without a network on a ${name}: customer, invoice and issue are saved here and arrive once`, async ({
    page,
    docket,
    network,
  }) => {
    const outputPath = (file: string) => test.info().outputPath(file)
    await page.setViewportSize(viewport)
    await signUp(page, docket, { organization: 'Ann Works' })
    network.fault = 'down'
    await makeCustomer(page, 'Zoe of the hills')
    await expect(page.getByText('Customer saved on this device')).toBeVisible()
    await makeDraft(page, 'Zoe of the hills')
    await page.getByRole('button', { name: 'Issue invoice' }).click()
    await expect(page.getByText('Will be issued').first()).toBeVisible()
    await page.screenshot({ path: outputPath('will-be-issued.png') })
    await expect(page.getByRole('link', { name: '3 waiting' })).toBeVisible()
    await go(page, 'Invoices')
    await expect(page.getByRole('list', { name: 'Invoices' })).toContainText('€917.18')
    await page.screenshot({ path: outputPath('invoices.png') })
    await page.getByRole('link', { name: '3 waiting' }).click()
    await expect(page.getByRole('heading', { name: 'Unsent' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(3)
    await page.screenshot({ path: outputPath('unsent.png') })
    await page.reload()
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(3)
    await docket.restart()
    const backAt = Date.now()
    network.fault = 'none'
    await expect(synced(page)).toBeVisible()
    test.info().annotations.push({ type: 'drained after', description: `${Date.now() - backAt} ms` })
    // oxlint-disable-next-line no-console -- A figure for whoever runs this.
    console.info(`Three writes were at the server ${Date.now() - backAt} ms after the network came back`)
    await go(page, 'Invoices')
    await expect(page.getByRole('list', { name: 'Invoices' })).toContainText(/INV-\d{4}-0001/)
    const { body } = await fetchIn(page, '/organizations')
    const { body: invoices } = await fetchIn(page, `/organizations/${body.data[0].id}/invoices`)
    expect(invoices.data).toHaveLength(1)
    await page.screenshot({ path: outputPath('synced.png') })
  })

test('who signs in has all of it on the device soon after, whatever they do next', async ({ page, docket }) => {
  // What a page that is seen asks for every so often would bring it too.
  await page.addInitScript(() => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }))
  await withBooks(page, docket)
  expect(await pulled(page)).toBe(true)
})

test('of an organization that is too large for the device, what is missing is said', async ({
  page,
  docket,
  network,
}) => {
  await withBooks(page, docket)
  await controlled(page)
  await expect.poll(() => pulled(page)).toBe(true)
  // As the pull leaves it that met more invoices than are kept (tests/walks/cap.test.ts).
  await page.evaluate(async () => {
    const { name } = (await indexedDB.databases()).find((each) => each.name?.startsWith('docket-device.'))!
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open(name!)
      opening.onsuccess = () => resolve(opening.result)
    })
    const feeds = database.transaction('feeds', 'readwrite').objectStore('feeds')
    const [all] = await new Promise<object[][]>((resolve) => {
      const reading = feeds.getAll()
      reading.onsuccess = () => resolve([reading.result])
    })
    for (const feed of all!) feeds.put({ ...feed, isCapped: true })
    await new Promise((resolve) => (feeds.transaction.oncomplete = resolve))
    database.close()
  })
  network.passed.length = 0
  const missing = page.getByText('Not everything is on this device')
  await page.reload()
  await go(page, 'Invoices')
  const rows = page.getByRole('list', { name: 'Invoices' }).getByRole('link')
  await expect(rows).toHaveCount(2)
  const isList = ({ method, path }: { method: string; path: string }) =>
    method === 'GET' && /\/invoices(\?|$)/.test(path)
  await expect.poll(() => network.passed.some(isList)).toBe(true)
  await expect(missing).toHaveCount(0)
  network.fault = 'down'
  await page.reload()
  await expect(missing).toBeVisible()
  await expect(rows).toHaveCount(2)
  network.fault = 'none'
  await expect(missing).toHaveCount(0)
  // Also when it was away for so short a time that nothing but this one call met it.
  network.before = async ({ method = '', url: path = '' }) => (isList({ method, path }) ? 'down' : undefined)
  await page.reload()
  await expect(missing).toBeVisible()
  network.before = null
  await expect(missing).toHaveCount(0)
})

test('who signs out with unsent work is asked; then nothing of them is on the device', async ({
  page,
  docket,
  network,
}) => {
  await withBooks(page, docket)
  await controlled(page)
  await expect.poll(() => pulled(page)).toBe(true)
  network.fault = 'down'
  await makeCustomer(page, 'Zilverreiger Unsent')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('dialog').getByText('1 change not sent yet')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('heading', { name: 'Zilverreiger Unsent' })).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect.poll(() => tracesOf(page, { name: 'Zilverreiger', amount: '917.18' })).toEqual([])
  network.fault = 'none'
})

test('an organization is deleted without a network: gone here, then sent after what was saved in it', async ({
  page,
  docket,
  network,
  complaints,
}) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  await page.goto('/dashboard/organizations')
  await makeOrganization(page, 'Side Works')
  await controlled(page)
  await expect.poll(() => pulled(page)).toBe(true)
  network.fault = 'down'
  await makeCustomer(page)
  await page.goto('/dashboard/organizations')
  await page
    .getByRole('link', { name: /Side Works/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Delete organization' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('1 change that is not sent yet is sent first.')
  await dialog.getByLabel(/Type “Side Works”/).fill('Side Works')
  await dialog.getByRole('button', { name: 'Delete organization' }).click()
  await expect(page.getByText('The organization will be closed as soon as there is a connection')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Organizations' })).toBeVisible()
  await expect(page.getByRole('main').getByText('Side Works')).toHaveCount(0)
  await expect(page.getByRole('link', { name: '2 waiting' })).toBeVisible()
  await page.goto('/unsent')
  await expect(page.getByRole('main')).toContainText('Delete organization')
  network.fault = 'none'
  await askAgain(page)
  await expect(page.getByText('Everything is synced')).toBeVisible()
  const writes = askedFor(network.passed)
    .filter(({ method }) => method !== 'GET')
    .map(({ method }) => method)
  expect(writes.slice(-2)).toEqual(['POST', 'DELETE'])
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: /^Ann Works/ })).toBeVisible()
  expect(complaints).toEqual([])
})

test('what a worker was killed before it could tell is shown with its next start', async ({
  page,
  docket,
  context,
}) => {
  await signUp(page, docket, { organization: 'Zilverreiger Works', customer: 'Zilverreiger Customer' })
  await page.goto('/customers')
  await expect(synced(page)).toBeVisible()
  const person = await page.evaluate(
    () => (JSON.parse(localStorage.getItem('docket.session')!) as { userId: string }).userId,
  )
  // As it said last, before it wrote down that this had arrived; a count that it still tells of what is there would take that back.
  await expect(async () => {
    await page.evaluate((userId) => {
      const told = { type: 'unsent-changed', userId, waiting: 1, attention: 0 }
      new BroadcastChannel('docket').postMessage(told)
    }, person)
    await expect(page.getByRole('link', { name: '1 waiting' })).toBeVisible({ timeout: 1000 })
  }).toPass()
  let asked = 0
  page.on('request', (request) => void (asked += /\/customers(\?|$)/.test(request.url()) ? 1 : 0))
  const devtools = await context.newCDPSession(page)
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.stopAllWorkers')
  await expect(synced(page)).toBeVisible()
  await expect.poll(() => asked).toBeGreaterThan(0)
})

test('what the server alone has is said to be there, also by a server that answers nothing', async ({
  page,
  docket,
  network,
}) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  network.fault = 'hang'
  await page.goto('/quotes')
  // Long before the call is given up.
  await expect(page.getByText(/^Quotes are kept at the server/)).toBeVisible({ timeout: 12_000 })
  network.fault = 'none'
  await expect(page.getByText('No quotes yet').first()).toBeVisible()
})
