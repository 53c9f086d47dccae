// The real parts: the built server on a PostgreSQL of its own, a network to break, and Chromium with a profile that outlives its death.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium, type BrowserContext, type Page } from '@playwright/test'
import pg from 'pg'
import type { Broadcast } from '#shared/worker-messages.ts'
import { signedInAccount, type Account } from '#tests/support/api-client.ts'
import { controlled, signUp } from '#tests/support/browser.ts'
import { damageDatabase } from '#tests/support/damaged-database.ts'
import { openNetwork, type Network } from '#tests/support/network.ts'
import { password, until } from '#tests/support/people.ts'
import { freePort, startServer, type ServerProcess } from '#tests/support/server-process.ts'
import { browserOptions } from '#tools/browser.ts'
import { startCluster } from '#tools/postgres.ts'
import { root } from '#tools/sources.ts'

/** Longer than a read is waited for that nobody answers (20 s), and the page's next tries. */
const patienceMs = 45_000

declare global {
  interface Window {
    heardHere(broadcast: Broadcast): void
  }
}

export interface Server {
  network: Network
  process: ServerProcess
  /** Past every wall. */
  database: pg.Client
  close(): Promise<void>
}

/** `build`: the folder that holds `dist`. */
export async function openServer(build = root): Promise<Server> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-faults-'))
  const cluster = await startCluster()
  cluster.createDatabase('faults')
  const port = await freePort()
  const process = await startServer(
    { DATA_DIR: folder, DATABASE_URL: cluster.url('faults'), PUBLIC_URL: `http://localhost:${port}` },
    { file: path.relative(root, path.join(build, 'dist/server/server.js')), cwd: build },
  )
  const network = await openNetwork(port, () => process.url)
  const database = new pg.Client({ connectionString: cluster.url('faults', 'postgres') })
  await database.connect()
  return {
    network,
    process,
    database,
    async close() {
      await network.close()
      await process.end('SIGTERM')
      await database.end()
      await cluster.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Device {
  server: Server
  userId: string
  /** The same person, where no fault reaches them; after `signInElsewhere`, for the ten minutes of a token. */
  elsewhere: Account
  signInElsewhere(): Promise<void>
  page(): Page
  /** Called for everything that a page of the device is told. */
  onBroadcast: (broadcast: Broadcast) => void
  /** The tab is closed in the middle of what it does, and another is opened. */
  closeTab(): Promise<void>
  killWorker(): Promise<void>
  /** SIGKILL of the whole browser, and a start of the same profile, perhaps with its database damaged. True when the browser began with an empty one. */
  killBrowser(isDamaged: boolean): Promise<boolean>
  /** By the form, as the browser's loss has it. */
  signInAgain(): Promise<void>
  /** After a kill, until it is known that the browser lost nothing, or somebody has signed in again: a page that asks is told that nobody is. */
  mayBeLost: boolean
  close(): Promise<void>
}

const settledMs = 60_000
const saidWithinMs = 3000
/** Where a device stands between its forms: no seed makes items, so that the screen asks for nothing anew with every news. */
export const quietScreen = '/items'

/** Somebody new on a new device, signed in. */
export async function openDevice(server: Server): Promise<Device> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-profile-'))
  let context = await launch()
  let page = context.pages()[0]!

  async function launch(): Promise<BrowserContext> {
    const launched = await chromium.launchPersistentContext(profile, {
      ...browserOptions('shell'),
      reducedMotion: 'reduce',
      baseURL: server.network.url,
      locale: 'en-GB',
      timezoneId: 'Europe/Amsterdam',
    })
    launched.setDefaultTimeout(patienceMs)
    await launched.exposeBinding('heardHere', (_, broadcast: Broadcast) => device.onBroadcast(broadcast))
    await launched.addInitScript(() => {
      const hear = ({ data }: MessageEvent<Broadcast>) => window.heardHere(data)
      new BroadcastChannel('docket').addEventListener('message', hear)
      navigator.serviceWorker?.addEventListener('message', hear)
    })
    return launched
  }

  async function open(): Promise<void> {
    await page.goto(quietScreen)
    await controlled(page)
  }

  const openedAtMs = performance.now()
  let email = ''

  const device: Device = {
    server,
    userId: '',
    elsewhere: undefined as unknown as Account,
    async signInElsewhere() {
      device.elsewhere = await signedInAccount(server.process.url, email)
    },
    page: () => page,
    onBroadcast: () => {},
    mayBeLost: false,
    async closeTab() {
      const next = await context.newPage()
      await page.close()
      page = next
      await open()
    },
    async killWorker() {
      // `ServiceWorker.stopAllWorkers` brings this Chromium down after some twenty times; this does not.
      const devtools = await context.browser()!.newBrowserCDPSession()
      const { targetInfos } = await devtools.send('Target.getTargets')
      for (const { type, targetId } of targetInfos)
        if (type === 'service_worker') await devtools.send('Target.closeTarget', { targetId })
      await devtools.detach()
    },
    async killBrowser(isDamaged) {
      const devtools = await context.browser()!.newBrowserCDPSession()
      const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
      const closed = new Promise((resolve) => context.once('close', resolve))
      process.kill(processInfo.find(({ type }) => type === 'browser')!.id, 'SIGKILL')
      await closed
      if (isDamaged) damageDatabase(profile)
      device.mayBeLost = true
      context = await launch()
      page = context.pages()[0]!
      await open()
      if ((await sessionOf(page)).status !== 'anonymous') {
        device.mayBeLost = false
        return false
      }
      const isSaid = page.getByText('Your browser has cleared what Docket kept').waitFor()
      // What tells of the loss is in localStorage, which reaches the disk a while after it is written. Where it is said all the same it is read: it lies
      // over the screen, and would take a press that was meant for a form below it.
      if (performance.now() - openedAtMs < settledMs) {
        await Promise.race([isSaid.catch(() => {}), page.waitForTimeout(saidWithinMs)])
        return true
      }
      // Without this it would be a sign-out by the product.
      await isSaid.catch(async (error: unknown) => {
        throw new Error(`${isDamaged ? 'damaged' : 'killed'}, and left with ${await whatIsLeft(page)}`, {
          cause: error,
        })
      })
      return true
    },
    async signInAgain() {
      const understood = page.getByRole('button', { name: 'Understood' })
      if (await understood.isVisible()) await understood.click()
      // A device lost in its first minute may remember the time before the mail was verified: that screen leads on.
      const toSignIn = page.getByRole('link', { name: 'Sign in to get a new link' })
      await toSignIn.or(page.getByLabel('Email')).waitFor()
      if (await toSignIn.isVisible()) await toSignIn.click()
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor({ state: 'detached' })
      // Before it is known here which organizations there are no screen of theirs opens, and they say so.
      const isListed = async () => {
        const { ok, headers } = await fetch('/api/v1/organizations')
        return ok && headers.get('x-docket-source') === 'device' && headers.get('x-docket-complete') === null
      }
      await until(() => page.evaluate(isListed))
      device.mayBeLost = false
    },
    async close() {
      await context.close()
      fs.rmSync(profile, { recursive: true, force: true })
    },
  }
  try {
    email = await signUp(page, { server: server.process, network: server.network })
    device.userId = (await sessionOf(page)).userId!
    return device
  } catch (error) {
    // A browser that is left open keeps this process from its end.
    await device.close()
    throw error
  }
}

/** Of what a killed browser had on its disk. */
function whatIsLeft(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name)
    return JSON.stringify({
      databases,
      caches: await caches.keys(),
      marks: Object.fromEntries(Object.entries(localStorage)),
    })
  })
}

async function sessionOf(page: Page): Promise<{ status: string; userId?: string }> {
  return page.evaluate(async () => (await fetch('/api/v1/auth/session')).json())
}
