// When the network is back an open page sends what waits, without a press: by what the browser tells it, and by its own ticker, within five seconds of its clock.
// The page's clock stands still here, so that nothing happens but by what the test does. How long the sending itself takes is measured by `npm run bench`.
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { signedInAccount, type Account } from '#tests/support/api-client.ts'
import { customerBody } from '#tests/support/bodies.ts'
import { expect, makeCustomer, makeDraft, signUp, test, type Docket } from '#tests/support/browser.ts'
import { limitedSeconds, type Network } from '#tests/support/network.ts'
import { fetchIn } from '#tests/support/session-faults.ts'

declare global {
  interface Window {
    ticked: Promise<void>
  }
}

/** Of the five that are promised; the rest is for the sending. */
const ticksWithinMs = 4000
const promisedMs = 5000

interface Books {
  /** Below `/api/v1`. */
  base: string
  /** The same person elsewhere: looking there moves nothing on this device. */
  elsewhere: Account
}

async function begin(page: Page, docket: Docket): Promise<Books> {
  await page.clock.install()
  const email = await signUp(page, docket, { organization: 'Ann Works' })
  const { body } = await fetchIn(page, '/organizations')
  return {
    base: `/organizations/${body.data[0].id}`,
    elsewhere: await signedInAccount(docket.server.url, email),
  }
}

/** From now on no timer of this page is due but by the test. The last tick was now, and what it asked for is over. */
async function standStill(page: Page, network: Network): Promise<void> {
  await page.evaluate(() => {
    window.ticked = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('message', ({ data }) => data?.type === 'reach' && resolve()),
    )
  })
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
  await page.evaluate(() => window.ticked)
  await network.quiet()
}

for (const fault of ['down', 'portal'] as const)
  test(`what waits goes by the ticker of a page that nobody touches (${fault})`, async ({ page, docket, network }) => {
    const { base, elsewhere } = await begin(page, docket)
    network.fault = fault
    await makeCustomer(page, 'Zoe of the hills')
    await makeDraft(page, 'Zoe of the hills')
    await page.getByRole('button', { name: 'Issue invoice' }).click()
    await expect(page.getByRole('link', { name: '3 waiting' })).toBeVisible()
    await standStill(page, network)

    network.fault = 'none'
    await page.clock.runFor(ticksWithinMs)
    const invoices = async () =>
      (await elsewhere.call('GET', `${base}/invoices`)).body.data as { number: string | null }[]
    await expect.poll(invoices, { timeout: 60_000 }).toMatchObject([{ number: expect.stringMatching(/^INV-/) }])
    const { body: customers } = await elsewhere.call('GET', `${base}/customers`)
    expect(customers.data).toMatchObject([{ name: 'Zoe of the hills' }])
    await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
  })

test('a page that was loaded anew goes on with what waited before: also what the server had put off', async ({
  page,
  docket,
  network,
}) => {
  const { base, elsewhere } = await begin(page, docket)
  network.before = async ({ method, url }) => (method === 'POST' && url?.endsWith('/customers') ? 'limited' : undefined)
  await makeCustomer(page, 'Zoe of the hills')
  await page.reload()
  await expect(page.getByRole('link', { name: '1 waiting' })).toBeVisible()
  await standStill(page, network)

  network.before = null
  // What the server asked for, by the worker's clock, which goes on.
  await pause(limitedSeconds * 1000 + 500)
  await page.clock.runFor(ticksWithinMs)
  await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
  const { body: customers } = await elsewhere.call('GET', `${base}/customers`)
  expect(customers.data).toMatchObject([{ name: 'Zoe of the hills' }])
})

// The worst moment: what asks whether the network is there has just begun, and hangs for good.
for (const fault of ['hang', 'stalled'] as const)
  test(`what waits goes by the next tick although the last one still hangs (${fault})`, async ({
    page,
    docket,
    network,
  }) => {
    const { base, elsewhere } = await begin(page, docket)
    network.fault = 'down'
    await makeCustomer(page, 'Zoe of the hills')
    await makeDraft(page, 'Zoe of the hills')
    await page.getByRole('button', { name: 'Issue invoice' }).click()
    await expect(page.getByRole('link', { name: '3 waiting' })).toBeVisible()
    await standStill(page, network)

    network.fault = fault
    const before = network.arrived.length
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    const asked = () => network.arrived.slice(before).map(({ method, path }) => `${method} ${path}`)
    await expect
      .poll(asked)
      .toEqual(expect.arrayContaining(['GET /api/v1/organizations', `POST /api/v1${base}/customers`]))
    network.fault = 'none'
    const backAtMs = performance.now()
    // Less than a page waits from tick to tick.
    await pause(2000)
    await page.clock.runFor(ticksWithinMs)
    await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
    const { body: invoices } = await elsewhere.call('GET', `${base}/invoices`)
    expect(invoices.data).toMatchObject([{ number: expect.stringMatching(/^INV-/) }])
    const { body: customers } = await elsewhere.call('GET', `${base}/customers`)
    expect(customers.data).toMatchObject([{ name: 'Zoe of the hills' }])
    const sent = network.arrived.findLast(({ path }) => path.endsWith('/issue'))!
    expect(sent.startedAt).toBeGreaterThan(backAtMs)
    expect(sent.startedAt).toBeLessThan(backAtMs + promisedMs)
  })

test('what waits goes at once when the browser says that the network or the person is back', async ({
  page,
  docket,
  network,
}) => {
  const { base, elsewhere } = await begin(page, docket)
  await standStill(page, network)
  const triggers: Record<string, () => void> = {
    online: () => window.dispatchEvent(new Event('online')),
    focus: () => window.dispatchEvent(new Event('focus')),
    visibilitychange: () => document.dispatchEvent(new Event('visibilitychange')),
    pageshow: () => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  }
  for (const [name, trigger] of Object.entries(triggers)) {
    network.fault = 'down'
    const kept = await fetchIn(page, `${base}/customers`, { body: customerBody({ name }), key: uuidv7() })
    expect(kept.status).toBe(202)
    await network.quiet()
    network.fault = 'none'
    await page.evaluate(trigger)
    const names = async () => {
      const { body } = await elsewhere.call('GET', `${base}/customers`)
      return (body.data as { name: string }[]).map((each) => each.name)
    }
    await expect.poll(names, { timeout: 60_000, message: name }).toContain(name)
  }
  const { body } = await elsewhere.call('GET', `${base}/customers`)
  expect(body.data).toHaveLength(Object.keys(triggers).length)
})

test.describe('with no page there', () => {
  /** The browser's own wake-up, as it comes when it believes that there is a network; how the worker lets it end. */
  async function wake(context: BrowserContext): Promise<'done' | 'again'> {
    const [worker] = context.serviceWorkers()
    await worker!.evaluate(() => {
      interface Waiting {
        waitUntil: (work: Promise<unknown>) => void
      }
      const scope = globalThis as unknown as { woken: string; ExtendableEvent: { prototype: Waiting } }
      scope.woken = ''
      const { prototype } = scope.ExtendableEvent
      const { waitUntil } = prototype
      prototype.waitUntil = function (work) {
        prototype.waitUntil = waitUntil
        work.then(
          () => (scope.woken = 'done'),
          () => (scope.woken = 'again'),
        )
        waitUntil.call(this, work)
      }
    })
    const blank = await context.newPage()
    const devtools = await context.newCDPSession(blank)
    const registered = new Promise<{ registrationId: string; scopeURL: string }>((resolve) =>
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        if (registrations[0]) resolve(registrations[0])
      }),
    )
    await devtools.send('ServiceWorker.enable')
    const { registrationId, scopeURL } = await registered
    const { origin } = new URL(scopeURL)
    await devtools.send('ServiceWorker.dispatchSyncEvent', {
      origin,
      registrationId,
      tag: 'docket-outbox',
      lastChance: false,
    })
    let woken = ''
    await expect
      .poll(async () => (woken = await worker!.evaluate(() => (globalThis as unknown as { woken: string }).woken)))
      .not.toBe('')
    await blank.close()
    return woken as 'done' | 'again'
  }

  test('the browser is asked to wake the worker as soon as something is stored, and is told whether anything is left', async ({
    page,
    context,
    docket,
    network,
  }) => {
    const { base, elsewhere } = await begin(page, docket)
    const names = async () => {
      const { body } = await elsewhere.call('GET', `${base}/customers`)
      return (body.data as { name: string }[]).map(({ name }) => name)
    }
    network.fault = 'hang'
    await page.evaluate(
      ([address, body, key]) =>
        new Promise<void>((resolve) => {
          navigator.serviceWorker.addEventListener('message', ({ data }) => data?.type === 'stored' && resolve())
          const headers = { 'content-type': 'application/json', 'idempotency-key': key! }
          void fetch(address!, { method: 'POST', headers, body: body! }).catch(() => {})
        }),
      [`/api/v1${base}/customers`, JSON.stringify(customerBody({ name: 'Zoe of the hills' })), uuidv7()],
    )
    // Gone before the page had any answer.
    await page.goto('about:blank')
    const [worker] = context.serviceWorkers()
    const tags = () =>
      worker!.evaluate(() =>
        (
          globalThis as unknown as { registration: { sync: { getTags(): Promise<string[]> } } }
        ).registration.sync.getTags(),
      )
    await expect.poll(tags).toContain('docket-outbox')

    // Reads get through, and writes are put off.
    network.fault = 'none'
    network.before = async ({ method, url }) =>
      method === 'POST' && url?.startsWith(`/api/v1${base}`) ? 'unavailable' : undefined
    expect(await wake(context)).toBe('again')
    expect(await names()).toEqual([])

    network.before = null
    expect(await wake(context)).toBe('done')
    expect(await names()).toEqual(['Zoe of the hills'])
  })
})
