// How long a sign-out takes to reach twenty tabs: from the press in one to the message in each of the others (SESSION.md: p99 below 100 ms).
import { setTimeout } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { broadcastChannelName } from '#shared/worker-messages.ts'
import { mailedLink, registerOnly } from '#tests/support/browser.ts'
import { password } from '#tests/support/people.ts'
import { freePort, startServer } from '#tests/support/server-process.ts'
import { browserOptions } from '#tools/browser.ts'
import { figure, percentile } from './numbers.ts'

const tabs = 20
const rounds = 5

export async function measureSignOut(dataDir: string) {
  const port = String(await freePort())
  const server = await startServer(
    { DATA_DIR: dataDir, PORT: port, PUBLIC_URL: `http://localhost:${port}` },
    { file: 'dist/server/server.js' },
  )
  const browser = await chromium.launch(browserOptions())
  const context = await browser.newContext({ baseURL: server.url })
  await context.addInitScript((name) => {
    new BroadcastChannel(name).addEventListener('message', ({ data }) => {
      if (data.session?.status === 'anonymous')
        Object.assign(window, { toldAt: performance.timeOrigin + performance.now() })
    })
  }, broadcastChannelName)
  const first = await context.newPage()
  const email = await registerOnly(first)
  await first.goto(await mailedLink({ server }, email))
  await first.waitForURL('**/dashboard')
  const others: Page[] = []
  for (let tab = 1; tab < tabs; tab += 1) others.push(await context.newPage())

  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const page of others) {
      await page.goto('/dashboard')
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    }
    const pressedAt = await first.evaluate(() => {
      const button = document.querySelector<HTMLElement>('button[aria-label="Sign out"]')!
      button.click()
      return performance.timeOrigin + performance.now()
    })
    // Asking a tab whether it has heard keeps it from hearing: all are left alone until they must have.
    await setTimeout(1500)
    for (const page of others) {
      await page.waitForFunction(() => 'toldAt' in window)
      times.push((await page.evaluate(() => (window as unknown as { toldAt: number }).toldAt)) - pressedAt)
    }
    await first.waitForURL('**/login*')
    await first.getByLabel('Email').fill(email)
    await first.getByLabel('Password').fill(password)
    await first.getByRole('button', { name: 'Sign in', exact: true }).click()
    await first.waitForURL('**/dashboard')
  }
  await browser.close()
  await server.end('SIGTERM')
  return { toldMs: figure(times), p99Ms: percentile(times, 0.99), tabs }
}
