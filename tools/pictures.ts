// `npm run pictures`: takes every picture of Docket anew, by hand when what they show has changed: those of the manifest into public/screenshots,
// and into docs/screenshots the screens, the public pages, the mails and the PDFs, for people to look at.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type BrowserContextOptions, type Page } from '@playwright/test'
import { apiPath } from '#shared/endpoint.ts'
import { uuidv7 } from '#shared/ids.ts'
import { controlled, pulled } from '#tests/support/browser.ts'
import { openNetwork } from '#tests/support/network.ts'
import { until } from '#tests/support/people.ts'
import { freePort, startServer } from '#tests/support/server-process.ts'
import { browserOptions } from './browser.ts'
import { dayMs, daysOfBooks, makePictureBooks, owner } from './picture-books.ts'
import { mailSheets } from './picture-mails.ts'
import { root } from './sources.ts'

const folder = path.join(root, 'docs/screenshots')
const manifestFolder = path.join(root, 'public/screenshots')
const themes = ['light', 'dark'] as const
const devices = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  desk: { viewport: { width: 1440, height: 900 } },
} satisfies Record<string, BrowserContextOptions>
/** Of the manifest, which names them and their sizes. */
const ofManifest = new Map([
  ['dashboard-phone-dark', 'dashboard-phone'],
  ['invoice-phone-dark', 'invoice-phone'],
  ['dashboard-desk-dark', 'dashboard-desktop'],
])

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-pictures-'))
const port = await freePort()
const server = await startServer(
  {
    DATA_DIR: dataDir,
    PUBLIC_URL: `http://localhost:${port}`,
    NODE_OPTIONS: `--import=${pathToFileURL(path.join(root, 'tests/support/server-clock.ts')).href}`,
    CLOCK_AHEAD_MS: String(-daysOfBooks * dayMs),
    CLOCK_JUMP_MS: String(dayMs),
  },
  { file: 'dist/server/server.js' },
)
const network = await openNetwork(port, () => server.url)
const browser = await chromium.launch(browserOptions())
/** Where a picture becomes a smaller file. */
const darkroom = await browser.newPage()
try {
  const books = await makePictureBooks(server, await drawLogo())
  fs.mkdirSync(folder, { recursive: true })
  for (const old of fs.readdirSync(folder)) fs.rmSync(path.join(folder, old))
  for (const name of Object.keys(devices) as (keyof typeof devices)[]) await screens(name)
  await publicPages()
  await sheets()
  await papers()

  async function screens(device: keyof typeof devices): Promise<void> {
    const page = await open({ ...devices[device], colorScheme: 'dark' })
    await page.goto('/login')
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/dashboard')
    await controlled(page)
    await until(() => pulled(page), 60_000)
    const { organizationId, customerId, draftId, invoice } = books
    const home = `/organization/${organizationId}`
    const take = async (name: string, address: string) => {
      await page.goto(address)
      await settled(page)
      for (const theme of themes) {
        await page.evaluate((each) => (document.documentElement.dataset['theme'] = each), theme)
        // What fades from one colour to the other has arrived.
        await page.waitForTimeout(300)
        const file = `${name}-${device}-${theme}`
        await picture(page, file)
        const other = ofManifest.get(file)
        if (other) await page.screenshot({ path: path.join(manifestFolder, `${other}.png`), scale: 'css' })
      }
    }
    await take('dashboard', '/dashboard')
    await take('invoices', '/invoices')
    await take('invoice', `${home}/invoices/${invoice.id}`)
    await take('editor', `${home}/invoices/${draftId}/edit`)
    await take('customer', `${home}/customers/${customerId}`)
    await take('settings', `${home}/settings`)
    network.fault = 'down'
    await saveOffline(page, `${apiPath}/organizations/${organizationId}`)
    await take('unsent-offline', '/unsent')
    await page.context().close()
    network.fault = 'none'
  }

  async function publicPages(): Promise<void> {
    for (const [device, options] of Object.entries(devices))
      for (const colorScheme of themes) {
        const page = await open({ ...options, colorScheme, serviceWorkers: 'block' })
        for (const kind of ['invoice', 'quote'] as const) {
          await page.goto(books[kind].link)
          await picture(page, `public-${kind}-${device}-${colorScheme}`, 'main')
        }
        await page.context().close()
      }
  }

  async function sheets(): Promise<void> {
    for (const colorScheme of themes) {
      const page = await open({ viewport: { width: 1700, height: 900 }, colorScheme })
      for (const [name, html] of Object.entries(mailSheets)) {
        await page.setContent(html)
        await page.evaluate(() => {
          for (const frame of document.querySelectorAll('iframe'))
            frame.style.height = `${frame.contentDocument!.documentElement.scrollHeight}px`
        })
        await picture(page, `mails-${name}-${colorScheme}`, 'body')
      }
      await page.context().close()
    }
  }

  async function papers(): Promise<void> {
    for (const [name, bytes] of Object.entries(books.pdfs)) {
      const file = path.join(dataDir, `${name}.pdf`)
      fs.writeFileSync(file, bytes)
      await pdfPicture(file, `pdf-${name}`)
    }
  }
} finally {
  await browser.close()
  await network.close()
  await server.end('SIGTERM')
  fs.rmSync(dataDir, { recursive: true, force: true })
}

async function open(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    baseURL: network.url,
    locale: 'en-GB',
    timezoneId: 'Europe/Amsterdam',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(120_000)
  return context.newPage()
}

/** Nothing loads, and nothing is told that goes away again. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await until(async () => (await page.locator('.skeleton, [data-sonner-toast]').count()) === 0, 30_000)
  await network.quiet()
}

/** Of what is seen, or of a whole element however long it is. */
async function picture(page: Page, name: string, whole?: string): Promise<void> {
  await keep(name, await (whole === undefined ? page : page.locator(whole)).screenshot())
}

/** As WebP, a third of the size, which the browser knows how to write. */
async function keep(name: string, png: Buffer): Promise<void> {
  const webp = await darkroom.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('2d')!.drawImage(bitmap, 0, 0)
    const bytes = new Uint8Array(
      await (await canvas.convertToBlob({ type: 'image/webp', quality: 0.82 })).arrayBuffer(),
    )
    return bytes.toBase64()
  }, png.toString('base64'))
  fs.writeFileSync(path.join(folder, `${name}.webp`), Buffer.from(webp, 'base64'))
}

/** A morning in a cellar: a customer, their invoice with its number to come, and a draft. */
async function saveOffline(page: Page, base: string): Promise<void> {
  const customerId = uuidv7()
  const [invoiceId, draftId] = [uuidv7(), uuidv7()]
  const line = (name: string, quantity: string, unitPrice: string) => ({
    name,
    quantity,
    unitPrice,
    vat: { category: 'S', rate: '21' },
  })
  const invoice = { id: invoiceId, customerId, lines: [line('Leak in the cellar mended', '3', '62.50')] }
  await save(page, `${base}/customers`, { id: customerId, name: 'Wijnhandel Thijssen', country: 'NL' })
  await save(page, `${base}/invoices`, invoice)
  await save(page, `${base}/invoices/${invoiceId}/issue`, undefined, { 'if-match': '"1"' })
  await save(page, `${base}/invoices`, { ...invoice, id: draftId, lines: [line('Pump for the cellar', '1', '389.00')] })
}

/** A call of the page's own, which the worker keeps. */
async function save(on: Page, address: string, body?: object, headers: Record<string, string> = {}): Promise<void> {
  const status = await on.evaluate(
    async ([target, text, more]) => {
      const init = { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...more } }
      return (await fetch(target, init)).status
    },
    [address, body ? JSON.stringify(body) : null, { 'idempotency-key': uuidv7(), ...headers }] as const,
  )
  if (status >= 300) throw new Error(`${address}: ${status}`)
}

async function drawLogo(): Promise<Buffer> {
  const page = await open({ viewport: { width: 292, height: 80 }, deviceScaleFactor: 2 })
  await page.setContent(`<body style="margin:0"><svg xmlns="http://www.w3.org/2000/svg" width="292" height="80" viewBox="14 6 292 80">
<path d="M45 8C45 8 16 41 16 58a29 25 0 0 0 58 0C74 41 45 8 45 8z" fill="#0b6bcb"/><path d="M32 56l11 12 17-22" fill="none" stroke="#fff" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/>
<text x="90" y="46" font-family="Noto Sans,system-ui,sans-serif" font-weight="700" font-size="34" textLength="200" lengthAdjust="spacingAndGlyphs" fill="#0f2a43">Vermeulen</text>
<text x="91" y="70" font-family="Noto Sans,system-ui,sans-serif" font-size="15.5" fill="#41586e">Plumbing &amp; Heating</text></svg>`)
  const logo = await page.screenshot({ omitBackground: true })
  await page.context().close()
  return logo
}

/** All of its pages, one below the other, in the browser's own viewer: without the grey around them. */
async function pdfPicture(file: string, name: string): Promise<void> {
  const pages = fs.readFileSync(file, 'latin1').match(/\/Type \/Page\b/g)!.length
  const size = { width: 804, height: 1133 * pages }
  const page = await open({ viewport: size })
  await page.goto(`${pathToFileURL(file).href}#toolbar=0&navpanes=0&view=FitH`)
  const clip = { x: 6, y: 4, width: size.width - 13, height: size.height - 14 }
  let drawn: Buffer = Buffer.alloc(0)
  // It is there when it holds more than the grey of an empty viewer, and no longer changes.
  await until(async () => {
    await page.waitForTimeout(400)
    const before = drawn
    drawn = await page.screenshot({ clip })
    return drawn.length > 30_000 && drawn.equals(before)
  }, 30_000)
  await keep(name, drawn)
  await page.context().close()
}
