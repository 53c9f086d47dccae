// A browser that clears what Docket keeps on the device, as they do when it is full or was long unused: it is noticed, and said.
import type { BrowserContext, Page } from '@playwright/test'
import { expect, password, signUp, test } from '#tests/support/browser.ts'

const minuteMs = 60_000
const start = new Date('2026-11-21T10:00:00Z').getTime()

/** What a page finds when it looks for what was cleared is drawn when the browser is at rest after the answer of the database. */
function noteLooking(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(() => {
    const { get } = IDBObjectStore.prototype
    IDBObjectStore.prototype.get = function (key) {
      const asked = Reflect.apply(get, this, [key])
      const done = () => (document.documentElement.dataset['looked'] = 'yes')
      if (key === 'docket.canary')
        asked.addEventListener('success', () => requestIdleCallback(() => requestIdleCallback(done)))
      return asked
    }
  })
}

const hasLooked = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-looked', 'yes')

test('storage that the browser cleared is noticed, said until it is read, and never without cause', async ({
  page,
  docket,
  context,
}) => {
  const said = (tab: Page) => tab.getByText('Your browser has cleared')
  await noteLooking(context)
  const looked = () => hasLooked(page)
  const markIsThere = () => expect.poll(() => page.evaluate(() => localStorage.getItem('docket.canary'))).not.toBeNull()
  const clear = (what: string) =>
    context.newCDPSession(page).then(async (devtools) => {
      await devtools.send('Storage.clearDataForOrigin', { origin: docket.network.url, storageTypes: what })
    })
  await context.clock.install({ time: start })
  await signUp(page, docket)
  await markIsThere()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.reload()
  await looked()
  await expect(said(page)).toHaveCount(0)

  await test.step('the database is gone', async () => {
    await signUp(page, docket)
    await markIsThere()
    await clear('indexeddb,cache_storage,service_workers')
    await page.goto('about:blank')
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expect(said(page)).toContainText('what had not been sent is sent when you sign in again')
    await page.reload()
    await page.getByRole('button', { name: 'Understood' }).click()
    await expect(said(page)).toHaveCount(0)
    await page.reload()
    await looked()
    await expect(said(page)).toHaveCount(0)
  })

  await test.step('the text is gone', async () => {
    await context.clock.setSystemTime(start + 5 * minuteMs)
    await page.reload()
    await looked()
    const paired = () =>
      page.evaluate(
        () =>
          new Promise((resolve) => {
            const opening = indexedDB.open('docket-canary')
            opening.onsuccess = () => {
              const asked = opening.result.transaction('canary').objectStore('canary').get('docket.canary')
              asked.onsuccess = () => {
                opening.result.close()
                resolve((asked.result as { isPaired: boolean }).isPaired)
              }
            }
          }),
      )
    await expect.poll(paired).toBe(true)
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await expect(said(page)).toContainText('text that was typed and not saved is gone')
    await page.getByRole('button', { name: 'Understood' }).click()
    await expect(said(page)).toHaveCount(0)
    await page.reload()
    await looked()
    await expect(said(page)).toHaveCount(0)
  })

  await test.step('all of it: a new device', async () => {
    await clear('all')
    await page.goto('about:blank')
    await page.goto('/login')
    await looked()
    await expect(said(page)).toHaveCount(0)
  })
})

test('cleared while a page is open, the next press leads to the sign-in, and back to what was typed', async ({
  page,
  docket,
  context,
}) => {
  const email = await signUp(page, docket, { organization: 'Ann Works' })
  await noteLooking(context)
  await page.goto('/customers/new')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Kluut half typed')
  await expect
    .poll(() => page.evaluate(() => JSON.stringify(Object.entries(localStorage))))
    .toContain('Kluut half typed')
  // Cleared sooner it would find that itself, and say so over the form.
  await hasLooked(page)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin: docket.network.url, storageTypes: 'indexeddb' })
  await page.getByRole('button', { name: 'Create customer' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('Your browser has cleared')).toBeVisible()
  await page.getByRole('button', { name: 'Understood' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(name).toHaveValue('Kluut half typed')
  await page.getByRole('button', { name: 'Create customer' }).click()
  await expect(page.getByRole('heading', { name: 'Kluut half typed' })).toBeVisible()
})
