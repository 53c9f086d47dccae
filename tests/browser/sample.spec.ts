// Somebody who has nothing yet looks at an invoice before they write one.
import { controlled, expect, fromMenu, makeOrganization, pulled, signUp, test } from '#tests/support/browser.ts'

test('a sample is made without a network, arrives, and is deleted with its customer', async ({
  page,
  docket,
  network,
}) => {
  await signUp(page, docket)
  await makeOrganization(page)
  await controlled(page)
  await expect.poll(() => pulled(page)).toBe(true)
  await page.goto('/invoices')
  network.fault = 'down'
  await page.getByRole('button', { name: 'Make a sample' }).click()
  await expect(page.getByText('Sample customer').first()).toBeVisible()
  await expect(page.getByText('285.00').first()).toBeVisible()
  network.fault = 'none'
  await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
  await fromMenu(page, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No invoices yet')).toBeVisible()
  await page.goto('/customers')
  await page.getByRole('link', { name: 'Sample customer' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No customers yet')).toBeVisible()
})
