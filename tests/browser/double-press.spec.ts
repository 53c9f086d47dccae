// Whoever presses twice saves once: the second press comes while the first is under way, or meets the next screen.
import { signedInAccount } from '#tests/support/api-client.ts'
import { expect, signUp, test } from '#tests/support/browser.ts'

const apartMs = [0, 20, 40, 60, 90, 130, 180, 250]
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
