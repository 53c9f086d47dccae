// What a save costs the person: until it is durably on the device, with the worker warm and stopped; and how fast a queue is sent afterwards.
import { chromium, type Page } from '@playwright/test'
import { broadcastChannelName } from '#shared/worker-messages.ts'
import { uuidv7 } from '#shared/ids.ts'
import { mailedLink, registerOnly } from '#tests/support/browser.ts'
import { openNetwork } from '#tests/support/network.ts'
import { freePort, startServer } from '#tests/support/server-process.ts'
import { browserOptions } from '#tools/browser.ts'
import { figure, percentile } from './numbers.ts'

const warmSaves = 100
/** Few: this Chromium dies of being told to stop its workers often. */
const coldSaves = 20
const queued = 500

export async function measureOutbox(dataDir: string) {
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  const server = await startServer({ DATA_DIR: dataDir, PUBLIC_URL: publicUrl }, { file: 'dist/server/server.js' })
  const road = await openNetwork(port, () => server.url)
  const browser = await chromium.launch(browserOptions())
  const context = await browser.newContext({ baseURL: publicUrl })
  const page = await context.newPage()
  await page.addInitScript((name) => {
    const stored = new Map<string, number>()
    Object.assign(window, { stored })
    new BroadcastChannel(name).addEventListener('message', ({ data }) => {
      if (data.type === 'stored') stored.set(data.key, performance.now())
    })
  }, broadcastChannelName)
  const email = await registerOnly(page)
  await page.goto(await mailedLink({ server }, email))
  await page.waitForURL('**/dashboard')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const organizationId = uuidv7()
  const base = '/api/v1/organizations'
  await save(page, base, { id: organizationId, name: 'Ann Works', country: 'NL', currency: 'EUR' })
  const customers = `${base}/${organizationId}/customers`
  const customer = () => ({ id: uuidv7(), name: 'Bob the Baker', country: 'NL' })

  const warm: number[] = []
  for (let each = 0; each < warmSaves; each += 1) warm.push(await save(page, customers, customer()))
  const devtools = await context.newCDPSession(page)
  await devtools.send('ServiceWorker.enable')
  const cold: number[] = []
  for (let each = 0; each < coldSaves; each += 1) {
    await devtools.send('ServiceWorker.stopAllWorkers')
    cold.push(await save(page, customers, customer()))
  }

  road.fault = 'down'
  for (let each = 0; each < queued; each += 1) await save(page, customers, customer())
  road.fault = 'none'
  road.passed.length = 0
  const began = performance.now()
  await page.evaluate(() => navigator.serviceWorker.controller!.postMessage({ type: 'try-now' }))
  const posts = () => road.passed.filter(({ method, status }) => method === 'POST' && status === 201).length
  while (posts() < queued) await new Promise((resolve) => setTimeout(resolve, 20))
  const drainedMs = performance.now() - began
  await browser.close()
  await road.close()
  await server.end('SIGTERM')
  return {
    storedWarmMs: { ...figure(warm), p95: percentile(warm, 0.95) },
    storedColdMs: { ...figure(cold), p95: percentile(cold, 0.95) },
    drain: { writes: queued, perSecond: Math.round(queued / (drainedMs / 1000)) },
  }
}

/** From the call to the word that it is on the disk, in milliseconds. */
function save(page: Page, path: string, body: object): Promise<number> {
  return page.evaluate(
    async ([url, json, key]) => {
      const { stored } = window as unknown as { stored: Map<string, number> }
      const began = performance.now()
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: json,
      })
      if (!answer.ok) throw new Error(`The bench got ${answer.status}`)
      while (!stored.has(key)) await new Promise((resolve) => setTimeout(resolve, 1))
      return stored.get(key)! - began
    },
    [path, JSON.stringify(body), uuidv7()] as const,
  )
}
