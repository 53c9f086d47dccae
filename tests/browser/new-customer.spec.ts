// A customer who is not there yet is made from the editor that needs one: nothing typed there is lost, and a network is not needed (OFFLINE.md).
import { controlled, expect, go, makeCustomer, pulled, signUp, test, type Docket } from '#tests/support/browser.ts'
import { tabTo, typeInto } from '#tests/support/keyboard.ts'
import type { Page } from '@playwright/test'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'New customer' })

async function begin(page: Page, docket: Docket): Promise<void> {
  await signUp(page, docket, { organization: 'Ann Works' })
  await go(page, 'Invoices')
  await page.getByRole('button', { name: 'New invoice' }).click()
  await page.getByLabel('Description, Line 1').fill('Website')
  await page.getByLabel('Unit price').fill('100')
  await page.getByLabel('VAT rate').fill('0')
}

test('by keyboard alone, over the invoice that stays as it is', async ({ page, docket, complaints }) => {
  await begin(page, docket)
  const { keyboard } = page
  const customer = page.getByLabel('Customer', { exact: true })
  await tabTo(page, customer)
  await keyboard.type('Zoë the Z')
  await expect(page.getByRole('option', { name: 'New customer “Zoë the Z” …' })).toBeVisible()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Name', { exact: true })).toHaveValue('Zoë the Z')
  await expect(dialog(page).getByLabel('Name', { exact: true })).toBeFocused()
  // Put away, it asks for nothing but the customer that is missing; what was typed into it is still there when it is asked for again.
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.type('zoe@example.com')
  await keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(customer).toBeFocused()
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('Zoë the Z')
  await expect(page.getByRole('option')).toHaveCount(1)
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Email')).toHaveValue('zoe@example.com')
  // What is wrong is said there, and the invoice behind it is not sent along.
  await typeInto(page, dialog(page).getByLabel('Email'), 'nobody')
  await keyboard.press('ControlOrMeta+Enter')
  await expect(page).toHaveURL(/\/invoices\/new$/)
  await keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Email')).toBeFocused()
  await expect(dialog(page).getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await typeInto(page, dialog(page).getByLabel('Email'), 'zoe@example.com')
  await keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/invoices\/new$/)
  await expect(customer).toHaveValue('Zoë the Z')
  await expect(customer).toBeFocused()
  await keyboard.press('Tab')
  await expect(page.getByLabel('Description, Line 1')).toBeFocused()
  await expect(page.getByLabel('Description, Line 1')).toHaveValue('Website')
  await keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('article')).toContainText('Zoë the Z')
  await expect(page.getByRole('article')).toContainText('€100.00')
  expect(complaints).toEqual([])
})

test('a field of the invoice that is wrong or was led to does not take the focus from the dialog', async ({
  page,
  docket,
}) => {
  await begin(page, docket)
  await page.getByLabel('Unit price').fill('x')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByLabel('Unit price')).toHaveAttribute('aria-invalid', 'true')
  await page.evaluate(() => history.replaceState(history.state, '', '#customerId'))
  await page.getByLabel('Customer', { exact: true }).fill('Yan')
  await page.getByRole('option', { name: 'New customer “Yan” …' }).click()
  await dialog(page).getByLabel('Email').fill('nobody')
  await dialog(page).getByRole('button', { name: 'Create customer' }).click()
  await expect(dialog(page).getByLabel('Email')).toBeFocused()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Customer', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Unit price')).toHaveValue('x')
})

test('without a network it waits in front of the invoice that names it, and both arrive', async ({
  page,
  docket,
  network,
}) => {
  await begin(page, docket)
  await controlled(page)
  await expect.poll(() => pulled(page)).toBe(true)
  network.fault = 'down'
  await page.getByLabel('Customer', { exact: true }).fill('Xaver')
  await page.getByRole('option', { name: 'New customer “Xaver” …' }).click()
  await dialog(page).getByRole('button', { name: 'Create customer' }).click()
  await expect(page.getByText('Customer saved on this device')).toBeVisible()
  await expect(page.getByLabel('Customer', { exact: true })).toHaveValue('Xaver')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('article')).toContainText('Xaver')
  await expect(page.getByRole('link', { name: '2 waiting' })).toBeVisible()
  network.fault = 'none'
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
  await go(page, 'Customers')
  await expect(page.getByRole('list', { name: 'Customers' })).toContainText('Xaver')
  // The next new one is another: it is not written over the one that was just made.
  await makeCustomer(page, 'Wanda')
  await go(page, 'Customers')
  await expect(page.getByRole('list', { name: 'Customers' }).getByRole('link')).toHaveCount(2)
})

test('quotes and what recurs offer it too; who takes a payment is not offered a customer who owes nothing', async ({
  page,
  docket,
}) => {
  await begin(page, docket)
  await page.goto('/quotes/new')
  await page.getByLabel('Customer', { exact: true }).click()
  await page.getByRole('option', { name: 'New customer …' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Vera')
  await dialog(page).getByRole('button', { name: 'Create customer' }).click()
  await expect(page.getByLabel('Customer', { exact: true })).toHaveValue('Vera')
  await go(page, 'Invoices')
  await page.getByRole('link', { name: 'Payments' }).click()
  await page.getByRole('link', { name: 'Record payment' }).click()
  await page.getByLabel('Customer', { exact: true }).click()
  await expect(page.getByRole('option', { name: 'Vera' })).toBeVisible()
  await expect(page.getByRole('option')).toHaveCount(1)
})
