// Takes the pictures of the manifest and the README from the running product. By hand when the screens have changed: `node tools/pictures.ts`.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { startServer } from '#tests/support/server-process.ts'
import { browserOptions } from './browser.ts'
import { root } from './sources.ts'

const folder = path.join(root, 'public/screenshots')
const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }

const people = [
  'Brown & Daughters',
  'Café Lumière',
  'De Vries Bouw',
  'Harbour Yoga',
  'Kowalski Dental',
  'Northside School',
]
const work = ['Website, third stage', 'Bathroom, tiling', 'Photography, one day', 'Accounts, October', 'Garden, autumn']

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-pictures-'))
const server = await startServer({ DATA_DIR: dataDir }, { file: 'dist/server/server.js' })
const browser = await chromium.launch(browserOptions())
const page = await (
  await browser.newContext({ viewport: phone, isMobile: true, baseURL: server.url, locale: 'en-GB' })
).newPage()

await page.goto('/register')
await page.getByLabel('Name').fill('Ann Works')
await page.getByLabel('Email').fill('ann@example.com')
await page.getByLabel('Password').fill('correct horse')
await page.getByRole('button', { name: 'Create account' }).click()
await page.waitForURL('**/verify-email*')
await page.waitForTimeout(1000)
const mailbox = await (await fetch(`${server.url}/dev/mailbox`)).text()
await page.goto(/href="(http[^"]+verificationToken=[\w-]+)"/.exec(mailbox)![1]!)
await page.waitForURL('**/dashboard')

const organizationId = uuidv7()
const base = `/api/v1/organizations/${organizationId}`
await send(page, '/api/v1/organizations', {
  id: organizationId,
  name: 'Ann Works',
  country: 'NL',
  currency: 'EUR',
  locale: 'en-GB',
  vatNumber: 'NL123456789B01',
  address: { line1: 'Herengracht 12', postalCode: '1015 BK', city: 'Amsterdam' },
  bank: { iban: 'NL91ABNA0417164300' },
})
let invoiceId = ''
for (const [index, name] of [...people, ...people.slice(0, 3)].entries()) {
  const customerId = uuidv7()
  await send(page, `${base}/customers`, { id: customerId, name, country: 'NL', address: { city: 'Utrecht' } })
  invoiceId = uuidv7()
  await send(page, `${base}/invoices`, {
    id: invoiceId,
    customerId,
    taxMode: 'net',
    lines: work.slice(index % 3, (index % 3) + 2).map((line, place) => ({
      name: line,
      quantity: String(place + 1),
      unitPrice: String(240 + index * 85),
      vat: { category: 'S', rate: '21' },
    })),
  })
  if (index < people.length) await send(page, `${base}/invoices/${invoiceId}/issue`, {}, { 'if-match': '"1"' })
}
const issued = (
  await page.evaluate(
    async (path) => (await (await fetch(path)).json()) as { data: { id: string }[] },
    `${base}/invoices?status=issued`,
  )
).data[0]!.id

fs.mkdirSync(folder, { recursive: true })
await picture('dashboard-phone', phone, '/dashboard')
await picture('invoice-phone', phone, `/organization/${organizationId}/invoices/${issued}`)
await picture('dashboard-desktop', desktop, '/dashboard')
await browser.close()
await server.end('SIGTERM')
fs.rmSync(dataDir, { recursive: true, force: true })

async function picture(name: string, viewport: typeof phone, address: string): Promise<void> {
  await page.setViewportSize(viewport)
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForTimeout(1500)
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
}

/** A call of the page's own, through the worker. */
async function send(on: Page, address: string, body: object, headers: Record<string, string> = {}): Promise<void> {
  const status = await on.evaluate(
    async ([target, text, more]) => {
      const init = { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...more } }
      return (await fetch(target, init)).status
    },
    [address, JSON.stringify(body), headers] as const,
  )
  if (status >= 300) throw new Error(`${address}: ${status}`)
}
