// First paint of the public screens on a cheap phone and a slow network, against an empty app of the same packages, cold.
import path from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { build } from 'vite'
import { startServer } from '#tests/support/server-process.ts'
import { browserOptions } from '#tools/browser.ts'
import { root } from '#tools/sources.ts'
import { figure } from './numbers.ts'

const rounds = 5
/** Slow 4G: 1.6 Mbps, 150 ms. */
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slowdown = 4
const screens = ['/', '/login', '/register'] as const

export async function measurePaint(folder: string) {
  await build({
    root: path.join(root, 'bench/empty'),
    configFile: false,
    logLevel: 'error',
    build: { outDir: path.join(folder, 'dist/app'), emptyOutDir: true },
  })
  const docket = await startServer({ DATA_DIR: path.join(folder, 'paint') }, { file: 'dist/server/server.js' })
  const empty = await startServer({ DATA_DIR: path.join(folder, 'paint-empty') }, { cwd: folder })
  const browser = await chromium.launch(browserOptions())
  const paints: Record<string, number[]> = Object.fromEntries(['empty', ...screens].map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    paints['empty']!.push(await firstPaint(browser, `${empty.url}/index.html`))
    for (const screen of screens) paints[screen]!.push(await firstPaint(browser, docket.url + screen))
  }
  await browser.close()
  await docket.end('SIGTERM')
  await empty.end('SIGTERM')
  const figures = Object.fromEntries(Object.entries(paints).map(([name, values]) => [name, figure(values)]))
  const ratio = (screen: string) => Number((figures[screen]!.median / figures['empty']!.median).toFixed(2))
  return { firstPaintMs: figures, ratioToEmpty: Object.fromEntries(screens.map((screen) => [screen, ratio(screen)])) }
}

async function firstPaint(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', network)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.goto(address)
  const paint = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) =>
          resolve(list.getEntriesByName('first-contentful-paint')[0]!.startTime),
        ).observe({
          type: 'paint',
          buffered: true,
        })
      }),
  )
  await context.close()
  return paint
}
