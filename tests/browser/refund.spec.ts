// Money given back as a person does it: an invoice is paid, credited whole, and what was paid goes back, without a network; every screen says the same.
import { uuidv7 } from '#shared/ids.ts'
import { postsOf, signedInAccount } from '#tests/support/api-client.ts'
import { customerBody, invoiceBody, paymentBody } from '#tests/support/bodies.ts'
import { expect, fromMenu, go, pulled, signUp, test } from '#tests/support/browser.ts'
import { bothThemes, look } from '#tests/support/look.ts'
import { askAgain } from '#tests/support/session-faults.ts'

for (const [name, size] of [
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ['desk', { viewport: { width: 1440, height: 900 } }],
] as const)
  test.describe(name, () => {
    test.use(size)

    test(`${name}: paid, credited whole, given back without a network; then nothing is due in the invoice, the list and the figures`, async ({
      page,
      docket,
      network,
      complaints,
    }) => {
      await signUp(page, docket, { invoices: ['issued'] })
      const invoice = page.url()
      const dialog = page.getByRole('dialog')
      const payments = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
      await page.getByRole('button', { name: 'Record payment' }).click()
      await dialog.getByRole('button', { name: 'Record payment' }).click()
      await expect(payments).toHaveCount(1)
      await expect(page.getByRole('button', { name: 'Record refund' })).toHaveCount(0)
      await fromMenu(page, 'Create credit note')
      await page.getByRole('button', { name: 'Issue credit note' }).click()
      await expect(page.getByRole('heading', { name: /^CN-\d{4}-0001$/ })).toBeVisible()
      await page.getByRole('link', { name: /^Credits INV-/ }).click()
      await expect(page).toHaveURL(invoice)
      await expect(page.getByText('Bob the Baker gets €917.18 back')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Record payment' })).toHaveCount(0)
      await expect.poll(() => pulled(page)).toBe(true)
      await look(page, 'to-give-back', bothThemes)

      // More than there is, while the server is there to say so; what is typed has no sign.
      await page.getByRole('button', { name: 'Record refund' }).click()
      await expect(dialog.getByRole('heading', { name: /^Refund on INV-/ })).toBeVisible()
      const amount = dialog.getByLabel('Amount given back (EUR)')
      await expect(amount).toHaveValue('917.18')
      for (const [typed, said] of [
        ['-5', 'Must be more than 0'],
        ['918', 'Only 917.18 EUR is to be given back'],
      ] as const) {
        await amount.fill(typed)
        await dialog.getByRole('button', { name: 'Record refund' }).click()
        await expect(dialog.getByText(said)).toBeVisible()
      }
      await look(page, 'record', bothThemes)
      await amount.fill('17.18')
      await dialog.getByLabel('Reference').fill('Till 4')
      await dialog.getByRole('button', { name: 'Record refund' }).click()
      await expect(dialog).toBeHidden()
      await expect(payments.first()).toHaveText(/-€17\.18.*Refund.*Bank transfer.*Till 4/)
      await expect(page.getByText('Bob the Baker gets €900.00 back')).toBeVisible()

      network.fault = 'down'
      await page.getByRole('button', { name: 'Record refund' }).click()
      await expect(amount).toHaveValue('900.00')
      await dialog.getByRole('button', { name: 'Record refund' }).click()
      await expect(dialog).toBeHidden()
      await expect(payments.first()).toHaveText(/-€900\.00.*Refund.*Waits for a connection/)
      await expect(page.getByText('Refund waits').first()).toBeVisible()
      await expect(page.getByRole('button', { name: 'Record refund' })).toHaveCount(0)
      await look(page, 'waits', bothThemes)
      await payments.first().getByRole('link', { name: 'Unsent' }).click()
      await expect(page.getByRole('list', { name: 'Unsent' }).getByRole('listitem')).toHaveText([
        /Record refund · INV-/,
      ])
      await page.getByRole('link', { name: /Record refund · INV-/ }).click()
      network.fault = 'none'
      await askAgain(page)
      await expect(page.getByText('Waits for a connection')).toHaveCount(0)

      await expect(payments).toHaveCount(3)
      await expect(page.getByText('gets €')).toHaveCount(0)
      const sums = page.locator('dl').filter({ hasText: 'Still due' }).first()
      await expect(sums).toHaveText('Still due€0.00Paid€0.00Credited€917.18')
      // What was given back covers nothing that never came.
      await page.getByRole('button', { name: 'Reverse the payment of €917.18' }).click()
      await dialog.getByLabel('Why').fill('Bounced')
      await dialog.getByRole('button', { name: 'Reverse' }).click()
      await expect(dialog.getByText(/more would have been given back than was received/)).toBeVisible()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Reverse the refund of €17.18' }).click()
      await expect(dialog.getByRole('heading', { name: 'Reverse this refund?' })).toBeVisible()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await look(page, 'given-back', bothThemes)

      await page.goto('/invoices?status=credited')
      await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')).toHaveText([
        /Bob the Baker.*Credited/,
      ])
      await page.getByRole('link', { name: 'Payments' }).click()
      await expect(payments).toHaveText([/Refund · INV-.*-€900\.00/, /Refund · INV-.*-€17\.18/, /INV-.*€917\.18/])
      await page.getByRole('searchbox').fill('till')
      await expect(payments).toHaveCount(1)
      await page.getByRole('searchbox').fill('')
      await expect(payments).toHaveCount(3)
      await look(page, 'list', bothThemes)
      await page.goto('/dashboard')
      await expect(page.getByRole('region', { name: 'EUR' })).toContainText(
        /Outstanding€0\.000 invoicesOverdue€0\.000 invoices.*Paid of it€0\.000 invoices/,
      )
      await look(page, 'dashboard', bothThemes)
      // The refusals are a 422 and a 409.
      expect(complaints.filter((each) => !/status of (422|409)/.test(each))).toEqual([])
    })
  })

test('however much is to be given back, what is overdue is named too, and counted in the list of organizations', async ({
  page,
  docket,
}) => {
  const email = await signUp(page, docket, { organization: 'Ann Works' })
  const account = await signedInAccount(docket.server.url, email)
  const send = postsOf(account)
  const [{ id: organizationId }] = (await account.call('GET', '/organizations')).body.data
  const base = `/organizations/${organizationId}`
  const customer = await send(`${base}/customers`, customerBody())
  const issue = async (more: object = {}) => {
    const { id, version } = await send(`${base}/invoices`, invoiceBody(customer.id, more))
    return send(`${base}/invoices/${id}/issue`, undefined, version)
  }
  for (let each = 0; each < 6; each += 1) {
    const over = await issue()
    await send(`${base}/payments`, paymentBody(over))
    const note = await send(`${base}/invoices/${over.id}/credit-notes`, { id: uuidv7() }, over.version)
    await send(`${base}/invoices/${note.id}/issue`, undefined, note.version)
  }
  const late = await issue({ dueDate: '2020-01-31' })
  await page.reload()
  await expect.poll(() => pulled(page)).toBe(true)
  await go(page, 'Dashboard')
  const named = page.getByRole('main').getByRole('listitem').filter({ hasText: /INV-/ })
  await expect(named.nth(2)).toContainText(late.number)
  await expect(named).toHaveCount(6)
  await expect(page.getByRole('region', { name: 'EUR' })).toContainText(/To give back€5,503\.08.*6 invoices/)
  await page.getByRole('link', { name: 'All 6 to give back' }).click()
  await expect(page).toHaveURL(/status=to-give-back/)
  const listed = page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')
  await expect(listed).toHaveCount(6)
  await expect(listed.filter({ hasText: 'To give back €917.18' })).toHaveCount(6)
  await page.goto('/dashboard/organizations')
  await expect(page.getByRole('link', { name: /Ann Works.*1 overdue · 6 paid too much/ })).toBeVisible()
})
