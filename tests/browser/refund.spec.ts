// Money given back as a person does it: an invoice is paid, credited whole, and what was paid goes back, without a network; every screen says the same.
import { uuidv7 } from '#shared/ids.ts'
import { postsOf, registeredAccount, signedInAccount } from '#tests/support/api-client.ts'
import { customerBody, invoiceBody, organizationBody, paymentBody, websiteLine } from '#tests/support/bodies.ts'
import { expect, fromMenu, go, password, pulled, signUp, test } from '#tests/support/browser.ts'
import { bothThemes, devices, look } from '#tests/support/look.ts'
import { askAgain } from '#tests/support/session-faults.ts'

for (const [name, size] of devices)
  test.describe(name, () => {
    test.use(size)

    test(`${name}: paid, credited whole, given back without a network; then nothing is due in the invoice, the list and the figures`, async ({
      page,
      docket,
      network,
      complaints,
    }) => {
      await signUp(page, docket, { invoices: ['issued'] })
      const invoice = page.url()
      const dialog = page.getByRole('dialog')
      const payments = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
      await page.getByRole('button', { name: 'Record payment' }).click()
      await dialog.getByRole('button', { name: 'Record payment' }).click()
      await expect(payments).toHaveCount(1)
      await expect(page.getByRole('button', { name: 'Record refund' })).toHaveCount(0)
      await fromMenu(page, 'Create credit note')
      await page.getByRole('button', { name: 'Issue credit note' }).click()
      await expect(page.getByRole('heading', { name: /^CN-\d{4}-0001$/ })).toBeVisible()
      await page.getByRole('link', { name: /^Credits INV-/ }).click()
      await expect(page).toHaveURL(invoice)
      await expect(page.getByText('Bob the Baker gets €917.18 back')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Record payment' })).toHaveCount(0)
      await expect.poll(() => pulled(page)).toBe(true)
      await look(page, 'to-give-back', bothThemes)

      // More than there is; what is typed has no sign.
      await page.getByRole('button', { name: 'Record refund' }).click()
      await expect(dialog.getByRole('heading', { name: /^Refund on INV-/ })).toBeVisible()
      const amount = dialog.getByLabel('Amount given back (EUR)')
      await expect(amount).toHaveValue('917.18')
      for (const [typed, said] of [
        ['-5', 'Must be more than 0'],
        ['918', 'Only €917.18 is to be given back'],
      ] as const) {
        await amount.fill(typed)
        await dialog.getByRole('button', { name: 'Record refund' }).click()
        await expect(dialog.getByText(said)).toBeVisible()
      }
      await look(page, 'record', bothThemes)
      await amount.fill('17.18')
      await dialog.getByLabel('Reference').fill('Till 4')
      await dialog.getByRole('button', { name: 'Record refund' }).click()
      await expect(dialog).toBeHidden()
      await expect(payments.first()).toHaveText(/-€17\.18.*Refund.*Bank transfer.*Till 4/)
      await expect(page.getByText('Bob the Baker gets €900.00 back')).toBeVisible()

      network.fault = 'down'
      await page.getByRole('button', { name: 'Record refund' }).click()
      await expect(amount).toHaveValue('900.00')
      await dialog.getByRole('button', { name: 'Record refund' }).click()
      await expect(dialog).toBeHidden()
      await expect(payments.first()).toHaveText(/-€900\.00.*Refund.*Waits for a connection/)
      await expect(page.getByText('Refund waits').first()).toBeVisible()
      await expect(page.getByRole('button', { name: 'Record refund' })).toHaveCount(0)
      await look(page, 'waits', bothThemes)
      await payments.first().getByRole('link', { name: 'Unsent' }).click()
      await expect(page.getByRole('list', { name: 'Unsent' }).getByRole('listitem')).toHaveText([
        /Record refund · INV-/,
      ])
      await page.getByRole('link', { name: /Record refund · INV-/ }).click()
      network.fault = 'none'
      await askAgain(page)
      await expect(page.getByText('Waits for a connection')).toHaveCount(0)

      await expect(payments).toHaveCount(3)
      await expect(page.getByText('gets €')).toHaveCount(0)
      const sums = page.locator('dl').filter({ hasText: 'Still due' }).first()
      await expect(sums).toHaveText('Still due€0.00Paid€0.00Credited€917.18')
      // What was given back covers nothing that never came.
      await page.getByRole('button', { name: 'Reverse the payment of €917.18' }).click()
      await dialog.getByLabel('Why').fill('Bounced')
      await dialog.getByRole('button', { name: 'Reverse' }).click()
      await expect(dialog.getByText(/more would have been given back than was received/)).toBeVisible()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Reverse the refund of €17.18' }).click()
      await expect(dialog.getByRole('heading', { name: 'Reverse this refund?' })).toBeVisible()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await look(page, 'given-back', bothThemes)

      await page.goto('/invoices?status=credited')
      await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')).toHaveText([
        /Bob the Baker.*Credited/,
      ])
      await page.getByRole('link', { name: 'Payments' }).click()
      await expect(payments).toHaveText([/Refund · INV-.*-€900\.00/, /Refund · INV-.*-€17\.18/, /INV-.*€917\.18/])
      await page.getByRole('searchbox').fill('till')
      await expect(payments).toHaveCount(1)
      await page.getByRole('searchbox').fill('')
      await expect(payments).toHaveCount(3)
      await look(page, 'list', bothThemes)
      await page.goto('/dashboard')
      await expect(page.getByRole('region', { name: 'EUR' })).toContainText(
        /Outstanding€0\.000 invoicesOverdue€0\.000 invoices.*Paid of it€0\.000 invoices/,
      )
      await look(page, 'dashboard', bothThemes)
      // The refusals are a 422 and a 409.
      expect(complaints.filter((each) => !/status of (422|409)/.test(each))).toEqual([])
    })
  })

test('however much is to be given back, what is overdue is named too, and counted in the list of organizations', async ({
  page,
  docket,
}) => {
  const email = await signUp(page, docket, { organization: 'Ann Works' })
  const account = await signedInAccount(docket.server.url, email)
  const send = postsOf(account)
  const [{ id: organizationId }] = (await account.call('GET', '/organizations')).body.data
  const base = `/organizations/${organizationId}`
  const customer = await send(`${base}/customers`, customerBody())
  const issue = async (more: object = {}) => {
    const { id, version } = await send(`${base}/invoices`, invoiceBody(customer.id, more))
    return send(`${base}/invoices/${id}/issue`, undefined, version)
  }
  for (let each = 0; each < 6; each += 1) {
    const over = await issue()
    await send(`${base}/payments`, paymentBody(over))
    const note = await send(`${base}/invoices/${over.id}/credit-notes`, { id: uuidv7() }, over.version)
    await send(`${base}/invoices/${note.id}/issue`, undefined, note.version)
  }
  const late = await issue({ dueDate: '2020-01-31' })
  await page.reload()
  await expect.poll(() => pulled(page)).toBe(true)
  await go(page, 'Dashboard')
  const named = page.getByRole('main').getByRole('listitem').filter({ hasText: /INV-/ })
  await expect(named.nth(2)).toContainText(late.number)
  await expect(named).toHaveCount(6)
  await expect(page.getByRole('region', { name: 'EUR' })).toContainText(/To give back€5,503\.08.*6 invoices/)
  await page.getByRole('link', { name: 'All 6 to give back' }).click()
  await expect(page).toHaveURL(/status=to-give-back/)
  const listed = page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')
  await expect(listed).toHaveCount(6)
  await expect(listed.filter({ hasText: 'To give back €917.18' })).toHaveCount(6)
  await page.goto('/dashboard/organizations')
  await expect(page.getByRole('link', { name: /Ann Works.*1 overdue · 6 paid too much/ })).toBeVisible()
})

/** Of the rows in sight: text beyond its row, cut off or upon another, and numbers and amounts that go on in a second line. */
function illegible(): string[] {
  return [...document.querySelectorAll('main li a[href*="/invoices/"]')].flatMap((row) => {
    const texts: { said: string; rects: DOMRect[] }[] = []
    const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
    const faults: string[] = []
    while (walker.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(walker.currentNode)
      const said = range.toString().trim()
      const rects = [...range.getClientRects()].filter(({ width }) => width > 0)
      if (!said || rects.length === 0) continue
      const clips = []
      for (let at = walker.currentNode.parentElement!; at !== row; at = at.parentElement!)
        if (getComputedStyle(at).overflow === 'hidden') clips.push(at)
      for (const clip of [row, ...clips]) {
        const box = clip.getBoundingClientRect()
        if (rects.some((each) => each.left < box.left || each.right > box.right + 1 || each.bottom > box.bottom + 3))
          faults.push(`${said} is cut off`)
      }
      if (/^(INV|CN)-|[$€]/.test(said) && new Set(rects.map(({ top }) => Math.round(top))).size > 1)
        faults.push(`${said} is broken`)
      for (const other of texts)
        if (
          rects.some((a) =>
            other.rects.some(
              (b) =>
                Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
                Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6,
            ),
          )
        )
          faults.push(`${said} stands upon ${other.said}`)
      texts.push({ said, rects })
    }
    return faults
  })
}

for (const [locale, several, giveBack] of [
  ['en-GB', 'Choose several', /To give back US\$14,938,271\.47/],
  ['de-DE', 'Mehrere wählen', /Zu erstatten 14\.938\.271,47\s\$/],
] as const)
  test.describe(locale, () => {
    test.use({ locale })

    test(`${locale}: however much is to be given back, amounts and numbers of the rows are whole at every width`, async ({
      page,
      docket,
    }) => {
      const { email, account } = await registeredAccount(docket.server.url, { place: docket.network.place })
      const send = postsOf(account)
      const { id: organizationId } = await send('/organizations', organizationBody({ locale }))
      const base = `/organizations/${organizationId}`
      const customer = await send(`${base}/customers`, customerBody())
      const line = { ...websiteLine, quantity: '1', unitPrice: '12345678.90' }
      const exchange = { from: 'USD', to: 'EUR', rate: '0.92', date: '2026-11-21', source: 'ECB' }
      const issue = async (more: object) => {
        const { id, version } = await send(`${base}/invoices`, invoiceBody(customer.id, more))
        return send(`${base}/invoices/${id}/issue`, undefined, version)
      }
      const over = await issue({ lines: [line], currency: 'USD', exchange })
      await send(`${base}/payments`, paymentBody(over))
      const note = await send(`${base}/invoices/${over.id}/credit-notes`, { id: uuidv7() }, over.version)
      await send(`${base}/invoices/${note.id}/issue`, undefined, note.version)
      const partly = await issue({ lines: [line], dueDate: '2020-01-31' })
      await send(`${base}/payments`, paymentBody(partly, '0.01'))
      await send(`${base}/invoices`, invoiceBody(customer.id))
      await account.call('POST', '/auth/logout', {})
      await page.goto('/login')
      await page.locator('input[type=email]').fill(email)
      await page.locator('input[type=password]').fill(password)
      await page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click()
      await expect(page).toHaveURL(/\/dashboard$/)

      const rows = page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ has: page.locator('a[href*="/invoices/"]') })
      for (const path of ['/dashboard', '/invoices', several]) {
        if (path === several) await page.getByRole('button', { name: several }).click()
        else await page.goto(path)
        await expect(rows.filter({ hasText: giveBack })).toHaveCount(1)
        for (const width of [320, 360, 390, 640, 768, 900, 1024, 1100, 1280, 1440]) {
          await page.setViewportSize({ width, height: 1000 })
          expect.soft(await page.evaluate(illegible), `${path} at ${width}`).toEqual([])
          // A draft has no date, on any of them.
          const drafts = rows.filter({ hasText: /Draft|Entwurf/ })
          expect.soft((await drafts.allInnerTexts()).join(), `${path} at ${width}`).not.toContain('2026')
        }
      }
    })
  })
