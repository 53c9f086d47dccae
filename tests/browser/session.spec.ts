// The session in a real browser: no call is ever bare, guards, signing out in every tab, no token where a script could read it.
import { uuidv7 } from '#shared/ids.ts'
import { registeredAccount, signedInAccount } from '#tests/support/api-client.ts'
import {
  expect,
  go,
  makeCustomer,
  makeDraft,
  makeOrganization,
  mailedLink,
  password,
  registerOnly,
  registerAndVerify,
  signUp,
  controlled,
  test,
} from '#tests/support/browser.ts'
import { bareCalls } from '#tests/support/session-faults.ts'

test('first visit, hard reload, killed worker, no worker at all: every call carries a token or answers a problem', async ({
  page,
  docket,
  network,
  context,
}) => {
  await registerAndVerify(page, docket)
  await makeOrganization(page)
  await controlled(page)

  // A hard reload is never controlled (SESSION.md fact 2).
  const devtools = await context.newCDPSession(page)
  for (let turn = 1; turn <= 3; turn += 1) {
    // The heading may still be that of the page before.
    await Promise.all([page.waitForEvent('load'), devtools.send('Page.reload', { ignoreCache: true })])
    await expect(page.getByRole('heading', { name: 'Ann Works' })).toBeVisible()
  }

  // A worker that is killed before it has taken the page over never does.
  await controlled(page)
  await devtools.send('ServiceWorker.enable')
  for (let turn = 1; turn <= 3; turn += 1) {
    await devtools.send('ServiceWorker.stopAllWorkers')
    await go(page, turn % 2 ? 'Customers' : 'Invoices')
  }
  expect(bareCalls(network)).toEqual([])
  expect(network.passed.filter(({ hasBearer }) => hasBearer).length).toBeGreaterThan(5)

  // What the page's own script would send, were it to try by hand while the worker is there.
  const answered = await page.evaluate(async () => (await fetch('/api/v1/organizations')).status)
  expect(answered).toBe(200)
})

test('in a first visit’s tab the calls wait for the worker, or run the same gateway in the page', async ({
  browser,
  docket,
  network,
}) => {
  for (const serviceWorkers of ['allow', 'block'] as const) {
    const context = await browser.newContext({ serviceWorkers, baseURL: network.url })
    const page = await context.newPage()
    network.passed.length = 0
    await registerAndVerify(page, docket)
    await makeOrganization(page)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Ann Works' })).toBeVisible()
    expect(bareCalls(network)).toEqual([])
    await context.close()
  }
})

test.describe('without a worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('a screen whose file does not come says so, and is there with the next try', async ({
    page,
    docket,
    network,
  }) => {
    await registerAndVerify(page, docket)
    await makeOrganization(page)
    // A page without a worker loads every file, a while after its first.
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Ann Works' })).toBeVisible()
    network.fault = 'down'
    await page.evaluate(() => ((window as { isSame?: true }).isSame = true))
    await page.getByRole('navigation').getByRole('link', { name: 'Items' }).filter({ visible: true }).click()
    const again = page.getByRole('button', { name: 'Try again' })
    await expect(again).toBeVisible()
    await expect(page.getByText('No connection to the server')).toBeVisible()
    expect(await page.evaluate(() => (window as { isSame?: true }).isSame)).toBe(true)
    network.fault = 'none'
    await again.click()
    await expect(page.getByRole('heading', { name: 'Items', level: 1 })).toBeVisible()
  })

  test('an offer whose file does not come stays away and a press says so; both are there when the server is', async ({
    page,
    docket,
    network,
  }) => {
    // The browser says that Docket can be installed.
    await page.addInitScript(() =>
      window.addEventListener('load', () => {
        window.dispatchEvent(new Event('beforeinstallprompt', { cancelable: true }))
      }),
    )
    await registerAndVerify(page, docket)
    await makeOrganization(page)
    await page.goto('/customers/new')
    await page.getByLabel('Name', { exact: true }).fill('Bob')
    network.fault = 'down'
    await page.getByRole('button', { name: 'Create customer' }).click()
    // The link: its words are also said to screen readers, a little later, as a text of its own.
    const chip = page.getByRole('banner').getByRole('link', { name: '1 waiting' })
    await expect(chip).toBeVisible()
    const offer = page.getByRole('region', { name: 'Keep Docket on this device' })
    await expect(offer).toHaveCount(0)
    const said = page.locator('[data-sonner-toast]').filter({ hasText: 'No connection to the server' })
    for (const button of [/Switch organization/, /^Sign out/, /^Sign out/]) {
      await page.getByRole('button', { name: button }).click()
      await expect(said).toHaveCount(1)
      await expect(said).toHaveCount(0)
    }
    await expect(chip).toBeVisible()
    network.fault = 'none'
    await expect(page.getByRole('heading', { name: 'Bob' })).toBeVisible()
    await expect(offer).toBeVisible()
    await page.getByRole('button', { name: /Switch organization/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Ann Works' })).toBeVisible()
  })
})

test('without a worker every screen and dialog is there when the network is gone, once the page has had a moment', async ({
  browser,
  docket,
  network,
}) => {
  const context = await browser.newContext({ serviceWorkers: 'block', baseURL: network.url, locale: 'en-GB' })
  const page = await context.newPage()
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/assets/')) asked += 1
  })
  await registerAndVerify(page, docket)
  await makeOrganization(page)
  await makeCustomer(page)
  await makeDraft(page)
  const first = asked
  await expect
    .poll(
      async () => {
        const before = asked
        await new Promise((resolve) => setTimeout(resolve, 3000))
        return before > first + 40 && asked === before
      },
      { timeout: 120_000 },
    )
    .toBe(true)
  network.fault = 'down'
  for (const name of ['Items', 'Customers', 'Organizations', 'Invoices']) {
    await page.getByRole('navigation').getByRole('link', { name }).filter({ visible: true }).click()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  }
  await page.getByRole('list', { name: 'Invoices' }).getByRole('link').first().click()
  await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Order reference').fill('Offline')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('button', { name: /Switch organization/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Ann Works' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('banner').getByRole('link', { name: '1 waiting' }).click()
  await expect(page.getByRole('heading', { name: 'Unsent', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('dialog', { name: '1 change not sent yet' }).getByRole('button', { name: 'Cancel' }).click()
  await context.close()
})

test('a worker killed in the middle of a call: sent twice, done once', async ({ page, docket, network, context }) => {
  await signUp(page, docket)
  const devtools = await context.newCDPSession(page)
  await devtools.send('ServiceWorker.enable')
  let kills = 0
  network.before = async (request) => {
    if (request.method !== 'POST' || !request.url?.endsWith('/organizations') || kills++ > 0) return undefined
    setTimeout(() => void devtools.send('ServiceWorker.stopAllWorkers'), 50)
    await new Promise((resolve) => setTimeout(resolve, 500))
    return undefined
  }
  await page.getByRole('button', { name: 'New organization' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Once')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await expect(page.getByRole('heading', { name: 'Once' })).toBeVisible()
  await page.goto('/dashboard/organizations')
  await expect(page.getByRole('link', { name: /Once/ })).toHaveCount(1)
})

test('no token stands where a script of the page can read it without digging, nor in any address or log', async ({
  page,
  docket,
  context,
}) => {
  const printed: string[] = []
  page.on('console', (message) => printed.push(message.text()))
  await registerAndVerify(page, docket)
  await makeOrganization(page)
  const found = await page.evaluate(async () => {
    const caches = (await window.caches.keys()).length
    const stores = [
      JSON.stringify(localStorage),
      JSON.stringify(sessionStorage),
      document.cookie,
      document.documentElement.outerHTML,
      location.href,
    ]
    const kept = await Promise.all(
      (await window.caches.keys()).map(async (name) =>
        (await (await window.caches.open(name)).keys()).map(({ url }) => url),
      ),
    )
    return { caches, text: [...stores, ...kept.flat()].join('\n') }
  })
  for (const secret of [/eyJ[\w-]+\.[\w-]+\./, /\br_[\w-]{20,}/, /verificationToken=v_/]) {
    expect(found.text).not.toMatch(secret)
    expect(printed.join('\n')).not.toMatch(secret)
    expect(docket.server.output()).not.toMatch(secret)
  }
  expect(found.text).not.toContain('/api/v1/')
  // The key pair can sign and can never be read.
  const exported = await page.evaluate(async () => {
    const opening = indexedDB.open('docket-session')
    const database = await new Promise<IDBDatabase>((resolve) => (opening.onsuccess = () => resolve(opening.result)))
    const request = database.transaction('session').objectStore('session').get('deviceKey')
    const pair = await new Promise<CryptoKeyPair>(
      (resolve) => (request.onsuccess = () => resolve(request.result as CryptoKeyPair)),
    )
    return crypto.subtle.exportKey('pkcs8', pair.privateKey).then(
      () => 'exported',
      (error: Error) => error.name,
    )
  })
  expect(exported).toBe('InvalidAccessError')
  await context.close()
})

test.describe('guards', () => {
  test('nobody signed in: to login, and back to where they were going', async ({ page, docket }) => {
    const email = await signUp(page, docket)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    for (const path of [
      '/dashboard',
      '/dashboard/organizations',
      '/organization/0190f0a0-0000-7000-8000-000000000000',
      '/invoices',
    ]) {
      await page.goto(path)
      await expect(page).toHaveURL(/\/login/)
    }
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(/\/invoices$/)
    await page.goto('/login')
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('an ended session: with the next sign-in every tab goes back to its own place, but for another person', async ({
    page,
    docket,
    network,
    context,
  }) => {
    const ann = await signUp(page, docket)
    const { email: bob } = await registeredAccount(docket.server.url, { place: network.place })
    const second = await context.newPage()
    await second.goto('/customers/new?from=here')
    const end = async () => {
      const { call } = await signedInAccount(docket.server.url, ann)
      const headers = { 'idempotency-key': uuidv7() }
      expect((await call('POST', '/account/sessions/end-others', undefined, headers)).status).toBe(200)
      await page.goto('/account/security')
      for (const tab of [page, second]) await expect(tab.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    }
    const signIn = async (email: string) => {
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    await end()
    await signIn(ann)
    await expect(page).toHaveURL(/\/account\/security$/)
    await expect(second).toHaveURL(/\/customers\/new\?from=here$/)
    await end()
    await signIn(bob)
    await expect(second).toHaveURL(/\/dashboard$/)
  })

  test('waiting for verification: kept on verify-email, with its words; verified elsewhere it is noticed on focus', async ({
    page,
    docket,
    browser,
    network,
  }) => {
    const email = await registerOnly(page)
    await expect(
      page.getByText('We sent a verification link to your email. Click the link to finish setting up your account.'),
    ).toBeVisible()
    await expect(page.getByText(/spam or promotions/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open mail app' })).toBeVisible()
    await expect(page.getByText(/account settings|Account/).first()).toBeVisible()
    for (const path of ['/dashboard', '/invoices', '/dashboard/organizations']) {
      await page.goto(path)
      await expect(page).toHaveURL(/\/verify-email/)
    }
    const elsewhere = await browser.newContext({ baseURL: network.url })
    const other = await elsewhere.newPage()
    await other.goto(await mailedLink(docket, email))
    await expect(other).toHaveURL(/\/dashboard$/)
    await elsewhere.close()
    await page.waitForTimeout(5100)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('a link that is no longer good: Failed to verify email, and nothing else is lost', async ({ page }) => {
    await registerOnly(page)
    await page.goto('/verify-email?verificationToken=v_wrong')
    await expect(page.getByText('Failed to verify email')).toBeVisible()
    await expect(page).not.toHaveURL(/v_wrong/)
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
    await expect(page.getByText(/^This link is no longer good\./)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Resend link' })).toBeVisible()
  })

  test('a used link on a device that is not signed in says so and leads to sign in; no Resend that nobody can answer', async ({
    page,
    docket,
    browser,
    network,
  }) => {
    const email = await registerOnly(page)
    const link = await mailedLink(docket, email)
    await page.goto(link)
    await expect(page).toHaveURL(/\/dashboard$/)
    const elsewhere = await browser.newContext({ baseURL: network.url })
    const other = await elsewhere.newPage()
    await other.goto(link)
    await expect(other.getByText('Failed to verify email')).toBeVisible()
    await expect(other.getByRole('heading', { name: 'This link is no longer good' })).toBeVisible()
    await expect(other.getByText('We sent a verification link')).toHaveCount(0)
    await other.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await expect(other).toHaveURL(/\/login$/)
    await other.goto('/verify-email')
    await expect(other.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
    await expect(other.getByRole('button', { name: 'Resend link' })).toHaveCount(0)
    await other.getByRole('link', { name: 'Sign in to get a new link' }).click()
    await expect(other).toHaveURL(/\/login$/)
    await elsewhere.close()
  })

  test('a good one: Email verified', async ({ page, docket }) => {
    const email = await registerOnly(page)
    await page.goto(await mailedLink(docket, email))
    await expect(page.getByText('Email verified')).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
  })
})

test('signing out in one tab signs out every tab, and takes the person’s data from the device', async ({
  page,
  docket,
  context,
}) => {
  await signUp(page, docket, { organization: 'Private Works' })
  await page.goto('/dashboard')
  await page.waitForTimeout(1500)
  const second = await context.newPage()
  await second.goto('/dashboard')
  await expect(second.getByText('Private Works').first()).toBeVisible()
  await page.goto('/customers/new')
  await page.getByLabel('Name', { exact: true }).fill('Private Customer')
  await second.goto('/invoices/new')
  await second.getByLabel('Description, Line 1').fill('Private Work')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(second.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.waitForTimeout(1500)
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('Private')
  // The canary, the install offer and the note that somebody left name nobody (decisions 017, 018).
  const ofNobody = ['docket.canary', 'docket.install', 'docket.leaving']
  const keys = await page.evaluate(() => Object.keys(localStorage))
  expect(keys.filter((key) => !ofNobody.includes(key))).toEqual(['docket.session'])
  expect(new URL(page.url()).search).toBe('')
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login/)
})

test('no network signs anybody out: dead server, captive portal, and back', async ({ page, docket, network }) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  await page.goto('/invoices')
  await expect(page.getByRole('heading', { name: 'Invoices' })).toBeVisible()
  for (const fault of ['hang', 'portal', 'down'] as const) {
    network.fault = fault
    await page.goto('/invoices')
    await expect(page.getByRole('heading', { name: 'Invoices' })).toBeVisible()
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(page).toHaveURL(/\/invoices$/)
  }
  // What hung since the first of them is given up after 20 s. It notices by itself that the server is back.
  await expect(page.getByText(/offline/i).first()).toBeVisible({ timeout: 30_000 })
  network.fault = 'none'
  await expect(page.getByText(/offline/i)).toHaveCount(0, { timeout: 30_000 })
  await page.goto('/customers')
  await expect(page.getByRole('heading', { name: 'Customers' })).toBeVisible()
  await expect(page.getByText(/no connection/i)).toHaveCount(0)
})
