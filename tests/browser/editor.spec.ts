// Writing an invoice: with one thumb on a narrow phone, and at a desk without a mouse.
import type { Page } from '@playwright/test'
import {
  controlled,
  expect,
  fromMenu,
  go,
  issueDraft,
  makeDraft,
  pulled,
  signUp,
  test,
  type Docket,
} from '#tests/support/browser.ts'
import { postsOf, signedInAccount } from '#tests/support/api-client.ts'
import { invoiceBody, websiteLine } from '#tests/support/bodies.ts'
import { choose, tabTo, typeInto } from '#tests/support/keyboard.ts'
import { bothThemes, look } from '#tests/support/look.ts'

async function begin(page: Page, docket: Docket): Promise<void> {
  await signUp(page, docket, {
    customer: 'Bob the Baker',
    items: [
      ['Hour of work', '85.50'],
      ['Travel', '40'],
    ],
  })
}

const line = (page: Page, number: number) =>
  page
    .getByRole('main')
    .locator('li[data-line]')
    .nth(number - 1)
const names = (page: Page) =>
  page
    .locator('li[data-line] input[name$=".name"]')
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))

/** The names of the controls that were drawn anew meanwhile: React gives each of those other props than it had. */
async function redrawn(page: Page, work: () => Promise<void>): Promise<string[]> {
  const before = await page.evaluateHandle(() => {
    const propsOf = (element: Element) => {
      const key = Object.keys(element).find((each) => each.startsWith('__reactProps$'))!
      return (element as unknown as Record<string, unknown>)[key]
    }
    const controls = [...document.querySelectorAll<HTMLInputElement>('form :is(input, select, textarea)[name]')]
    return { propsOf, was: controls.map((control) => [control, propsOf(control)] as const) }
  })
  await work()
  return before.evaluate(({ propsOf, was }) =>
    was.filter(([control, props]) => propsOf(control) !== props).map(([{ name }]) => name),
  )
}

test.describe('on a narrow phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('a customer and two items are an invoice in a dozen taps; every part of the form fits', async ({
    page,
    docket,
  }) => {
    await begin(page, docket)
    await go(page, 'Invoices')
    let taps = 0
    const tap = (target: ReturnType<Page['getByRole']>) => {
      taps += 1
      return target.tap()
    }
    await tap(page.getByRole('button', { name: 'New invoice' }))
    await tap(page.getByLabel('Customer'))
    await tap(page.getByRole('option', { name: 'Bob the Baker' }))
    await tap(page.getByLabel('Description, Line 1'))
    await tap(page.getByRole('option', { name: /Hour of work/ }))
    await expect(line(page, 1).getByLabel('Unit price')).toHaveValue('85.5')
    await line(page, 1).getByLabel('Quantity').fill('3')
    await tap(page.getByRole('button', { name: 'Add line' }))
    await expect(page.getByLabel('Description, Line 2')).toBeFocused()
    await tap(page.getByLabel('Description, Line 2'))
    await tap(page.getByRole('option', { name: /Travel/ }))
    await expect(page.getByText('€296.50').first()).toBeVisible()
    await look(page, 'phone-lines')
    await tap(page.getByRole('button', { name: 'Save draft' }))
    await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
    await expect(page.getByRole('article')).toContainText('€296.50')
    expect(taps).toBeLessThanOrEqual(12)

    await page.getByRole('link', { name: 'Edit' }).tap()
    await line(page, 1).getByRole('button', { name: 'Text or discount' }).tap()
    await line(page, 1).getByRole('button', { name: 'Add discount' }).tap()
    await line(page, 2).getByLabel('VAT category').selectOption('AE')
    await page.getByRole('button', { name: 'Add extra charge' }).last().tap()
    await look(page, 'phone-whole', bothThemes)
    // More than a million stays whole on the narrowest screen.
    await line(page, 1).getByLabel('Unit price').fill('12345678.9')
    await page.getByRole('button', { name: 'Remove extra charge 1' }).tap()
    await line(page, 1).getByRole('button', { name: 'Remove discount 1' }).tap()
    await page.getByRole('button', { name: 'Save draft' }).tap()
    await expect(page.getByRole('heading', { name: 'Draft', exact: true })).toBeVisible()
    await issueDraft(page)
    await go(page, 'Dashboard')
    const amount = page.getByText('€37,037,076.70').first()
    await expect(amount).toBeVisible()
    await page.setViewportSize({ width: 320, height: 640 })
    expect((await amount.boundingBox())!.height).toBeLessThan(40)
    await look(page, 'phone-dashboard')
  })
})

test.describe('at a desk, by keyboard alone', () => {
  test.use({ viewport: { width: 1280, height: 900 } })

  test('lines are written, moved, doubled, discounted, taken away and brought back', async ({ page, docket }) => {
    await begin(page, docket)
    const { keyboard } = page
    await keyboard.press('n')
    const customer = page.getByLabel('Customer')
    await tabTo(page, customer)
    await keyboard.type('Bob')
    await expect(page.getByRole('option', { name: 'Bob the Baker' })).toBeVisible()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await keyboard.press('Tab')
    await expect(page.getByLabel('Description, Line 1')).toBeFocused()
    await keyboard.type('Hou')
    await expect(page.getByRole('option', { name: /Hour of work/ })).toBeVisible()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await expect(line(page, 1).getByLabel('Unit price')).toHaveValue('85.5')
    // Enter in the last line adds one; it sends nothing.
    await tabTo(page, line(page, 1).getByLabel('Quantity'))
    await keyboard.press('ControlOrMeta+a')
    await keyboard.type('2')
    await keyboard.press('Enter')
    await expect(page.getByLabel('Description, Line 2')).toBeFocused()
    await keyboard.type('Something of its own')
    // Escape closes what is open, and takes no text away.
    await keyboard.press('Escape')
    await keyboard.press('Escape')
    await expect(page.getByLabel('Description, Line 2')).toHaveValue('Something of its own')
    await tabTo(page, line(page, 2).getByLabel('Unit price'))
    await keyboard.type('100')
    await keyboard.press('Alt+ArrowUp')
    await expect.poll(() => names(page)).toEqual(['Something of its own', 'Hour of work'])
    await expect(line(page, 1).getByLabel('Unit price')).toBeFocused()
    await expect(line(page, 1).getByLabel('Unit price')).toHaveValue('100')
    await keyboard.press('Alt+ArrowDown')
    await expect.poll(() => names(page)).toEqual(['Hour of work', 'Something of its own'])

    // A discount in per cent follows the quantity.
    await tabTo(page, line(page, 1).getByRole('button', { name: 'Text or discount' }))
    await keyboard.press('Enter')
    await expect(line(page, 1).getByLabel('More text')).toBeFocused()
    await keyboard.type('At the bakery')
    await tabTo(page, line(page, 1).getByRole('button', { name: 'Add discount' }))
    await keyboard.press('Enter')
    await tabTo(page, line(page, 1).getByLabel('Per cent', { exact: true }))
    await keyboard.type('10')
    await expect(line(page, 1)).toContainText('€153.90')
    await typeInto(page, line(page, 1).getByLabel('Quantity'), '4')
    await expect(line(page, 1)).toContainText('€307.80')

    await tabTo(page, line(page, 1).getByRole('button', { name: 'More for line 1' }))
    await keyboard.press('Enter')
    await choose(page, 'Duplicate line')
    await expect.poll(() => names(page)).toEqual(['Hour of work', 'Hour of work', 'Something of its own'])
    await expect(page.getByText('€715.60').first()).toBeVisible()
    // A menu that is closing is still there for a moment, with the same words in it.
    await expect(page.getByRole('menu')).toHaveCount(0)
    await tabTo(page, line(page, 3).getByRole('button', { name: 'More for line 3' }))
    await keyboard.press('Enter')
    await choose(page, 'Remove line')
    await expect.poll(() => names(page)).toEqual(['Hour of work', 'Hour of work'])
    await tabTo(page, page.getByRole('button', { name: 'Undo' }))
    await keyboard.press('Enter')
    await expect.poll(() => names(page)).toEqual(['Hour of work', 'Hour of work', 'Something of its own'])

    // What is wrong is said at its field, also in what lies further in.
    await typeInto(page, line(page, 1).getByLabel('Per cent', { exact: true }), 'x')
    await line(page, 1).getByLabel('Per cent', { exact: true }).press('ControlOrMeta+Enter')
    await expect(line(page, 1).getByLabel('Per cent', { exact: true })).toBeFocused()
    await expect(line(page, 1)).toContainText('Enter a number such as 12.50')
    await keyboard.press('ControlOrMeta+a')
    await keyboard.type('10')
    await look(page, 'desk-lines')
    // A tab that is closed now loses nothing of it.
    await page.waitForTimeout(500)
    await page.reload()
    await expect.poll(() => names(page)).toEqual(['Hour of work', 'Hour of work', 'Something of its own'])
    await expect(line(page, 2).getByLabel('Per cent', { exact: true })).toHaveValue('10')
    await line(page, 2).getByLabel('Quantity').press('ControlOrMeta+Enter')
    await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
    const paper = page.getByRole('article')
    await expect(paper).toContainText('At the bakery')
    await expect(paper).toContainText('Discount 10 %: -€34.20')
    await expect(paper).toContainText('€715.60')
    await look(page, 'desk-paper')

    // What is missing is named, with the way to its field.
    const check = page.getByRole('region', { name: 'Before you issue it' })
    await check.getByRole('listitem').filter({ hasText: 'no IBAN' }).getByRole('link').click()
    await expect(page.getByLabel('IBAN')).toBeFocused()
  })

  test('a price pasted with its sign is one; what is no number is named when it is left, and no total is shown', async ({
    page,
    docket,
  }) => {
    await signUp(page, docket, { organization: 'Ann Works' })
    await page.keyboard.press('n')
    await typeInto(page, page.getByLabel('Description, Line 1'), 'Work')
    const price = line(page, 1).getByLabel('Unit price')
    const total = page.getByRole('main').locator('form dl dd').last()
    await typeInto(page, price, '€ 12.50')
    await expect(line(page, 1).locator('p .amount')).toHaveText('€12.50')
    await typeInto(page, price, '-5')
    await expect(total).toHaveText('–')
    await expect(line(page, 1).locator('p .amount')).toHaveText('–')
    await expect(price).not.toHaveAttribute('aria-invalid')
    await price.press('Tab')
    await expect(price).toHaveAccessibleDescription('Must not be negative')
    await expect(price).toHaveAttribute('aria-invalid', 'true')
    // It is named until somebody types, and goes with its line.
    await tabTo(page, price)
    await page.keyboard.press('Enter')
    await typeInto(page, page.getByLabel('Description, Line 2'), 'More')
    await typeInto(page, line(page, 2).getByLabel('Quantity'), 'abc')
    await page.keyboard.press('Alt+ArrowUp')
    await expect(line(page, 1).getByLabel('Quantity')).toHaveValue('abc')
    await page.keyboard.press('Tab')
    await expect(line(page, 1).getByLabel('Quantity')).toHaveAccessibleDescription('Enter a number such as 12.50')
    const moved = line(page, 2).getByLabel('Unit price')
    await expect(moved).toHaveAccessibleDescription('Must not be negative')
    await tabTo(page, moved)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('5')
    await expect(moved).toBeFocused()
    await expect(moved).not.toHaveAttribute('aria-invalid')
    await typeInto(page, line(page, 1).getByLabel('Quantity'), '2')
    await expect(total).not.toHaveText('–')
  })

  test('of many lines, a key draws anew what it changes and nothing else; the sum follows', async ({
    page,
    docket,
  }) => {
    const email = await signUp(page, docket, { customer: 'Bob the Baker' })
    const [, organization, customerId] = /(\/organization\/[\w-]+)\/customers\/([\w-]+)/.exec(page.url())!
    const lines = Array.from({ length: 60 }, () => websiteLine)
    const post = postsOf(await signedInAccount(docket.server.url, email))
    const draft = await post(
      `${organization!.replace('organization', 'organizations')}/invoices`,
      invoiceBody(customerId!, { lines }),
    )
    await page.goto(`${organization}/invoices/${draft.id}/edit`)
    const notes = page.getByLabel('Notes on the invoice')
    await expect(notes).toBeVisible()
    await expect(page.locator('li[data-line]')).toHaveCount(60)
    const total = page.getByRole('main').locator('form dl dd').last()
    await expect(total).toHaveText('€55,030.80')

    await notes.focus()
    expect(await redrawn(page, () => page.keyboard.type('ab'))).toEqual(['notes'])
    await page.locator('[name="lines.59.quantity"]').focus()
    const drawn = await redrawn(page, () => page.keyboard.type('1'))
    expect(drawn).toContain('lines.59.quantity')
    expect(drawn.filter((name) => !name.startsWith('lines.59.'))).toEqual([])
    await expect(total).not.toHaveText('€55,030.80')

    // One that was out of sight is led to like any other.
    await page.goto('about:blank')
    await page.goto(`${organization}/invoices/${draft.id}/edit#lines.57.unitPrice`)
    const far = page.locator('[name="lines.57.unitPrice"]')
    await expect(far).toBeFocused()
    await expect(far).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Alt+ArrowUp')
    await expect(page.locator('[name="lines.56.unitPrice"]')).toBeFocused()
  })

  test('what is usually typed into a line is seen whole, and no word above it is broken', async ({ page, docket }) => {
    await signUp(page, docket, { organization: 'Ann Works' })
    await page.keyboard.press('n')
    await page.getByLabel('Quantity').fill('12345.678')
    await page.getByLabel('Unit price').fill('12345.123456')
    await page.getByLabel('VAT rate').fill('19.25')
    for (const width of [768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const cut = await line(page, 1)
        .locator('[inputmode="decimal"]')
        .evaluateAll((fields) => fields.filter((each) => each.scrollWidth > each.clientWidth).map(({ id }) => id))
      expect([width, cut]).toEqual([width, []])
      // The longest of them, in German.
      const heights = await line(page, 1)
        .locator('label[for]')
        .evaluateAll((labels) =>
          labels.map((label) => {
            if (label.textContent === 'VAT category') label.textContent = 'Steuerkategorie'
            return (label as HTMLElement).offsetHeight
          }),
        )
      expect([width, new Set(heights).size]).toEqual([width, 1])
    }
  })

  test('an invoice is duplicated from its screen, by the palette and from the list, also without a connection', async ({
    page,
    docket,
    network,
  }) => {
    await begin(page, docket)
    await makeDraft(page)
    await issueDraft(page)
    await fromMenu(page, 'Duplicate')
    await expect(page.getByRole('heading', { name: 'Edit draft' })).toBeVisible()
    await expect(page.getByLabel('Description, Line 1')).toHaveValue('Website')
    await expect(page.getByLabel('Due date')).toHaveValue('')

    await page.goto(`${new URL(page.url()).pathname.split('/invoices')[0]}/settings`)
    await typeInto(page, page.getByLabel('Number pattern', { exact: true }), 'R{YY}')
    await expect(page.getByText('Needs exactly one {SEQ}')).toBeVisible()
    await page.getByRole('link', { name: 'Numbers given' }).click()
    await expect(page.getByText('1 to 1, no gap, no double')).toBeVisible()
    await expect(page.getByText(/The next one is INV-\d{4}-0002/)).toBeVisible()
    await look(page, 'desk-numbers')

    await controlled(page)
    await expect.poll(() => pulled(page)).toBe(true)
    network.fault = 'down'
    await go(page, 'Invoices')
    await page.getByRole('link', { name: /INV-/ }).click()
    await expect(page.getByRole('heading', { name: /^INV-/ })).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('dupl')
    await expect(page.getByRole('option', { name: 'Duplicate this invoice' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Edit draft' })).toBeVisible()
    await go(page, 'Invoices')
    await page.getByRole('button', { name: /^More for INV-/ }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await expect(page.getByRole('heading', { name: 'Edit draft' })).toBeVisible()
    await go(page, 'Invoices')
    await expect(page.getByRole('list', { name: 'Invoices' }).getByText('Waiting')).toHaveCount(2)
    await look(page, 'desk-list')
  })
})

test('several drafts are issued or deleted at once, what fails is named; a view of the list is kept', async ({
  page,
  docket,
}) => {
  await signUp(page, docket, { invoices: ['draft'] })
  for (const name of ['Second', 'Third']) {
    await fromMenu(page, 'Duplicate')
    await page.getByLabel('Description, Line 1').fill(name)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByRole('article')).toContainText(name)
  }
  // One that cannot be issued: it has no customer.
  await go(page, 'Invoices')
  await page.getByRole('button', { name: 'New invoice' }).click()
  await page.getByLabel('Description, Line 1').fill('For nobody')
  await page.getByLabel('Unit price').fill('1')
  await page.getByLabel('VAT rate').fill('0')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
  await page.getByRole('button', { name: 'Issue invoice' }).click()
  // The first thing that is needed is in focus, and leads to its field.
  await expect(page.getByRole('link', { name: /^Needed Customer Choose a customer/ })).toBeFocused()

  await go(page, 'Invoices')
  const list = page.getByRole('list', { name: 'Invoices' })
  await expect(list.getByRole('link')).toHaveCount(4)
  await page.getByRole('button', { name: 'Choose several' }).click()
  const boxes = list.getByRole('checkbox')
  await expect(boxes).toHaveCount(4)
  for (let index = 0; index < 3; index += 1) await boxes.nth(index).check()
  const several = page.getByRole('region', { name: 'Several invoices' })
  await look(page, 'choosing')
  await several.getByRole('button', { name: 'Issue drafts' }).click()
  await expect(page.getByRole('dialog')).toContainText('Issue 3 invoices?')
  await page.getByRole('dialog').getByRole('button', { name: 'Issue drafts' }).click()
  await expect(several).toContainText('2 of 3 issued')
  await expect(several).toContainText('No customer yet, €1.00: Choose a customer')
  await look(page, 'bulk')
  const drafts = list.getByRole('checkbox', { name: /^Choose draft for/ })
  await expect(drafts).toHaveCount(2)
  for (const box of await drafts.all()) await box.check()
  await several.getByRole('button', { name: 'Delete drafts' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete drafts' }).click()
  await expect(several).toContainText('2 of 2 deleted')
  await expect(list.getByRole('link')).toHaveCount(2)
  await several.getByRole('button', { name: 'Cancel' }).click()

  await page.getByLabel('Show', { exact: true }).selectOption('Overdue')
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByRole('button', { name: 'Overdue', exact: true }).click()
  await expect(list.getByRole('link')).toHaveCount(2)
  await page.reload()
  await page.getByRole('button', { name: 'Overdue', exact: true }).click()
  await expect(page).toHaveURL(/status=overdue/)
  await page.getByRole('button', { name: 'Forget view Overdue' }).click()
  await expect(page.getByRole('button', { name: 'Overdue', exact: true })).toHaveCount(0)

  // What is searched for is part of it, in every list that is searched; each keeps its own.
  for (const [name, path] of [
    ['customers', '/customers'],
    ['quotes', '/quotes'],
  ] as const) {
    await page.goto(path)
    const search = page.getByLabel(`Search ${name}`)
    await search.fill('Bob')
    await expect(page).toHaveURL(/q=Bob/)
    await page.getByRole('button', { name: 'Save this view' }).click()
    const view = page.getByRole('button', { name: '“Bob”', exact: true })
    await view.click()
    await expect(page).not.toHaveURL(/q=/)
    await expect(search).toHaveValue('')
    await view.click()
    await expect(page).toHaveURL(/q=Bob/)
    // Longer than the field waits for somebody who types.
    await page.waitForTimeout(500)
    await expect(page).toHaveURL(/q=Bob/)
    await expect(search).toHaveValue('Bob')
    await page.goto('/items')
    await expect(page.getByRole('button', { name: '“Bob”', exact: true })).toHaveCount(0)
  }
})

test.describe('issuing what is incomplete, on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  for (const press of ['click', 'tap'] as const)
    test(`by ${press}: in words how much is needed, and each of it marked and in sight`, async ({ page, docket }) => {
      await signUp(page, docket, { organization: 'Ann Works' })
      await go(page, 'Invoices')
      await page.getByRole('button', { name: 'New invoice' }).click()
      await page.getByLabel('Notes on the invoice').fill('Many words.\n'.repeat(40))
      await page.getByRole('button', { name: 'Save draft' }).click()
      const issuing = page.getByRole('button', { name: 'Issue invoice' })
      const check = page.getByRole('region', { name: 'Before you issue it' })
      const needed = check.getByRole('listitem').filter({ has: page.getByLabel('Needed') })
      const marked = needed.getByRole('link').and(page.locator('.ring-danger'))
      await expect(needed).toHaveCount(2)
      await expect(marked).toHaveCount(0)

      await issuing[press]()
      await expect(page.getByText('It cannot be issued yet: 2 things are still needed.')).toBeVisible()
      await expect(marked).toHaveCount(2)
      await expect(marked.first()).toBeInViewport({ ratio: 1 })
      await look(page, `phone-incomplete-${press}`)
    })
})
