// An invoice leaves the house: as a PDF also without a connection, by mail with a dialog, and as a page for whoever has the link.
import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, fromMenu, go, signUp, test } from '#tests/support/browser.ts'
import { desk, look } from '#tests/support/look.ts'

async function pdfFrom(page: Page, of: 'draft' | 'issued' = 'issued'): Promise<{ name: string; text: string }> {
  const press = of === 'draft' ? fromMenu(page, 'PDF') : page.getByRole('button', { name: 'PDF' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), press])
  const text = fs.readFileSync(await download.path()).toString('latin1')
  expect(text.slice(0, 5)).toBe('%PDF-')
  return { name: download.suggestedFilename(), text }
}

test('PDF of a draft and of record, mail, public page', async ({ page, docket, network, complaints, browser }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signUp(page, docket, { invoices: ['draft'] })
  // Drawn on the device, also the first time, with nobody to ask for fonts.
  network.fault = 'down'
  expect((await pdfFrom(page, 'draft')).name).toBe('Draft.pdf')
  // Issued and sent as far as a device can: both wait, can be looked at, and are done in order when the network is back.
  await page.getByRole('button', { name: 'Issue invoice' }).click()
  await expect(page.getByText('Will be issued', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const first = page.getByRole('dialog', { name: 'Send once issued' })
  await first.getByLabel('To').fill('bob@example.com')
  await first.getByRole('button', { name: 'Send mail' }).click()
  await expect(page.getByText('Waits to be sent', { exact: true })).toBeVisible()
  await expect(page.getByText(/^It waits to be issued and then sent/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toHaveCount(0)
  await look(page, 'waits-to-be-sent')
  await page.getByRole('main').getByRole('link', { name: 'Unsent' }).click()
  await expect(page.getByRole('list', { name: 'Unsent' }).getByRole('listitem')).toHaveCount(2)
  await expect(page.getByText('Send invoice · Bob the Baker')).toBeVisible()
  await look(page, 'unsent-mail')
  await page.goBack()
  network.fault = 'none'
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(page.getByText(/^Sent /)).toBeVisible()
  const record = await pdfFrom(page)
  expect(record.name).toMatch(/^INV-\d{4}-0001\.pdf$/)
  expect((await pdfFrom(page)).text).toBe(record.text)

  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Send INV-/ })
  await expect(dialog.getByLabel('Subject')).toHaveValue(/^Invoice INV-\d{4}-0001 from Ann Works$/)
  await dialog.getByRole('button', { name: 'Send mail' }).click()
  await expect(dialog.getByLabel('To')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('To').fill('bob@example.com')
  await look(page, 'send')
  await dialog.getByRole('button', { name: 'Copy a link' }).click()
  const link = (await dialog.getByRole('link').getAttribute('href'))!
  await dialog.getByRole('button', { name: 'Send mail' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/^Sent /)).toBeVisible()

  // It goes to the address that the customer has by now, also without a connection.
  const invoice = page.url()
  await go(page, 'Customers')
  await page.getByRole('main').getByRole('link', { name: 'Bob the Baker' }).click()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Email').fill('new@bob.example')
  await page.getByRole('button', { name: 'Save customer' }).click()
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeVisible()
  for (const fault of ['none', 'down'] as const) {
    network.fault = fault
    await page.goto(invoice)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(dialog.getByLabel('To')).toHaveValue('new@bob.example')
  }
  network.fault = 'none'

  // The organization's own people do not count; somebody else's browser does.
  await page.goto(link)
  await expect(page.getByRole('heading', { name: /^Invoice INV-/ })).toBeVisible()
  const seen: string[] = []
  page.on('request', (request) => void seen.push(request.url()))
  await page.reload()
  expect(seen.filter((url) => url.endsWith('/viewed'))).toEqual([])
  await expect(page.getByRole('link', { name: 'Download PDF' })).toHaveAttribute('href', /\/pdf\?own$/)
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 320, height: 800 } })
    const other = await context.newPage()
    const refused: string[] = []
    other.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
    const counted = other.waitForResponse((answer) => answer.url().endsWith('/viewed'))
    await other.goto(link)
    expect((await counted).status()).toBe(204)
    await expect(other.getByText('€917.18').first()).toBeVisible()
    await expect(other.getByRole('link', { name: 'Download PDF' })).toHaveAttribute('href', /\/pdf$/)
    await look(other, `public-${colorScheme}`, [{}, { size: desk.size }])
    expect(refused).toEqual([])
    await context.close()
  }
  expect(complaints).toEqual([])
})
