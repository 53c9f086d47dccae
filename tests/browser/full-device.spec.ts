// A device without room, where the browser itself refuses to store: the form is kept, the reason is said, and with room again it is saved (OFFLINE.md).
import type { Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { signedInAccount } from '#tests/support/api-client.ts'
import { customerBody, invoiceBody } from '#tests/support/bodies.ts'
import { expect, go, makeCustomer, password, signUp, test, type Docket } from '#tests/support/browser.ts'
import { look } from '#tests/support/look.ts'
import type { Network } from '#tests/support/network.ts'
import { expireToken, fetchIn } from '#tests/support/session-faults.ts'

const quotaBytes = 12_000_000

/** Something else of this origin takes all the room that is left; resolves to what the browser said at last. */
function fill(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('something-else', 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('bulk', { autoIncrement: true })
      opening.onsuccess = () => resolve(opening.result)
    })
    let said = ''
    // Random, because what is all alike is stored in next to nothing.
    for (let bytes = 65_536; bytes >= 16;) {
      const tx = database.transaction('bulk', 'readwrite', { durability: 'strict' })
      tx.objectStore('bulk').put(crypto.getRandomValues(new Uint8Array(bytes)))
      const refused = await new Promise<string | null>((resolve) => {
        tx.oncomplete = () => resolve(null)
        tx.onabort = () => resolve(tx.error?.name ?? '')
      })
      if (refused === null) continue
      said = refused
      bytes /= 4
    }
    database.close()
    return said
  })
}

/** It is gone again. */
function empty(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.deleteDatabase('something-else').onsuccess = () => resolve()
      }),
  )
}

/** Somebody's device that has little room, with everything pulled. */
async function begin(page: Page, docket: Docket, network: Network): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  // Before anything is stored: the browser goes on for a while with the room that it saw.
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: network.url, quotaSize: quotaBytes })
  await signUp(page, docket, { organization: 'Ann Works' })
}

test('what the storage refuses stays in its form, with a network and without, and is saved once there is room', async ({
  page,
  docket,
  network,
}) => {
  await begin(page, docket, network)
  await makeCustomer(page, 'Bob the Baker')
  await go(page, 'Customers')
  await page.getByRole('button', { name: 'New customer' }).click()
  const name = page.getByLabel('Name', { exact: true })
  const save = () => page.getByRole('button', { name: 'Create customer' }).click()
  const reason = page.getByRole('alert').filter({ hasText: 'This device has no room left, so nothing was saved.' })
  const written = () => network.passed.filter(({ method, path }) => method === 'POST' && path.endsWith('/customers'))
  await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
  const before = written().length
  await name.fill('Zoe the Last')
  expect(await fill(page)).toBe('QuotaExceededError')

  for (const fault of ['none', 'down'] as const) {
    network.fault = fault
    await save()
    await expect(reason).toBeVisible()
    await expect(name).toHaveValue('Zoe the Last')
    await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
    // Text of forms has room of its own.
    await page.reload()
    await expect(page.getByText('It has been put back')).toBeVisible()
    await expect(name).toHaveValue('Zoe the Last')
    await expect(reason).toHaveCount(0)
  }
  network.fault = 'none'
  expect(written()).toHaveLength(before)
  await empty(page)
  await save()
  await expect(page.getByRole('heading', { name: 'Zoe the Last' })).toBeVisible()
  await go(page, 'Customers')
  await expect(page.getByRole('main').getByRole('link', { name: /Bob the Baker|Zoe the Last/ })).toHaveCount(2)
  await expect.poll(() => written().length).toBe(before + 1)
})

test('what waits is sent from a device that has no room left for a note of it', async ({ page, docket, network }) => {
  await begin(page, docket, network)
  network.fault = 'down'
  for (const name of ['Zoe the First', 'Zoe the Second']) await makeCustomer(page, name)
  await expect(page.getByRole('link', { name: '2 waiting' })).toBeVisible()
  expect(await fill(page)).toBe('QuotaExceededError')

  network.fault = 'none'
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
  const made = network.passed.filter(({ method, path }) => method === 'POST' && path.endsWith('/customers'))
  expect(made.map(({ status }) => status)).toEqual([201, 201])

  // With room again the copy is as it is at the server.
  await empty(page)
  await page.reload()
  await go(page, 'Customers')
  const list = page.getByRole('list', { name: 'Customers' })
  await expect(list.getByRole('link', { name: /Zoe the/ })).toHaveCount(2)
  await expect(list.getByText('Waiting')).toHaveCount(0)
})

test('what follows waits until there is room for the answer that it needs', async ({ page, docket, network }) => {
  await begin(page, docket, network)
  network.fault = 'down'
  await makeCustomer(page, 'Zoe the First')
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Zoe the Second')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Zoe the Second' })).toBeVisible()
  await expect(page.getByRole('link', { name: '2 waiting' })).toBeVisible()
  expect(await fill(page)).toBe('QuotaExceededError')

  network.fault = 'none'
  const online = () => page.evaluate(() => dispatchEvent(new Event('online')))
  const ofCustomers = () => network.passed.filter(({ method, path }) => method !== 'GET' && path.includes('/customers'))
  await online()
  await expect.poll(() => ofCustomers().length).toBeGreaterThan(0)
  await empty(page)
  await online()
  await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
  // Made once, however often it was sent; and what follows it names the version that it follows.
  const statuses = (asked: string) => [
    ...new Set(
      ofCustomers()
        .filter(({ method }) => method === asked)
        .map(({ status }) => status),
    ),
  ]
  expect({ made: statuses('POST'), changed: statuses('PUT') }).toEqual({ made: [201], changed: [200] })
  await go(page, 'Customers')
  await expect(page.getByRole('list', { name: 'Customers' }).getByRole('link', { name: /Zoe the/ })).toHaveText(
    /Second/,
  )
})

test('with a token that has ended too: what waits is sent, what is read is the server’s, and signing out works', async ({
  page,
  docket,
  network,
}) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: network.url, quotaSize: quotaBytes })
  const email = await signUp(page, docket, { organization: 'Ann Works' })
  network.fault = 'down'
  await makeCustomer(page, 'Zoe the First')
  await expireToken(page)
  expect(await fill(page)).toBe('QuotaExceededError')
  network.fault = 'none'
  const renewals = () => network.passed.filter(({ path }) => path.endsWith('/auth/refresh-token'))
  const before = renewals().length
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
  expect(renewals().length - before).toBeLessThanOrEqual(2)

  const { call } = await signedInAccount(docket.server.url, email)
  const [, organizationId] = /organization\/([\w-]+)/.exec(page.url())!
  const headers = { 'idempotency-key': uuidv7() }
  const made = await call(
    'POST',
    `/organizations/${organizationId}/customers`,
    customerBody({ name: 'Far Away' }),
    headers,
  )
  expect(made.status).toBe(201)
  await page.goto('/customers')
  await expect(page.getByRole('list', { name: 'Customers' }).getByRole('link', { name: /Far Away/ })).toBeVisible()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  const farewells = () => network.passed.filter(({ path }) => path.endsWith('/auth/logout')).map(({ status }) => status)
  await expect.poll(farewells).toContain(204)
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map((each) => each.name ?? ''))
  await expect.poll(databases).not.toContainEqual(expect.stringContaining('docket-device.'))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('what waits behind a decision holds no word of the server back, and nothing is said to be tried that was not', async ({
  page,
  docket,
  network,
}) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: network.url, quotaSize: quotaBytes })
  const email = await signUp(page, docket, { organization: 'Ann Works' })
  const [, organizationId] = /organization\/([\w-]+)/.exec(page.url())!
  const base = `/organizations/${organizationId}`
  const nobody = { ...customerBody({ name: 'Nobody' }), email: 'no' }
  const refused = await fetchIn(page, `${base}/customers`, { body: nobody, key: uuidv7() })
  expect(refused.status).toBe(422)
  const behind = await fetchIn(page, `${base}/invoices`, { body: invoiceBody(nobody.id), key: uuidv7() })
  expect(behind.status).toBe(202)
  expect(await fill(page)).toBe('QuotaExceededError')

  const { call } = await signedInAccount(docket.server.url, email)
  const headers = { 'idempotency-key': uuidv7() }
  expect((await call('POST', `${base}/customers`, customerBody({ name: 'Far Away' }), headers)).status).toBe(201)
  await page.goto('/customers')
  await expect(page.getByRole('list', { name: 'Customers' }).getByRole('link', { name: /Far Away/ })).toBeVisible()
  await page.goto('/unsent')
  await page.getByRole('button', { name: 'Retry', exact: true }).click()
  await expect(page.getByText('This device has no room left, so nothing was done.')).toBeVisible()
})

test('a sign-in says that there is no room for it, and works once there is', async ({ page, docket, network }) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: network.url, quotaSize: quotaBytes })
  const email = await signUp(page, docket)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(await fill(page)).toBe('QuotaExceededError')
  const signIn = async () => {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await signIn()
  const refused = page.getByRole('alert').filter({ hasText: 'This device has no room left' })
  await expect(refused).toHaveText(
    'This device has no room left, so you could not be signed in. Free some space, then try again.',
  )
  await look(page, 'sign-in without room')
  await empty(page)
  await signIn()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})
