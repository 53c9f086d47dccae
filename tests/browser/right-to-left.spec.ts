// Somebody who writes from right to left, on screens that run from left to right.
import { postsOf, signedInAccount } from '#tests/support/api-client.ts'
import { customerBody, invoiceBody, organizationBody } from '#tests/support/bodies.ts'
import { expect, signUp, test } from '#tests/support/browser.ts'
import { look, phoneAndDesk } from '#tests/support/look.ts'
import type { Locator } from '@playwright/test'

test.use({ locale: 'ar-AE' })

/** How far to the right each letter stands that is searched for, in the order in which they were written. */
const places = (text: Locator, letters: RegExp) =>
  text.evaluate((element, source) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const found: number[] = []
    while (walker.nextNode()) {
      const node = walker.currentNode
      for (const { index } of (node.textContent ?? '').matchAll(new RegExp(source, 'g'))) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + 1)
        const { left, width } = range.getBoundingClientRect()
        if (width > 0) found.push(Math.round(left))
      }
    }
    return found
  }, letters.source)

test('what a person wrote has its own direction, and dates are in order', async ({ page, docket }) => {
  const email = await signUp(page, docket)
  const send = postsOf(await signedInAccount(docket.server.url, email))
  const { id: organizationId } = await send('/organizations', organizationBody({ locale: 'ar-AE' }))
  const base = `/organizations/${organizationId}`
  const notes = 'ملاحظة: 5 قطع.\nNo. 5.'
  const customer = await send(
    `${base}/customers`,
    customerBody({
      name: 'مخبز النور (ش.م.م.)',
      notes,
      address: { line1: 'شارع النخيل 5.' },
    }),
  )
  const { id, version } = await send(`${base}/invoices`, invoiceBody(customer.id))
  await send(`${base}/invoices/${id}/issue`, undefined, version)

  await page.goto(`/organization/${organizationId}/customers/${customer.id}`)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText(customer.name)
  const facts = page.locator('dd')
  const [first, second] = notes.split('\n').map((line) => line.replaceAll(' ', '').length) as [number, number]
  const written = await places(facts.filter({ hasText: 'ملاحظة' }), /\S/)
  expect(written).toHaveLength(first + second)
  expect(Math.min(...written.slice(0, first))).toBe(written[first - 1])
  // The second line is in another language.
  expect(Math.max(...written.slice(first))).toBe(written.at(-1))
  for (const each of [heading, facts.filter({ hasText: 'شارع' })]) {
    const all = await places(each, /\S/)
    expect(Math.max(...all)).toBe(all[0])
  }
  await look(page, 'right-to-left-customer', phoneAndDesk)

  const isDateInOrder = async (text: Locator) => {
    await expect(text.first()).toBeVisible()
    const at = (await places(text.first(), /[\d/]/)).slice(0, '27/11/2026'.length)
    expect(at).toHaveLength(10)
    expect(at).toEqual(at.toSorted((a, b) => a - b))
  }
  await page.goto('/invoices')
  await isDateInOrder(page.getByText(/^\d\d\D{0,2}\d\d\D{0,2}\d{4}$/).filter({ visible: true }))
  await look(page, 'right-to-left-list', phoneAndDesk)
  await page.goto(`/organization/${organizationId}/activity`)
  await isDateInOrder(page.getByText(/^\W?\d\d\D{0,2}\d\d\D{0,2}\d{4}/).filter({ visible: true }))
  await page
    .getByText(/changes?$/)
    .last()
    .click()
  await look(page, 'right-to-left-activity', phoneAndDesk)
})
