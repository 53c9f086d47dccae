// An invoice in a foreign currency: the rate is typed without a network, and what it makes of the VAT is the same on screen, paper, PDF and public page.
import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { chooseCustomer, expect, fromMenu, go, issueDraft, signUp, test } from '#tests/support/browser.ts'
import { look } from '#tests/support/look.ts'
import { pdfTexts } from '#tests/support/pdf-text.ts'

const plain = (text: string) => text.replaceAll(/\s+/g, ' ')
const rate = (page: Page) => page.getByLabel('1 USD = … EUR')

test('in USD, of an organization in EUR: rate, VAT in EUR, issued, paper, PDF and public page', async ({
  page,
  docket,
  network,
  browser,
  complaints,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signUp(page, docket, { invoices: ['draft'] })
  await expect(page.getByText('The law usually wants the VAT in EUR too')).toHaveCount(0)

  network.fault = 'down'
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByLabel('Currency')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Exchange rate' })).toHaveCount(0)
  await page.getByLabel('Currency').selectOption('USD')
  await expect(rate(page)).toBeVisible()
  await expect(page.getByText('The law usually wants the VAT in EUR too')).toBeVisible()
  await rate(page).fill('0,92')
  await expect(page.getByText('VAT in EUR: €146.45')).toBeVisible()
  await expect(page.locator('dl').filter({ hasText: 'VAT in EUR' })).toContainText('€146.45')
  await look(page, 'foreign-editor')
  // A rate is for one currency: under another nothing of it is left.
  await page.getByLabel('Currency').selectOption('CHF')
  await expect(page.getByLabel('1 CHF = … EUR')).toHaveValue('')
  await expect(page.getByText('VAT in EUR:')).toHaveCount(0)
  await page.getByLabel('Currency').selectOption('USD')
  await rate(page).fill('0.920')
  await expect(page.getByText('VAT in EUR: €146.45')).toBeVisible()
  // Half of it is named where it is missing.
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByLabel('Day of the rate')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('Say where the exchange rate is from, such as ECB')).toBeVisible()
  await look(page, 'foreign-phone-errors')
  await page.getByLabel('Day of the rate').fill('2026-11-21')
  await page.getByLabel('Where the rate is from').fill('ECB')
  await look(page, 'foreign-phone')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText('Draft saved on this device')).toBeVisible()
  const label = 'VAT in EUR at 1 USD = 0.92 EUR (ECB, 21 Nov 2026)'
  const paper = page.getByRole('article')
  await expect(paper).toContainText(label)
  await expect(paper).toContainText('€146.45')
  await expect(paper).toContainText('US$917.18')
  await look(page, 'foreign-draft')

  network.fault = 'none'
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(page.getByRole('link', { name: 'All synced' })).toBeAttached()
  await issueDraft(page)
  await expect(paper).toContainText(`${label}€146.45`)
  await look(page, 'foreign-phone-paper')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'PDF' }).click(),
  ])
  const drawn = plain(pdfTexts(fs.readFileSync(await download.path())).join(' '))
  expect(drawn).toContain(label)
  expect(drawn).toContain('€146.45')

  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Send INV-/ })
  await dialog.getByRole('button', { name: 'Copy a link' }).click()
  const link = (await dialog.getByRole('link').getAttribute('href'))!
  await page.keyboard.press('Escape')
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
  const other = await context.newPage()
  await other.goto(link)
  await expect(other.locator('dl.sum')).toContainText(`${label}€146.45`)
  await look(other, 'foreign-public')
  await context.close()

  // A copy is of another day: it has no rate, and says so; a credit note has its invoice's.
  await fromMenu(page, 'Duplicate')
  await expect(page.getByRole('heading', { name: 'Edit draft' })).toBeVisible()
  await expect(rate(page)).toHaveValue('')
  await page.getByRole('button', { name: 'Save draft' }).click()
  const advice = page.getByRole('region', { name: 'Before you issue it' })
  await advice.getByRole('link', { name: /The law usually wants the VAT in EUR too/ }).click()
  await expect(rate(page)).toBeFocused()
  // Changed back, nothing is left of what was typed.
  await rate(page).fill('0.5')
  await page.getByLabel('Currency').selectOption('EUR')
  await expect(rate(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(paper).toContainText('€917.18')
  await expect(paper).not.toContainText('VAT in EUR')

  await go(page, 'Invoices')
  await page.getByRole('link', { name: /INV-/ }).click()
  await fromMenu(page, 'Create credit note')
  await expect(paper).toContainText(`${label}€146.45`)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await expect(page.getByText('Exchange rate as on the invoice: 1 USD = 0.92 EUR (ECB, 21 Nov 2026)')).toBeVisible()
  await expect(rate(page)).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('a customer’s currency is the new invoice’s, until the person chooses another', async ({ page, docket }) => {
  await signUp(page, docket, { customer: 'Ann of the corner' })
  for (const [name, currency] of [
    ['Sam of the States', 'USD'],
    ['Zoe of Zurich', 'CHF'],
  ] as const) {
    await go(page, 'Customers')
    await page.getByRole('button', { name: 'New customer' }).click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Country').selectOption('CH')
    await page.getByLabel('Currency').selectOption(currency)
    await page.getByRole('button', { name: 'Create customer' }).click()
    await expect(page.getByRole('heading', { name })).toBeVisible()
  }
  // Also when the customer was chosen on the screen before.
  await page.getByRole('button', { name: 'New invoice' }).click()
  await expect(page.getByLabel('Currency')).toHaveValue('CHF')
  const choose = (name: string) => chooseCustomer(page, name)
  await choose('Sam of the States')
  await expect(page.getByLabel('Currency')).toHaveValue('USD')
  await choose('Ann of the corner')
  await expect(page.getByLabel('Currency')).toHaveValue('EUR')
  await page.getByLabel('Currency').selectOption('GBP')
  await choose('Sam of the States')
  await expect(page.getByLabel('Currency')).toHaveValue('GBP')
})
