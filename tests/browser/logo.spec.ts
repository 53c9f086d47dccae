// The logo: chosen in the settings, drawn anew on the device, on the paper and in the PDF, also without a connection.
import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { signedInAccount } from '#tests/support/api-client.ts'
import { controlled, expect, fromMenu, makeCustomer, makeDraft, signUp, test } from '#tests/support/browser.ts'
import { look } from '#tests/support/look.ts'

async function pdfFrom(page: Page): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), fromMenu(page, 'PDF')])
  return fs.readFileSync(await download.path()).toString('latin1')
}

test('a logo is chosen, seen, and stands on the paper and the PDF, offline too', async ({ page, docket, network }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const email = await signUp(page, docket, { organization: 'Ann Works' })
  const settings = `${page.url().replace(/\/$/, '')}/settings`
  await page.goto(settings)
  await controlled(page)
  const chooser = page.getByLabel('Choose a picture')
  // A name is no picture, and neither is SVG.
  await chooser.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
  await expect(page.getByText('Choose a PNG or JPEG picture.')).toBeVisible()
  await chooser.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('none') })
  await expect(page.getByText('This picture cannot be read. Choose another.')).toBeVisible()
  await chooser.setInputFiles('public/icons/icon-512.png')
  await expect(page.getByRole('img', { name: 'The picture that you chose' })).toBeVisible()
  // What is typed below is not lost by it.
  await page.getByLabel('Legal name').fill('Ann Works Ltd')
  await page.getByRole('button', { name: 'Save logo' }).click()
  await expect(page.getByRole('img', { name: 'Your logo' })).toBeVisible()
  await expect(page.getByLabel('Legal name')).toHaveValue('Ann Works Ltd')
  await look(page, 'logo')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page).not.toHaveURL(settings)

  await makeCustomer(page)
  await makeDraft(page)
  await expect(page.locator('article img')).toBeVisible()
  expect(await pdfFrom(page)).toContain('/Subtype /Image')
  network.fault = 'down'
  expect(await pdfFrom(page)).toContain('/Subtype /Image')
  network.fault = 'none'

  // Of an organization that is theirs no more it does not stay on the device.
  const logos = () => page.evaluate(async () => (await (await caches.open('logos')).keys()).length)
  expect(await logos()).toBe(1)
  const { call } = await signedInAccount(docket.server.url, email)
  const path = `/organizations/${settings.split('/').at(-2)}`
  const { body } = await call('GET', path)
  const headers = { 'idempotency-key': uuidv7(), 'if-match': `"${body.version}"` }
  expect((await call('DELETE', path, undefined, headers)).status).toBe(204)
  await page.evaluate(() => navigator.serviceWorker.controller!.postMessage({ type: 'sync' }))
  await expect.poll(logos).toBe(0)
})

test('saving the settings leaves no chosen picture behind: it says so there, and both are saved', async ({
  page,
  docket,
}) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  const settings = `${page.url().replace(/\/$/, '')}/settings`
  await page.goto(settings)
  await controlled(page)
  await page.getByLabel('Choose a picture').setInputFiles('public/icons/icon-512.png')
  await expect(page.getByRole('img', { name: 'The picture that you chose' })).toBeVisible()
  await page.getByLabel('Legal name').fill('Ann Works Ltd')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('the picture that you chose is not yet')).toBeVisible()
  await expect(page).toHaveURL(settings)
  const save = page.getByRole('button', { name: 'Save logo' })
  await expect(save).toBeFocused()
  await save.click()
  await expect(page.getByRole('img', { name: 'Your logo' })).toBeVisible()
  await expect(page.getByText('the picture that you chose is not yet')).toHaveCount(0)
  // Of the version that the logo made it is saved once more, and nothing is left to ask about.
  await expect(page.getByLabel('Legal name')).toHaveValue('Ann Works Ltd')
  await page.getByLabel('Legal name').fill('Ann Works GmbH')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page).not.toHaveURL(settings)
})
