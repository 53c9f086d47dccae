// What a browser is told with every answer, and that nothing a person typed ever becomes markup or a script.
import type { Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import {
  controlled,
  expect,
  issueDraft,
  mailedLink,
  makeCustomer,
  makeDraft,
  makeOrganization,
  password,
  test,
} from '#tests/support/browser.ts'

const promised: Record<string, RegExp> = {
  'content-security-policy':
    /^default-src 'none'; base-uri 'none';.*frame-ancestors 'none'; script-src 'self';.*require-trusted-types-for 'script'; trusted-types sw-url$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^no-referrer$/,
}

function missing(headers: Record<string, string>): string[] {
  return Object.entries(promised).flatMap(([name, value]) =>
    value.test(headers[name] ?? '') ? [] : [`${name}: ${headers[name]}`],
  )
}

const anAsset = (page: Page) =>
  page.evaluate(() => new URL(document.querySelector<HTMLScriptElement>('script[src]')!.src).pathname)

test('every answer carries the policy and what goes with it: from the server and out of the worker', async ({
  page,
  request,
}) => {
  const first = await page.goto('/login')
  expect(missing(first!.headers())).toEqual([])
  const asset = await anAsset(page)
  for (const path of [
    '/',
    '/dashboard',
    '/sw.js',
    asset,
    '/manifest.webmanifest',
    '/api/v1/openapi.json',
    '/api/v1/account',
    '/api/v1/nowhere',
    '/assets/nothing.js',
    '/dev/mailbox',
  ]) {
    const answer = await request.get(path, { maxRedirects: 0 })
    expect(missing(answer.headers()), path).toEqual([])
    expect(answer.headers()['content-security-policy'], path).not.toContain('unsafe')
  }
  await controlled(page)
  const kept = await page.goto('/dashboard')
  expect(kept!.fromServiceWorker()).toBe(true)
  expect(missing(kept!.headers())).toEqual([])
})

test('only the worker’s own file becomes a worker: the page refuses another address, and the server another path', async ({
  page,
  browser,
  network,
}) => {
  await page.goto('/login')
  const asset = await anAsset(page)
  const register = (address: string) =>
    navigator.serviceWorker.register(address).then(
      () => 'registered',
      (error: Error) => `${error.name}: ${error.message}`,
    )
  expect(await page.evaluate(register, asset)).toMatch(/^TypeError: .*TrustedScriptURL/)
  // Where nothing but the server stands in the way.
  const context = await browser.newContext({ bypassCSP: true, baseURL: network.url })
  const bare = await context.newPage()
  await bare.goto('/login')
  expect(await bare.evaluate(register, asset)).toMatch(/bad HTTP response code \(403\)/)
  expect(await bare.evaluate(register, '/sw.js')).toBe('registered')
  await context.close()
})

const hostile = {
  person: 'Ann <img src=x onerror=alert(1)>',
  organization: '<img src=x onerror=alert(2)> Works',
  customer: '</title><script>alert(3)</script><b id=planted>',
}

test('a name that is markup stays a name: on every screen, in the title, on paper and in the mailbox', async ({
  page,
  browser,
  docket,
  network,
  complaints,
}) => {
  const dialogs: string[] = []
  const hearDialogs = (tab: Page) =>
    tab.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
  hearDialogs(page)
  const nothingPlanted = async (where: string, tab = page) => {
    const planted = tab.locator('img[src="x"], #planted, script:not([src]), [onerror]')
    expect(await planted.count(), where).toBe(0)
    expect(dialogs, where).toEqual([])
  }
  const email = `${uuidv7()}@example.com`
  await page.goto('/register')
  await page.getByLabel('Name').fill(hostile.person)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  await nothingPlanted('inbox')
  const link = await mailedLink(docket, email)
  const mailbox = await browser.newPage()
  hearDialogs(mailbox)
  await mailbox.goto(`${network.url}/dev/mailbox`)
  await expect(mailbox.getByText(email).first()).toBeVisible()
  await nothingPlanted('mailbox', mailbox)
  await mailbox.close()
  await page.goto(link)
  await expect(page).toHaveURL(/\/dashboard$/)

  await makeOrganization(page, hostile.organization)
  const organization = new URL(page.url()).pathname
  await expect(page).toHaveTitle(`${hostile.organization} · Docket`)
  await makeCustomer(page, hostile.customer)
  const customer = new URL(page.url()).pathname
  await expect(page).toHaveTitle(`${hostile.customer} · Docket`)
  await makeDraft(page, hostile.customer)
  await issueDraft(page)
  const invoice = new URL(page.url()).pathname
  for (const path of [
    '/dashboard',
    '/dashboard/organizations',
    organization,
    `${organization}/settings`,
    '/customers',
    customer,
    `${customer}/edit`,
    '/invoices',
    '/invoices/new',
    '/account',
    invoice,
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    await nothingPlanted(path)
  }
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(hostile.organization).filter({ visible: true }).first()).toBeVisible()
  await expect(page.getByText(hostile.customer).filter({ visible: true }).first()).toBeVisible()
  await nothingPlanted('paper')
  expect(complaints).toEqual([])
})
