// A session under faults in a real browser: workers killed, pages reloaded hard, two builds at once, twenty tabs at the same expiry.
import type http from 'node:http'
import type { Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { controlled, expect, go, signUp, test } from '#tests/support/browser.ts'
import { mostAtOnce, type Network } from '#tests/support/network.ts'
import {
  askAgain,
  askUntil,
  askUntilListed,
  bareCalls,
  expireToken,
  fetchIn,
  hostGateway,
  isRefresh,
  killUnder,
  listedByItself,
  openDevtools,
  refreshesSince,
  vaultOf,
  type Devtools,
} from '#tests/support/session-faults.ts'

/** When the worker dies, seen from the server: before it got the request, when it had answered and nothing was delivered, at the next call. */
const moments = ['not yet sent', 'sent, not yet answered', 'answered, not yet delivered', 'just over'] as const
type Moment = (typeof moments)[number]

interface Road {
  network: Network
  devtools: Devtools
}

/** Kills the worker once, at this moment of the first such request. */
function killAt(moment: Moment, { network, devtools }: Road, isIt: (request: http.IncomingMessage) => boolean) {
  const road = { kills: 0 }
  let isOver = false
  const kill = async (request: http.IncomingMessage) => {
    road.kills += 1
    await killUnder(request, devtools)
  }
  network.before = async (request) => {
    if (road.kills > 0) return undefined
    if (moment === 'just over' && isOver) {
      road.kills += 1
      await devtools.killWorkers()
      return undefined
    }
    if (!isIt(request)) return undefined
    isOver = true
    if (moment === 'not yet sent') {
      await kill(request)
      return 'down'
    }
    if (moment === 'sent, not yet answered') {
      road.kills += 1
      // The server goes on with what it has got, whoever is still waiting for it.
      void devtools.killWorkers()
    }
    return undefined
  }
  network.after = async (request) => {
    if (moment === 'answered, not yet delivered' && isIt(request) && road.kills === 0) await kill(request)
  }
  return road
}

const makeOne = (page: Page, name: string) =>
  fetchIn(page, '/organizations', {
    key: uuidv7(),
    body: { id: uuidv7(), name, country: 'NL', currency: 'EUR' },
  })

/** Done, or on the disk and on its way: a new worker took longer to come up than a person waits for an answer. */
const written = [201, 202]

async function timesListed(page: Page, name: string): Promise<number> {
  const { body } = await fetchIn(page, '/organizations')
  return (body.data as { name: string }[]).filter((organization) => organization.name === name).length
}

test('a worker killed before, during and after a refresh: the session lives, the write is done once', async ({
  page,
  docket,
  network,
}) => {
  await signUp(page, docket)
  const devtools = await openDevtools(page)
  const { refreshToken } = await vaultOf(page)
  for (const moment of moments) {
    await test.step(moment, async () => {
      await network.quiet()
      const refreshes = refreshesSince(network)
      let killed = { kills: 0 }
      await expireToken(page, () => (killed = killAt(moment, { network, devtools }, isRefresh)))
      const { status } = await makeOne(page, `Refresh ${moment}`)
      Object.assign(network, { before: null, after: null })
      expect(written).toContain(status)
      expect(killed.kills).toBe(1)
      expect(refreshes().length).toBeGreaterThan(0)
      await expect.poll(() => timesListed(page, `Refresh ${moment}`)).toBe(1)
      expect((await vaultOf(page)).refreshToken).toBe(refreshToken)
    })
  }
  expect(bareCalls(network)).toEqual([])
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

test('a worker killed before, during and after a write: answered, and done once', async ({ page, docket, network }) => {
  await signUp(page, docket)
  const devtools = await openDevtools(page)
  const isWrite = ({ method, url }: http.IncomingMessage) => method === 'POST' && url === '/api/v1/organizations'
  for (const moment of moments) {
    await test.step(moment, async () => {
      const killed = killAt(moment, { network, devtools }, isWrite)
      const { status } = await makeOne(page, `Write ${moment}`)
      // A call of its own, under which the worker dies when the write is over.
      await timesListed(page, `Write ${moment}`)
      Object.assign(network, { before: null, after: null })
      expect(written).toContain(status)
      expect(killed.kills).toBe(1)
      await expect.poll(() => timesListed(page, `Write ${moment}`)).toBe(1)
    })
  }
  expect(bareCalls(network)).toEqual([])
  expect((await vaultOf(page)).refreshToken).not.toBe('')
})

test('a hard reload in the middle of a refresh, by the worker and by the page: nothing is lost', async ({
  page,
  docket,
  network,
}) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  await go(page, 'Customers')
  const { refreshToken } = await vaultOf(page)
  let devtools = await openDevtools(page)
  for (const refresher of ['worker', 'page']) {
    await test.step(refresher, async () => {
      if (refresher === 'page') devtools = await hostGateway(page, '/customers')
      await network.quiet()
      const held = Promise.withResolvers<void>()
      const arrived = Promise.withResolvers<void>()
      let holds = 0
      await expireToken(page, () => {
        network.before = async (request) => {
          if (!isRefresh(request) || holds++ > 0) return undefined
          arrived.resolve()
          await held.promise
          return undefined
        }
      })
      await askAgain(page)
      await arrived.promise
      await devtools.hardReload()
      held.resolve()
      await go(page, 'Invoices')
      await expect(page.getByText(/no invoices/i).first()).toBeVisible()
      network.before = null
      expect((await vaultOf(page)).refreshToken).toBe(refreshToken)
      await expect(page.getByText(/no connection/i)).toHaveCount(0)
    })
  }
  expect(bareCalls(network)).toEqual([])
})

/** Whether somebody waits until another context has renewed the session. */
function isWaitingForSession(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const { pending = [] } = await navigator.locks.query()
    return pending.some(({ name }) => name === 'docket-session')
  })
}

test('a controlled tab and one that runs the gateway itself need a refresh at once: one of them makes it', async ({
  page,
  docket,
  network,
  context,
}) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  const hosted = await context.newPage()
  await hostGateway(hosted, '/customers')
  await network.quiet()
  for (const first of ['worker', 'page'] as const) {
    await test.step(`${first} first`, async () => {
      const refreshes = refreshesSince(network)
      const released = Promise.withResolvers<undefined>()
      await expireToken(page, () => {
        network.before = (request) => (isRefresh(request) ? released.promise : undefined)
      })
      const listed = listedByItself(hosted)
      const isAtServer = () => refreshes().length > 0
      const isAtLock = () => isWaitingForSession(page)
      if (first === 'page') await askUntil(hosted, isAtServer)
      const answer = fetchIn(page, '/organizations')
      await expect.poll(isAtServer).toBe(true)
      await askUntil(hosted, isAtLock)
      released.resolve(undefined)
      expect((await answer).status).toBe(200)
      await listed
      network.before = null
      await network.quiet()
      expect(refreshes()).toHaveLength(1)
      expect(mostAtOnce(refreshes())).toBe(1)
    })
  }
  expect(bareCalls(network)).toEqual([])
})

test('taken over by the worker in the middle of a call of its own gateway: the page goes on with it', async ({
  page,
  docket,
  network,
  context,
}) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  const hosted = await context.newPage()
  await hostGateway(hosted, '/customers')
  await network.quiet()
  // Whoever holds the lock keeps the page's gateway from sending, until the worker has come.
  await page.evaluate(
    () =>
      new Promise<void>((held) => {
        void navigator.locks.request('docket-session', () => {
          held()
          return new Promise((release) => window.addEventListener('release', release, { once: true }))
        })
      }),
  )
  await expireToken(page)
  const refreshes = refreshesSince(network)
  const listed = listedByItself(hosted)
  await askUntil(hosted, () => isWaitingForSession(page))
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.postMessage({ type: 'claim' }))
  await controlled(hosted)
  await page.evaluate(() => void window.dispatchEvent(new Event('release')))
  await listed
  expect(refreshes()).toHaveLength(1)
  expect(bareCalls(network)).toEqual([])
  // What its own gateway had begun is seen through; after that it asks nothing more.
  await network.quiet()
  const byItself: string[] = []
  hosted.on('response', (answer) => {
    if (answer.url().includes('/api/v1/') && !answer.fromServiceWorker()) byItself.push(answer.url())
  })
  const askedFrom = network.arrived.length
  await askUntil(hosted, () => network.arrived.slice(askedFrom).some(({ path }) => path === '/api/v1/organizations'))
  await go(hosted, 'Invoices')
  await expect(hosted.getByText(/no connection/i)).toHaveCount(0)
  expect(byItself).toEqual([])
})

test('two builds alive at once: both refresh one session, and the update is taken without losing it', async ({
  page,
  docket,
  network,
  context,
}) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  const { refreshToken } = await vaultOf(page)
  const newer = await fetch(`${docket.server.url}/sw.js`)
  const text = `${await newer.text()}\n// The next build.\n`
  const headers = Object.fromEntries([...newer.headers].filter(([name]) => !/^(content-|etag)/.test(name)))
  const servingNewer: Network['before'] = async (request) =>
    request.url === '/sw.js'
      ? (response) => void response.writeHead(200, { ...headers, 'content-type': 'text/javascript' }).end(text)
      : undefined
  network.before = servingNewer
  await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
  const update = page.getByRole('button', { name: 'Update now' })
  await expect(update).toBeVisible()
  const waits = () => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null)
  expect(await waits()).toBe(true)

  const hosted = await context.newPage()
  await hostGateway(hosted, '/customers')
  await network.quiet()

  // Each refreshes once, on its own.
  await expireToken(page)
  expect((await fetchIn(page, '/organizations')).status).toBe(200)
  await expireToken(page)
  await askUntilListed(hosted)
  await network.quiet()

  // Both at once.
  await expireToken(page)
  const refreshes = refreshesSince(network)
  const again = listedByItself(hosted)
  const [mine] = await Promise.all([fetchIn(page, '/organizations'), askAgain(hosted)])
  expect(mine.status).toBe(200)
  await again
  expect(refreshes()).toHaveLength(1)

  await expireToken(page)
  const reloaded = page.waitForEvent('load')
  await update.click()
  await reloaded
  await controlled(page)
  await expect(page.getByRole('heading', { name: 'Ann Works' })).toBeVisible()
  await go(page, 'Customers')
  expect(await waits()).toBe(false)
  await go(hosted, 'Invoices')
  expect((await vaultOf(page)).refreshToken).toBe(refreshToken)
  expect(bareCalls(network)).toEqual([])
  expect(network.passed.filter(({ path, status }) => path.includes('/auth/') && status === 401)).toEqual([])
})

test('twenty tabs at one expiry, ten times over: one refresh each', async ({ page, docket, network, context }) => {
  await signUp(page, docket)
  const tabs = [page]
  while (tabs.length < 20) tabs.push(await context.newPage())
  await Promise.all(tabs.slice(1).map((tab) => tab.goto('/manifest.webmanifest')))
  const refreshes = refreshesSince(network)
  for (let round = 1; round <= 10; round += 1) {
    await expireToken(page)
    const answers = await Promise.all(tabs.map((tab) => fetchIn(tab, '/organizations')))
    expect(answers.map(({ status }) => status)).toEqual(tabs.map(() => 200))
  }
  test.info().annotations.push({ type: 'refreshes per expiry', description: String(refreshes().length / 10) })
  expect(refreshes().length / 10).toBeLessThanOrEqual(1.02)
  expect(mostAtOnce(refreshes())).toBe(1)
  expect(bareCalls(network)).toEqual([])
})

test('a screen that did not come to a page without a worker comes by itself when the server is there again', async ({
  page,
  docket,
  network,
}) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  await hostGateway(page, '/customers')
  network.fault = 'down'
  await page.getByRole('link', { name: 'Items' }).first().click()
  await expect(page.getByText('No connection to the server')).toBeVisible()
  network.fault = 'none'
  await askAgain(page)
  await expect(page.getByRole('heading', { name: 'Items', level: 1 })).toBeVisible()
})
