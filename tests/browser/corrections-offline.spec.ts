// What was wrong is put right without a network: a payment is reversed and recorded anew, an invoice is credited; and both are done when it is back.
import type { Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { postsOf, signedInAccount } from '#tests/support/api-client.ts'
import { paymentBody } from '#tests/support/bodies.ts'
import { expect, fromMenu, signUp, test, type Docket } from '#tests/support/browser.ts'
import { bothThemes, devices, look } from '#tests/support/look.ts'
import { askAgain } from '#tests/support/session-faults.ts'

for (const [name, size] of devices)
  test.describe(name, () => {
    test.use(size)

    test(`${name}: a payment of the wrong amount is reversed and recorded anew without a network`, async ({
      page,
      docket,
      network,
    }) => {
      await signUp(page, docket, { invoices: ['issued'] })
      const payments = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
      const dialog = page.getByRole('dialog')
      const record = async (amount: string) => {
        await page.getByRole('button', { name: 'Record payment' }).click()
        await dialog.getByLabel('Amount (EUR)').fill(amount)
        await dialog.getByRole('button', { name: 'Record payment' }).click()
        await expect(dialog).toBeHidden()
      }
      await record('171.80')
      await expect(payments).toHaveText([/€171\.80/])
      await expect(payments.getByText('Waiting')).toHaveCount(0)
      const invoice = page.url()
      network.fault = 'down'
      await page.getByRole('button', { name: 'Reverse the payment of €171.80' }).click()
      await dialog.getByLabel('Why').fill('Typed wrong')
      await dialog.getByRole('button', { name: 'Reverse' }).click()
      await expect(dialog).toBeHidden()
      await expect(page.getByText('It will be reversed as soon as there is a connection')).toBeVisible()
      await expect(payments).toHaveText([/€171\.80.*by you: Typed wrong.*Waits for a connection.*Reversed.*Waiting/])
      await expect(page.getByText('Reversal waits').first()).toBeVisible()
      // What is due when that is done is what stands there to be recorded.
      await page.getByRole('button', { name: 'Record payment' }).click()
      await expect(dialog.getByLabel('Amount (EUR)')).toHaveValue('917.18')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(dialog).toBeHidden()
      await record('17.18')
      await look(page, 'reversed-offline', bothThemes)
      await page.goto(invoice.replace(/\/invoices\/.*/, '/payments'))
      await expect(payments.filter({ hasText: '€171.80' })).toHaveText(/Reversed.*Waiting/)
      await page.goto('/unsent')
      const unsent = page.getByRole('list', { name: 'Unsent' }).getByRole('listitem')
      await expect(unsent).toHaveText([/Reverse payment · INV-.*Typed wrong/, /Record payment · INV-.*€17\.18/])
      await look(page, 'unsent', bothThemes)
      await page.goto(invoice)
      network.fault = 'none'
      await askAgain(page)
      await expect(page.getByText('Waits for a connection')).toHaveCount(0)
      await expect(payments).toHaveText([/€17\.18/, /€171\.80.*by you: Typed wrong.*Reversed/])
      await expect(page.getByText('€900.00').first()).toBeVisible()
    })

    test(`${name}: an invoice is credited in part without a network, and its credit note issued when it is back`, async ({
      page,
      docket,
      network,
    }) => {
      await signUp(page, docket, { invoices: ['issued'] })
      const invoice = page.url()
      network.fault = 'down'
      await fromMenu(page, 'Create credit note')
      await expect(page.getByText('Credits INV-').first()).toBeVisible()
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await page.getByLabel('Quantity').fill('1')
      await page.getByRole('button', { name: 'Save draft' }).click()
      await expect(page.getByText('€458.59').first()).toBeVisible()
      await page.getByRole('button', { name: 'Issue credit note' }).click()
      await expect(page.getByText('Will be issued').first()).toBeVisible()
      await look(page, 'note', bothThemes)
      await page.goto('/unsent')
      const unsent = page.getByRole('list', { name: 'Unsent' }).getByRole('listitem')
      await expect(unsent.first()).toContainText('New credit note · Bob the Baker')
      await look(page, 'note-unsent', bothThemes)
      await page.goto(invoice)
      await expect(page.getByRole('link', { name: /^Credit note CN-/ })).toHaveCount(0)
      network.fault = 'none'
      await askAgain(page)
      await expect(page.getByRole('link', { name: /^Credit note CN-\d{4}-0001.*€458\.59$/ })).toBeVisible()
      await expect(page.getByText('€458.59').first()).toBeVisible()
    })
  })

/** On the screen of an issued invoice, with the same person at another device. `base`, `path`: its organization and the invoice in the API. */
async function issuedForBoth(page: Page, docket: Docket) {
  const account = await signedInAccount(docket.server.url, await signUp(page, docket, { invoices: ['issued'] }))
  const path = new URL(page.url()).pathname.replace('/organization/', '/organizations/')
  return { base: path.replace(/\/invoices\/.*/, ''), path, account, send: postsOf(account) }
}

test('what cannot be credited any more comes back with its reason, and can be discarded', async ({
  page,
  docket,
  network,
}) => {
  const { path, send } = await issuedForBoth(page, docket)
  network.fault = 'down'
  await fromMenu(page, 'Create credit note')
  await expect(page.getByText('Credits INV-').first()).toBeVisible()
  await send(`${path}/void`, undefined, 2)
  network.fault = 'none'
  await askAgain(page)
  await page.goto('/unsent')
  const unsent = page.getByRole('list', { name: 'Unsent' }).getByRole('listitem')
  await unsent.getByRole('link', { name: 'Decide' }).click()
  await expect(page.getByText(/can no longer be done/)).toBeVisible()
  await look(page, 'note-refused', bothThemes)
  await page.getByRole('button', { name: 'Leave it as it is' }).click()
  await expect(unsent).toHaveCount(0)
})

test('a reversal that is refused says what stands in its way, and goes by itself once that is gone', async ({
  page,
  docket,
  network,
}) => {
  const { base, path, account, send } = await issuedForBoth(page, docket)
  const invoice = page.url()
  const dialog = page.getByRole('dialog')
  const payments = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
  await page.getByRole('button', { name: 'Record payment' }).click()
  await dialog.getByRole('button', { name: 'Record payment' }).click()
  await expect(payments).toHaveText([/€917\.18/])
  await expect(payments.getByText('Waiting')).toHaveCount(0)
  network.fault = 'down'
  await page.getByRole('button', { name: 'Reverse the payment of €917.18' }).click()
  await dialog.getByLabel('Why').fill('Bounced')
  await dialog.getByRole('button', { name: 'Reverse' }).click()
  await expect(dialog).toBeHidden()
  const note = await send(`${path}/credit-notes`, { id: uuidv7() }, 2)
  await send(`${base}/invoices/${note.id}/issue`, undefined, note.version)
  const refund = paymentBody((await account.call('GET', path)).body, '-917.18')
  const given = await send(`${base}/payments`, refund)
  network.fault = 'none'
  await askAgain(page)
  await page.goto('/unsent')
  const unsent = page.getByRole('list', { name: 'Unsent' }).getByRole('listitem')
  await expect(unsent).toHaveText([/Reverse payment · INV-.*Bounced.*Reverse the refund first/])
  await expect(unsent.getByRole('link', { name: 'Decide' })).toHaveCount(0)
  await look(page, 'reversal-refused', bothThemes)
  await send(`${base}/payments/${refund.id}/reverse`, { reason: 'Never given' }, given.version)
  await unsent.getByRole('button', { name: /^Retry: / }).click()
  await expect(unsent).toHaveCount(0)
  await page.goto(invoice)
  await expect(payments.filter({ hasText: 'Bounced' })).toHaveText(/€917\.18.*Reversed/)
})
