// Every screen there is, with something on it: usable by everybody in both themes, and never wider than the device.
import { controlled, expect, mailedLink, pulled, registerOnly, test } from '#tests/support/browser.ts'
import { look, phone, phoneAndDesk } from '#tests/support/look.ts'
import { addressesOf, makeConflict, outside, routes } from '#tests/support/every-route.ts'
import { makeFullBooks } from '#tests/support/full-books.ts'

test('on a narrow phone and on a desk, each in the dark and in the light: no violation of WCAG 2.2 AA, and nothing beyond the edge', async ({
  page,
  docket,
}) => {
  // Every route of the product, one after the other.
  test.setTimeout(900_000)
  await page.setViewportSize(phone.size)
  await page.addInitScript((each) => localStorage.setItem('docket.theme', each), phone.theme)
  const seen = new Set<string>()
  const visit = async (route: string, address: string) => {
    seen.add(route)
    await page.goto(address)
    await expect(page.locator('html'), address).toHaveAttribute('data-theme', phone.theme)
    await expect(page.getByRole('heading', { level: 1 }), address).toHaveCount(1)
    await expect(page.locator('.skeleton'), address).toHaveCount(0)
    await expect(page.getByText('Confirming your email')).toHaveCount(0)
    await look(page, `${address.replace(/[\w-]{36}/g, 'x')}-${seen.size}`, phoneAndDesk)
  }
  for (const [route, addresses] of Object.entries(outside)) for (const address of addresses) await visit(route, address)
  const email = await registerOnly(page)
  await visit('/verify-email', '/verify-email')
  await page.goto(await mailedLink(docket, email))
  await expect(page).toHaveURL(/\/dashboard$/)
  await visit('before the first organization', '/dashboard')
  const books = await makeFullBooks(docket.server.url, email)
  await page.reload()
  await controlled(page)
  await expect.poll(() => pulled(page)).toBe(true)
  const unsentKey = await makeConflict(page, books)
  for (const route of routes)
    if (!seen.has(route)) for (const address of addressesOf(route, books, unsentKey)) await visit(route, address)
  await visit('/nowhere', '/nowhere')
  expect(routes.length).toBeGreaterThan(30)
})
