// The public screens are documents of their own; the app takes them over. Installability, the policy, and what a refusal looks like.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { browserOptions } from '#tools/browser.ts'
import {
  controlled,
  expect,
  go,
  issueDraft,
  makeCustomer,
  makeDraft,
  makeOrganization,
  password,
  registerOnly,
  signUp,
  test,
} from '#tests/support/browser.ts'
import { look } from '#tests/support/look.ts'
import { signedInAccount } from '#tests/support/api-client.ts'
import { until } from '#tests/support/people.ts'
import { uuidv7 } from '#shared/ids.ts'

test.describe('without any script', () => {
  test.use({ javaScriptEnabled: false })
  test('landing, login and register stand there whole', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      /Invoices that keep working when the network doesn’t/,
    )
    await expect(page.getByRole('link', { name: 'Create account' }).first()).toBeVisible()
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expect(page.getByLabel('Email')).toBeVisible()
    await expect(page.getByLabel('Password')).toBeVisible()
    await page.goto('/register')
    await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible()
    await expect(page.getByLabel('Name')).toBeVisible()
    await page.goto('/dashboard')
    await expect(page.getByLabel('Email')).toHaveCount(0)
  })
})

test('what is typed before the app is there is not lost when it takes over', async ({ page, network }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  network.before = async (request) => {
    if (request.url?.startsWith('/assets/') && request.url.endsWith('.js')) await held
    return undefined
  }
  await page.goto('/register', { waitUntil: 'commit' })
  await page.getByLabel('Name').fill('Ann Works')
  await page.getByLabel('Email').fill('ann@example.com')
  await page.getByLabel('Password').pressSequentially('half-typ')
  release()
  await expect(page.getByRole('button', { name: 'Create account' })).toBeEnabled()
  await page.keyboard.type('ed')
  await expect(page.getByLabel('Name')).toHaveValue('Ann Works')
  await expect(page.getByLabel('Email')).toHaveValue('ann@example.com')
  await expect(page.getByLabel('Password')).toHaveValue('half-typed')
})

test('title, manifest and icons say Docket; no starter text is left', async ({ page, request }) => {
  await page.goto('/')
  await expect(page).toHaveTitle(/Docket/)
  const manifest = (await (await request.get('/manifest.webmanifest')).json()) as {
    name: string
    id: string
    icons: { src: string; purpose?: string; sizes: string }[]
    screenshots: { src: string; sizes: string }[]
    shortcuts: { url: string }[]
  }
  expect(manifest).toMatchObject({ name: 'Docket', id: expect.any(String) })
  expect(manifest.icons.map(({ purpose = 'any', sizes }) => `${purpose} ${sizes}`)).toEqual(
    expect.arrayContaining(['any 192x192', 'any 512x512', 'maskable 512x512', 'monochrome 512x512']),
  )
  expect(manifest.shortcuts.length).toBeGreaterThan(0)
  expect(manifest.screenshots.length).toBeGreaterThan(1)
  for (const { src } of [...manifest.icons, ...manifest.screenshots]) {
    const answer = await request.get(src)
    expect({ src, status: answer.status(), type: answer.headers()['content-type'] }).toMatchObject({
      status: 200,
      type: /image/,
    })
  }
  for (const document of ['/', '/login', '/register', '/dashboard']) {
    const html = await (await request.get(document)).text()
    expect(html).not.toMatch(/vite|tanstack|react app|lorem|starter|template/i)
  }
})

test('Chromium finds nothing against installing it', async ({ docket }) => {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-profile-'))
  const context = await chromium.launchPersistentContext(profile, { ...browserOptions(), baseURL: docket.network.url })
  const page = await context.newPage()
  await page.goto('/')
  await controlled(page)
  const devtools = await context.newCDPSession(page)
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  expect(installabilityErrors).toEqual([])
  const { errors } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  await context.close()
  fs.rmSync(profile, { recursive: true, force: true })
})

test('the policy with Trusted Types is on, and the whole road violates it nowhere', async ({
  page,
  docket,
  complaints,
  request,
}) => {
  const policy = (await request.get('/')).headers()['content-security-policy']
  expect(policy).toContain("require-trusted-types-for 'script'")
  for (const screen of ['/', '/login']) await page.goto(screen)
  await signUp(page, docket)
  await makeOrganization(page)
  await makeCustomer(page)
  await makeDraft(page)
  await issueDraft(page)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('bob')
  await expect(page.getByRole('option', { name: /Bob the Baker/ }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Switch organization/ }).click()
  await page.keyboard.press('Escape')
  await page.goto('/account')
  await page.getByRole('button', { name: 'Light' }).click()
  await go(page, 'Invoices')
  expect(complaints).toEqual([])
})

test.describe('bad input', () => {
  test('is said at its field in plain words, and nothing typed is lost', async ({ page, docket }) => {
    await page.goto('/register')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Name')).toBeFocused()
    await page.getByLabel('Name').fill('Ann')
    await page.getByLabel('Email').fill('ann')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Password')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Name')).toHaveValue('Ann')

    const email = await signUp(page, docket)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.goto('/register')
    await page.getByLabel('Name').fill('Eve')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('another password')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByText('This email already has an account').first()).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await page.goto('/login')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('wrong-password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByText('Email or password is wrong.')).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('an invoice that cannot be saved keeps every line; a closed tab keeps them too; without a network it is saved on the device', async ({
    page,
    docket,
    network,
  }) => {
    await signUp(page, docket, { customer: 'Bob the Baker' })
    await go(page, 'Invoices')
    await page.getByRole('button', { name: 'New invoice' }).click()
    await page.getByLabel('Description, Line 1').fill('Website')
    await page.getByLabel('Unit price').fill('abc')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByLabel('Unit price')).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('Unit price').fill('379')
    await page.getByLabel('VAT rate').fill('21')
    // Only then has the worker the screen's files.
    await controlled(page)
    network.fault = 'down'
    await page.waitForTimeout(500)
    await page.reload()
    await expect(page.getByLabel('Description, Line 1')).toHaveValue('Website')
    await expect(page.getByLabel('Unit price')).toHaveValue('379')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByText('Draft saved on this device')).toBeVisible()
    await expect(page.getByRole('link', { name: '1 waiting' })).toBeVisible()
    await page.reload()
    await expect(page.getByText('€458.59').first()).toBeVisible()
    network.fault = 'none'
    await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
    // Without a customer it cannot be issued, and says so.
    await page.getByRole('button', { name: 'Issue invoice' }).click()
    await expect(page.getByText(/customer/i).first()).toBeVisible()
  })

  test('two tabs write two invoices; what a closed tab left is found by the next', async ({
    page,
    docket,
    context,
  }) => {
    await signUp(page, docket, { customer: 'Bob the Baker' })
    await page.goto('/invoices/new')
    await page.getByLabel('Description, Line 1').fill('First')
    const second = await context.newPage()
    await second.goto('/invoices/new')
    await expect(second.getByLabel('Description, Line 1')).toHaveValue('')
    await second.getByLabel('Description, Line 1').fill('Second')
    await second.waitForTimeout(500)
    await page.getByLabel('Unit price').fill('1,200')
    await page.getByLabel('VAT rate').fill('101')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByLabel('VAT rate')).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('VAT rate').fill('')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByLabel('VAT rate')).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('VAT rate').fill('21')
    // Typed and not picked: not dropped in silence; typed in full: as good as picked.
    await page.getByLabel('Customer').fill('Bob')
    await page.locator('form button[type=submit]').click()
    await expect(page.getByText(/Choose a customer from the list/)).toBeVisible()
    await page.getByLabel('Customer').fill('bob the baker')
    await expect(page.getByRole('option', { name: 'Bob the Baker' })).toBeVisible()
    await page.getByLabel('VAT rate').focus()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
    await expect(page.getByText('€1,452.00').first()).toBeVisible()
    await expect(page.getByText('Bob the Baker').first()).toBeVisible()
    await second.reload()
    await expect(second.getByLabel('Description, Line 1')).toHaveValue('Second')
    const held = () =>
      page.evaluate(async () => {
        const { held = [] } = await navigator.locks.query()
        return held.filter(({ name }) => name?.startsWith('docket.new.')).length
      })
    const before = await held()
    await second.close()
    // The browser lets go of what a tab held a moment after it is closed.
    await until(async () => (await held()) < before)
    await page.goto('/invoices/new')
    await expect(page.getByLabel('Description, Line 1')).toHaveValue('Second')
    // For another customer it is another invoice, and nobody has to go on with what was begun.
    await makeCustomer(page, 'Zoe')
    await page.getByRole('button', { name: 'New invoice' }).click()
    await expect(page.getByLabel('Customer')).toHaveValue('Zoe')
    await expect(page.getByLabel('Description, Line 1')).toHaveValue('')
    // Picked, then another one typed: the other one it is.
    await page.getByLabel('Customer').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Bob', { delay: 60 })
    await page.getByRole('option', { name: 'Bob the Baker' }).click()
    await expect(page.getByLabel('Customer')).toHaveValue('Bob the Baker')
    await page.getByLabel('Customer').fill('zoe')
    await expect(page.getByRole('option', { name: 'Zoe' })).toBeVisible()
    await page.getByLabel('VAT rate').focus()
    await expect(page.getByLabel('Customer')).toHaveValue('Zoe')
    await page.goto('/invoices/new')
    await page.getByRole('button', { name: 'Start fresh' }).click()
    await expect(page.getByLabel('Description, Line 1')).toHaveValue('')
    await page.reload()
    await expect(page.getByLabel('Description, Line 1')).toHaveValue('')
  })

  test('a name of two hundred letters keeps its screens in their width', async ({ page, docket }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await signUp(page, docket, { organization: 'W'.repeat(200), customer: 'M'.repeat(200) })
    const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(await wider()).toBeLessThanOrEqual(0)
    await makeDraft(page, 'M'.repeat(200))
    expect(await wider()).toBeLessThanOrEqual(0)
    await issueDraft(page)
    for (const path of ['/invoices', '/customers', '/dashboard', '/dashboard/organizations']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForTimeout(300)
      expect(await wider(), path).toBeLessThanOrEqual(0)
    }
  })

  test('an answer that was lost, a reload, more typed: one invoice all the same', async ({ page, docket, network }) => {
    await signUp(page, docket, { customer: 'Bob the Baker' })
    await page.goto('/invoices/new')
    await page.getByLabel('Description, Line 1').fill('Website')
    await page.getByLabel('Unit price').fill('379')
    await page.getByLabel('VAT rate').fill('21')
    network.loseAnswers = true
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByText('Draft saved on this device')).toBeVisible()
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Unit price').fill('400')
    await page.waitForTimeout(500)
    await page.reload()
    await expect(page.getByLabel('Unit price')).toHaveValue('400')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
    network.loseAnswers = false
    await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
    await page.goto('/invoices')
    await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('link')).toHaveCount(1)
    await expect(page.getByRole('list', { name: 'Invoices' })).toContainText('€484.00')
  })

  test('what was typed for a customer or the settings is there when one comes back', async ({ page, docket }) => {
    await signUp(page, docket, { organization: 'Ann Works' })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Legal name').fill('Ann Works B.V.')
    await go(page, 'Customers')
    await page.getByRole('button', { name: 'New customer' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Half a cust')
    await go(page, 'Dashboard')
    await page.goto('/customers/new')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half a cust')
    await page.getByLabel('Days to pay').fill('abc')
    await page.getByRole('button', { name: 'Create customer' }).click()
    await expect(page.getByText('Enter whole days such as 14')).toBeVisible()
    await page.getByLabel('Days to pay').fill('30')
    await page.getByRole('button', { name: 'Create customer' }).click()
    await expect(page.getByRole('heading', { name: 'Half a cust' })).toBeVisible()
    await page.goto('/customers/new')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  })

  test('an old bookmark with a filter that is none shows the list', async ({ page, docket }) => {
    await signUp(page, docket, { organization: 'Ann Works' })
    await page.goto('/invoices?status=bogus&sort=colour')
    await expect(page.getByRole('heading', { name: 'Invoices' })).toBeVisible()
    await expect(page.getByText('No invoices yet').first()).toBeVisible()
  })

  test('who was faster in another tab is not overwritten: what both changed is asked, and all that was typed is kept', async ({
    page,
    docket,
    context,
  }) => {
    await signUp(page, docket, { customer: 'Bob the Baker' })
    await page
      .getByRole('link', { name: 'Edit' })
      .or(page.getByRole('button', { name: 'Edit' }))
      .first()
      .click()
    // A form that nobody is at would go with it.
    await page.getByLabel('Phone').focus()
    const second = await context.newPage()
    await second.goto(page.url())
    await second.getByLabel('Phone').fill('111')
    await second.getByRole('button', { name: 'Save' }).click()
    await expect(second.getByRole('heading', { name: 'Bob the Baker' })).toBeVisible()
    await page.getByLabel('Phone').fill('222')
    await page.getByLabel('Internal notes').fill('Pays late')
    await page.getByRole('button', { name: 'Save' }).click()
    const phone = page.getByRole('group', { name: 'Phone' })
    await expect(phone).toContainText('Keep mine222')
    await expect(phone).toContainText('Keep theirs111')
    await expect(page.getByRole('group')).toHaveCount(1)
    await phone.getByText('Keep mine').click()
    await page.getByRole('button', { name: 'Keep these' }).click()
    await expect(page.getByText('Everything is synced')).toBeVisible()
    await second.getByRole('link', { name: 'Edit', exact: true }).click()
    await expect(second.getByLabel('Phone')).toHaveValue('222')
    await expect(second.getByLabel('Internal notes')).toHaveValue('Pays late')
  })
})

test('an address that is none: Not Found, with a way back', async ({ page }) => {
  await page.goto('/no/such/place')
  await expect(page.getByRole('heading', { name: 'Not Found' })).toBeVisible()
  await registerOnly(page)
})

test('however much it comes to, an invoice keeps to its paper on a phone', async ({ page, docket }) => {
  const email = await signUp(page, docket, { invoices: ['draft'] })
  const [, organizationId, invoiceId] = /organization\/([\w-]+)\/invoices\/([\w-]+)/.exec(page.url())!
  const { call } = await signedInAccount(docket.server.url, email)
  const path = `/organizations/${organizationId}/invoices/${invoiceId}`
  const { body: row } = await call('GET', path)
  const lines = [{ ...row.lines[0], quantity: '1500', unitPrice: '2500000' }]
  const body = { customerId: row.customerId, taxMode: row.taxMode, currency: 'IDR', lines }
  const headers = { 'idempotency-key': uuidv7(), 'if-match': `"${row.version}"` }
  expect((await call('PUT', path, body, headers)).status).toBe(200)
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.reload()
    const paper = page.getByRole('article')
    await expect(paper).toContainText('3,750,000,000.00')
    const outside = await paper.evaluate((article) => {
      const { left, right } = article.getBoundingClientRect()
      return [...article.querySelectorAll('p, dt, dd, td')]
        .filter((each) => each.getClientRects().length > 0)
        .filter((each) => {
          const box = each.getBoundingClientRect()
          return box.left < left || box.right > right || each.scrollWidth > each.clientWidth + 1
        })
        .map((each) => each.textContent)
    })
    expect(outside).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await look(page, `large-amounts-${width}`)
  }
})
