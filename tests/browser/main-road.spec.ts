// The main road on a phone and on a desk: register -> mail -> verify -> organization -> customer -> invoice -> issue -> reload offline.
import {
  controlled,
  expect,
  go,
  issueDraft,
  makeCustomer,
  makeDraft,
  makeOrganization,
  registerAndVerify,
  test,
} from '#tests/support/browser.ts'

for (const [name, size] of [
  ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
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
      await registerAndVerify(page, docket)
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
  })
}
