// The first loading of an organization onto a device, as the person sees and hears it (UX.md: long work has a bar with a count).
import type { Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { signedInAccount } from '#tests/support/api-client.ts'
import { customerBody, organizationBody } from '#tests/support/bodies.ts'
import { controlled, expect, go, password, pulled, signUp, test, type Docket } from '#tests/support/browser.ts'

const customers = 450

/** Somebody with so many customers, made elsewhere. */
async function withCustomers(page: Page, docket: Docket): Promise<string> {
  const email = await signUp(page, docket)
  await page.close()
  const account = await signedInAccount(docket.server.url, email)
  const { id } = organizationBody()
  const key = () => ({ 'idempotency-key': uuidv7() })
  await account.call('POST', '/organizations', organizationBody({ id }), key())
  const make = () => account.call('POST', `/organizations/${id}/customers`, customerBody(), key())
  for (let made = 0; made < customers; made += 15) await Promise.all(Array.from({ length: 15 }, make))
  return email
}

test('what has come is counted in every tab, and said now and then', async ({ page, docket, network, browser }) => {
  const email = await withCustomers(page, docket)
  const held: ((isRefused: boolean) => void)[] = []
  network.before = (request) => {
    if (!request.url?.includes('/changes?') || request.url.includes('since=&')) return undefined
    return new Promise((resolve) =>
      held.push((isRefused) => resolve(isRefused ? (response) => void response.writeHead(503).end() : undefined)),
    )
  }
  /** The next page of the feed comes, or the server, which is reached, has none. */
  const letCome = async (isRefused = false) => {
    await expect.poll(() => held.length).toBeGreaterThan(0)
    // Also one that was given up meanwhile, and asked for once more.
    for (const come of held.splice(0)) come(isRefused)
  }
  const context = await browser.newContext({ baseURL: network.url, locale: 'en-GB' })
  const device = await context.newPage()
  await device.goto('/login')
  await device.getByLabel('Email').fill(email)
  await device.getByLabel('Password').fill(password)
  await device.getByRole('button', { name: 'Sign in' }).click()
  await expect(device).toHaveURL(/\/dashboard$/)
  await controlled(device)

  const chip = (tab: Page) => tab.getByRole('banner').getByRole('link', { name: /loaded|synced/ })
  const said = (tab: Page) => tab.getByRole('banner').getByRole('status')
  await expect(chip(device)).toHaveText('200 of 451 loaded', { timeout: 30_000 })
  const second = await context.newPage()
  await second.goto('/customers')
  for (const tab of [device, second]) {
    await expect(chip(tab)).toHaveText('200 of 451 loaded')
    await expect(chip(tab).locator('progress')).toHaveJSProperty('position', 200 / 451)
  }
  for (const [name, width] of [
    ['phone', 320],
    ['desk', 1280],
  ] as const) {
    await device.setViewportSize({ width, height: 700 })
    await device.screenshot({ path: test.info().outputPath(`${name}.png`) })
  }
  // Broken off it is not over.
  await device.evaluate(() => {
    const seen = new Set<string>()
    const header = document.querySelector('header')!
    new MutationObserver(() => seen.add(header.textContent)).observe(header, {
      subtree: true,
      childList: true,
      characterData: true,
    })
    Object.assign(window, { seen })
  })
  await letCome(true)
  const goesOn = async () => {
    await device.evaluate(() => window.dispatchEvent(new Event('online')))
    return held.length
  }
  await expect.poll(goesOn).toBeGreaterThan(0)
  for (const tab of [device, second]) await expect(chip(tab)).toHaveText('200 of 451 loaded')
  const seen = await device.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])
  expect(seen.filter((each) => each.includes('synced'))).toEqual([])
  await letCome()
  for (const tab of [device, second]) {
    await expect(chip(tab)).toHaveText('400 of 451 loaded')
    await expect(said(tab)).toHaveText('400 of 451 loaded')
  }
  await chip(second).click()
  const card = second.getByRole('region', { name: 'Loading onto this device' })
  await card.getByRole('button', { name: 'Pause' }).click()
  await expect(card.getByRole('heading', { name: 'Paused' })).toBeVisible()
  await second.screenshot({ path: test.info().outputPath('paused.png') })
  await card.getByRole('button', { name: 'Go on loading' }).click()
  await expect(card.getByRole('heading', { name: 'Loading onto this device' })).toBeVisible()
  await letCome()
  for (const tab of [device, second]) {
    await expect(chip(tab)).toHaveText('All synced')
    await expect(chip(tab).locator('progress')).toHaveCount(0)
    await expect(said(tab)).toHaveText('All synced')
  }
  await context.close()
})

test('a draft that is saved while nothing of its organization is on the device is shown', async ({ page, docket }) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  // Only then has the worker the screens' files.
  await controlled(page)
  await expect.poll(() => pulled(page)).toBe(true)
  docket.network.fault = 'down'
  await go(page, 'Invoices')
  await page.evaluate(async () => {
    const { name } = (await indexedDB.databases()).find((each) => each.name?.startsWith('docket-device.'))!
    const opening = indexedDB.open(name!)
    await new Promise((resolve) => (opening.onsuccess = resolve))
    const change = opening.result.transaction(['organizations', 'feeds'], 'readwrite')
    for (const store of change.objectStoreNames) change.objectStore(store).clear()
    await new Promise((resolve) => (change.oncomplete = resolve))
    opening.result.close()
  })
  await page.getByRole('button', { name: 'New invoice' }).click()
  await page.getByLabel('Description, Line 1').fill('Website')
  await page.getByLabel('Unit price').fill('379,00')
  await page.getByLabel('VAT rate').fill('21')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('458.59')
})

test('before anything has come nothing is said to be synced', async ({ page, docket, network, browser }) => {
  const email = await signUp(page, docket, { organization: 'Ann Works' })
  await page.close()
  let letCome = () => {}
  const mayCome = new Promise<void>((resolve) => (letCome = resolve))
  network.before = async (request) => {
    if (request.url === '/api/v1/organizations' && request.method === 'GET') await mayCome
    return undefined
  }
  const device = await (await browser.newContext({ baseURL: network.url, locale: 'en-GB' })).newPage()
  await device.addInitScript(() => {
    const seen = new Set<string>()
    new MutationObserver(() => seen.add(document.querySelector('header a[href="/unsent"]')?.textContent ?? '')).observe(
      document,
      { subtree: true, childList: true, characterData: true },
    )
    Object.assign(window, { seen })
  })
  await device.goto('/login')
  await device.getByLabel('Email').fill(email)
  await device.getByLabel('Password').fill(password)
  await device.getByRole('button', { name: 'Sign in' }).click()
  const chip = device.getByRole('banner').getByRole('link', { name: /Loading|synced/ })
  await expect(chip).toHaveText('Loading')
  letCome()
  await expect(chip).toHaveText('All synced')
  const seen = await device.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])
  expect(seen.filter(Boolean)).toEqual(['Loading', 'All synced'])
})
