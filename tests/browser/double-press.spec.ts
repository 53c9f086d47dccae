// Whoever presses twice saves once: the second press comes while the first is under way, or meets the next screen.
import type { Locator, Page } from '@playwright/test'
import { signedInAccount } from '#tests/support/api-client.ts'
import { expect, signUp, test } from '#tests/support/browser.ts'

const apartMs = [0, 10, 20, 30, 40, 60, 90, 130, 180, 250]
const faults = ['none', 'down'] as const

test('two presses on the button that makes a customer or an item make one, and change nothing of it', async ({
  page,
  docket,
  network,
}) => {
  const email = await signUp(page, docket, { organization: 'Ann Works' })
  const [, id] = /organization\/([\w-]+)/.exec(page.url())!
  const { call } = await signedInAccount(docket.server.url, email)
  const press = async (name: string, label: string, typed: string, ms: number) => {
    await page.getByLabel(label, { exact: true }).fill(typed)
    const button = page.getByRole('button', { name })
    await button.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await button.boundingBox())!
    const at = [x + width / 2, y + height / 2] as const
    await page.mouse.click(...at)
    await new Promise((resolve) => setTimeout(resolve, ms))
    await page.mouse.click(...at)
  }
  for (const fault of faults) {
    network.fault = fault
    for (const ms of apartMs) {
      await page.goto('/customers/new')
      await press('Create customer', 'Name', `${fault} ${ms}`, ms)
      await expect(page.getByRole('heading', { name: 'New customer' })).toHaveCount(0)
      await page.goto('/items/new')
      await page.getByLabel('Unit price').fill('12')
      await page.getByLabel('VAT rate').fill('21')
      await press('Create item', 'Name', `${fault} ${ms}`, ms)
      await expect(page.getByRole('heading', { name: 'New item' })).toHaveCount(0)
    }
  }
  network.fault = 'none'
  await page.reload()
  await expect(page.getByRole('banner').getByText('All synced').first()).toBeVisible()
  for (const kind of ['customers', 'items']) {
    const { body } = await call('GET', `/organizations/${id}/${kind}?limit=100`)
    const made = body.data.map(({ name, version }: { name: string; version: number }) => `${name}: ${version}`)
    expect(made.toSorted()).toEqual(faults.flatMap((fault) => apartMs.map((ms) => `${fault} ${ms}: 1`)).toSorted())
  }
})

test.describe('an impatient thumb on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  /** Again and again on the same point, until what was pressed has gone from there, and once more. Whoever looks first waits for longer. */
  async function pressOn(page: Page, pressed: Locator): Promise<() => Promise<void>> {
    const { x, y, width, height } = (await pressed.boundingBox())!
    const tap = () => page.touchscreen.tap(x + width / 2, y + height / 2)
    for (let times = 0; times < 20 && (await pressed.isVisible()); times += 1) {
      await tap()
      await pause(80)
    }
    await tap()
    return async () => {
      await pause(500)
      await tap()
    }
  }

  /** What sees to it is there, and nothing moves any more. */
  async function isSettled(page: Page): Promise<void> {
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('combobox')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('combobox')).toHaveCount(0)
  }

  test('is not led away by the tab bar that a sheet was over', async ({ page, docket }) => {
    await signUp(page, docket, { invoices: ['issued'] })
    await isSettled(page)
    const at = page.url()
    await page.getByRole('button', { name: 'Record payment' }).click()
    const save = page.getByRole('dialog').getByRole('button', { name: 'Record payment' })
    const pressLater = await pressOn(page, save)
    await expect(page.getByRole('list', { name: 'Payments' }).getByRole('listitem')).toHaveCount(1)
    await pause(500)
    expect(page.url()).toBe(at)
    await pressLater()
    await expect(page).not.toHaveURL(at)
  })

  test('does not open what stands in the place of the button that issues', async ({ page, docket, network }) => {
    await signUp(page, docket, { invoices: ['draft'] })
    network.fault = 'down'
    await page.reload()
    await expect(page.getByText('Offline', { exact: false })).toBeVisible()
    await isSettled(page)
    const issue = page.getByRole('button', { name: 'Issue invoice' })
    const pressLater = await pressOn(page, issue)
    const send = page.getByRole('button', { name: 'Send', exact: true })
    await expect(send).toBeVisible()
    await pause(300)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await pressLater()
    await expect(page.getByRole('dialog', { name: 'Send once issued' })).toBeVisible()
  })

  test('keys are as quick as ever', async ({ page, docket, network }) => {
    await signUp(page, docket, { invoices: ['draft'] })
    network.fault = 'down'
    await page.reload()
    await expect(page.getByText('Offline', { exact: false })).toBeVisible()
    await isSettled(page)
    await pressOn(page, page.getByRole('button', { name: 'Issue invoice' }))
    await page.getByRole('button', { name: 'Send', exact: true }).press('Enter')
    await expect(page.getByRole('dialog', { name: 'Send once issued' })).toBeVisible()
  })
})
