// Payments as a person makes them: in parts, reversed with a reason, without a network; every screen of it on a phone and a desk, dark and light.
import type { Page } from '@playwright/test'
import { todayIn } from '#shared/dates.ts'
import { expect, fromMenu, issueDraft, makeDraft, signUp, test, type Docket } from '#tests/support/browser.ts'
import { bothThemes, look } from '#tests/support/look.ts'
import { askAgain } from '#tests/support/session-faults.ts'

async function begin(page: Page, docket: Docket): Promise<void> {
  await signUp(page, docket, { invoices: ['issued'] })
}

for (const [name, size] of [
  ['phone', { viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true }],
  ['desk', { viewport: { width: 1440, height: 900 } }],
] as const) {
  test.describe(name, () => {
    test.use(size)

    test(`${name}: a part, the rest, a reversal with its reason; the list and the figures say the same`, async ({
      page,
      docket,
      complaints,
    }) => {
      await begin(page, docket)
      const payments = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
      await page.getByRole('button', { name: 'Record payment' }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByLabel('Amount (EUR)')).toHaveValue('917.18')
      await dialog.getByLabel('Amount (EUR)').fill('918')
      await dialog.getByLabel('Reference').fill('Statement 4')
      await look(page, 'record', bothThemes)
      await dialog.getByRole('button', { name: 'Record payment' }).click()
      await expect(dialog.getByText('Only €917.18 is due')).toBeVisible()
      // By the keyboard alone: what was wrong has the focus.
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('17.18')
      await page.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
      await expect(payments).toHaveText([/€17\.18.*Bank transfer.*Statement 4/])
      await expect(page.getByText('Partly paid')).toBeVisible()
      await page.getByRole('button', { name: 'Record payment' }).click()
      await expect(dialog.getByLabel('Amount (EUR)')).toHaveValue('900.00')
      await dialog.getByRole('button', { name: 'Record payment' }).click()
      await expect(payments).toHaveCount(2)
      await expect(page.getByRole('button', { name: 'Record payment' })).toHaveCount(0)
      await page.getByRole('button', { name: 'Reverse the payment of €17.18' }).click()
      await dialog.getByRole('button', { name: 'Reverse' }).click()
      await expect(dialog.getByText('Say why it is reversed')).toBeVisible()
      await dialog.getByLabel('Why').fill('Entered twice')
      await dialog.getByRole('button', { name: 'Reverse' }).click()
      await expect(payments.filter({ hasText: 'Entered twice' })).toHaveText(
        /€17\.18.*Reversed .* by you: Entered twice/,
      )
      await expect(page.getByText('Partly paid')).toBeVisible()
      await look(page, 'invoice', bothThemes)
      await page.goto('/invoices?status=partly-paid')
      const row = page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')
      await expect(row).toContainText(['Partly paid'])
      await expect(row).toContainText([/€917\.18€17\.18 due/])
      await expect(row.getByText(/^Due \d+ \w+ \d{4}$/).filter({ visible: true })).toHaveCount(1)
      await look(page, 'invoices', bothThemes)
      await page.getByRole('link', { name: 'Payments' }).click()
      await expect(page.getByRole('heading', { name: 'Payments' })).toBeVisible()
      await expect(payments).toHaveCount(2)
      await look(page, 'list', bothThemes)
      await page.goto('/dashboard')
      await expect(page.getByText('€17.18').first()).toBeVisible()
      await expect(page.getByText('€900.00').first()).toBeVisible()
      await look(page, 'dashboard', bothThemes)
      // The refusal is a 422.
      expect(complaints.filter((each) => !/status of 422/.test(each))).toEqual([])
    })
  })
}

test('an invoice is credited in part, voided and given up: from its menu, with links both ways', async ({
  page,
  docket,
  network,
}) => {
  await begin(page, docket)
  const invoice = page.url()
  await fromMenu(page, 'Create credit note')
  await expect(page.getByText('Credits INV-').first()).toBeVisible()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Quantity').fill('3')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('button', { name: 'Issue credit note' }).click()
  await expect(page.getByText('Line 1: Only 758.00 EUR of this line is left')).toBeVisible()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Quantity').fill('1')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('button', { name: 'Issue credit note' }).click()
  await expect(page.getByRole('heading', { name: /^CN-\d{4}-0001$/ })).toBeVisible()
  await look(page, 'note', bothThemes)
  await page.getByRole('link', { name: /^Credits INV-/ }).click()
  await expect(page).toHaveURL(invoice)
  await expect(page.getByRole('link', { name: /^Credit note CN-.*€458\.59$/ })).toBeVisible()
  await expect(page.getByText('Still due')).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  // Credited in part, it is no longer voided.
  await expect(page.getByRole('menuitem')).toHaveText([
    'Duplicate',
    'Repeat',
    'Print',
    'XML',
    'Create credit note',
    'Mark as uncollectible',
  ])
  await look(page, 'menu', bothThemes)
  await page.getByRole('menuitem', { name: 'Mark as uncollectible' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as uncollectible' }).click()
  await expect(page.getByText('Uncollectible', { exact: true })).toBeVisible()
  // It happens that somebody pays after all.
  await page.getByRole('button', { name: 'Record payment' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('Uncollectible', { exact: true })).toHaveCount(0)
  await makeDraft(page)
  await issueDraft(page)
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await expect(send).toBeVisible()
  network.fault = 'down'
  await fromMenu(page, 'Void invoice')
  await page.getByRole('dialog').getByRole('button', { name: 'Void invoice' }).click()
  await expect(page.getByText('Will be voided', { exact: true })).toBeVisible()
  // Nothing goes out any more and nothing is received, though it is not void yet.
  await expect(send).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Record payment' })).toHaveCount(0)
  network.fault = 'none'
  await expect(page.getByText('Void', { exact: true })).toBeVisible()
  await expect(send).toHaveCount(0)
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Duplicate', 'Repeat', 'Print'])
  await page.goto('/invoices')
  await expect(page.getByRole('list', { name: 'Invoices' })).toContainText(/Credit note CN-/)
})

test('without a network a payment waits with its invoice, can be taken back, and is recorded when it is back', async ({
  page,
  docket,
  network,
}) => {
  await begin(page, docket)
  network.fault = 'down'
  const record = async (amount: string) => {
    await page.getByRole('button', { name: 'Record payment' }).click()
    await page.getByLabel('Amount (EUR)').fill(amount)
    await page.getByRole('dialog').getByRole('button', { name: 'Record payment' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  const payments = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
  await record('17.18')
  // More than is left, with what waits: said at the field, while the server is away.
  await page.getByRole('button', { name: 'Record payment' }).click()
  await page.getByLabel('Amount (EUR)').fill('900.01')
  await page.getByRole('dialog').getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByLabel('Amount (EUR)')).toHaveAccessibleDescription(/Only €900.00 is due/)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await record('5')
  await expect(payments).toHaveText([/€5\.00.*Waits for a connection/, /€17\.18.*Waits for a connection/])
  await expect(page.getByText('Payment waits').first()).toBeVisible()
  await payments.first().getByRole('link', { name: 'Unsent' }).click()
  const unsent = page.getByRole('list', { name: 'Unsent' }).getByRole('listitem')
  await expect(unsent).toHaveText([/Record payment · INV-/, /Record payment · INV-/])
  await unsent
    .nth(1)
    .getByRole('button', { name: /Discard/ })
    .click()
  await expect(unsent).toHaveCount(1)
  await unsent.getByRole('link', { name: /INV-/ }).click()
  await expect(payments).toHaveText([/€17\.18/])
  network.fault = 'none'
  await askAgain(page)
  await expect(page.getByText('Waits for a connection')).toHaveCount(0)
  await expect(page.getByText('Partly paid')).toBeVisible()
  await expect(page.getByText('€900.00').first()).toBeVisible()
})

test('what is issued without a network is paid without one, and both are done when it is back', async ({
  page,
  docket,
  network,
}) => {
  await signUp(page, docket, { invoices: ['draft'] })
  network.fault = 'down'
  await page.getByRole('button', { name: 'Issue invoice' }).click()
  await expect(page.getByText('Will be issued').first()).toBeVisible()
  await page.getByRole('button', { name: 'Record payment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record payment' })
  await expect(dialog.getByLabel('Amount (EUR)')).toHaveValue('917.18')
  await dialog.getByLabel('Amount (EUR)').fill('17.18')
  await dialog.getByRole('button', { name: 'Record payment' }).click()
  await expect(dialog).toBeHidden()
  const payments = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
  await expect(payments).toHaveText([/€17\.18.*Waits for a connection/])
  await look(page, 'paid-before-issued', bothThemes)
  await page.getByRole('button', { name: 'Record payment' }).click()
  await expect(dialog.getByLabel('Amount (EUR)')).toHaveValue('900.00')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  network.fault = 'none'
  await askAgain(page)
  await expect(page.getByText('Waits for a connection')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: /^INV-/ })).toBeVisible()
  await expect(page.getByText('Partly paid')).toBeVisible()
  await expect(page.getByText('€900.00').first()).toBeVisible()
})

test('without a network the list of payments shows what waits, the form offers the rest only, and it is recorded once', async ({
  page,
  docket,
  network,
}) => {
  await begin(page, docket)
  network.fault = 'down'
  const payments = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
  const open = async () => {
    await page.getByRole('link', { name: 'Record payment' }).click()
    await page.getByLabel('Customer').fill('Bob')
    await page.getByRole('option', { name: 'Bob the Baker' }).click()
  }
  const press = page.getByRole('button', { name: 'Record payment' })
  const list = page.url().replace(/\/invoices\/.*/, '/payments')
  await page.goto(list)
  await open()
  await page.getByLabel('Amount (EUR)').fill('100')
  await press.click()
  await expect(payments).toHaveText([/Bob the Baker.*INV-.*€100\.00.*Waiting/])
  await open()
  await expect(page.getByText('€817.18 due')).toBeVisible()
  await expect(page.getByText('Payment waits')).toBeVisible()
  await page.getByLabel('Amount (EUR)').fill('917.18')
  await press.click()
  await expect(page.getByText('What is put on the invoices must be what was received')).toBeVisible()
  await page.getByLabel('Amount (EUR)').fill('817.18')
  await press.click()
  await expect(payments).toHaveCount(2)
  await open()
  await expect(page.getByText('All that is due from this customer is recorded on this device already')).toBeVisible()
  await page.goto('/unsent')
  const unsent = page.getByRole('list', { name: 'Unsent' }).getByRole('listitem')
  await unsent
    .nth(1)
    .getByRole('button', { name: /Discard/ })
    .click()
  await expect(unsent).toHaveCount(1)
  await page.goto(list)
  await expect(payments).toHaveText([/€100\.00.*Waiting/])
  network.fault = 'none'
  await askAgain(page)
  await expect(payments.getByText('Waiting')).toHaveCount(0)
  await expect(payments).toHaveText([/€100\.00/])
})

/** From now on the device's clock, in its pages and in the worker that is yet to come, is so far off. */
async function setClockOff(page: Page, { server, network }: Docket, days: number): Promise<void> {
  const offMs = days * 24 * 3_600_000
  await page.addInitScript((ms) => {
    const real = Date.now
    Date.now = () => real() + ms
  }, offMs)
  network.before = async ({ url }) => {
    if (url !== '/sw.js') return
    const theirs = await fetch(server.url + url)
    const off = `{ const real = Date.now; Date.now = () => real() + ${offMs} };${await theirs.text()}`
    return (response) =>
      void response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' }).end(off)
  }
}

for (const days of [1, -1, 3])
  test(`a device whose clock is off by ${days} days proposes the day it is, also where it starts without a network`, async ({
    page,
    docket,
    network,
  }) => {
    await setClockOff(page, docket, days)
    await begin(page, docket)
    // Of the organization, which was made elsewhere and without a time zone: for an hour or two a day it is another in the browser's.
    const today = todayIn('Etc/UTC', await docket.now())
    const payments = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
    const dialog = page.getByRole('dialog')
    const record = async (amount: string) => {
      await page.getByRole('button', { name: 'Record payment' }).click()
      await expect(dialog.getByLabel('Received on')).toHaveValue(today)
      await dialog.getByLabel('Amount (EUR)').fill(amount)
      await dialog.getByRole('button', { name: 'Record payment' }).click()
      await expect(dialog).toBeHidden()
    }
    await record('17.18')
    await expect(payments).toHaveText([/€17\.18/])
    network.fault = 'down'
    await page.reload()
    await record('100')
    await expect(payments).toHaveText([/€100\.00.*Waits for a connection/, /€17\.18/])
    await page.goto(page.url().replace(/\/invoices\/.*/, '/payments/new'))
    await page.getByLabel('Customer').fill('Bob')
    await page.getByRole('option', { name: 'Bob the Baker' }).click()
    await expect(page.getByLabel('Received on')).toHaveValue(today)
    network.fault = 'none'
    await page.goBack()
    await askAgain(page)
    await expect(page.getByText('Waits for a connection')).toHaveCount(0)
    await expect(payments).toHaveText([/€100\.00/, /€17\.18/])
  })
