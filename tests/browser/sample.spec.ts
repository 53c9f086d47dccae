// Somebody who has nothing yet looks at an invoice before they write one.
import { askedFor } from '#tests/support/network.ts'
import { openDevtools } from '#tests/support/session-faults.ts'
import { expect, fromMenu, go, signUp, test } from '#tests/support/browser.ts'

test('a sample is made without a network, arrives, and is deleted with its customer', async ({
  page,
  docket,
  network,
}) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  await page.goto('/invoices')
  network.fault = 'down'
  await page.getByRole('button', { name: 'Make a sample' }).click()
  await expect(page.getByText('Sample customer').first()).toBeVisible()
  await expect(page.getByText('285.00').first()).toBeVisible()
  network.fault = 'none'
  await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
  // Nobody is asked: what was deleted by mistake comes back, and the server has heard of nothing.
  const undo = page.getByRole('button', { name: 'Undo' })
  const deletions = () =>
    askedFor(network.passed)
      .filter(({ method }) => method === 'DELETE')
      .map(({ status }) => status)
  await fromMenu(page, 'Delete')
  await expect(page.getByText('No invoices yet')).toBeVisible()
  await undo.click()
  await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
  const customer = async () => {
    await page.goto('/customers')
    await page.getByRole('link', { name: 'Sample customer' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
  }
  await customer()
  await expect(page.getByText('Drafts still name this customer.')).toBeVisible()
  expect(deletions()).toEqual([])

  await go(page, 'Invoices')
  await page.getByRole('link', { name: /^Sample customer/ }).click()
  await fromMenu(page, 'Delete')
  await expect(page.getByText('No invoices yet')).toBeVisible()
  await customer()
  await expect(page.getByText('No customers yet')).toBeVisible()
  await undo.last().click()
  await expect(page.getByRole('heading', { name: 'Sample customer' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No customers yet')).toBeVisible()
  // Both are sent by themselves, the draft first, also where the worker that would have sent them is gone.
  await (await openDevtools(page)).killWorkers()
  await expect.poll(deletions).toEqual([204, 204])
  await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
})
