// All organizations of a person at once (DOMAIN.md "REST"): a choice of this device, with and without a network.
import { expect, go, makeCustomer, makeDraft, pulled, signUp, test } from '#tests/support/browser.ts'
import { look } from '#tests/support/look.ts'

test.use({ viewport: { width: 360, height: 740 } })

test('the dashboard and the list of invoices show all organizations, each under its name; the other screens one', async ({
  page,
  docket,
  network,
}) => {
  await signUp(page, docket, { invoices: ['draft'] })
  // With one there is nothing to choose.
  const choose = async (name: string) => {
    await page.getByRole('button', { name: /Switch organization/ }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await page.getByRole('button', { name: /Switch organization/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Ann Works', exact: true })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'All organizations' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.goto('/dashboard/organizations/new')
  await page.getByLabel('Name', { exact: true }).fill('Bakery Two')
  await page.getByLabel('Country').selectOption('NL')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await expect(page.getByRole('heading', { name: 'Bakery Two' })).toBeVisible()
  await makeCustomer(page, 'Zoe')
  await makeDraft(page, 'Zoe')

  await choose('All organizations')
  const names = page.getByRole('heading', { level: 2 }).getByRole('button')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(names).toHaveText(['Ann Works', 'Bakery Two'])
  await look(page, 'all organizations')
  await go(page, 'Invoices')
  await expect(names).toHaveText(['Ann Works', 'Bakery Two'])
  await expect(page.getByRole('link', { name: /Bob the Baker/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /Zoe/ })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await go(page, 'Customers')
  await expect(page.getByRole('button', { name: 'Bakery Two, Switch organization' })).toBeVisible()

  await expect.poll(() => pulled(page)).toBe(true)
  network.fault = 'down'
  await page.goto('/invoices')
  await expect(page.getByRole('button', { name: 'All organizations, Switch organization' })).toBeVisible()
  await page.getByLabel('Search invoices').fill('Bob')
  await expect(page.getByRole('link', { name: /Bob the Baker/ })).toBeVisible()
  await expect(page.getByText('No invoice matches')).toHaveCount(1)
  await page.getByRole('button', { name: 'Ann Works', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Ann Works, Switch organization' })).toBeVisible()
  await expect(names).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('link', { name: /Bob the Baker/ })).toBeVisible()
})
