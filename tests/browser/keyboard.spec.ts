// The main path with nothing but the keyboard: a customer, an item, an invoice, issued, sent and paid. No mouse, and no focus that Tab does not reach.
import type { Locator, Page } from '@playwright/test'
import { expect, makeOrganization, signUp, test } from '#tests/support/browser.ts'
import { choose, tabTo, typeInto } from '#tests/support/keyboard.ts'

function type(page: Page, label: string | RegExp, typed: string, within: Page | Locator = page): Promise<void> {
  return typeInto(page, within.getByLabel(label), typed)
}

async function press(page: Page, name: string, within: Page | Locator = page): Promise<void> {
  await tabTo(page, within.getByRole('button', { name, exact: true }))
  await page.keyboard.press('Enter')
}

/** What the palette offers for what is typed. */
async function command(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.type(typed)
  await expect(page.getByRole('option', { name: typed })).toBeVisible()
  await page.keyboard.press('Enter')
}

test('at a desk: customer, item, invoice, issue, send, record payment', async ({ page, docket, network }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await signUp(page, docket)
  await makeOrganization(page)
  const { keyboard } = page

  await command(page, 'New customer')
  await expect(page.getByRole('heading', { name: 'New customer' })).toBeVisible()
  await type(page, 'Name', 'Bob the Baker')
  await type(page, 'Email', 'bob@example.com')
  await press(page, 'Create customer')
  await expect(page.getByRole('heading', { name: 'Bob the Baker' })).toBeVisible()

  await command(page, 'New item')
  await expect(page.getByRole('heading', { name: 'New item' })).toBeVisible()
  await type(page, 'Name', 'Hour of work')
  await type(page, 'Unit price', '85.50')
  await press(page, 'Create item')
  // No rate is not a rate of 0 %.
  await expect(page.getByLabel('VAT rate')).toHaveAttribute('aria-invalid', 'true')
  await type(page, 'VAT rate', '0')
  await press(page, 'Create item')
  await expect(page.getByRole('list', { name: 'Items' })).toContainText('Hour of work')

  await keyboard.press('n')
  await expect(page.getByRole('heading', { name: 'New invoice' })).toBeVisible()
  await type(page, 'Customer', 'Bob')
  await expect(page.getByRole('option', { name: 'Bob the Baker' })).toBeVisible()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await type(page, 'Description, Line 1', 'Hou')
  await expect(page.getByRole('option', { name: /Hour of work/ })).toBeVisible()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await expect(page.getByLabel('Unit price')).toHaveValue('85.5')
  await type(page, 'Quantity', '2')
  await keyboard.press('ControlOrMeta+Enter')

  await press(page, 'Issue invoice')
  await expect(page.getByRole('heading', { name: /^INV-\d{4}-0001$/ })).toBeVisible()
  await press(page, 'Send')
  const sending = page.getByRole('dialog', { name: /^Send INV-/ })
  await expect(sending.getByLabel('To')).toHaveValue('bob@example.com')
  // While it is on its way the invoice says so, and offers nobody to send it once more.
  network.after = async ({ url = '' }) => {
    if (url.endsWith('/send')) await expect(page.getByText('Waits to be sent').first()).toBeVisible()
  }
  await press(page, 'Send mail', sending)
  await expect(sending).toBeHidden()
  await expect(page.getByText(/^Sent /)).toBeVisible()
  // What a dialog took it gives back; where the mail had to wait and nobody was offered to send it once more, to the heading.
  await expect(page.locator('button:focus, h1:focus')).toHaveText(/^(Send|INV-\d{4}-0001)$/)

  await press(page, 'Record payment')
  const paying = page.getByRole('dialog', { name: /payment/i })
  await press(page, 'Record payment', paying)
  await expect(paying).toBeHidden()
  await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible()
  // Nobody is kept where the notice is that stands at the end of the page.
  await expect(page.getByText(/^(Payment recorded|The payment will be recorded)/)).toBeVisible()
  // A menu opens, is walked and left.
  await tabTo(page, page.getByRole('button', { name: 'More actions' }))
  await keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Duplicate' })).toBeFocused()
  await keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'More actions' })).toBeFocused()
})

test('a dialog whose button is gone when it closes leaves the focus at the heading', async ({
  page,
  docket,
  network,
}) => {
  await signUp(page, docket, { invoices: ['issued'] })
  const sending = page.getByRole('dialog', { name: /^Send INV-/ })
  const sender = page.getByRole('button', { name: 'Send', exact: true })
  await press(page, 'Send')
  await page.keyboard.press('Escape')
  await expect(sending).toBeHidden()
  await expect(sender).toBeFocused()
  network.fault = 'down'
  await page.keyboard.press('Enter')
  await type(page, 'To', 'bob@example.com', sending)
  await press(page, 'Send mail', sending)
  await expect(sending).toBeHidden()
  await expect(sender).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

for (const size of [
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
])
  test(`the focus is where the work is, and clear of the bars, ${size.width} wide`, async ({ page, docket }) => {
    await page.setViewportSize(size)
    await signUp(page, docket, { organization: 'Ann Works' })
    const { keyboard } = page
    await page.goto('/invoices')
    await expect(page.getByRole('heading', { name: 'Invoices', exact: true })).toBeVisible()
    // The heading is drawn as it was seen last, before anything listens; this the device has said.
    await expect(page.getByRole('banner').getByRole('link', { name: 'All synced' })).toBeVisible()
    await keyboard.press('n')
    const heading = page.getByRole('heading', { name: 'New invoice' })
    await expect(heading).toBeFocused()

    const description = (number: number) => page.getByLabel(`Description, Line ${number}`)
    await type(page, 'Description, Line 1', 'First')
    await keyboard.press('Enter')
    await expect(description(2)).toBeFocused()
    await keyboard.type('Second')
    // With the list of items in reach too: Alt moves the line.
    await keyboard.press('Alt+ArrowUp')
    await expect(description(1)).toHaveValue('Second')
    await expect(description(1)).toBeFocused()
    for (const _ of [1, 2, 3]) await press(page, 'Add line')
    await expect(description(5)).toBeFocused()
    await isClear(page)

    await press(page, 'Add discount')
    const discount = page.getByRole('group', { name: 'Discount 1' })
    await expect(discount.getByRole('textbox').first()).toBeFocused()
    await isClear(page)
    await press(page, 'Remove discount 1')
    await expect(page.getByRole('button', { name: 'Add discount' })).toBeFocused()

    for (const key of ['Tab', 'Shift+Tab'])
      for (let steps = 0; steps < 40; steps += 1) {
        await keyboard.press(key)
        await isClear(page)
      }

    for (const number of [5, 4, 3, 2, 1]) {
      await press(page, `More for line ${number}`)
      await choose(page, 'Remove line')
      await expect(number > 1 ? description(number - 1) : page.getByRole('button', { name: 'Add line' })).toBeFocused()
    }
  })

test('views of a list are kept and forgotten, and several are issued at once: the focus goes on from there', async ({
  page,
  docket,
}) => {
  await signUp(page, docket, { invoices: ['draft', 'draft'] })
  const { keyboard } = page
  await page.goto('/invoices')
  const list = page.getByRole('list', { name: 'Invoices' })
  await expect(list.getByRole('link')).toHaveCount(2)
  await typeInto(page, page.getByRole('searchbox'), 'b')
  await press(page, 'Save this view')
  const views = page.getByRole('list', { name: 'Saved views' })
  await expect(views.getByRole('button', { pressed: true })).toBeFocused()
  await press(page, 'Forget view “b”')
  await expect(page.getByRole('button', { name: 'Save this view' })).toBeFocused()

  await press(page, 'Choose several')
  for (const box of await list.getByRole('checkbox').all()) {
    await tabTo(page, box)
    await keyboard.press('Space')
  }
  const several = page.getByRole('region', { name: 'Several invoices' })
  await press(page, 'Issue drafts (2)', several)
  await press(page, 'Issue drafts', page.getByRole('dialog'))
  await expect(several).toContainText('2 of 2 issued')
  await expect.poll(() => several.evaluate((region) => region.contains(document.activeElement))).toBe(true)
})

/** Nothing that stays over the page lies on what has the focus. */
async function isClear(page: Page): Promise<void> {
  const covered = await page.evaluate(() => {
    const focused = document.activeElement!
    // Past the last one the browser’s own bars come.
    if (focused === document.body) return null
    const { top, bottom, left, right } = focused.getBoundingClientRect()
    const at = (left + right) / 2
    const isCovered = [top + 2, bottom - 2].some((y) => {
      const there = document.elementFromPoint(at, y)
      // Out of sight is not clear.
      return there === null || there.closest('header.sticky, nav.fixed')
    })
    return isCovered && !focused.closest('header.sticky, nav.fixed') ? focused.outerHTML.slice(0, 200) : null
  })
  expect(covered).toBeNull()
}
