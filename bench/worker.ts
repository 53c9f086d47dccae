// What the worker costs a call: the same GET straight from a page, through a worker that only passes it on, and through Docket's.
import { chromium, type Page } from '@playwright/test'
import { mailedLink, registerOnly } from '#tests/support/browser.ts'
import { openNetwork } from '#tests/support/network.ts'
import { freePort, startServer } from '#tests/support/server-process.ts'
import { browserOptions } from '#tools/browser.ts'
import { figure } from './numbers.ts'

const rounds = 25
const callsPerRound = 20

const passOn = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => { if (new URL(event.request.url).pathname.startsWith('/api/')) event.respondWith(fetch(event.request)) })`

export async function measureWorker(dataDir: string) {
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  const server = await startServer({ DATA_DIR: dataDir, PUBLIC_URL: publicUrl }, { file: 'dist/server/server.js' })
  // Every page speaks through the same pass-through, so that it weighs the same in each figure.
  const files = {
    '/bench': ['text/html', '<!doctype html><title>bench</title>'],
    '/pass-on.js': ['text/javascript', passOn],
  } as const
  const docketRoad = await openNetwork(port, () => server.url)
  const plainRoad = await openNetwork(0, () => server.url, files)
  const passingRoad = await openNetwork(0, () => server.url, files)
  const browser = await chromium.launch(browserOptions())
  const open = async (url: string) => (await browser.newContext({ baseURL: url })).newPage()

  const docket = await open(publicUrl)
  const email = await registerOnly(docket)
  await docket.goto(await mailedLink({ server }, email))
  await docket.waitForURL('**/dashboard')
  await docket.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const token = await fetch(`${server.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse' }),
  }).then(async (answer) => ((await answer.json()) as { accessToken: string }).accessToken)
  const direct = await open(plainRoad.url)
  await direct.goto('/bench')
  const passing = await open(passingRoad.url)
  await passing.goto('/bench')
  await passing.evaluate(async () => {
    await navigator.serviceWorker.register('/pass-on.js')
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20))
  })

  const pages: Record<'direct' | 'passOn' | 'docket', [Page, string | null]> = {
    direct: [direct, token],
    passOn: [passing, token],
    docket: [docket, null],
  }
  const times = { direct: [] as number[], passOn: [] as number[], docket: [] as number[] }
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of ['direct', 'passOn', 'docket'] as const) {
      const [page, bearer] = pages[name]
      const measured = await page.evaluate(callRepeatedly, [bearer, callsPerRound] as const)
      if (round > 0) times[name].push(...measured)
    }
  }
  await browser.close()
  for (const road of [docketRoad, plainRoad, passingRoad]) await road.close()
  await server.end('SIGTERM')
  const [directMs, passOnMs, docketMs] = [figure(times.direct), figure(times.passOn), figure(times.docket)]
  return {
    directMs,
    passOnMs,
    docketMs,
    docketToDirect: Number((docketMs.median / directMs.median).toFixed(2)),
    docketToPassOn: Number((docketMs.median / passOnMs.median).toFixed(2)),
  }
}

async function callRepeatedly([bearer, calls]: readonly [string | null, number]): Promise<number[]> {
  const times: number[] = []
  for (let each = 0; each < calls; each += 1) {
    const began = performance.now()
    const answer = await fetch(
      '/api/v1/account',
      bearer === null ? {} : { headers: { authorization: `Bearer ${bearer}` } },
    )
    await answer.text()
    if (!answer.ok) throw new Error(`The bench got ${answer.status}`)
    times.push(performance.now() - began)
  }
  return times
}
