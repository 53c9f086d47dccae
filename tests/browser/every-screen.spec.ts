// Every screen there is, with something on it: usable by everybody in both themes, and never wider than the device.
import fs from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { controlled, expect, mailedLink, pulled, registerOnly, test } from '#tests/support/browser.ts'
import { makeFullBooks, type FullBooks } from '#tests/support/full-books.ts'

/** The routes as the router knows them: one that is added is visited without being named here. */
const routeTree = fs.readFileSync(new URL('../../src/page/route-tree.gen.ts', import.meta.url), 'utf8')
const routes = [
  ...routeTree
    .split('export interface FileRoutesByTo {')[1]!
    .split('}')[0]!
    .matchAll(/'([^']+)':/g),
].map(([, route]) => route!)
/** Of who is not signed in, with what else their links hold. */
const outside: Record<string, string[]> = {
  '/': ['/'],
  '/login': ['/login'],
  '/register': ['/register'],
  '/forgot-password': ['/forgot-password'],
  '/reset-password': ['/reset-password', '/reset-password?resetToken=p_any'],
  '/confirm-email': ['/confirm-email?confirmToken=e_any'],
  '/invitation': ['/invitation', '/invitation?invitationToken=v_any'],
}
const verify = '/verify-email'

function addressesOf(route: string, books: FullBooks, unsentKey: string): string[] {
  const { organizationId, customerId, itemId, recurringId, quoteId, draftQuoteId, draftId, issuedIds } = books
  const isEdit = route.endsWith('/edit')
  return [draftId, ...(route.includes('$invoiceId') && !isEdit ? issuedIds : [])].map((invoiceId) => {
    const places: Record<string, string> = {
      organizationId,
      customerId,
      itemId,
      recurringId,
      quoteId: isEdit ? draftQuoteId : quoteId,
      kind: 'invoices',
      invoiceId,
      key: unsentKey,
    }
    return route.replace(/\$(\w+)/g, (_, name: string) => {
      const place = places[name]
      if (!place) throw new Error(`${route}: no row is made for $${name}; make one in full-books.ts`)
      return place
    })
  })
}

/** A change that somebody else was faster than: it waits for the person. */
async function makeConflict(page: Page, { organizationId, customerId }: FullBooks): Promise<string> {
  const key = uuidv7()
  const path = `/api/v1/organizations/${organizationId}/customers/${customerId}`
  await page.evaluate(
    async ([address, name]) => {
      const save = (value: string, version: number, idempotencyKey: string) =>
        fetch(address!, {
          method: 'PUT',
          body: JSON.stringify({ name: value, country: 'NL' }),
          headers: {
            'content-type': 'application/json',
            'idempotency-key': idempotencyKey,
            'if-match': `"${version}"`,
          },
        })
      await save('Somebody else was here', 1, crypto.randomUUID())
      await save('And I was here', 1, name!)
    },
    [path, key],
  )
  return key
}

const pictures = process.env['PICTURES']

// Each theme at one width: what a theme is judged by is its colours, and a look at all of it four times takes minutes.
for (const [name, theme, viewport] of [
  ['narrow phone', 'dark', { width: 360, height: 740 }],
  ['desk', 'light', { width: 1440, height: 900 }],
] as const)
  test(`on a ${name}, ${theme}: no violation of WCAG 2.2 AA, and nothing beyond its edge`, async ({ page, docket }) => {
    // Every route of the product, one after the other.
    test.setTimeout(900_000)
    await page.setViewportSize(viewport)
    // What is fading in has no contrast to be judged by.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const seen = new Set<string>()
    const visit = async (route: string, address: string) => {
      seen.add(route)
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 }), address).toHaveCount(1)
      await expect(page.locator('.skeleton'), address).toHaveCount(0)
      await expect(page.getByText('Confirming your email')).toHaveCount(0)
      await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
      await page.evaluate((each) => document.documentElement.setAttribute('data-theme', each), theme)
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze()
      const found = violations.map(
        ({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
      )
      expect.soft(found, `${theme} ${address}`).toEqual([])
      if (pictures) {
        const file = `${address.replace(/[\w-]{36}/g, 'x').replaceAll(/\W+/g, '-')}-${seen.size}`
        await page.screenshot({ path: `${pictures}/${viewport.width}${file}-${theme}.png` })
      }
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect.soft(beyond, `${address} is too wide`).toBeLessThanOrEqual(0)
    }
    for (const [route, addresses] of Object.entries(outside))
      for (const address of addresses) await visit(route, address)
    const email = await registerOnly(page)
    await visit(verify, verify)
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
