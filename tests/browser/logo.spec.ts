// The logo: chosen in the settings, drawn anew on the device, on the paper and in the PDF, also without a connection.
import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { signedInAccount } from '#tests/support/api-client.ts'
import {
  controlled,
  expect,
  fromMenu,
  makeCustomer,
  makeDraft,
  signUp,
  test,
  type Docket,
} from '#tests/support/browser.ts'
import { askAgain } from '#tests/support/session-faults.ts'
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

test.describe('somebody else, or this device, saved something of the organization meanwhile', () => {
  const theirs = (page: Page) => page.getByText('The logo was changed meanwhile')
  const own = (page: Page) => page.getByRole('img', { name: 'Your logo' })
  const save = (page: Page) => page.getByRole('button', { name: 'Save logo' })

  /** On the settings with a picture chosen, and what the server has. */
  async function chosen(page: Page, docket: Docket) {
    const email = await signUp(page, docket, { organization: 'Ann Works' })
    const settings = `${page.url().replace(/\/$/, '')}/settings`
    await page.goto(settings)
    await page.getByLabel('Choose a picture').setInputFiles('public/icons/icon-512.png')
    await expect(page.getByRole('img', { name: 'The picture that you chose' })).toBeVisible()
    const { call } = await signedInAccount(docket.server.url, email)
    const path = `/organizations/${settings.split('/').at(-2)}`
    const now = async () => (await call('GET', path)).body
    return {
      now,
      async changed(change: object, part = '') {
        const row = await now()
        const headers = { 'idempotency-key': uuidv7(), 'if-match': `"${row.version}"` }
        const body = part ? change : { ...row, ...change }
        expect((await call('PUT', path + part, body, headers)).status).toBe(200)
      },
    }
  }

  test('the settings, saved here without a network: the logo is saved once there is one', async ({
    page,
    docket,
    network,
  }) => {
    const { now } = await chosen(page, docket)
    network.fault = 'down'
    await page.getByLabel('Legal name').fill('Ann Works Ltd')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(page.getByText('the picture that you chose is not yet')).toBeVisible()
    network.fault = 'none'
    await askAgain(page)
    await expect.poll(async () => (await now()).legalName).toBe('Ann Works Ltd')
    await save(page).click()
    await expect(own(page)).toBeVisible()
    expect((await now()).logo).not.toBeNull()
    // And the settings are saved upon that.
    await page.getByLabel('Legal name').fill('Ann Works GmbH')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(page).not.toHaveURL(/settings/)
    expect(await now()).toMatchObject({ legalName: 'Ann Works GmbH', logo: { mediaType: 'image/png' } })
  })

  test('other fields: the logo touches none of them, and is saved', async ({ page, docket }) => {
    const { changed, now } = await chosen(page, docket)
    await page.getByLabel('Legal name').fill('Ann Works Ltd')
    await changed({ vatNumber: 'NL123456782B90' })
    await save(page).click()
    await expect(own(page)).toBeVisible()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(page).not.toHaveURL(/settings/)
    expect(await now()).toMatchObject({ legalName: 'Ann Works Ltd', vatNumber: 'NL123456782B90' })
    expect((await now()).logo).not.toBeNull()
  })

  test('the logo: theirs is shown first, and the next press puts this one in its place', async ({ page, docket }) => {
    await page.setViewportSize({ width: 320, height: 800 })
    const { changed, now } = await chosen(page, docket)
    const content = fs.readFileSync('public/icons/icon-192.png').toString('base64')
    await changed({ content }, '/logo')
    const { hash } = (await now()).logo
    await save(page).click()
    await expect(theirs(page)).toBeVisible()
    await expect(own(page)).toBeVisible()
    await look(page, 'logo-of-somebody-else')
    expect((await now()).logo.hash).toBe(hash)
    await save(page).click()
    await expect(theirs(page)).toHaveCount(0)
    await expect(page.getByRole('img', { name: 'The picture that you chose' })).toHaveCount(0)
    await expect(own(page)).toBeVisible()
    expect((await now()).logo.hash).not.toBe(hash)
    // Taken away it is asked about as well.
    await changed({ content }, '/logo')
    const remove = page.getByRole('button', { name: 'Remove logo' })
    await remove.click()
    await expect(theirs(page)).toBeVisible()
    expect((await now()).logo.hash).toBe(hash)
    await remove.click()
    await expect(own(page)).toHaveCount(0)
    expect((await now()).logo).toBeNull()
  })
})
