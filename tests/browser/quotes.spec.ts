// A quote from its first line to the invoice it becomes; a payment on several invoices; what a recurring invoice says, changed.
import type { Page } from '@playwright/test'
import { postsOf, signedInAccount } from '#tests/support/api-client.ts'
import { customerBody, recurringBody } from '#tests/support/bodies.ts'
import {
  chooseCustomer,
  expect,
  fromMenu,
  go,
  issueDraft,
  makeCustomer,
  makeDraft,
  signUp,
  test,
} from '#tests/support/browser.ts'
import { desk, look, phone, phoneAndDesk } from '#tests/support/look.ts'

async function fillLine(page: Page, name: string, price: string): Promise<void> {
  await page.getByLabel('Description, Line 1').fill(name)
  await page.getByLabel('Unit price').fill(price)
  await page.getByLabel('VAT rate').fill('21')
}

const menu = (page: Page, name: string) =>
  page
    .getByRole('button', { name: 'More actions' })
    .click()
    .then(() => page.getByRole('menuitem', { name }).click())

test('a quote: written, sent, changed, accepted by its link, turned into a draft', async ({
  page,
  docket,
  network,
  complaints,
  browser,
}) => {
  await page.setViewportSize(phone.size)
  await signUp(page, docket, { customer: 'Bob the Baker' })
  await go(page, 'Invoices')
  await page.getByRole('link', { name: 'Quotes', exact: true }).click()
  await expect(page.getByText('No quotes yet')).toBeVisible()
  await page.getByRole('button', { name: 'New quote' }).click()
  await chooseCustomer(page, 'Bob the Baker')
  await fillLine(page, 'New roof', '1000,00')
  await expect(page.getByLabel('Valid until')).toHaveValue(/^\d{4}-\d\d-\d\d$/)
  await look(page, 'quote-editor', phoneAndDesk)
  await page.getByLabel('Valid until').fill('2020-01-01')
  await page.getByRole('button', { name: 'Save quote' }).click()
  await expect(page.getByRole('heading', { name: 'Draft' })).toBeVisible()
  // What cannot be sent says why.
  await menu(page, 'Mark as sent')
  await expect(page.getByRole('alert')).toContainText('has passed already')
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Valid until').fill('')
  await page.getByRole('button', { name: 'Save quote' }).click()
  await expect(page.getByRole('heading', { name: 'Draft' })).toBeVisible()

  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Send/ })
  await dialog.getByLabel('To').fill('bob@example.com')
  await look(page, 'quote-mail', phoneAndDesk)
  await dialog.getByRole('button', { name: 'Send mail' }).click()
  await expect(page.getByRole('heading', { name: 'Q-0001' })).toBeVisible()
  // Taken back, changed, and sent anew under the same number.
  await menu(page, 'Change quote')
  await page.getByRole('dialog').getByRole('button', { name: 'Change quote' }).click()
  await expect(page.getByRole('heading', { name: 'Edit quote' })).toBeVisible()
  await page.getByLabel('Unit price').fill('900,00')
  await page.getByRole('button', { name: 'Save quote' }).click()
  await expect(page.getByRole('heading', { name: 'Q-0001' })).toBeVisible()
  await menu(page, 'Mark as sent')
  await expect(page.getByText('Quote Q-0001 is sent')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'What has gone out' })).toBeVisible()
  // Its paper stays as it was sent; mail goes to where the customer is by now.
  const quoteAt = page.url()
  await go(page, 'Customers')
  await page.getByRole('link', { name: 'Bob the Baker' }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Email').fill('bob@moved.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Bob the Baker' })).toBeVisible()
  await page.goto(quoteAt)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByLabel('To')).toHaveValue('bob@moved.example')
  await dialog.getByRole('button', { name: 'Copy a link' }).click()
  const link = (await dialog.getByRole('link').getAttribute('href'))!
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await look(page, 'quote-sent', phoneAndDesk)

  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 320, height: 800 } })
    const other = await context.newPage()
    const refused: string[] = []
    other.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
    await other.goto(link)
    await expect(other.getByRole('heading', { name: 'Quote Q-0001' })).toBeVisible()
    await expect(other.getByText('€1,089.00').first()).toBeVisible()
    if (colorScheme === 'light') {
      await other.getByRole('button', { name: 'Accept quote' }).click()
      await expect(other.getByRole('alert')).toHaveText('Enter your name.')
    }
    await look(other, `public-quote-${colorScheme}`, [{ strict: true }, { strict: true, size: desk.size }])
    if (colorScheme === 'dark') {
      await other.getByLabel('Your name').fill('Bob Baker')
      await other.getByRole('button', { name: 'Accept quote' }).click()
      await expect(other.getByText(/^Accepted by Bob Baker on /)).toBeVisible()
      await expect(other.getByRole('button')).toHaveCount(0)
    }
    expect(refused).toEqual([])
    await context.close()
  }

  await page.reload()
  await expect(page.getByText(/^Accepted by Bob Baker, .*by the link/)).toBeVisible()
  // It asks for somebody until it is an invoice.
  await go(page, 'Dashboard')
  const accepted = page.getByRole('region', { name: 'Accepted quotes: make the invoice' })
  await accepted.getByRole('link', { name: /Q-0001/ }).click()
  await page.getByRole('button', { name: 'Create invoice' }).click()
  await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
  await page.getByRole('link', { name: 'Made of quote Q-0001' }).click()
  await expect(page.getByRole('link', { name: 'The draft invoice made of it' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create invoice' })).toHaveCount(0)
  await look(page, 'quote-accepted', phoneAndDesk)
  await go(page, 'Dashboard')
  await expect(page.getByRole('region', { name: 'EUR' })).toBeVisible()
  await expect(accepted).toHaveCount(0)
  await page.goto('/quotes?status=sent')
  await expect(page.getByText('No quote matches this.')).toBeVisible()
  await page.getByLabel('Show').selectOption('accepted')
  await expect(page.getByRole('list', { name: 'Quotes' })).toContainText('Q-0001')
  await look(page, 'quote-list', phoneAndDesk)
  // That it was refused once is what was asked for.
  expect(complaints.filter((each) => !/status of 422/.test(each))).toEqual([])
  // Without a network it says what it cannot do.
  network.fault = 'down'
  await page.reload()
  await expect(page.getByText('Quotes are kept at the server.')).toBeVisible()
})

test('one payment on two invoices; what a recurring invoice says is changed', async ({ page, docket, complaints }) => {
  await page.setViewportSize(phone.size)
  await signUp(page, docket, { customer: 'Bob the Baker' })
  for (const _ of [1, 2]) {
    await makeDraft(page)
    await issueDraft(page)
  }
  await go(page, 'Invoices')
  await page.getByRole('link', { name: 'Payments' }).click()
  await page.getByRole('link', { name: 'Record payment' }).click()
  await page.getByLabel('Customer').fill('Bob')
  await page.getByRole('option', { name: 'Bob the Baker' }).click()
  await page.getByLabel('Amount (EUR)').fill('1000')
  const first = page.getByLabel(/^Paid on INV-\d+-0001$/)
  const second = page.getByLabel(/^Paid on INV-\d+-0002$/)
  await expect(first).toHaveValue('917.18')
  await expect(second).toHaveValue('82.82')
  await expect(page.getByText('The whole payment is put on invoices.')).toBeVisible()
  await first.fill('2000')
  await page.getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByText('Only €917.18 is due')).toBeVisible()
  await expect(first).toBeFocused()
  await first.fill('800')
  await expect(page.getByText('€117.18 still to be put on an invoice')).toBeVisible()
  await look(page, 'payment-form', phoneAndDesk)
  await page.getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByText('must be what was received')).toBeVisible()
  await second.fill('200')
  await page.getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByRole('list', { name: 'Payments' })).toContainText(/INV-\d+-0001, INV-\d+-0002/)
  await page.getByRole('list', { name: 'Payments' }).getByRole('link').click()
  await expect(page.getByText('€117.18', { exact: true })).toBeVisible()

  await fromMenu(page, 'Repeat')
  await page.getByRole('button', { name: 'Start repeating' }).click()
  // One that is never issued itself is begun with a draft.
  const repeated = page.getByRole('list', { name: 'Recurring invoices' }).getByRole('listitem')
  await expect(repeated).toHaveCount(1)
  const list = page.url()
  await makeCustomer(page, 'Carl the Cook')
  await makeDraft(page, 'Carl the Cook')
  await fromMenu(page, 'Repeat')
  await page.getByRole('button', { name: 'Start repeating' }).click()
  await expect(page).toHaveURL(list)
  await expect(repeated).toHaveCount(2)
  await page.getByRole('link', { name: /Bob the Baker/ }).click()
  await page.getByRole('link', { name: 'Change what it says' }).click()
  await expect(page.getByLabel('Due date')).toHaveCount(0)
  await page.getByLabel('Unit price').fill('x')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Unit price')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Unit price').fill('400')
  await look(page, 'recurring-content', phoneAndDesk)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('€968.00')).toBeVisible()
  await look(page, 'recurring', phoneAndDesk)
  expect(complaints).toEqual([])
})

test('a recurring invoice that leaves the terms to its customer is changed upon theirs', async ({ page, docket }) => {
  const email = await signUp(page, docket, { organization: 'Ann Works' })
  const organization = new URL(page.url()).pathname
  const post = postsOf(await signedInAccount(docket.server.url, email))
  const base = organization.replace('organization', 'organizations')
  const customer = await post(`${base}/customers`, customerBody({ termsDays: 30, language: 'de' }))
  const { id } = await post(`${base}/recurring-invoices`, recurringBody(customer.id, { startsOn: '2030-01-31' }))
  await page.goto(`${organization}/recurring/${id}/edit`)
  await expect(page.getByLabel('Days to pay')).toHaveValue('30')
  await expect(page.getByLabel('Language of the document')).toHaveValue('de')
})
