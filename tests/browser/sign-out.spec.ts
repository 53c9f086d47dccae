// Signing out reaches every tab: controlled or not, frozen, away and back again; and nothing of the person stays to be seen.
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { browserOptions } from '#tools/browser.ts'
import {
  controlled,
  expect,
  issueDraft,
  makeCustomer,
  makeDraft,
  makeItem,
  password,
  pulled,
  signUp,
  test,
  type Docket,
} from '#tests/support/browser.ts'
import { openNetwork } from '#tests/support/network.ts'
import { askAgain, fetchIn, hostGateway, openDevtools, vaultOf } from '#tests/support/session-faults.ts'
import { tracesOf } from '#tests/support/traces.ts'

declare global {
  interface Window {
    /** When this tab heard that nobody is signed in any more, and when its button was pressed; milliseconds since 1970. */
    toldAt?: number
    clickedAt?: number
    wasRestored?: boolean
    /** Whether a dialog could still be seen when the screen was hidden. */
    seenWhenHidden?: boolean
    /** No call is answered any more. */
    isHeld?: boolean
    /** Closes the database that this tab holds. */
    letGo?: () => void
  }
}

const secrets = /Private (Works|Customer)/

async function noteWhenTold(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const hear = ({ data }: MessageEvent<{ type?: string; session?: { status?: string } } | null>) => {
      if (data?.type === 'session-changed' && data.session?.status === 'anonymous') window.toldAt ??= Date.now()
    }
    new BroadcastChannel('docket').addEventListener('message', hear)
    navigator.serviceWorker.addEventListener('message', hear)
    window.addEventListener('click', () => (window.clickedAt = Date.now()), { capture: true })
  })
}

async function expectSignedOut(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  const seen = async () => secrets.exec(await page.content())?.[0] ?? null
  await expect.poll(seen).toBeNull()
  await expect(page).toHaveTitle('Sign in · Docket')
}

/** Of the organization that is open; kept on this device under its id. */
async function withLogo(page: Page): Promise<string> {
  const organization = page.url()
  await page.goto(`${organization}/settings`)
  await page.getByLabel('Choose a picture').setInputFiles('public/icons/icon-192.png')
  await page.getByRole('button', { name: 'Save logo' }).click()
  await expect(page.getByRole('img', { name: 'Your logo' })).toBeVisible()
  await page.goto(organization)
  return /organization\/([\w-]+)/.exec(organization)![1]!
}

const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' }).click()

/** Signed in, with something of one's own on the screen. */
async function withPrivateWorks(page: Page, docket: Parameters<typeof signUp>[1]): Promise<void> {
  await signUp(page, docket, { organization: 'Private Works', customer: 'Private Customer' })
}

/** The worker has brought the copy up to date and has told all there was to tell of it. */
function nothingUnderWay(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let quiet: ReturnType<typeof setTimeout> | undefined
        navigator.serviceWorker.addEventListener('message', ({ data }) => {
          if (data?.type !== 'reach' && quiet === undefined) return
          clearTimeout(quiet)
          quiet = setTimeout(resolve, 300)
        })
        navigator.serviceWorker.controller!.postMessage({ type: 'sync' })
      }),
  )
}

for (const [signer, most] of [
  ['a controlled tab', 20],
  ['a tab that runs the gateway itself', 8],
] as const)
  test(`${most} tabs are told by ${signer}`, async ({ page, docket, context }) => {
    await withPrivateWorks(page, docket)
    const others: Page[] = []
    while (others.length < most - 1) others.push(await context.newPage())
    const paths = ['/dashboard', '/customers', '/dashboard/organizations', '/invoices/new']
    const open = async (tab: Page, index: number) => {
      await noteWhenTold(tab)
      const path = paths[index % paths.length]!
      // Every fifth is not controlled by the worker.
      if (index % 5 === 0) await hostGateway(tab, path)
      else await tab.goto(path)
      await expect(tab.getByText(secrets).first()).toBeAttached()
    }
    // A few at a time, or the slowest of them would wait for all.
    for (let from = 0; from < others.length; from += 5)
      await Promise.all(others.slice(from, from + 5).map((tab, index) => open(tab, from + index)))
    const away = others.pop()!
    await away.goto('about:blank')
    const speaker = signer === 'a controlled tab' ? page : others[0]!
    if (speaker === page) {
      await noteWhenTold(page)
      await page.goto('/customers')
    }
    await signOut(speaker)
    const tabs = [page, ...others]
    await Promise.all(tabs.map(expectSignedOut))
    const clickedAt = await speaker.evaluate(() => window.clickedAt!)
    const heard = others.filter((tab) => tab !== speaker)
    const toldAt = await Promise.all(heard.map((tab) => tab.evaluate(() => window.toldAt!)))
    test.info().annotations.push({
      type: 'click to last tab told',
      description: `${Math.max(...toldAt) - clickedAt} ms, ${heard.length} tabs`,
    })
    // oxlint-disable-next-line no-console -- A figure for whoever runs this.
    console.info(
      `From the click in ${signer} to the last of ${heard.length} tabs told: ${Math.max(...toldAt) - clickedAt} ms`,
    )

    await away.goBack()
    await expectSignedOut(away)
    expect(await vaultOf(page)).toEqual({ authToken: '', refreshToken: '' })
  })

test('a frozen tab sees it when it wakes', async ({ page, docket, context }) => {
  await withPrivateWorks(page, docket)
  const sleeper = await context.newPage()
  await sleeper.goto('/customers')
  await expect(sleeper.getByText(secrets).first()).toBeVisible()
  const { session } = await openDevtools(sleeper)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  await signOut(page)
  await expectSignedOut(page)
  await session.send('Page.setWebLifecycleState', { state: 'active' })
  await expectSignedOut(sleeper)
})

test('a page in the back-forward cache shows nobody’s data when it is come back to', async ({ docket }) => {
  const elsewhere = await openNetwork(0, () => docket.server.url, { '/': ['text/html', '<p>Elsewhere</p>'] })
  const browser = await chromium.launch({
    ...browserOptions(),
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  try {
    const context = await browser.newContext({ baseURL: docket.network.url, locale: 'en-GB' })
    const page = await context.newPage()
    await withPrivateWorks(page, docket)
    const other = await context.newPage()
    await other.addInitScript(() => {
      window.addEventListener('pageshow', ({ persisted }) => (window.wasRestored = persisted))
    })
    const leaveAndReturn = async (meanwhile: () => Promise<void>) => {
      await other.goto('/customers')
      await expect(other.getByText(secrets).first()).toBeVisible()
      await nothingUnderWay(other)
      await other.goto(elsewhere.url)
      await expect(other.getByText('Elsewhere')).toBeVisible()
      await meanwhile()
      // The page that would answer is the one that goes.
      await other.evaluate(() => void setTimeout(() => history.back()))
    }
    // That it is kept at all, else this test says nothing. The browser drops a page that something is told to, so no other one may be open; what its
    // worker is told by the network while it is gone is told to it as well, now and then.
    await page.goto('about:blank')
    const isKept = async () => {
      await leaveAndReturn(async () => {})
      await expect(other.getByText(secrets).first()).toBeVisible()
      return other.evaluate(() => window.wasRestored)
    }
    await expect.poll(isKept).toBe(true)

    await page.goto('/customers')
    await leaveAndReturn(async () => {
      await signOut(page)
      await expectSignedOut(page)
    })
    await expectSignedOut(other)
    const wasRestored = await other.evaluate(() => window.wasRestored)
    test.info().annotations.push({ type: 'after sign-out', description: wasRestored ? 'restored' : 'evicted' })
  } finally {
    await browser.close()
    await elsewhere.close()
  }
})

test('what lies over the screen goes with it, at once', async ({ page, docket, context }) => {
  await withPrivateWorks(page, docket)
  const other = await context.newPage()
  await other.addInitScript(() => {
    const look = (changes: MutationRecord[]) => {
      if (changes.some(({ target }) => target instanceof HTMLElement && target.hidden && target.contains(root())))
        window.seenWhenHidden ??= document.querySelector('[role=dialog]')!.checkVisibility()
    }
    const root = () => document.querySelector('#root')
    new MutationObserver(look).observe(document, { subtree: true, attributes: true, attributeFilter: ['hidden'] })
  })
  await other.goto('/account/data')
  await other.getByRole('button', { name: 'Delete account' }).click()
  await expect(other.getByRole('dialog')).toBeVisible()
  await signOut(page)
  await expectSignedOut(other)
  expect(await other.evaluate(() => window.seenWhenHidden)).toBe(false)
  await expect(other.getByRole('dialog')).toHaveCount(0)
})

test('a next screen whose files never come leaves no blank page', async ({ page, docket, context }) => {
  await withPrivateWorks(page, docket)
  const other = await context.newPage()
  await hostGateway(other, '/customers')
  await expect(other.getByText(secrets).first()).toBeVisible()
  // Past the worker: its own copies would answer.
  const held: string[] = []
  await other.route('**/assets/**', (route) => void held.push(route.request().url()))
  await signOut(page)
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await expect(other.locator('body')).toBeHidden()
  await expectSignedOut(other)
})

/** Ann's tab heard nothing: she signed out in another one, where Bob signed in. */
async function withStaleScreen(page: Page, docket: Docket, context: BrowserContext, browser: Browser): Promise<Page> {
  const elsewhere = await browser.newContext({ baseURL: docket.network.url, locale: 'en-GB' })
  const bob = await signUp(await elsewhere.newPage(), docket)
  await elsewhere.close()
  await page.addInitScript(() => {
    for (const target of [BroadcastChannel, ServiceWorkerContainer]) target.prototype.addEventListener = () => {}
    const { fetch } = window
    window.fetch = (...sent) => (window.isHeld ? new Promise(() => {}) : fetch(...sent))
    // It is looked at only when the test says so.
    for (const type of ['focus', 'visibilitychange'])
      window.addEventListener(type, (event) => event.isTrusted && event.stopImmediatePropagation(), { capture: true })
  })
  await withPrivateWorks(page, docket)
  const second = await context.newPage()
  await second.goto('/dashboard')
  await signOut(second)
  await second.getByLabel('Email').fill(bob)
  await second.getByLabel('Password').fill(password)
  await second.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(second.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(page.getByText(secrets).first()).toBeVisible()
  return second
}

const somebodyElse = 'Somebody else is signed in on this device now'

test('signing out on a screen that is somebody else’s by now ends nobody’s session and says so', async ({
  page,
  docket,
  context,
  browser,
}) => {
  const second = await withStaleScreen(page, docket, context, browser)
  const bob = await second.evaluate(() => {
    const { userId } = JSON.parse(localStorage.getItem('docket.session')!) as { userId: string }
    localStorage.setItem(`docket.paint.${userId}.draft.x`, '"typed by Bob"')
    return userId
  })
  await signOut(page)
  await expect(page.getByText(somebodyElse)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  expect(secrets.exec(await page.content())).toBeNull()
  expect(await page.evaluate((key) => localStorage.getItem(key), `docket.paint.${bob}.draft.x`)).toBe('"typed by Bob"')
  expect((await vaultOf(page)).authToken).not.toBe('')
  await second.reload()
  await expect(second.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

test('a tab that comes back to somebody else’s session shows nothing of the one before', async ({
  page,
  docket,
  context,
  browser,
}) => {
  await withStaleScreen(page, docket, context, browser)
  // Before anybody has answered.
  await page.evaluate(() => {
    window.isHeld = true
    window.dispatchEvent(new Event('focus'))
  })
  await expect(page.getByText(somebodyElse)).toBeVisible()
  expect(secrets.exec(await page.content())).toBeNull()
})

test('who signs in while the one before is still being taken off the device stays signed in', async ({
  page,
  docket,
  context,
  browser,
}) => {
  const elsewhere = await browser.newContext({ baseURL: docket.network.url, locale: 'en-GB' })
  const bob = await signUp(await elsewhere.newPage(), docket)
  await elsewhere.close()
  await withPrivateWorks(page, docket)
  // As a tab that is frozen holds it: it is deleted only when this one lets go.
  const holder = await context.newPage()
  await holder.goto('/manifest.webmanifest')
  await holder.evaluate(async () => {
    const { name } = (await indexedDB.databases()).find((each) => each.name?.startsWith('docket-device.'))!
    const opening = indexedDB.open(name!)
    await new Promise((resolve) => (opening.onsuccess = resolve))
    window.letGo = () => opening.result.close()
  })
  const answered = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/auth/logout'))
  await signOut(page)
  await page.getByLabel('Email').fill(bob)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await holder.evaluate(() => window.letGo!())
  await answered
  // As long as the page takes to put somebody who left out of sight.
  await page.waitForTimeout(1000)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  expect((await vaultOf(page)).authToken).not.toBe('')
})

test('of who signed out no byte can be read on the device: no name, amount, note, id or token, however it is spelled', async ({
  page,
  docket,
  network,
  context,
}) => {
  const email = await signUp(page, docket, { organization: 'Zilverreiger Works' })
  const organizationId = await withLogo(page)
  await makeCustomer(page, 'Ooievaar Customer')
  await makeItem(page, 'Kieviet hour', '85.50')
  await makeDraft(page, 'Ooievaar Customer')
  await controlled(page)
  const base = `/organizations/${organizationId}`
  const { body: drafts } = await fetchIn(page, `${base}/invoices`)
  const { body: draft } = await fetchIn(page, `${base}/invoices/${drafts.data[0].id}`)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Notes').fill('Grutto in the reeds')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await issueDraft(page)
  await page.getByRole('button', { name: 'Record payment' }).click()
  await page.getByRole('dialog').getByLabel('Amount (EUR)').fill('613.37')
  await page.getByRole('dialog').getByLabel('Reference').fill('Wulp 4711')
  await page.getByRole('dialog').getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByText('Partly paid')).toBeVisible()
  for (const path of ['/dashboard', '/invoices?q=Ooievaar', '/customers', '/items', '/account']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await expect.poll(() => pulled(page)).toBe(true)
  // Half typed in another tab, and not sent in this one.
  const typing = await context.newPage()
  await typing.goto('/customers/new')
  await typing.getByLabel('Name', { exact: true }).fill('Kluut half typed')
  await expect
    .poll(() => typing.evaluate(() => JSON.stringify(Object.entries(localStorage))))
    .toContain('Kluut half typed')
  network.fault = 'down'
  await makeCustomer(page, 'Scholekster unsent')
  const { authToken, refreshToken } = await vaultOf(page)
  const { sub: userId, sid } = JSON.parse(Buffer.from(authToken.split('.')[1]!, 'base64url').toString())
  const secrets = {
    person: 'Ann Works',
    email,
    organization: 'Zilverreiger',
    customer: 'Ooievaar',
    item: 'Kieviet',
    note: 'Grutto',
    reference: 'Wulp 4711',
    amount: '917.18',
    payment: '613.37',
    typed: 'Kluut half typed',
    unsent: 'Scholekster',
    userId,
    sid,
    organizationId,
    customerId: draft.customerId,
    invoiceId: draft.id,
    authToken,
    signature: authToken.split('.')[2]!,
    refreshToken,
  }
  // While they lie there the look finds every one of them.
  const before = await tracesOf(page, secrets)
  const unseen = Object.keys(secrets).filter((name) => !before.some((each) => each.startsWith(`${name} in `)))
  expect(unseen).toEqual([])
  expect(before).toContainEqual(expect.stringContaining(`organizationId in cache /logos/${organizationId}`))

  await page.getByRole('button', { name: 'Sign out' }).click()
  for (const asked of ['1 change not sent yet', 'Something you typed would be lost'])
    await page.getByRole('dialog', { name: asked }).getByRole('button', { name: 'Discard and sign out' }).click()
  for (const tab of [page, typing]) await expect(tab.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  // The server has not heard of it yet: until then the token that ends the session there is kept, and nothing else.
  await expect.poll(() => tracesOf(page, secrets)).toEqual(['refreshToken in database docket-session session'])
  network.fault = 'none'
  await askAgain(page)
  await expect.poll(() => tracesOf(page, secrets)).toEqual([])
  expect(await tracesOf(typing, secrets)).toEqual([])
})

// As an app that is swiped away. What localStorage was told in its last seconds is lost by that, also that something is gone.
for (const afterMs of [20, 400])
  test(`of who signed out nothing is left when the browser is killed ${afterMs} ms later`, async ({ docket }, info) => {
    const profile = info.outputPath('profile')
    const open = () =>
      chromium.launchPersistentContext(profile, {
        ...browserOptions(),
        baseURL: docket.network.url,
        locale: 'en-GB',
      })
    const context = await open()
    const page = context.pages()[0]!
    await signUp(page, docket, { organization: 'Private Works' })
    const organizationId = await withLogo(page)
    await makeCustomer(page, 'Private Customer')
    await controlled(page)
    await expect.poll(() => pulled(page)).toBe(true)
    await page.goto('/customers/new')
    await page.getByLabel('Name', { exact: true }).fill('Private half typed')
    // Long enough for all of that to lie on the disk.
    await page.waitForTimeout(8000)
    const { authToken } = await vaultOf(page)
    const { sub: userId } = JSON.parse(Buffer.from(authToken.split('.')[1]!, 'base64url').toString())
    const left = {
      works: 'Private Works',
      customer: 'Private Customer',
      typed: 'Private half typed',
      userId,
      organizationId,
    }
    await page.getByRole('button', { name: 'Sign out' }).click()
    const leave = page.getByRole('dialog').getByRole('button', { name: 'Discard' })
    await leave.waitFor()
    const devtools = await context.browser()!.newBrowserCDPSession()
    const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
    const closed = new Promise((resolve) => context.once('close', resolve))
    await leave.click()
    await page.waitForTimeout(afterMs)
    process.kill(processInfo.find(({ type }) => type === 'browser')!.id, 'SIGKILL')
    await closed

    const again = await open()
    const back = again.pages()[0]!
    await back.goto('/dashboard')
    await expect(back.getByRole('heading', { level: 1 })).toBeVisible()
    // A press that never came to the disk ends nothing.
    const isSignedIn = (await vaultOf(back)).authToken !== ''
    info.annotations.push({ type: 'killed', description: isSignedIn ? 'before it began' : 'while signing out' })
    if (!isSignedIn) {
      // The first frame is of localStorage, which may not have heard; the gateway's word takes it away.
      await expect.poll(async () => secrets.exec(await back.content())).toBeNull()
      await back.goto('/login')
      await expectSignedOut(back)
      await expect.poll(() => tracesOf(back, left), { timeout: 20_000 }).toEqual([])
    }
    await again.close()
  })

test('a byte that stayed is found, wherever it lies and however it is spelled', async ({ page, context, docket }) => {
  await page.goto('/login')
  const id = '0199bb6b-cc09-7b47-831c-881e0c80a73b'
  const secrets = { name: 'Ooievaar', id }
  expect(await tracesOf(page, secrets)).toEqual([])
  await context.addCookies([{ name: 'left', value: 'Ooievaar', url: docket.network.url, httpOnly: true }])
  await page.evaluate(async (uuid) => {
    const bytes = Uint8Array.from(uuid.replaceAll('-', '').match(/../g)!, (pair) => parseInt(pair, 16))
    const wide = (text: string) => Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    localStorage.setItem(`left.${btoa('to Ooievaar')}`, '1')
    sessionStorage.setItem('left', JSON.stringify({ deep: [uuid.toUpperCase()] }))
    history.replaceState({ left: uuid.replaceAll('-', '') }, '')
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('left')
      opening.onupgradeneeded = () => {
        for (const store of ['keys', 'bytes', 'wide', 'blobs', 'maps']) opening.result.createObjectStore(store)
      }
      opening.onsuccess = () => resolve(opening.result)
    })
    const writing = database.transaction([...database.objectStoreNames], 'readwrite')
    writing.objectStore('keys').put(1, ['a', uuid])
    writing.objectStore('bytes').put({ deep: [bytes.buffer] }, 1)
    writing.objectStore('wide').put(wide('an Ooievaar'), 1)
    writing.objectStore('blobs').put(new Blob([btoa(String.fromCharCode(7, ...bytes))]), 1)
    writing.objectStore('maps').put(new Map([['of', new Set(['Ooievaar'])]]), 1)
    await new Promise((resolve) => (writing.oncomplete = resolve))
    database.close()
    const cache = await caches.open('left')
    await cache.put('/in-the-address?of=Ooievaar', new Response('nothing'))
    await cache.put('/in-a-header', new Response('nothing', { headers: { 'x-left': uuid } }))
    await cache.put('/in-the-body', new Response(wide('Ooievaar')))
    const file = await (await navigator.storage.getDirectory()).getFileHandle('left', { create: true })
    const stream = await file.createWritable()
    await stream.write(bytes)
    await stream.close()
  }, id)
  expect(await tracesOf(page, secrets)).toEqual(
    [
      'name in cache /in-the-address',
      'name in cache /in-the-body',
      'name in cookie left',
      'name in database left maps',
      'name in database left wide',
      'name in localStorage',
      'id in cache /in-a-header',
      'id in database left blobs',
      'id in database left bytes',
      'id in database left keys',
      'id in files',
      'id in history',
      'id in sessionStorage',
    ].toSorted(),
  )
})
