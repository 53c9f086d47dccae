// Every screen there is, on a device that has only signed in and pulled, with the network gone: it shows what it is for, or says in one sentence that the
// server alone has it, and then shows it by itself when the network is back (OFFLINE.md).
import type { Page } from '@playwright/test'
import { english as app } from '#page/words/app-english.ts'
import { english } from '#page/words/english.ts'
import { controlled, expect, mailedLink, password, pulled, registerOnly, test } from '#tests/support/browser.ts'
import { addressesOf, makeConflict, outside, routes } from '#tests/support/every-route.ts'
import { makeFullBooks } from '#tests/support/full-books.ts'

type Look = (page: Page) => Promise<void>
type AtServer = keyof typeof app.atServer.kept

interface Offline {
  /** A piece of the real data, or of the form: a heading alone stands on an empty screen too. */
  shows?: Look
  /** What of it the server alone has, and what is there when the network is back. */
  waitsFor?: Partial<Record<AtServer, Look>>
  /** There is more on the screen, and so no need of a way back. */
  isPart?: true
  /** Said on a form that the server alone can take. */
  says?: string
}

const words =
  (...each: (string | RegExp)[]): Look =>
  async (page) => {
    for (const word of each) await expect(page.locator('body')).toContainText(word)
  }
const value =
  (label: string, typed: string | RegExp): Look =>
  (page) =>
    expect(page.getByLabel(label, { exact: true })).toHaveValue(typed)
const button =
  (name: string): Look =>
  (page) =>
    expect(page.getByRole('button', { name, exact: true })).toBeVisible()
const list =
  (name: string, word: string | RegExp): Look =>
  (page) =>
    expect(page.getByRole('list', { name, exact: true })).toContainText(word)
const all =
  (...looks: Look[]): Look =>
  async (page) => {
    for (const look of looks) await look(page)
  }

const customer = /Donaudampfschifffahrt/
const dashboard = words('€14,940,088.65', 'INV-')
const { notHere, saving, importing, meanwhile, kept } = app.atServer
const of = '/organization/$organizationId'

/** Of every route, so that one that is added is thought about: what it is without a network. */
const offline: Record<string, Offline> = {
  '/': { shows: words('Open Docket', 'Gap-free numbers') },
  '/login': { shows: dashboard },
  '/register': { shows: all(value('Name', ''), button('Create account')) },
  '/forgot-password': { shows: all(value('Email', ''), button('Send link')) },
  '/reset-password': { shows: all(value('New password', ''), button('Set password')) },
  '/confirm-email': { shows: all(words(english.errors.unreachable), button('Try again')) },
  '/verify-email': { shows: dashboard },
  '/invitation': { shows: all(words(english.errors.unreachable), button('Try again')) },
  '/account': { shows: words('Appearance', 'Deutsch'), waitsFor: { account: words(/@example\.com/) }, isPart: true },
  '/account/security': {
    shows: value('Current password', ''),
    waitsFor: { devices: list('Devices', 'This device'), passkeys: words(app.ownPasskeys.none) },
    isPart: true,
  },
  '/account/data': { shows: button('Download my data') },
  '/dashboard': { shows: dashboard },
  '/dashboard/organizations': { shows: words('Netherlands · EUR · Owner', '1 overdue') },
  '/dashboard/organizations/new': { shows: all(value('Name', ''), button('Create organization')) },
  '/invoices': { shows: list('Invoices', '€917.18') },
  '/invoices/new': { shows: all(value('Description, Line 1', ''), button('Save draft')) },
  '/customers': { shows: list('Customers', 'And I was here') },
  '/customers/new': { shows: all(value('Name', ''), button('Create customer')) },
  '/items': { shows: list('Items', '€85.00') },
  '/items/new': { shows: all(value('Name', ''), button('Create item')) },
  '/quotes': { waitsFor: { quotes: list('Quotes', customer) } },
  '/quotes/new': { shows: value('Description, Line 1', ''), says: saving },
  '/unsent': { shows: words('And I was here', 'Needs attention') },
  '/unsent/$key': { shows: words('Keep mine', 'Somebody else was here') },
  [of]: { shows: words('Ann Works B.V.', 'NL91ABNA0417164300', '€14,940,088.65') },
  [`${of}/activity`]: { waitsFor: { activity: list('Activity', 'Hour of work') } },
  [`${of}/customers/$customerId`]: { shows: words('And I was here', 'INV-', '€917.18') },
  [`${of}/customers/$customerId/edit`]: { shows: value('Name', 'And I was here') },
  [`${of}/data`]: { shows: words('Import customers'), waitsFor: { exports: words(app.exports.none) }, isPart: true },
  [`${of}/failures`]: { waitsFor: { failures: words(app.failures.emptyTitle) } },
  [`${of}/import/$kind`]: { shows: words('Choose a file'), says: importing },
  [`${of}/invoices/$invoiceId`]: { shows: words('Kade 1', 'Total') },
  [`${of}/invoices/$invoiceId/edit`]: { shows: value('Description, Line 1', 'Website') },
  [`${of}/items/$itemId/edit`]: { shows: value('Name', 'Hour of work') },
  [`${of}/members`]: {
    shows: list('Members', /@example\.com/),
    waitsFor: { invitations: list('Invitations', /@example\.com/) },
    isPart: true,
  },
  [`${of}/numbers`]: { waitsFor: { numbers: words(/INV-\d{4}-0001/) } },
  [`${of}/payments`]: { shows: words('INV-', '€17.18') },
  [`${of}/payments/new`]: { shows: all(value('Amount (EUR)', ''), words('INV-')) },
  [`${of}/quotes/$quoteId`]: { waitsFor: { quotes: words('Everything', 'Kade 1') } },
  [`${of}/quotes/$quoteId/edit`]: { waitsFor: { quotes: value('Description, Line 1', 'Everything') } },
  [`${of}/recurring`]: { waitsFor: { recurring: words('Somebody else was here', '31 Jan 2030') } },
  [`${of}/recurring/new`]: { shows: value('Every', '1'), says: saving },
  [`${of}/recurring/$recurringId`]: { waitsFor: { recurring: all(value('Every', '1'), words('Website')) } },
  [`${of}/recurring/$recurringId/edit`]: { waitsFor: { recurring: value('Description, Line 1', 'Website') } },
  [`${of}/reminders`]: { waitsFor: { reminders: button('Save reminders') } },
  [`${of}/settings`]: { shows: all(value('Legal name', 'Ann Works B.V.'), button('Save settings')) },
}

test('after one sign-in every route opens without a network, or says what it waits for', async ({
  page,
  docket,
  network,
  browser,
}) => {
  // Every route of the product, and some of them twice.
  test.setTimeout(900_000)
  expect(Object.keys(offline).toSorted(), 'a route that nobody classified').toEqual(routes.toSorted())
  const email = await registerOnly(page)
  await page.goto(await mailedLink(docket, email))
  await expect(page).toHaveURL(/\/dashboard$/)
  const books = await makeFullBooks(docket.server.url, email)
  await page.close()

  const context = await browser.newContext({ baseURL: docket.network.url, locale: 'en-GB' })
  const device = await context.newPage()
  await device.goto('/login')
  await device.getByLabel('Email').fill(email)
  await device.getByLabel('Password').fill(password)
  await device.getByRole('button', { name: 'Sign in' }).click()
  await expect(device).toHaveURL(/\/dashboard$/)
  await controlled(device)
  await expect.poll(() => pulled(device), { timeout: 30_000 }).toBe(true)
  const unsentKey = await makeConflict(device, books)
  const addresses = (route: string) => outside[route]?.slice(-1) ?? addressesOf(route, books, unsentKey)

  network.fault = 'down'
  for (const route of routes)
    for (const address of addresses(route))
      await test.step(`${address} without a network`, async () => {
        const { shows, waitsFor = {}, isPart, says } = offline[route]!
        await device.goto(address)
        await expect(device.getByRole('heading', { level: 1 }), address).toHaveCount(1)
        if (shows) await shows(device)
        for (const what of Object.keys(waitsFor) as AtServer[])
          await expect(device.getByRole('status').getByText(`${kept[what]} ${meanwhile}`), address).toBeVisible()
        if (Object.keys(waitsFor).length > 0 && !isPart) {
          const back = device.getByRole('main').getByRole('link', { name: 'Dashboard' })
          await expect(back, `${address} has a way back`).toHaveAttribute('href', '/dashboard')
        }
        if (says) await expect(device.getByRole('status').getByText(says), address).toBeVisible()
        await expect(device.locator('.skeleton'), address).toHaveCount(0)
        await expect(device.getByText(english.errors.generic), address).toHaveCount(0)
        await expect(device.getByText(notHere), address).toHaveCount(0)
        await expect(device.getByText(english.errors.notFoundLead), address).toHaveCount(0)
        await expect(device.getByRole('heading', { name: 'No longer among your organizations' }), address).toHaveCount(
          0,
        )
      })

  await device.goto('/invoices?status=overdue')
  await expect(device.getByRole('list', { name: 'Invoices' }).getByRole('link')).toHaveCount(1)
  await expect(device.getByText(/Offline – you can keep working/)).toBeVisible()

  // In this order what one screen loads is never painted by one before it: the account's security shows its email too.
  for (const route of routes.toSorted()) {
    const waitsFor = Object.entries(offline[route]!.waitsFor ?? {}) as [AtServer, Look][]
    if (waitsFor.length === 0) continue
    const [address] = addresses(route)
    await test.step(`${address} when the network is back`, async () => {
      network.fault = 'down'
      await device.goto(address!)
      for (const [what] of waitsFor) await expect(device.getByText(kept[what]), address).toBeVisible()
      network.fault = 'none'
      for (const [what, shows] of waitsFor) {
        await shows(device)
        await expect(device.getByText(kept[what]), address).toHaveCount(0)
      }
    })
  }
  await context.close()
})
