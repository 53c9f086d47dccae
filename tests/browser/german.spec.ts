// Docket in German on a small phone: the main road, every screen without a word of English, nothing cut off, and all of it without a network too.
import type { Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { controlled, expect, mailedLink, password, pulled, test } from '#tests/support/browser.ts'
import { look } from '#tests/support/look.ts'
import { fetchIn } from '#tests/support/session-faults.ts'

test.use({ locale: 'de-DE', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

/** Words that only English has, as they would stand in a label or a sentence. */
const english =
  /\b(the|and|your|you|with|without|invoices?|customers?|items?|settings|save|delete|none|draft|due|paid|search|loading|sign|password changed)\b/i

/** In German, readable by everybody, and nothing wider than the screen. */
async function inOrder(page: Page, where: string, isJudged = true): Promise<void> {
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  // What is filled in is named in braces, in every language alike.
  const words = (await page.locator('body').innerText()).replace(/\{\w+\}/g, '')
  expect.soft(english.exec(words)?.[0] ?? null, `${where}: ${words.slice(0, 4000)}`).toBeNull()
  expect.soft(await page.evaluate(cutOff), where).toEqual([])
  // Where the words alone differ from the English screens, what those are judged by holds here too (main-road.spec.ts).
  if (isJudged) await look(page, where)
  else
    expect
      .soft(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), where)
      .toBeLessThanOrEqual(0)
}

/** Buttons and links whose words are wider than they are. */
function cutOff(): string[] {
  return [...document.querySelectorAll<HTMLElement>('button, a, label, dt, dd, h1, h2, th')]
    .filter((each) => each.offsetParent !== null && getComputedStyle(each).textOverflow !== 'ellipsis')
    .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
    .filter((each) => !each.closest('.sr-only') && !each.classList.contains('sr-only'))
    .map(({ innerText }) => innerText)
}

test('an account, an invoice for an English customer, and every screen with and without a network', async ({
  page,
  docket,
  network,
  complaints,
}) => {
  for (const path of ['/', '/login', '/register', '/forgot-password', '/nirgends']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await inOrder(page, path)
  }
  // A form says what is wrong in German too, and the mail is.
  await page.goto('/register')
  await page.getByRole('button', { name: 'Konto erstellen' }).click()
  await expect(page.getByText('Geben Sie Ihren Namen ein')).toBeVisible()
  const email = `${uuidv7()}@example.com`
  await page.getByLabel('Name').fill('Änne Groß')
  await page.getByLabel('E-Mail').fill(email)
  await page.getByLabel('Passwort', { exact: true }).fill('kurz')
  await page.getByRole('button', { name: 'Konto erstellen' }).click()
  await expect(page.getByText('Mindestens 8 Zeichen').last()).toBeVisible()
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Konto erstellen' }).click()
  await expect(page.getByRole('heading', { name: 'Sehen Sie in Ihr Postfach' })).toBeVisible()
  await inOrder(page, '/verify-email')
  const link = await mailedLink(docket, email)
  expect(await (await fetch(`${docket.server.url}/dev/mailbox`)).text()).toContain('Bestätigen Sie Ihre E-Mail')
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Übersicht' })).toBeVisible()

  await page.getByRole('button', { name: 'Neue Organisation' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Groß Sanitär')
  await page.getByRole('button', { name: 'Organisation anlegen' }).click()
  await expect(page.getByRole('heading', { name: 'Groß Sanitär' })).toBeVisible()
  const organization = new URL(page.url()).pathname
  await page.goto('/customers/new')
  await page.getByLabel('Name', { exact: true }).fill('Bob Baker')
  await page.getByLabel('Land').selectOption('GB')
  await page.getByLabel('Sprache der Dokumente').selectOption('English')
  await page.getByRole('button', { name: 'Kunde anlegen' }).click()
  await expect(page.getByRole('heading', { name: 'Bob Baker' })).toBeVisible()
  const customer = new URL(page.url()).pathname
  const draftFor = async (name: string) => {
    await page.goto('/invoices/new')
    await page.getByLabel('Kunde').fill(name.slice(0, 3))
    await page.getByRole('option', { name }).click()
    await page.getByLabel('Bezeichnung, Zeile 1').fill('Rohr')
    await page.getByLabel('Menge').fill('2')
    await page.getByLabel('Einzelpreis').fill('379,00')
    await page.getByLabel('MwSt. (%)').fill('19')
    await page.getByRole('button', { name: 'Entwurf speichern' }).click()
    await expect(page.getByRole('button', { name: 'Rechnung ausstellen' })).toBeVisible()
  }
  await draftFor('Bob Baker')
  const draft = new URL(page.url()).pathname
  // The paper is the customer's: English words on it, whatever the page around it speaks.
  const paper = page.getByRole('article')
  await expect(paper).toHaveAttribute('lang', 'en')
  await expect(paper).toContainText('Invoice number')
  await page.goto(`${draft}/edit`)
  await page.getByLabel('Sprache des Dokuments').selectOption('Deutsch')
  await page.getByRole('button', { name: 'Entwurf speichern' }).click()
  await expect(paper).toContainText('Rechnungsnummer')
  await page.getByRole('button', { name: 'Rechnung ausstellen' }).click()
  await expect(page.getByRole('heading', { name: /^INV-\d{4}-0001$/ })).toBeVisible()
  await expect(paper).toContainText(/902,02\s€/)
  const { body } = await fetchIn(page, '/organizations')
  const { body: invoices } = await fetchIn(page, `/organizations/${body.data[0].id}/invoices`)
  const { body: issued } = await fetchIn(page, `/organizations/${body.data[0].id}/invoices/${invoices.data[0].id}`)
  expect(issued).toMatchObject({ language: 'de', seller: { locale: 'de-DE' } })
  await draftFor('Bob Baker')
  const second = new URL(page.url()).pathname
  // A foreign currency asks for its rate.
  await page.goto(`${second}/edit`)
  await page.getByLabel('Währung').selectOption('USD')
  await page.getByLabel('1 USD = … EUR').fill('0,92')
  await expect(page.getByText(/^MwSt\. in EUR: 132,50\s€$/)).toBeVisible()
  await page.getByRole('button', { name: 'Entwurf speichern' }).click()
  await expect(page.getByText('Geben Sie an, woher der Wechselkurs ist, etwa von der EZB')).toBeVisible()
  await inOrder(page, 'exchange rate')

  await controlled(page)
  await expect.poll(() => pulled(page), { timeout: 30_000 }).toBe(true)
  const here = [
    '/dashboard',
    '/invoices',
    '/customers',
    customer,
    `${customer}/edit`,
    '/items',
    '/items/new',
    '/unsent',
  ]
  const screens = [
    ...here,
    '/dashboard/organizations',
    '/dashboard/organizations/new',
    organization,
    `${organization}/settings`,
    `${organization}/members`,
    `${organization}/activity`,
    `${organization}/numbers`,
    `${organization}/payments`,
    `${organization}/recurring`,
    `${organization}/reminders`,
    `${organization}/failures`,
    `${organization}/data`,
    `${organization}/import/customers`,
    `${organization}/payments/new`,
    '/quotes',
    '/quotes/new',
    '/invoices/new',
    draft,
    `${second}/edit`,
    '/account',
    '/account/security',
    '/account/data',
  ]
  const judged = new Set(['/dashboard', `${organization}/reminders`, `${second}/edit`, `${customer}/edit`, '/account'])
  for (const path of screens) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await inOrder(page, path, judged.has(path))
  }
  expect(complaints).toEqual([])

  network.fault = 'down'
  for (const path of here) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  }
  await expect(page.getByText(/Offline – Sie können weiterarbeiten/)).toBeVisible()
  network.fault = 'none'
})

test('the language is chosen before a sign-in, stays on the device, and holds without a network', async ({
  page,
  network,
}) => {
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Anmelden' })).toBeVisible()
  await controlled(page)
  await page.getByLabel('Sprache').selectOption('English')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  network.fault = 'down'
  // The document itself is in it, before any script has run.
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/register')
  await page.goto('/register')
  expect(await (await answered).text()).toContain('<html lang="en"')
  await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible()
  await page.getByLabel('Language').selectOption('As the browser')
  await expect(page.getByRole('button', { name: 'Konto erstellen' })).toBeVisible()
  network.fault = 'none'
})
