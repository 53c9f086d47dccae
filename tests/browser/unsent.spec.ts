// What the person sees of unsent writes (OFFLINE.md "What the person sees", "Conflict"): chip, words, badges, the Unsent screen, signing out.
import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import type { OutboxFile } from '#shared/outbox.ts'
import { signedInAccount } from '#tests/support/api-client.ts'
import {
  expect,
  go,
  makeCustomer,
  makeDraft,
  makeItem,
  password,
  signUp,
  test,
  type Docket,
} from '#tests/support/browser.ts'
import { bothThemes, look, phone, phoneAndDesk } from '#tests/support/look.ts'
import type { Network } from '#tests/support/network.ts'
import { askAgain, fetchIn, unsentIn } from '#tests/support/session-faults.ts'

const lastId = (page: Page) => page.url().split('/').at(-1)!
const chip = (page: Page) => page.getByRole('banner').getByRole('link', { name: /synced|waiting|need/ })
const unsentItems = (page: Page) => page.getByRole('list', { name: 'Unsent' }).getByRole('listitem')

/** The same person on another device, whom no fault of this one's network stops. Paths are below the organization. */
interface Elsewhere {
  organizationId: string
  get(path: string): ReturnType<typeof fetchIn>
  /** The ids and versions that a write needs are its own concern: of what stands at the server it changes these fields, or makes it anew. */
  write(method: 'POST' | 'PUT' | 'DELETE', path: string, fields?: object): Promise<void>
}

/** An organization, at the server and on this device. */
async function begin(page: Page, docket: Docket): Promise<Elsewhere> {
  const email = await signUp(page, docket, { organization: 'Ann Works' })
  const organizationId = /organization\/([\w-]+)/.exec(page.url())![1]!
  const { call } = await signedInAccount(docket.server.url, email)
  const get = (path: string) => call('GET', `/organizations/${organizationId}${path}`)
  return {
    organizationId,
    get,
    async write(method, path, fields) {
      const { body: row } = await get(path.replace(/\/issue$/, ''))
      const body = method === 'PUT' ? { ...row, ...fields } : fields
      const headers = { 'idempotency-key': uuidv7(), ...(row.version && { 'if-match': `"${row.version}"` }) }
      const { status } = await call(method, `/organizations/${organizationId}${path}`, body, headers)
      expect(status, `${method} ${path}`).toBeLessThan(300)
    },
  }
}

/** The network is back, and this page notices at once. */
async function comeBack(page: Page, network: Network): Promise<void> {
  network.fault = 'none'
  await askAgain(page)
}

/** As the page asks itself while it is seen: what is new elsewhere comes to this device. */
async function bringNews(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.controller!.postMessage({ type: 'sync' }))
}

/** What no form of today lets through, as an older page may have saved it: the server refuses it, and the device keeps it. */
async function saveRefused(page: Page, path: string, fields: object, version?: number): Promise<void> {
  const body = version === undefined ? { id: uuidv7(), ...fields } : fields
  const key = uuidv7()
  const { status } = await fetchIn(page, path, { body, key, version })
  // Where the server takes long, it is told that it is saved, and refused after that.
  expect([202, 422]).toContain(status)
  await expect.poll(async () => (await unsentIn(page)).find((each) => each.key === key)?.state).toBe('rejected')
}

/** Three writes that wait for each other, and one that was refused; the network is down. */
async function stock(page: Page, network: Network, { organizationId }: Elsewhere): Promise<void> {
  const nobody = { name: 'Nobody', country: 'NL', email: 'no' }
  await saveRefused(page, `/organizations/${organizationId}/customers`, nobody)
  network.fault = 'down'
  await makeCustomer(page)
  await makeDraft(page)
  await page.getByRole('button', { name: 'Issue invoice' }).click()
  await expect(page.getByText('Will be issued', { exact: true })).toBeVisible()
}

/** Writes these fields into the form that stands here. */
async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
}

/** Changes the record that stands here, and comes back to it. */
async function edit(page: Page, fields: Record<string, string>, save: string): Promise<void> {
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await fill(page, fields)
  await page.getByRole('button', { name: save }).click()
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeVisible()
}

/** From the list, which stands here. */
async function openItem(page: Page): Promise<void> {
  await page.getByRole('link', { name: /Hour of work/ }).click()
  await expect(page.getByLabel('Unit price')).toBeVisible()
}

test.describe('on a small phone', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('what is offered to be undone leaves the header and the navigation to be pressed', async ({ page, docket }) => {
    await begin(page, docket)
    await makeCustomer(page)
    await page.getByRole('button', { name: 'Delete' }).click()
    const undo = page.getByRole('button', { name: 'Undo' })
    await expect(undo).toBeVisible()
    await go(page, 'Items')
    await chip(page).click()
    await expect(page.getByRole('heading', { name: 'Unsent' })).toBeVisible()
    // It is there for ten seconds: nothing was pressed only once it had gone.
    await expect(undo).toBeVisible()
    await look(page, 'undo')
  })

  test('what was saved is said in two honest words, and rows say what is not at the server', async ({
    page,
    docket,
    network,
  }) => {
    const { write } = await begin(page, docket)
    await makeCustomer(page, 'Saved online')
    await expect(page.getByText('Customer synced')).toBeVisible()
    await expect(chip(page)).toHaveText('All synced')

    network.fault = 'down'
    await makeCustomer(page)
    await expect(page.getByText('Customer saved on this device')).toBeVisible()
    await expect(chip(page)).toHaveText('1 waiting')
    await go(page, 'Customers')
    const row = page.getByRole('link', { name: /Bob the Baker/ })
    await expect(row).toContainText('Waiting')
    await look(page, 'list', bothThemes)
    await row.click()
    await expect(page.getByRole('heading', { name: 'Bob the Baker' })).toBeVisible()
    const badge = page.getByRole('main').getByText('Waiting', { exact: true })
    await expect(badge).toBeVisible()
    await comeBack(page, network)
    await expect(chip(page)).toHaveText('All synced')
    await expect(badge).toHaveCount(0)

    await makeDraft(page)
    await expect(page.getByText('Draft synced')).toBeVisible()
    network.fault = 'down'
    await page.getByRole('button', { name: 'Issue invoice' }).click()
    await expect(page.getByText('Will be issued', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Issue invoice' })).toHaveCount(0)
    await look(page, 'will be issued', bothThemes)
    await go(page, 'Invoices')
    await expect(page.getByRole('list', { name: 'Invoices' })).toContainText('Will be issued')

    await page.getByRole('navigation').getByRole('link', { name: 'Organizations' }).filter({ visible: true }).click()
    await page.getByRole('link', { name: /Ann Works/ }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await fill(page, { Name: 'Mine' })
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(page.getByText('Settings saved on this device')).toBeVisible()
    await expect(chip(page)).toHaveText('2 waiting')
    await write('PUT', '', { name: 'Theirs' })
    await comeBack(page, network)
    await expect(chip(page)).toHaveText('1 needs attention')
    // Heard too, and not only seen.
    await expect(page.getByRole('status').filter({ hasText: '1 needs attention' })).toBeAttached()
    await page.goto('/dashboard/organizations')
    await expect(page.getByRole('link', { name: /Mine/ })).toContainText('Needs attention')
    await chip(page).click()
    await expect(page.getByRole('heading', { name: 'Unsent' })).toBeVisible()
    await page.getByRole('button', { name: /^Discard: Change to organization/ }).click()
    await expect(page.getByText('Everything is synced')).toBeVisible()
    await expect(chip(page)).toHaveText('All synced')
  })
})

test('what is newer on the device is drawn at once, for this person alone', async ({ page, docket, network }) => {
  const { organizationId, write } = await begin(page, docket)
  await makeCustomer(page)
  await go(page, 'Customers')
  await expect(page.getByRole('link', { name: /Bob the Baker/ })).toBeVisible()
  // Until what came of that has been told.
  await network.quiet()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  // The worker speaks of whoever is signed in: news of somebody else, as one that is just being replaced may still send, cannot be had from it.
  const tell = (organization: string, userId = '') =>
    page.evaluate(
      ([user, changed]) =>
        new BroadcastChannel('docket').postMessage({
          type: 'copy-changed',
          userId: user || JSON.parse(localStorage.getItem('docket.session')!).userId,
          organizations: [changed],
        }),
      [userId, organization] as const,
    )
  // Somebody else's, and another organization's: the list of organizations alone is asked for.
  await tell(organizationId, uuidv7())
  await tell(uuidv7())
  await expect.poll(() => asked).toEqual(['/api/v1/organizations'])
  await write('POST', '/customers', { id: uuidv7(), name: 'Eve Elsewhere', country: 'NL' })
  await bringNews(page)
  await expect(page.getByRole('link', { name: /Eve Elsewhere/ })).toBeVisible()
})

test('offline, a small line says what goes on and from when it is, and moves nothing', async ({
  page,
  docket,
  network,
}) => {
  await begin(page, docket)
  await page.setViewportSize({ width: 390, height: 844 })
  await go(page, 'Customers')
  const place = () => page.getByRole('button', { name: 'New customer' }).boundingBox()
  const online = await place()
  network.fault = 'down'
  await expect(page.getByText('Offline – you can keep working')).toBeVisible()
  expect(await place()).toEqual(online)
  for (const name of ['Ann', 'Bob', 'Cas']) await makeCustomer(page, name)
  await go(page, 'Dashboard')
  const line = page.getByRole('status').filter({ hasText: 'Offline' })
  await expect(line).toContainText(/Offline – you can keep working; 3 changes will be sent · as of \d/)
  // Of this minute or one just before, by the server's clock, which is ahead of the browser's by the minutes that tests let pass; of today the time alone.
  const [hours, minutes] = /as of (\d\d):(\d\d)$/
    .exec((await line.textContent())!)!
    .slice(1)
    .map(Number)
  const atServer = await docket.now()
  const now = await page.evaluate((at) => new Date(at).getHours() * 60 + new Date(at).getMinutes(), atServer)
  expect((now - hours! * 60 - minutes! + 1440) % 1440).toBeLessThanOrEqual(2)
  await look(page, 'offline', bothThemes)
  // Nobody says that it is back: the page looks itself.
  network.fault = 'none'
  await expect(line).toHaveCount(0)
  await expect(chip(page)).toHaveText('All synced')
})

test('who has lost the connection is told as soon as the browser says so', async ({ page, docket, network }) => {
  await begin(page, docket)
  await page.evaluate(() => {
    const post = ServiceWorker.prototype.postMessage
    ServiceWorker.prototype.postMessage = function (message: { type?: string }, ...rest: unknown[]) {
      document.documentElement.dataset['posted'] += ` ${message.type}`
      Reflect.apply(post, this, [message, ...rest])
    }
  })
  network.fault = 'down'
  // What the page asks by itself comes some 20 s later.
  const posted = await page.evaluate(() => {
    document.documentElement.dataset['posted'] = ''
    window.dispatchEvent(new Event('offline'))
    return document.documentElement.dataset['posted']
  })
  expect(posted).toContain('sync')
  await expect(page.getByText('Offline – you can keep working')).toBeVisible()
})

test('how much is unsent is asked again when the device could not say it', async ({ page, docket }) => {
  await begin(page, docket)
  await page.addInitScript(() => {
    const real = globalThis.fetch
    let refused = 0
    globalThis.fetch = (input, init) => {
      if (!(input instanceof Request && input.url.endsWith('/device/outbox')) || refused === 2) return real(input, init)
      refused += 1
      return Promise.reject(new TypeError('not now'))
    }
  })
  await page.reload()
  await expect(chip(page)).toHaveText('All synced')
})

test.describe('on a phone', () => {
  test.use({ viewport: phone.size })

  test('the Unsent screen says what, when and why; discarding is undone; the file goes out and in', async ({
    page,
    docket,
    network,
  }) => {
    const elsewhere = await begin(page, docket)
    await stock(page, network, elsewhere)
    await chip(page).click()
    await expect(chip(page)).toHaveText('1 needs attention')
    const items = unsentItems(page)
    await expect(items).toHaveCount(4)
    // Part of it may wait for what is to be decided: that all of it will be sent is not promised.
    await expect(page.getByText('4 changes on this device alone')).toBeVisible()
    await expect(items.nth(0)).toContainText('New customer Nobody')
    await expect(items.nth(0)).toContainText('The server did not take it.')
    await expect(items.nth(0)).toContainText('Email: Enter an email such as name@example.com')
    await expect(items.nth(1)).toContainText('Waits for a connection.')
    // It is between two tries more often than not, but not always.
    await expect(items.nth(1)).toContainText(/Tried (once|\d+ times)\. Next try by \d/)
    await expect(items.nth(2)).toContainText('New invoice · Bob the Baker')
    await expect(items.nth(3)).toContainText('Issue invoice · Bob the Baker')
    await expect(items.nth(3)).toContainText('Waits for another change that has to be sent first.')
    await look(page, 'unsent', phoneAndDesk)

    // By a key: whoever has no mouse goes on where it can be undone, and is at it again.
    await page.getByRole('button', { name: 'Discard: New customer Nobody' }).press('Enter')
    await expect(items).toHaveCount(3)
    await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Discard: New customer Nobody' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(items).toHaveCount(3)
    await expect(chip(page)).toHaveText('3 waiting')
    await expect(page.getByText('Discarded: New customer Nobody')).toBeVisible()
    await look(page, 'discarded', phoneAndDesk)
    // Also when the screen was left, or loaded anew, meanwhile.
    await go(page, 'Dashboard')
    await page.goBack()
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(items).toHaveCount(4)
    await expect(items.nth(0)).toContainText('New customer Nobody')
    await expect(page.getByText('Discarded: New customer Nobody')).toHaveCount(0)

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^docket-unsent-\d{4}-\d\d-\d\d\.json$/)
    const exported = fs.readFileSync(await download.path(), 'utf8')
    expect((JSON.parse(exported) as OutboxFile).entries).toHaveLength(4)

    const refused = () => network.passed.filter(({ status }) => status === 422).length
    const before = refused()
    network.fault = 'none'
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await expect(items).toHaveCount(1)
    // What was refused as well, which nobody but the person tries again.
    await expect.poll(refused).toBeGreaterThan(before)
    await expect(items).toContainText('The server did not take it.')
    await page.getByRole('button', { name: 'Discard: New customer Nobody' }).click()
    await expect(page.getByText('Everything is synced')).toBeVisible()

    const file = (text: string) => ({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    const picker = page.locator('input[type="file"]')
    await picker.setInputFiles(file('{"docket":"other"}'))
    await expect(page.getByText('This file is no export of unsent changes.')).toBeVisible()
    await picker.setInputFiles(file(JSON.stringify({ ...JSON.parse(exported), userId: uuidv7() })))
    await expect(page.getByText('This file holds another person’s changes.')).toBeVisible()
    network.fault = 'down'
    await picker.setInputFiles(file(exported))
    // The draft, which went with what its form had left out, is known to be done.
    await expect(items).toHaveCount(3)
    await expect(page.getByText('3 changes imported; what was sent before is not done twice')).toBeVisible()
    await picker.setInputFiles(file(exported))
    await expect(page.getByText('Nothing new in this file')).toBeVisible()
    await expect(items).toHaveCount(3)
    // Two of them were sent before: nothing happens twice.
    await comeBack(page, network)
    await expect(items).toHaveCount(1)
    expect((await elsewhere.get('/customers')).body.data).toMatchObject([{ name: 'Bob the Baker', version: 1 }])
    expect((await elsewhere.get('/invoices')).body.data).toMatchObject([{ status: 'issued' }])
  })

  test('of many changes those in sight are drawn; the last is discarded, and taken back, as any other', async ({
    page,
    docket,
    network,
  }) => {
    const { organizationId } = await begin(page, docket)
    network.fault = 'down'
    await page.evaluate(async (path) => {
      for (let number = 1; number <= 200; number += 1) {
        const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
        const body = JSON.stringify({ id: crypto.randomUUID(), name: `Customer ${number}`, country: 'NL' })
        await fetch(path, { method: 'POST', headers, body })
      }
    }, `/api/v1/organizations/${organizationId}/customers`)
    await chip(page).click()
    const items = unsentItems(page)
    await expect(items.first()).toHaveAttribute('aria-setsize', '200')
    await expect(items.first()).toContainText('New customer Customer 1')
    const drawn = () => items.count()
    expect(await drawn()).toBeLessThan(30)
    const last = page.getByRole('button', { name: 'Discard: New customer Customer 200', exact: true })
    const scrollToEnd = () =>
      expect(async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
        await expect(last).toBeInViewport({ timeout: 200 })
      }).toPass()
    await scrollToEnd()
    expect(await drawn()).toBeLessThan(30)
    await look(page, 'many unsent', phoneAndDesk)

    await scrollToEnd()
    await last.press('Enter')
    await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
    await expect(page.getByRole('button', { name: 'Undo' })).toBeInViewport()
    await expect(items.first()).toHaveAttribute('aria-setsize', '199')
    await page.keyboard.press('Enter')
    await expect(last).toBeFocused()
    await expect(last).toBeInViewport()
    await expect(items.last()).toHaveAttribute('aria-posinset', '200')
    expect(await drawn()).toBeLessThan(30)
  })

  test('what waits to be issued is told apart by its amount, and among several organizations by whose it is', async ({
    page,
    docket,
    network,
  }) => {
    const { organizationId, get } = await begin(page, docket)
    await makeCustomer(page)
    const customerId = lastId(page)
    const base = `/organizations/${organizationId}/invoices`
    const draft = async (unitPrice: string) => {
      const lines = [{ name: 'Work', quantity: '1', unitPrice, vat: { category: 'S', rate: '21' } }]
      const { body } = await fetchIn(page, base, { key: uuidv7(), body: { id: uuidv7(), customerId, lines } })
      return body
    }
    const drafts = [await draft('10'), await draft('1000')]
    await expect.poll(async () => (await get('/invoices')).body.data.length).toBe(2)
    network.fault = 'down'
    for (const { id, version } of drafts)
      expect((await fetchIn(page, `${base}/${id}/issue`, { key: uuidv7(), body: undefined, version })).status).toBe(202)
    await chip(page).click()
    const items = unsentItems(page)
    await expect(items.nth(0)).toContainText('Issue invoice · Bob the Baker · €12.10')
    await expect(items.nth(1)).toContainText('Issue invoice · Bob the Baker · €1,210.00')
    await expect(items.nth(0)).not.toContainText('Ann Works')
    const discard = (words: string) => page.getByRole('button', { name: `Discard: ${words}`, exact: true })
    await expect(discard('Issue invoice · Bob the Baker · €1,210.00')).toBeVisible()

    await go(page, 'Dashboard')
    const another = { id: uuidv7(), name: 'Bee Works', country: 'BE', currency: 'EUR', locale: 'nl-BE' }
    await fetchIn(page, '/organizations', { key: uuidv7(), body: another })
    await chip(page).click()
    await expect(items.nth(0)).toContainText(/Saved on this device .* · Ann Works/)
    await expect(items.nth(2)).toContainText('New organization Bee Works')
    await look(page, 'unsent of several', phoneAndDesk)
    await discard('Issue invoice · Bob the Baker · €12.10 · Ann Works').click()
    await expect(items).toHaveCount(2)
    await expect(items.nth(0)).toContainText('€1,210.00')
    await expect(page.getByRole('button', { name: 'Undo: Issue invoice · Bob the Baker · €12.10' })).toBeVisible()
  })

  test('a conflict is decided field by field', async ({ page, docket, network }) => {
    const { get, write } = await begin(page, docket)
    await makeCustomer(page)
    const path = `/customers/${lastId(page)}`
    network.fault = 'down'
    await edit(page, { Name: 'Bob', Phone: '2', 'Contact person': 'Bob' }, 'Save customer')
    await write('PUT', path, { name: 'Robert', phone: '3', notes: 'Pays late' })
    await comeBack(page, network)
    await expect(chip(page)).toHaveText('1 needs attention')
    await chip(page).click()
    const decide = page.getByRole('link', { name: 'Decide: Change to customer Bob' })
    await expect(decide).toBeVisible()
    await expect(unsentItems(page)).toContainText('Changed: Name, Phone, Contact person')
    // Another try changes nothing.
    await expect(page.getByRole('button', { name: /Retry/ })).toHaveCount(0)
    await decide.click()
    const question = (label: string) => page.getByRole('group', { name: label })
    await expect(page.getByRole('group')).toHaveCount(2)
    await expect(question('Name')).toContainText('Before: Bob the Baker')
    await expect(question('Name').getByRole('radio', { name: /Keep theirs\s*Robert/ })).toBeVisible()
    await look(page, 'conflict', phoneAndDesk)

    // Another tab looks at it too.
    const other = await page.context().newPage()
    await other.goto(page.url())
    await expect(other.getByRole('group', { name: 'Name' })).toBeVisible()
    await page.bringToFront()

    await page.getByRole('button', { name: 'Keep these' }).click()
    await expect(page.getByText('Choose for each field.')).toBeVisible()
    await question('Name').getByText('Keep theirs').click()
    await question('Phone').getByText('Keep mine').click()
    await page.getByRole('button', { name: 'Keep these' }).click()
    await expect(page.getByText('Everything is synced')).toBeVisible()
    const decided = { name: 'Robert', phone: '2', contactName: 'Bob', notes: 'Pays late', email: null, version: 3 }
    expect((await get(path)).body).toMatchObject(decided)
    await expect(other.getByText('This has been sent or discarded meanwhile.')).toBeVisible()
    await expect(other.getByRole('button', { name: 'Keep these' })).toHaveCount(0)
    await other.close()

    // Or written anew, in the form that it was made in.
    network.fault = 'down'
    await go(page, 'Customers')
    await page.getByRole('link', { name: /Robert/ }).click()
    await edit(page, { Name: 'Bob', Phone: '4' }, 'Save customer')
    await write('PUT', path, { name: 'Roberta', phone: '5', notes: 'Pays' })
    await comeBack(page, network)
    await expect(chip(page)).toHaveText('1 needs attention')
    await chip(page).click()
    await page.getByRole('link', { name: /^Decide/ }).click()
    await question('Name').getByText('Edit', { exact: true }).click()
    await question('Phone').getByText('Keep theirs').click()
    await page.getByRole('button', { name: 'Go on' }).click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Bob')
    await expect(page.getByLabel('Phone')).toHaveValue('5')
    await expect(page.getByLabel('Internal notes')).toHaveValue('Pays')
    await fill(page, { Name: 'Bobby' })
    await page.getByRole('button', { name: 'Save customer' }).click()
    await expect(page.getByText('Everything is synced')).toBeVisible()
    expect((await get(path)).body).toMatchObject({ name: 'Bobby', phone: '5', notes: 'Pays', version: 5 })
  })

  test('signing out with unsent work names the counts and leaves the choice', async ({ page, docket, network }) => {
    const elsewhere = await begin(page, docket)
    const signOut = async () => {
      await page.getByRole('button', { name: 'Your account' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await stock(page, network, elsewhere)
    await expect(chip(page)).toHaveText('1 needs attention')
    await signOut()
    const dialog = page.getByRole('dialog', { name: '4 changes not sent yet' })
    await expect(dialog).toContainText('3 waiting, 1 needs attention')
    await look(page, 'leaving', phoneAndDesk)
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Export' }).click()
    await downloading
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(chip(page)).toHaveText('1 needs attention')

    // What needs the person is not sent by waiting for it.
    await signOut()
    network.fault = 'none'
    await page.getByRole('button', { name: 'Sync now' }).click()
    await expect(page.getByText('Some of it needs you first: look at Unsent.')).toBeVisible()
    expect((await elsewhere.get('/invoices')).body.data).toMatchObject([{ status: 'issued' }])
    await page.getByRole('button', { name: 'Discard and sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    const databases = () => page.evaluate(async () => (await indexedDB.databases()).map((each) => each.name ?? ''))
    await expect.poll(databases).not.toContainEqual(expect.stringContaining('docket-device.'))
  })
})

test('deleting the account with unsent work names the counts as well; nothing is gone before the account is', async ({
  page,
  docket,
  network,
}) => {
  const { get } = await begin(page, docket)
  // The server is there, and this write does not reach it.
  network.before = (request) =>
    request.method === 'POST' && request.url?.endsWith('/customers') ? Promise.resolve('down') : undefined
  await makeCustomer(page)
  await page.goto('/account/data')
  await expect(chip(page)).toHaveText('1 waiting')
  const press = () => page.getByRole('button', { name: 'Delete account' }).click()
  const question = page.getByRole('dialog', { name: '1 change not sent yet' })
  const confirm = page.getByRole('dialog', { name: 'Delete your account?' })
  await press()
  await expect(question).toContainText('1 waiting')
  await expect(question).toContainText('Deleting your account takes everything of yours off this device.')
  await look(page, 'deleting with unsent work', bothThemes)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)

  await press()
  await question.getByRole('button', { name: 'Go on without it' }).click()
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  await expect(confirm).toHaveCount(0)
  await expect(chip(page)).toHaveText('1 waiting')

  await press()
  await expect(question).toBeVisible()
  // Before it can go by itself, and the question with it.
  await question.getByRole('button', { name: 'Sync now' }).click()
  network.before = null
  await expect(confirm).toBeVisible()
  expect((await get('/customers')).body.data).toMatchObject([{ name: 'Bob the Baker' }])
  await expect(question).toHaveCount(0)
})

test('signing out while it cannot be read what is unsent asks first; nothing is gone before that', async ({
  page,
  docket,
  network,
}) => {
  await begin(page, docket)
  network.fault = 'down'
  await makeCustomer(page)
  await expect(chip(page)).toHaveText('1 waiting')
  // As a newer build leaves it that was taken back: the one that is here cannot open it.
  await page.evaluate(async () => {
    const { name, version } = (await indexedDB.databases()).find((each) => each.name?.startsWith('docket-device.'))!
    const opening = indexedDB.open(name!, version! + 1)
    await new Promise((resolve) => (opening.onsuccess = resolve))
    opening.result.close()
  })
  await page.reload()
  const question = page.getByRole('dialog', { name: 'Unsent changes cannot be read' })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(question).toContainText('This device cannot say just now whether everything was sent.')
  await expect(question).toContainText('What was not sent would be lost.')
  await look(page, 'leaving, not readable', bothThemes)
  await question.getByRole('button', { name: 'Try again' }).click()
  await expect(question).toContainText('They still cannot be read.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map((each) => each.name ?? ''))
  expect(await databases()).toContainEqual(expect.stringContaining('docket-device.'))

  await page.getByRole('button', { name: 'Sign out' }).click()
  await question.getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect.poll(databases).not.toContainEqual(expect.stringContaining('docket-device.'))
})

test('sync now sends what waits, then signs out; without unsent work it is one press', async ({
  page,
  docket,
  network,
}) => {
  const { get } = await begin(page, docket)
  network.fault = 'down'
  await makeCustomer(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('dialog', { name: '1 change not sent yet' })).toBeVisible()
  // Before it can go by itself, and the question with it.
  const asked = page.waitForRequest(/\/device\/outbox\/retry$/)
  await page.getByRole('button', { name: 'Sync now' }).click()
  await asked
  network.fault = 'none'
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect((await get('/customers')).body.data).toMatchObject([{ name: 'Bob the Baker' }])

  await signUp(page, docket)
  await expect(chip(page)).toHaveText('All synced')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

for (const way of ['is discarded', 'goes by itself meanwhile'] as const)
  test(`what is typed in another tab is asked about too where what waits ${way}`, async ({
    page,
    docket,
    network,
    context,
  }) => {
    await begin(page, docket)
    network.fault = 'down'
    await makeCustomer(page)
    const other = await context.newPage()
    await other.goto('/items/new')
    await other.getByLabel('Name', { exact: true }).fill('Half typed')
    const typed = () => page.evaluate(() => Object.keys(localStorage).some((key) => key.includes('.draft.')))
    await expect.poll(typed).toBe(true)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('dialog', { name: '1 change not sent yet' })).toBeVisible()
    if (way === 'is discarded') await page.getByRole('button', { name: 'Discard and sign out' }).click()
    else await comeBack(page, network)
    const question = page.getByRole('dialog', { name: 'Something you typed would be lost' })
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Discard and sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  })

test('what the server refused opens its form again, filled in, and is sent in its place', async ({
  page,
  docket,
  network,
}) => {
  const { organizationId, get, write } = await begin(page, docket)
  const nobody = { name: 'Nobody', country: 'NL', email: 'no' }
  await saveRefused(page, `/organizations/${organizationId}/customers`, nobody)
  await saveRefused(page, '/organizations', { name: '', country: 'BE', currency: 'EUR', locale: 'nl-BE' })
  await makeCustomer(page, 'Eve')
  await makeCustomer(page)
  const customer = `/customers/${lastId(page)}`
  network.fault = 'down'
  await makeDraft(page)
  const invoice = `/invoices/${lastId(page)}`
  await write('DELETE', customer)
  await comeBack(page, network)
  await expect(chip(page)).toHaveText('3 need attention')
  await chip(page).click()
  await expect(page.getByText('Customer: This customer does not exist')).toBeVisible()
  await page.getByRole('link', { name: /^Edit: New invoice/ }).click()
  await expect(page.getByLabel('Unit price')).toHaveValue('379.00')
  // At its field, which would look empty and nothing more.
  await expect(page.getByLabel('Customer')).toHaveAccessibleDescription(/This customer does not exist/)
  await page.getByLabel('Customer').fill('Eve')
  await page.getByRole('option', { name: 'Eve' }).click()
  await fill(page, { Quantity: '3' })
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText('Decided, and saved on this device')).toBeVisible()

  await page.getByRole('link', { name: 'Edit: New organization' }).click()
  await expect(page.getByLabel('Country')).toHaveValue('BE')
  await fill(page, { Name: 'Another Works' })
  await page.getByRole('button', { name: 'Create organization' }).click()

  await page.getByRole('link', { name: 'Edit: New customer Nobody' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Nobody')
  await page.getByRole('textbox', { name: 'Email' }).fill('no@example.com')
  await page.getByRole('button', { name: 'Save customer' }).click()
  await expect(page.getByText('Everything is synced')).toBeVisible()

  const lines = [{ name: 'Website', quantity: '3' }]
  expect((await get(invoice)).body).toMatchObject({ customerName: 'Eve', lines })
  const { body: customers } = await get('/customers')
  expect(customers.data).toMatchObject([{ name: 'Eve' }, { name: 'Nobody', email: 'no@example.com' }])
  const { body: organizations } = await fetchIn(page, '/organizations')
  expect(organizations.data).toMatchObject([{ name: 'Ann Works' }, { name: 'Another Works', locale: 'nl-BE' }])
})

test('a refused payment and a refused mail open their forms again, filled in; what was paid elsewhere meanwhile is minded', async ({
  page,
  docket,
  network,
}) => {
  const { organizationId, get, write } = await begin(page, docket)
  await makeCustomer(page)
  await makeDraft(page)
  await page.getByRole('button', { name: 'Issue invoice' }).click()
  await expect(page.getByText(/^INV-/).first()).toBeVisible()
  const invoiceId = lastId(page)
  network.fault = 'down'
  await page.getByRole('button', { name: 'Record payment' }).click()
  await page.getByLabel('Amount (EUR)').fill('917.18')
  await page.getByLabel('Reference').fill('Statement 7')
  await page.getByRole('dialog').getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  const amount = { amount: '17.18', currency: 'EUR' }
  const payment = { id: uuidv7(), date: '2026-01-31', amount, allocations: [{ invoiceId, amount }] }
  await write('POST', '/payments', payment)
  await comeBack(page, network)
  await expect(chip(page)).toHaveText('1 needs attention')
  await chip(page).click()
  await page.getByRole('link', { name: /^Edit: Record payment/ }).click()
  await expect(page.getByLabel('Amount (EUR)')).toHaveValue('917.18')
  await expect(page.getByLabel('Reference')).toHaveValue('Statement 7')
  await expect(page.getByLabel('Amount (EUR)')).toHaveAccessibleDescription(/Only 900.00 EUR is due/)
  await page.getByLabel('Amount (EUR)').fill('900')
  await page.getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByText('Everything is synced')).toBeVisible()
  expect((await get(`/invoices/${invoiceId}`)).body).toMatchObject({ paymentStatus: 'paid' })

  const words = { to: 'no', subject: 'Your invoice', message: 'Typed by hand' }
  const { body: issued } = await get(`/invoices/${invoiceId}`)
  const path = `/organizations/${organizationId}/invoices/${invoiceId}/send`
  await saveRefused(page, path, words, issued.version)
  await expect(chip(page)).toHaveText('1 needs attention')
  await page.getByRole('link', { name: /^Edit: Send invoice/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Message')).toHaveValue('Typed by hand')
  await dialog.getByLabel('To').fill('bob@example.com')
  await dialog.getByRole('button', { name: 'Send mail', exact: true }).click()
  await expect(page.getByText('Everything is synced')).toBeVisible()
  expect((await get(`/invoices/${invoiceId}/mails`)).body.data).toMatchObject([{ recipient: 'bob@example.com' }])
})

/** What is kept of forms that were left on this page's device. */
const keptTexts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.draft.')))

for (const isPulled of [false, true])
  test(`online too, who saves over somebody else’s change is asked about what both changed, ${isPulled ? 'also when the device has heard of it' : 'and nothing typed is lost'}`, async ({
    page,
    docket,
  }) => {
    const { get, write } = await begin(page, docket)
    await makeCustomer(page)
    const path = `/customers/${lastId(page)}`
    const meanwhile = async (fields: object) => {
      await write('PUT', path, fields)
      if (isPulled) await bringNews(page)
      const { name } = fields as { name?: string }
      if (isPulled) await expect(page.getByText(name!).first()).toBeVisible()
    }
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await fill(page, { Phone: '2', 'Internal notes': 'Ring twice' })
    await meanwhile({ name: 'Robert', phone: '3', email: 'bob@example.com' })
    await page.getByRole('button', { name: 'Save customer' }).click()
    const question = page.getByRole('group')
    await expect(question).toHaveCount(1)
    await expect(page.getByRole('group', { name: 'Phone' })).toContainText('Before: empty')
    expect(await keptTexts(page)).toEqual([])
    // Who goes away and comes back finds it where everything waits.
    await go(page, 'Customers')
    await expect(chip(page)).toHaveText('1 needs attention')
    await chip(page).click()
    await page.getByRole('link', { name: /^Decide/ }).click()
    await question.getByText('Keep mine').click()
    await page.getByRole('button', { name: 'Keep these' }).click()
    await expect(page.getByText('Everything is synced')).toBeVisible()
    const decided = { name: 'Robert', phone: '2', notes: 'Ring twice', email: 'bob@example.com', version: 3 }
    expect((await get(path)).body).toMatchObject(decided)

    // What does not overlap is brought together, and nobody is asked.
    await go(page, 'Customers')
    await page.getByRole('link', { name: /Robert/ }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await fill(page, { Phone: '4' })
    await meanwhile({ name: 'Roberta', notes: 'Pays late' })
    await page.getByRole('button', { name: 'Save customer' }).click()
    await expect(page.getByRole('heading', { name: 'Roberta' })).toBeVisible()
    await expect(chip(page)).toHaveText('All synced')
    expect((await get(path)).body).toMatchObject({ name: 'Roberta', phone: '4', notes: 'Pays late', version: 5 })
    expect(await keptTexts(page)).toEqual([])
  })

test('a form that is saved offline over what came in meanwhile asks about what both changed, and nothing else', async ({
  page,
  docket,
  network,
}) => {
  const { get, write } = await begin(page, docket)
  await makeCustomer(page)
  const path = `/customers/${lastId(page)}`
  const meanwhile = async (fields: { name: string }) => {
    await write('PUT', path, fields)
    await bringNews(page)
    await expect(page.getByText(fields.name).first()).toBeVisible()
    network.fault = 'down'
  }
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await fill(page, { Phone: '2' })
  await meanwhile({ name: 'Robert' })
  await page.getByRole('button', { name: 'Save customer' }).click()
  await expect(page.getByRole('heading', { name: 'Robert' })).toBeVisible()
  await comeBack(page, network)
  await expect(chip(page)).toHaveText('All synced')
  // The form is opened on what the server made of it.
  await expect(page.getByText('Waiting', { exact: true })).toHaveCount(0)
  expect((await get(path)).body).toMatchObject({ name: 'Robert', phone: '2', version: 3 })

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await fill(page, { Name: 'Bobby', Phone: '4' })
  await meanwhile({ name: 'Roberta', email: 'bob@example.com' } as { name: string })
  await page.getByRole('button', { name: 'Save customer' }).click()
  await comeBack(page, network)
  await expect(chip(page)).toHaveText('1 needs attention')
  await chip(page).click()
  await page.getByRole('link', { name: /^Decide/ }).click()
  await expect(page.getByRole('group')).toHaveCount(1)
  await page.getByRole('group', { name: 'Name' }).getByText('Keep mine').click()
  await page.getByRole('button', { name: 'Keep these' }).click()
  await expect(page.getByText('Everything is synced')).toBeVisible()
  expect((await get(path)).body).toMatchObject({ name: 'Bobby', phone: '4', email: 'bob@example.com', version: 5 })
})

test('online too, a draft that was issued while it was edited is copied into a new one', async ({ page, docket }) => {
  const { write } = await begin(page, docket)
  await makeCustomer(page)
  await makeDraft(page)
  const id = lastId(page)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await fill(page, { 'Notes on the invoice': 'Mine' })
  await write('POST', `/invoices/${id}/issue`)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText(/This invoice was issued meanwhile as INV-\d{4}-0001/)).toBeVisible()
  await page.getByRole('button', { name: 'Copy into a new draft' }).click()
  await expect(page.getByLabel('Notes on the invoice')).toHaveValue('Mine')
  await expect(chip(page)).toHaveText('All synced')
})

test('an invoice that was issued meanwhile is copied into a new draft', async ({ page, docket, network }) => {
  const { get, write } = await begin(page, docket)
  await makeCustomer(page)
  await makeDraft(page)
  const id = lastId(page)
  network.fault = 'down'
  await edit(page, { 'Notes on the invoice': 'Mine' }, 'Save draft')
  await write('POST', `/invoices/${id}/issue`)
  await comeBack(page, network)
  await expect(chip(page)).toHaveText('1 needs attention')
  await chip(page).click()
  await page.getByRole('link', { name: /^Decide/ }).click()
  await expect(page.getByText(/This invoice was issued meanwhile as INV-\d{4}-0001/)).toBeVisible()
  const mine = page.locator('section', { has: page.getByRole('heading', { name: 'As you saved it here' }) })
  await expect(mine.getByRole('definition')).toHaveText(['Mine'])
  await look(page, 'issued-meanwhile', phoneAndDesk)
  await page.getByRole('button', { name: 'Copy into a new draft' }).click()
  await expect(page.getByRole('heading', { name: 'Edit draft' })).toBeVisible()
  await expect(page.getByLabel('Notes on the invoice')).toHaveValue('Mine')
  await expect(page.getByLabel('Description, Line 1')).toHaveValue('Website')
  expect(page.url()).not.toContain(id)
  await expect(chip(page)).toHaveText('All synced')
  const { body } = await get('/invoices')
  expect(body.data.map(({ status }: { status: string }) => status).toSorted()).toEqual(['draft', 'issued'])
})

test('what was not taken is said where it was saved, and leads to what can be done: of a customer, of the settings, and of an invoice that waits for them', async ({
  page,
  docket,
  network,
}) => {
  const { write, organizationId } = await begin(page, docket)
  const notTaken = page.getByText('Something you saved of it was not taken.').getByRole('link', { name: 'Unsent' })
  await makeCustomer(page)
  const customer = `/customers/${lastId(page)}`
  const settings = `/organization/${organizationId}/settings`
  await page.goto(settings)
  await expect(page.getByRole('button', { name: 'Save settings' })).toBeVisible()
  network.fault = 'down'
  await fill(page, { 'Legal name': 'Ann Works Ltd' })
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByRole('heading', { name: 'Ann Works', exact: true })).toBeVisible()
  await go(page, 'Customers')
  await page.getByRole('link', { name: /Bob the Baker/ }).click()
  await edit(page, { Phone: '2' }, 'Save customer')
  const customerScreen = page.url()
  await makeDraft(page)
  await page.getByRole('button', { name: 'Issue invoice' }).click()
  await expect(page.getByText('It gets its number and date as soon as there is a connection.')).toBeVisible()
  await write('PUT', '', { legalName: 'Ann Works B.V.' })
  await write('PUT', customer, { phone: '3' })
  await comeBack(page, network)
  const undecided = page.getByText('It waits for something else that needs your attention first.')
  await expect(undecided.getByRole('link', { name: 'Unsent' })).toBeVisible()
  await page.goto(customerScreen)
  await expect(notTaken).toBeVisible()
  await look(page, 'not-taken-customer', phoneAndDesk)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await expect(page.getByLabel('Phone')).toHaveValue('2')
  await expect(notTaken).toBeVisible()
  await page.goto(settings)
  await look(page, 'not-taken-settings', phoneAndDesk)
  await notTaken.click()
  await expect(unsentItems(page)).toHaveCount(3)
  await expect(unsentItems(page).last()).toContainText('Waits for another change that needs your attention first.')
})

test('who has gone somewhere else while it was being saved stays there', async ({ page, docket }) => {
  const { get } = await begin(page, docket)
  await makeCustomer(page)
  const customer = `/customers/${lastId(page)}`
  // Of the first save, no more.
  await expect(page.getByText('Customer synced')).toHaveCount(0)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await fill(page, { Phone: '2' })
  await page.evaluate(() => {
    const ask = window.fetch
    // Listened for from now on: it may be said before the answer has come.
    const answered = new Promise((resolve) => addEventListener('answered', resolve, { once: true }))
    window.fetch = async (...call) => {
      const answer = await ask(...call)
      if (call[0] instanceof Request && call[0].method === 'PUT') await answered
      return answer
    }
  })
  await page.getByRole('button', { name: 'Save customer' }).click()
  await expect(page.getByRole('button', { name: 'Save customer' })).toBeDisabled()
  await go(page, 'Items')
  await page.evaluate(() => dispatchEvent(new Event('answered')))
  await expect(page.getByText('Customer synced')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Items', level: 1 })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/items')
  expect((await get(customer)).body).toMatchObject({ phone: '2' })
})

test('what was deleted meanwhile is saved as a new one', async ({ page, docket, network }) => {
  const { get, write } = await begin(page, docket)
  await makeCustomer(page, 'Eve')
  const eve = lastId(page)
  await makeCustomer(page)
  await makeDraft(page)
  const draft = lastId(page)
  await page.goto(`${new URL(page.url()).pathname.split('/invoices')[0]}/customers/${eve}`)
  network.fault = 'down'
  await edit(page, { Phone: '020 1234567' }, 'Save customer')
  await page.goto(`${new URL(page.url()).pathname.split('/customers')[0]}/invoices/${draft}`)
  await edit(page, { 'Notes on the invoice': 'Mine' }, 'Save draft')
  await write('DELETE', `/invoices/${draft}`)
  await write('DELETE', `/customers/${eve}`)
  await comeBack(page, network)
  await expect(chip(page)).toHaveText('2 need attention')
  await chip(page).click()
  // Another try is of use: it may be there again.
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  await page.getByRole('link', { name: /^Decide.*Eve/ }).click()
  await page.getByRole('button', { name: 'Save as a new one' }).click()
  // On her own screen: what is decided is headed by her name too, and lists what was saved.
  await expect(page.getByRole('heading', { name: 'Eve', exact: true })).toBeVisible()
  await expect(page.getByText('020 1234567')).toBeVisible()
  await expect(chip(page)).toHaveText('1 needs attention')
  await chip(page).click()
  // The screen begins with what it showed last.
  await expect(unsentItems(page)).toHaveCount(1)
  await page.getByRole('link', { name: /^Decide/ }).click()
  await page.getByRole('button', { name: 'Copy into a new draft' }).click()
  await expect(page.getByLabel('Notes on the invoice')).toHaveValue('Mine')
  await expect(chip(page)).toHaveText('All synced')
  const { body: invoices } = await get('/invoices')
  expect(invoices.data).toMatchObject([{ customerName: 'Bob the Baker', status: 'draft' }])
  const { body: customers } = await get('/customers')
  expect(customers.data).toMatchObject([{ name: 'Bob the Baker' }, { name: 'Eve', phone: '020 1234567' }])
})

test('a form that somebody is at stays when its item is deleted elsewhere', async ({ page, docket }) => {
  const { write } = await begin(page, docket)
  await makeItem(page)
  await openItem(page)
  const [, path = ''] = page
    .url()
    .replace(/\/edit$/, '')
    .split(/organization\/[\w-]+/)
  await fill(page, { 'Unit price': '90' })
  await write('DELETE', path)
  await bringNews(page)
  await expect(page.getByRole('heading', { name: 'Hour of work' })).toHaveCount(0)
  await expect(page.getByLabel('Unit price')).toHaveValue('90')
  await page.getByRole('button', { name: 'Save item' }).click()
  await page.getByRole('button', { name: 'Save as a new one' }).click()
  await go(page, 'Items')
  await expect(page.getByRole('list', { name: 'Items' })).toContainText('90.00')
})

for (const kind of ['customer', 'draft', 'item'] as const)
  test(`${kind === 'item' ? 'an' : 'a'} ${kind} that was changed here and deleted elsewhere says so on its own screen, and leads to what is to be decided`, async ({
    page,
    docket,
    network,
  }) => {
    const { write } = await begin(page, docket)
    await (kind === 'item' ? makeItem(page) : makeCustomer(page))
    if (kind === 'draft') await makeDraft(page)
    // Its form is all the screen that an item has.
    if (kind === 'item') await openItem(page)
    const own = page.url()
    const [, path = ''] = own.replace(/\/edit$/, '').split(/organization\/[\w-]+/)
    network.fault = 'down'
    if (kind === 'draft') await edit(page, { 'Notes on the invoice': 'Mine' }, 'Save draft')
    else if (kind === 'customer') await edit(page, { Phone: '020 1234567' }, 'Save customer')
    else {
      await fill(page, { 'Unit price': '90' })
      await page.getByRole('button', { name: 'Save item' }).click()
      await openItem(page)
    }
    await expect(page.getByText('Waiting', { exact: true })).toBeVisible()
    await write('DELETE', path)
    await comeBack(page, network)
    const main = page.getByRole('main')
    const isGone = async () => {
      await expect(main.getByText('There is nothing at this address')).toBeVisible()
      await expect(main.getByText('Something you saved of it was not taken')).toBeVisible()
      await expect(main.getByText('Waiting', { exact: true })).toHaveCount(0)
      await expect(main.getByRole('button', { name: 'Delete' })).toHaveCount(0)
      await expect(main.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0)
      await expect(main.getByLabel('Unit price')).toHaveCount(0)
    }
    await isGone()
    await page.reload()
    await isGone()
    await main.getByRole('link', { name: 'Unsent' }).click()
    await expect(page.getByText('It is no longer at the server')).toBeVisible()
    await page.getByRole('link', { name: 'To all unsent changes' }).click()
    await unsentItems(page)
      .getByRole('button', { name: /^Discard/ })
      .click()
    await expect(chip(page)).toHaveText('All synced')
    await page.goto(own)
    await expect(main.getByText('There is nothing at this address')).toBeVisible()
    await expect(main.getByText('Something you saved of it was not taken')).toHaveCount(0)
  })

test('a press that somebody was faster than is decided too; what was refused is sent again as it was', async ({
  page,
  docket,
  network,
}) => {
  const { get, write } = await begin(page, docket)
  const draft = uuidv7()
  const lines = [{ name: 'Website', quantity: '2', unitPrice: '379.00', vat: { category: 'S', rate: '21' } }]
  await write('POST', '/invoices', { id: draft, customerId: null, lines })
  await makeCustomer(page, 'Gone')
  const gone = `/customers/${lastId(page)}`
  await makeCustomer(page)
  const bob = `/customers/${lastId(page)}`
  await bringNews(page)
  await go(page, 'Invoices')
  await page.getByRole('list', { name: 'Invoices' }).getByRole('link').click()

  network.fault = 'down'
  // The screen itself says what is missing and keeps nothing; another program on this device, or an older build, may not.
  await page.getByRole('button', { name: 'Issue invoice' }).click()
  await expect(page.getByText('Choose a customer').first()).toBeVisible()
  await expect(chip(page)).toHaveText('All synced')
  await page.evaluate(async () => {
    const path = location.pathname.replace('/organization/', '/api/v1/organizations/')
    const headers = { 'if-match': '"1"', 'idempotency-key': crypto.randomUUID() }
    await fetch(`${path}/issue`, { method: 'POST', headers })
  })
  await expect(page.getByText('Will be issued', { exact: true })).toBeVisible()
  await go(page, 'Customers')
  await page.getByRole('link', { name: /Gone/ }).click()
  await edit(page, { Phone: '1' }, 'Save customer')
  await go(page, 'Customers')
  await page.getByRole('link', { name: /Bob the Baker/ }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Customer deleted on this device')).toBeVisible()
  await write('PUT', bob, { name: 'Robert' })
  await write('DELETE', gone)
  await comeBack(page, network)
  await expect(chip(page)).toHaveText('3 need attention')
  await chip(page).click()
  await page.getByRole('link', { name: 'Decide: Delete customer Bob the Baker' }).click()
  await page.getByRole('button', { name: 'Delete it all the same' }).click()
  await expect(unsentItems(page)).toHaveCount(2)
  expect((await get(bob)).status).toBe(404)
  await page.getByRole('link', { name: 'Decide: Change to customer Gone' }).click()
  await expect(page.getByText('It is no longer at the server')).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: /^1$/ })).toBeVisible()
  await page.getByRole('link', { name: 'To all unsent changes' }).click()
  // Another try would find nothing either.
  await expect(page.getByRole('button', { name: 'Retry: Change to customer Gone' })).toHaveCount(0)
  await expect(page.getByText('Customer: Choose a customer')).toBeVisible()
  // Nothing to fill in: the record itself is what has to be mended.
  await expect(page.getByRole('link', { name: 'Edit: Issue invoice' })).toHaveCount(0)
  const eve = uuidv7()
  await write('POST', '/customers', { id: eve, name: 'Eve', country: 'NL' })
  await write('PUT', `/invoices/${draft}`, { customerId: eve })
  await page.getByRole('button', { name: 'Retry: Issue invoice' }).click()
  // Sent with the version that was looked at then: whoever issues sees first what it has become.
  await page.getByRole('link', { name: /^Decide: Issue invoice/ }).click()
  await page.getByRole('button', { name: 'Issue it as it is now' }).click()
  await expect(unsentItems(page)).toHaveCount(1)
  expect((await get(`/invoices/${draft}`)).body).toMatchObject({ status: 'issued', customerName: 'Eve' })
})

test('who signs in where somebody else’s work waits is told that it does, and nothing of it', async ({
  page,
  docket,
  network,
}) => {
  const waits = page.getByText('Somebody else’s unsent changes are kept on this device.')
  const email = await signUp(page, docket, { organization: 'Zilverreiger Works' })
  network.fault = 'down'
  await makeCustomer(page, 'Zilverreiger Customer')
  await chip(page).click()
  await expect(unsentItems(page)).toHaveCount(1)
  await expect(waits).toHaveCount(0)
  // Their session is ended from another device of theirs.
  const { call } = await signedInAccount(docket.server.url, email)
  expect((await call('POST', '/account/sessions/end-others', undefined, { 'idempotency-key': uuidv7() })).status).toBe(
    200,
  )
  await comeBack(page, network)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  const kept = page.getByText('Unsent changes are kept on this device.')
  await expect(kept).toBeVisible()
  await page.reload()
  await expect(kept).toBeVisible()

  await signUp(page, docket)
  await expect(chip(page)).toHaveText('All synced')
  await chip(page).click()
  await expect(waits).toBeVisible()
  await expect(page.getByText('Everything is synced')).toBeVisible()
  expect(await page.content()).not.toMatch(/Zilverreiger/)
  expect(await page.content()).not.toContain(email)
  await page.getByRole('button', { name: 'Sign out' }).click()

  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(chip(page)).toHaveText('All synced')
  await chip(page).click()
  await expect(page.getByText('Everything is synced')).toBeVisible()
  await expect(waits).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/device/outbox'))
  await page.reload()
  await answered
  await expect(kept).toHaveCount(0)
})

test('what is just being sent says so when it is to be discarded', async ({ page, docket, network }) => {
  await begin(page, docket)
  network.fault = 'hang'
  await makeCustomer(page)
  await page.goto('/unsent')
  const said = (words: string) => page.locator('[data-sonner-toast]').filter({ hasText: words })
  await expect(unsentItems(page).getByText('It is being sent now.')).toBeVisible()
  await page.getByRole('button', { name: /^Discard/ }).click()
  await expect(said('It is being sent now.')).toBeVisible()
  await expect(said('Not found')).toHaveCount(0)
})

for (const isSent of [false, true])
  test(`what is typed into the form of one that ${isSent ? 'was' : 'is being'} sent meanwhile is a change of it, also after a reload`, async ({
    page,
    docket,
    network,
    context,
  }) => {
    const { organizationId, get } = await begin(page, docket)
    const nobody = { name: 'Nobody', country: 'NL', email: 'no' }
    await saveRefused(page, `/organizations/${organizationId}/customers`, nobody)
    const other = await context.newPage()
    for (const tab of [page, other]) {
      await tab.goto('/unsent')
      await tab.getByRole('link', { name: 'Edit: New customer Nobody' }).click()
      await tab.getByRole('textbox', { name: 'Email' }).fill('no@example.com')
    }
    await page.getByLabel('Phone').fill('0123')
    network.fault = 'hang'
    await other.getByRole('button', { name: 'Save customer' }).click()
    await expect(unsentItems(other).getByText('It is being sent now.')).toBeVisible()
    const goOn = async () => {
      network.fault = 'none'
      await network.settle()
      await askAgain(other)
      await expect(chip(other)).toHaveText('All synced')
    }
    if (isSent) await goOn()
    await page.reload()
    await expect(page.getByText('It has been put back')).toBeVisible()
    await expect(page.getByLabel('Phone')).toHaveValue('0123')
    await page.getByRole('button', { name: 'Save customer' }).click()
    await expect(page.getByText('Decided, and saved on this device')).toBeVisible()
    if (!isSent) await goOn()
    await expect(page.getByText('Everything is synced')).toBeVisible()
    const { body } = await get('/customers')
    expect(body.data).toMatchObject([{ name: 'Nobody', email: 'no@example.com', phone: '0123', version: 2 }])
    expect(await keptTexts(page)).toEqual([])
  })
