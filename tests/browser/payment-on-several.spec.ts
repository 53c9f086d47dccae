// One payment on two invoices without a network: it waits with both, goes when the network is back, and what the server refuses of it is typed anew.
import { postsOf, signedInAccount } from '#tests/support/api-client.ts'
import { paymentBody } from '#tests/support/bodies.ts'
import { expect, signUp, test } from '#tests/support/browser.ts'
import { bothThemes, devices, look } from '#tests/support/look.ts'
import { askAgain } from '#tests/support/session-faults.ts'
import type { Page } from '@playwright/test'

const payments = (page: Page) => page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
const unsent = (page: Page) => page.getByRole('list', { name: 'Unsent' }).getByRole('listitem')
const part = (page: Page, number: number) => page.getByLabel(new RegExp(`^Paid on INV-\\d+-000${number}$`))

async function record(page: Page, amount: string): Promise<string> {
  const base = page.url().replace(/\/invoices\/.*/, '')
  await page.goto(`${base}/payments`)
  await page.getByRole('link', { name: 'Record payment' }).click()
  await page.getByLabel('Customer').fill('Bob')
  await page.getByRole('option', { name: 'Bob the Baker' }).click()
  await page.getByLabel('Amount (EUR)').fill(amount)
  await expect(part(page, 1)).toHaveValue('917.18')
  await page.getByRole('button', { name: 'Record payment' }).click()
  return base
}

for (const [name, size] of devices)
  test.describe(name, () => {
    test.use(size)

    test(`${name}: it waits with both, and both are paid when the network is back`, async ({
      page,
      docket,
      network,
    }) => {
      await signUp(page, docket, { invoices: ['issued', 'issued'] })
      network.fault = 'down'
      const base = await record(page, '1000')
      await expect(page.getByText('The payment will be recorded as soon as there is a connection')).toBeVisible()
      await expect(payments(page)).toHaveText([/Bob the Baker.*INV-\d+-0001, INV-\d+-0002.*€1,000\.00.*Waiting/])
      await look(page, 'waiting', bothThemes)
      // What is due then is what the form offers.
      await page.getByRole('link', { name: 'Record payment' }).click()
      await page.getByLabel('Customer').fill('Bob')
      await page.getByRole('option', { name: 'Bob the Baker' }).click()
      await expect(page.getByText('€834.36 due')).toBeVisible()
      await expect(part(page, 1)).toHaveCount(0)
      await page.goto('/unsent')
      await expect(unsent(page)).toHaveText([/Record payment · INV-\d+-0001 and 1 more · €1,000\.00/])
      await look(page, 'unsent', bothThemes)
      await page.goto('/invoices')
      const second = page.getByRole('link', { name: /INV-\d+-0002/ })
      await expect(second).toContainText('Payment waits')
      await second.click()
      await expect(payments(page)).toHaveText([/€82\.82.*Waiting/])
      network.fault = 'none'
      await askAgain(page)
      await expect(page.getByText('€834.36').first()).toBeVisible()
      await expect(payments(page).getByText('Waiting')).toHaveCount(0)
      await page.goto(`${base}/payments`)
      await expect(payments(page)).toHaveText([/INV-\d+-0001, INV-\d+-0002.*€1,000\.00/])
      await expect(page.getByText('Waiting')).toHaveCount(0)
    })

    test(`${name}: refused for one of them it says which, and is typed anew`, async ({ page, docket, network }) => {
      const email = await signUp(page, docket, { invoices: ['issued', 'issued'] })
      const post = postsOf(await signedInAccount(docket.server.url, email))
      const [, organizationId, id] = /organization\/([^/]+)\/invoices\/([^/]+)$/.exec(page.url())!
      const last = { id: id!, currency: 'EUR' }
      network.fault = 'down'
      await record(page, '1000')
      await expect(payments(page)).toHaveCount(1)
      // The second, paid by somebody else meanwhile.
      await post(`/organizations/${organizationId}/payments`, paymentBody(last as never, '900'))
      network.fault = 'none'
      await askAgain(page)
      await page.goto('/unsent')
      await expect(unsent(page)).toHaveText([/The server did not take it.*INV-\d+-0002: Only 17\.18 EUR is due/])
      await look(page, 'refused', bothThemes)
      await page.getByRole('link', { name: /^Edit/ }).click()
      await expect(part(page, 2)).toHaveValue('82.82')
      await expect(part(page, 2)).toHaveAttribute('aria-invalid', 'true')
      await expect(page.getByText('€17.18 due')).toBeVisible()
      await look(page, 'typed-anew', bothThemes)
      await part(page, 2).fill('17.18')
      await page.getByLabel('Amount (EUR)').fill('934.36')
      await page.getByRole('button', { name: 'Record payment' }).click()
      await expect(page).toHaveURL('/unsent')
      await expect(unsent(page)).toHaveCount(0)
      await page.goto(`/organization/${organizationId}/payments`)
      await expect(payments(page)).toHaveText([/€934\.36/, /€900\.00/])
    })
  })

test('of one form in two tabs one payment is recorded, and the other tab is told; pressed once more it is another', async ({
  page,
  docket,
  network,
}) => {
  await signUp(page, docket, { invoices: ['issued', 'issued'] })
  const base = page.url().replace(/\/invoices\/.*/, '')
  const other = await page.context().newPage()
  network.fault = 'down'
  for (const [tab, amount] of [
    [page, '100'],
    [other, '200'],
  ] as const) {
    await tab.goto(`${base}/payments/new`)
    await tab.getByLabel('Customer').fill('Bob')
    await tab.getByRole('option', { name: 'Bob the Baker' }).click()
    await tab.getByLabel('Amount (EUR)').fill(amount)
    // Kept as it was typed, and found by the other tab.
    await tab.getByLabel('Reference').fill(`Till ${amount}`)
    await expect.poll(() => tab.evaluate(() => JSON.stringify(localStorage))).toContain(`Till ${amount}`)
  }
  await other.getByRole('button', { name: 'Record payment' }).click()
  await expect(payments(other)).toHaveText([/€200\.00/])
  await page.getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByText('This was saved already, with other content')).toBeVisible()
  await look(page, 'two-tabs', bothThemes)
  await page.getByRole('button', { name: 'Record payment' }).click()
  await expect(payments(page)).toHaveCount(2)
  await expect(payments(page).filter({ hasText: '€100.00' })).toHaveCount(1)
  network.fault = 'none'
  await askAgain(page)
  await page.goto('/unsent')
  await expect(unsent(page)).toHaveCount(0)
  await page.goto(`${base}/payments`)
  await expect(payments(page)).toHaveCount(2)
})
