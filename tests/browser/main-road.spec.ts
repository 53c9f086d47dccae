// The main road on a phone and on a desk: register -> mail -> verify -> organization -> customer -> invoice -> issue -> reload offline.
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import {
  controlled,
  expect,
  go,
  issueDraft,
  makeCustomer,
  makeDraft,
  makeOrganization,
  registerOnly,
  signUp,
  test,
} from '#tests/support/browser.ts'

for (const [name, size] of [
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ['desk', { viewport: { width: 1440, height: 900 } }],
] as const) {
  test.describe(name, () => {
    test.use(size)

    test('an account, an organization, an invoice, and all of it is there when the server is gone', async ({
      page,
      docket,
      network,
      complaints,
    }) => {
      await signUp(page, docket)
      await makeOrganization(page)
      await makeCustomer(page)
      await makeDraft(page)
      await issueDraft(page)
      await expect(page.getByText('€917.18').first()).toBeVisible()
      const invoice = page.url()
      await go(page, 'Invoices')
      await expect(page.getByRole('list', { name: 'Invoices' })).toContainText('€917.18')
      await go(page, 'Dashboard')
      await expect(page.getByText('€917.18').first()).toBeVisible()
      await controlled(page)
      // The paint cache is written a second after the last change, and what is older than two seconds is asked for again.
      await page.waitForTimeout(2500)
      expect(complaints).toEqual([])

      await docket.server.end('SIGKILL')
      network.fault = 'down'
      await page.goto('/invoices')
      await expect(page.getByRole('heading', { name: 'Invoices' })).toBeVisible()
      await expect(page.getByRole('list', { name: 'Invoices' })).toContainText(/INV-\d{4}-0001/)
      await expect(page.getByText(/offline|no connection/i).first()).toBeVisible()
      await page.goto(invoice)
      await expect(page.getByRole('heading', { name: /^INV-/ })).toBeVisible()
      await page.reload()
      await expect(page.getByText('€917.18').first()).toBeVisible()

      network.fault = 'none'
      await docket.restart()
      await page.goto('/invoices')
      await expect(page.getByRole('list', { name: 'Invoices' })).toContainText('€917.18')
      await makeDraft(page)
      await issueDraft(page)
      await expect(page.getByRole('heading', { name: /-0002$/ })).toBeVisible()
    })

    test('every screen can be used by everybody: no violation of WCAG 2.2 AA, dark and light', async ({
      page,
      docket,
    }) => {
      test.setTimeout(120_000)
      await page.goto('/')
      await noViolations(page, '/')
      for (const path of ['/login', '/register']) {
        await page.goto(path)
        await expect(page.getByRole('heading')).toBeVisible()
        await noViolations(page, path)
      }
      await registerThenCheckInbox(page)
      const { origin } = new URL(page.url())
      await page.context().clearCookies()
      await page.evaluate(() => localStorage.clear())
      await page.goto(origin)
      await signUp(page, docket)
      await noViolations(page, 'dashboard without an organization')
      await makeOrganization(page)
      const organization = new URL(page.url()).pathname
      await makeCustomer(page)
      const customer = new URL(page.url()).pathname
      await makeDraft(page)
      const draft = new URL(page.url()).pathname
      for (const theme of ['dark', 'light']) {
        await page.evaluate((each) => localStorage.setItem('docket.theme', each), theme)
        for (const path of [
          '/dashboard',
          '/dashboard/organizations',
          '/dashboard/organizations/new',
          '/invoices',
          '/invoices/new',
          draft,
          `${draft}/edit`,
          '/customers',
          '/customers/new',
          customer,
          organization,
          `${organization}/settings`,
          '/account',
          '/nowhere',
        ]) {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await expect(page.locator('.skeleton')).toHaveCount(0)
          await noViolations(page, `${theme} ${path}`)
          // Nothing is wider than the screen.
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
        }
      }
    })
  })
}

async function registerThenCheckInbox(page: Page): Promise<void> {
  await registerOnly(page)
  await noViolations(page, '/verify-email')
}

async function noViolations(page: Page, where: string): Promise<void> {
  // A toast that is fading has no contrast to be judged by.
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0, { timeout: 10_000 })
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  expect
    .soft(
      violations.map(({ id, nodes }) => `${where}: ${id} ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
    )
    .toEqual([])
}
