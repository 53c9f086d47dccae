// On a network that takes every call and answers none: how soon each screen shows its data, and each save is answered (OFFLINE.md).
import { setTimeout as pause } from 'node:timers/promises'
import { figure, percentile } from './numbers.ts'
import { customerBody, invoiceBody, organizationBody } from '#tests/support/bodies.ts'
import { openPhone, settled, type Books, type Phone } from './phone.ts'
import { noteWhenShown, type Shown } from './shown.ts'

const rounds = 5
const saveRounds = 3
const invoicesOnPhone = 10_000
/** Longer than any screen takes. */
const loadMs = 1500

/** Where a link leads, and what is there when its data is. */
interface Screen {
  path: string
  shows: string
}

function screensOf({ organizationId, customerId, draft, issued }: Books): Record<string, Screen> {
  const organization = `/organization/${organizationId}`
  const list = (label: string) => `ul[aria-label="${label}"] a`
  return {
    dashboard: { path: '/dashboard', shows: 'main dl dd' },
    invoices: { path: '/invoices', shows: list('Invoices') },
    customers: { path: '/customers', shows: list('Customers') },
    overdueInvoices: { path: '/invoices?status=overdue', shows: list('Invoices') },
    invoice: { path: `${organization}/invoices/${issued.id}`, shows: 'main article' },
    foundInvoices: { path: '/invoices?q=florist', shows: list('Invoices') },
    draft: { path: `${organization}/invoices/${draft.id}`, shows: 'main article' },
    editDraft: { path: `${organization}/invoices/${draft.id}/edit`, shows: 'main form input' },
    customer: { path: `${organization}/customers/${customerId}`, shows: 'main h2' },
    newInvoice: { path: '/invoices/new', shows: 'main form input' },
    editCustomer: { path: `${organization}/customers/${customerId}/edit`, shows: 'main form input' },
    organizations: { path: '/dashboard/organizations', shows: 'main li' },
    settings: { path: `${organization}/settings`, shows: 'main form input' },
    unsent: { path: '/unsent', shows: 'main h1' },
  }
}

export async function measureStalled(folder: string) {
  const phone = await openPhone(folder)
  const books = await phone.makeBooks()
  await phone.fill(books, invoicesOnPhone)
  await settled(phone)
  phone.network.fault = 'hang'
  const screens = screensOf(books)
  const perScreen = (): Record<string, number[]> => Object.fromEntries(Object.keys(screens).map((name) => [name, []]))
  const [moves, loads] = [perScreen(), perScreen()]
  const lookedFor = Object.fromEntries(Object.values(screens).map(({ path, shows }) => [path, shows]))
  for (let round = 0; round < rounds; round += 1) {
    // From an address of its own each round: what is open in the page is asked for anew.
    await phone.relaunch('/account')
    await phone.page().getByRole('heading', { level: 1 }).waitFor()
    for (const [name, screen] of Object.entries(screens)) moves[name]!.push(await moveTo(phone, screen))
    await phone.page().addInitScript(noteWhenShown, lookedFor)
    for (const [name, { path }] of Object.entries(screens)) loads[name]!.push(await load(phone, path))
  }
  const saves: number[] = []
  for (let round = 0; round < saveRounds; round += 1) saves.push(...(await saveEach(phone, books)))
  await phone.close()
  return {
    invoicesOnPhone,
    screenMs: eachAndAny(moves),
    pageLoadMs: eachAndAny(loads),
    saveMs: { ...figure(saves), most: Math.max(...saves) },
  }
}

function eachAndAny(measured: Readonly<Record<string, number[]>>) {
  const most = (ms: readonly number[]) => ({ ...figure(ms), most: Math.max(...ms) })
  const all = Object.values(measured).flat()
  return {
    ...Object.fromEntries(Object.entries(measured).map(([name, ms]) => [name, most(ms)])),
    any: { ...most(all), p95: percentile(all, 0.95) },
  }
}

/** As pressing a link does, from the press to the frame that shows the data. */
function moveTo(phone: Phone, screen: Screen): Promise<number> {
  return phone.page().evaluate(async ({ path, shows }) => {
    for (const shown of document.querySelectorAll(shows)) shown.setAttribute('data-before', '')
    const began = performance.now()
    history.pushState(null, '', path)
    window.dispatchEvent(new PopStateEvent('popstate', { state: null }))
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      const isThere = [...document.querySelectorAll(shows)].some((each) => !each.hasAttribute('data-before'))
      if (isThere) return performance.now() - began
      if (performance.now() - began > 20_000) throw new Error(`${path} showed nothing in 20 s`)
    }
  }, screen)
}

async function load(phone: Phone, path: string): Promise<number> {
  const page = phone.page()
  await page.goto(path, { waitUntil: 'commit' })
  await pause(loadMs)
  await page.waitForFunction(() => 'shownMs' in window)
  return page.evaluate(() => (window as Shown).shownMs!)
}

/** Every kind of write that may wait, once; how long each took to be answered. */
async function saveEach(phone: Phone, books: Books): Promise<number[]> {
  const organization = organizationBody()
  const base = `/organizations/${books.organizationId}`
  const [customer, gone] = [customerBody(), customerBody()]
  const [invoice, dropped] = [invoiceBody(customer.id), invoiceBody(customer.id)]
  const first = { 'if-match': '"1"' }
  const writes = [
    ['POST', '/organizations', organization],
    ['POST', `${base}/customers`, customer],
    ['PUT', `${base}/customers/${customer.id}`, { ...customer, name: 'Bob the Butcher' }, first],
    ['POST', `${base}/customers`, gone],
    ['DELETE', `${base}/customers/${gone.id}`, undefined, first],
    ['POST', `${base}/invoices`, invoice],
    ['PUT', `${base}/invoices/${invoice.id}`, { ...invoice, notes: 'Thank you' }, first],
    ['POST', `${base}/invoices/${invoice.id}/issue`, undefined, { 'if-match': '"2"' }],
    ['POST', `${base}/invoices`, dropped],
    ['DELETE', `${base}/invoices/${dropped.id}`, undefined, first],
  ] as const
  const times: number[] = []
  for (const [method, path, body, headers] of writes) times.push((await phone.write(method, path, body, headers)).ms)
  return times
}
