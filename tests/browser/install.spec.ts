// Docket on a device: when it offers to be installed, and how (OFFLINE.md).
import type { BrowserContext, Page } from '@playwright/test'
import { controlled, expect, go, makeOrganization, signUp, test } from '#tests/support/browser.ts'

const minuteMs = 60_000
const start = new Date('2026-11-21T10:00:00Z').getTime()

const offer = (page: Page) => page.getByRole('region', { name: 'Keep Docket on this device' })

/** The browser says that Docket can be installed, at once when a page has begun; what is done with that is counted. */
async function installable(context: BrowserContext, outcome = 'accepted') {
  await context.addInitScript((chosen) => {
    const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: () => {
        document.documentElement.dataset['prompted'] = String(
          Number(document.documentElement.dataset['prompted'] ?? 0) + 1,
        )
        return Promise.resolve()
      },
      userChoice: Promise.resolve({ outcome: chosen }),
    })
    window.addEventListener('load', () => {
      if (window.dispatchEvent(event)) document.documentElement.dataset['prompted'] = 'by the browser itself'
    })
  }, outcome)
}

/** Writes are answered as by a gateway that keeps them on this device: the worker, whose calls are the page's own fetch. */
async function keepWrites(page: Page): Promise<void> {
  await controlled(page)
  await page.evaluate(() => {
    const { fetch } = window
    window.fetch = async (input, init) => {
      if (!(input instanceof Request) || input.method !== 'POST' || !input.url.endsWith('/customers'))
        return fetch(input, init)
      return new Response(JSON.stringify({ ...((await input.json()) as object), version: 1 }), {
        status: 202,
        headers: { 'content-type': 'application/json', 'x-docket-source': 'device' },
      })
    }
  })
}

async function saveCustomer(page: Page): Promise<void> {
  await go(page, 'Customers')
  await page.getByRole('button', { name: 'New customer' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Bob the Baker')
  await page.getByRole('button', { name: 'Create customer' }).click()
}

test('installing is offered in the second session, not in the first, and not again once it was declined', async ({
  page,
  docket,
  context,
}) => {
  await installable(context)
  await context.clock.install({ time: start })
  await signUp(page, docket)
  // Loaded anew, left and opened again soon: all of that is the first session.
  await page.reload()
  await go(page, 'Invoices')
  const soon = await context.newPage()
  await soon.goto('/customers')
  await expect(soon.getByRole('heading', { name: 'Customers' })).toBeVisible()
  for (const tab of [page, soon]) await expect(offer(tab)).toHaveCount(0)

  await soon.close()
  await page.goto('about:blank')
  await context.clock.setSystemTime(start + 60 * minuteMs)
  await page.goto('/dashboard')
  await expect(offer(page)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.dataset['prompted'])).toBeUndefined()
  await offer(page).getByRole('button', { name: 'No thanks' }).click()
  await expect(offer(page)).toHaveCount(0)
  await page.goto('about:blank')
  await context.clock.setSystemTime(start + 120 * minuteMs)
  await page.goto('/dashboard')
  await go(page, 'Customers')
  await expect(offer(page)).toHaveCount(0)
})

test('the first save that stays on the device offers it in the first session, and asks the browser to keep the storage, once', async ({
  page,
  docket,
  context,
}) => {
  await installable(context)
  await context.addInitScript(() => {
    StorageManager.prototype.persist = () => {
      localStorage.setItem('asked', `${localStorage.getItem('asked') ?? ''}once `)
      return Promise.resolve(false)
    }
  })
  const asked = () => page.evaluate(() => localStorage.getItem('asked'))
  await signUp(page, docket)
  await makeOrganization(page)
  await expect(offer(page)).toHaveCount(0)
  await keepWrites(page)
  expect(await asked()).toBeNull()
  await saveCustomer(page)
  await expect(offer(page)).toBeVisible()
  await saveCustomer(page)
  expect(await asked()).toBe('once ')

  await offer(page).getByRole('button', { name: 'Install' }).click()
  await expect(offer(page)).toHaveCount(0)
  expect(await page.evaluate(() => document.documentElement.dataset['prompted'])).toBe('1')
  await page.evaluate(() => window.dispatchEvent(new Event('appinstalled')))
  expect(await asked()).toBe('once once ')
})

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1'

test.describe('on an iPhone', () => {
  test.use({ userAgent: iPhone, viewport: { width: 390, height: 844 } })
  test('the steps of the Share sheet are told, and not to whom has done them', async ({ page, docket, context }) => {
    await signUp(page, docket)
    await makeOrganization(page)
    await keepWrites(page)
    await saveCustomer(page)
    await expect(offer(page)).toContainText('Tap Share')
    await expect(offer(page)).toContainText('Add to Home Screen')
    await expect(offer(page).getByRole('button', { name: 'Install' })).toHaveCount(0)
    const installed = await context.newPage()
    await installed.addInitScript(() => Object.assign(navigator, { standalone: true }))
    await installed.goto('/dashboard')
    await expect(installed.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await expect(offer(installed)).toHaveCount(0)
  })
})
