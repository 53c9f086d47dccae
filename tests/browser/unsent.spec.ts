// What the person sees of unsent writes (OFFLINE.md "What the person sees", "Conflict"): chip, words, badges, the Unsent screen, signing out.
import fs from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { countsOf, type OutboxFile, type Resolution, type UnsentEntry } from '#shared/outbox.ts'
import { problem } from '#shared/problem.ts'
import {
  controlled,
  expect,
  go,
  issueDraft,
  makeCustomer,
  makeDraft,
  makeOrganization,
  signUp,
  test,
} from '#tests/support/browser.ts'
import { fetchIn } from '#tests/support/session-faults.ts'

declare global {
  interface Window {
    fake: Fake
  }
}

/** Kept over reloads. */
interface Fake {
  entries: UnsentEntry[]
  /** What was decided, in order. */
  resolved: { key: string; resolution: Resolution }[]
  /** `202`: a write reaches the server all the same, but the page is told that it waits. */
  writes: '200' | '202'
  /** Whether a retry sends all that wait. */
  drains: boolean
  /** Rows by id, and how they are marked. */
  marks: Record<string, 'waiting' | 'attention' | 'issue'>
  /** Of the device's copy; null while the network answers. */
  asOf: string | null
}

/** Stands in for the worker's outbox until it is there: answers the device's calls in the page. */
async function fakeOutbox(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const begin: Fake = { entries: [], resolved: [], writes: '200', drains: false, marks: {}, asOf: null }
    const fake = (window.fake = JSON.parse(sessionStorage.getItem('fake') ?? 'null') ?? begin)
    window.addEventListener('pagehide', () => sessionStorage.setItem('fake', JSON.stringify(fake)))
    const userId = () => JSON.parse(localStorage.getItem('docket.session') ?? '{}').userId as string
    const counts = () => {
      const attention = fake.entries.filter(({ state }: UnsentEntry) =>
        ['conflict', 'rejected', 'needs-sign-in'].includes(state),
      ).length
      return { waiting: fake.entries.length - attention, attention }
    }
    const channel = new BroadcastChannel('docket')
    const tell = () => channel.postMessage({ type: 'unsent-changed', userId: userId(), ...counts() })
    const json = (body: unknown, status = 200, more = {}) =>
      new Response(status === 204 ? null : JSON.stringify(body), {
        status,
        headers: { 'content-type': 'application/json', 'x-docket': '1', 'x-docket-source': 'device', ...more },
      })
    const file = (entries: unknown[]) => ({ docket: 'unsent', version: 1, userId: userId(), entries })
    const device = async (request: Request, rest: string) => {
      const key = decodeURIComponent(rest.slice(1))
      if (request.method === 'GET')
        return rest === '/export' ? json(file(fake.entries)) : json({ ...counts(), entries: fake.entries })
      if (rest === '/retry') {
        if (fake.drains)
          fake.entries = fake.entries.filter(({ state }: UnsentEntry) => state === 'conflict' || state === 'rejected')
        tell()
        return json(null, 204)
      }
      if (rest === '/import') {
        const { entries } = (await request.json()) as OutboxFile
        fake.entries.push(...(entries as UnsentEntry[]))
        tell()
        return json({ imported: entries.length, refused: 0 })
      }
      const found = fake.entries.filter((entry: UnsentEntry) => entry.key === key)
      fake.entries = fake.entries.filter((entry: UnsentEntry) => entry.key !== key)
      if (request.method === 'PUT') fake.resolved.push({ key, resolution: await request.json() })
      tell()
      return request.method === 'PUT' ? json(null, 204) : json(file(found))
    }
    const mark = (row: { id?: string }) => ({ ...row, ...(fake.marks[row.id!] && { unsent: fake.marks[row.id!] }) })
    const real = window.fetch
    window.fetch = async (input, init) => {
      const asked = new Request(input instanceof Request ? input.clone() : input, init)
      const { pathname } = new URL(asked.url)
      const outbox = '/api/v1/device/outbox'
      if (pathname.startsWith(outbox)) return device(asked, pathname.slice(outbox.length))
      const answer = await real(input, init)
      if (!pathname.startsWith('/api/v1/organizations') || !answer.ok || answer.status === 204) return answer
      const body = await answer.json()
      if (asked.method !== 'GET' && fake.writes === '202') return json({ ...body, unsent: 'waiting' }, 202)
      const marked = Array.isArray(body.data) ? { ...body, data: body.data.map(mark) } : mark(body)
      if (asked.method === 'GET' && fake.asOf) return json(marked, 200, { 'x-docket-as-of': fake.asOf })
      return new Response(JSON.stringify(marked), answer)
    }
  })
}

/** Changes the stand-in, and tells the page as the worker would. */
async function setFake(page: Page, change: Partial<Fake>): Promise<void> {
  await page.evaluate(
    ([next, counts]) => {
      Object.assign(window.fake, next)
      const { userId } = JSON.parse(localStorage.getItem('docket.session')!)
      const channel = new BroadcastChannel('docket')
      if (counts) channel.postMessage({ type: 'unsent-changed', userId, ...counts })
      const organizations = [localStorage.getItem('docket.paint.organization')]
      if (next.marks) channel.postMessage({ type: 'copy-changed', userId, organizations })
    },
    [change, change.entries ? countsOf(change.entries) : null] as const,
  )
}

const organizationOf = (page: Page) => /organization\/([\w-]+)/.exec(page.url())![1]!
const lastId = (page: Page) => page.url().split('/').at(-1)!
const resolved = (page: Page) => page.evaluate(() => window.fake.resolved)
const chip = (page: Page) => page.getByRole('banner').getByRole('link', { name: /synced|waiting|need/ })

function entryOf(organizationId: string, more: Partial<UnsentEntry>): UnsentEntry {
  return {
    key: uuidv7(),
    name: 'createCustomer',
    organizationId,
    kind: 'customer',
    id: uuidv7(),
    label: 'Bob the Baker',
    createdAt: new Date().toISOString(),
    attempts: 0,
    nextAttemptAt: null,
    state: 'queued',
    lastProblem: null,
    body: { name: 'Bob the Baker', country: 'NL' },
    base: null,
    theirs: null,
    ...more,
  }
}

async function begin(page: Page, docket: Parameters<typeof signUp>[1]): Promise<string> {
  await fakeOutbox(page)
  await signUp(page, docket)
  await controlled(page)
  await makeOrganization(page)
  return organizationOf(page)
}

async function noViolations(page: Page, where: string): Promise<void> {
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0, { timeout: 10_000 })
  for (const theme of ['dark', 'light']) {
    await page.evaluate((each) => (document.documentElement.dataset['theme'] = each), theme)
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .analyze()
    const found = violations.map(({ id, nodes }) => `${where}, ${theme}: ${id} ${nodes.map(({ html }) => html).join()}`)
    expect.soft(found).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    if (process.env['PICTURES'])
      await page.screenshot({ path: `${process.env['PICTURES']}/${where}-${page.viewportSize()!.width}-${theme}.png` })
  }
  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'))
}

test.describe('on a small phone', () => {
  test.use({ viewport: { width: 320, height: 640 } })
  test('what was saved is said in two honest words, and rows say what is not at the server', async ({
    page,
    docket,
  }) => {
    const organizationId = await begin(page, docket)
    await expect(page.getByText('Organization synced')).toBeVisible()
    await expect(chip(page)).toHaveText('All synced')

    await setFake(page, { writes: '202', entries: [entryOf(organizationId, {})] })
    await makeCustomer(page)
    await expect(page.getByText('Customer saved on this device')).toBeVisible()
    await expect(chip(page)).toHaveText('1 waiting')
    const customerId = lastId(page)
    await setFake(page, { marks: { [customerId]: 'waiting' } })
    await go(page, 'Customers')
    await expect(page.getByRole('link', { name: /Bob the Baker/ })).toContainText('Waiting')
    await noViolations(page, 'list')
    await page.getByRole('link', { name: /Bob the Baker/ }).click()
    await expect(page.getByRole('heading', { name: 'Bob the Baker' })).toBeVisible()
    await expect(page.getByRole('main').getByText('Waiting', { exact: true })).toBeVisible()

    await setFake(page, { writes: '200' })
    await makeDraft(page)
    await expect(page.getByText('Draft synced')).toBeVisible()
    await setFake(page, { marks: { [lastId(page)]: 'issue' } })
    await go(page, 'Invoices')
    await expect(page.getByRole('list', { name: 'Invoices' })).toContainText('Will be issued')
    await page.getByRole('list', { name: 'Invoices' }).getByRole('link').click()
    await expect(page.getByText('Will be issued', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Issue invoice' })).toHaveCount(0)
    await noViolations(page, 'will be issued')

    await setFake(page, {
      entries: [entryOf(organizationId, { state: 'rejected' })],
      marks: { [organizationId]: 'attention' },
    })
    await expect(chip(page)).toHaveText('1 needs attention')
    // Heard too, and not only seen.
    await expect(page.getByRole('status').filter({ hasText: '1 needs attention' })).toBeAttached()
    await page.goto('/dashboard/organizations')
    await expect(page.getByRole('link', { name: /Ann Works/ })).toContainText('Needs attention')
    await setFake(page, { entries: [] })
    await expect(chip(page)).toHaveText('All synced')
    await chip(page).click()
    await expect(page.getByRole('heading', { name: 'Unsent' })).toBeVisible()
    await expect(page.getByText('Everything is synced')).toBeVisible()
  })
})

test('what is newer on the device is drawn at once, for this person alone', async ({ page, docket }) => {
  const organizationId = await begin(page, docket)
  await makeCustomer(page)
  const path = `/organizations/${organizationId}/customers`
  await go(page, 'Customers')
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
  await fetchIn(page, path, { body: { id: uuidv7(), name: 'Eve Elsewhere', country: 'NL' }, key: uuidv7() })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  // Somebody else's, and another organization's: the list of organizations alone is asked for.
  await tell(organizationId, uuidv7())
  await tell(uuidv7())
  await expect.poll(() => asked).toEqual(['/api/v1/organizations'])
  await tell(organizationId)
  await expect(page.getByRole('link', { name: /Eve Elsewhere/ })).toBeVisible()
})

test('offline, a small line says what goes on and from when it is', async ({ page, docket, network }) => {
  const organizationId = await begin(page, docket)
  const entries = [entryOf(organizationId, {}), entryOf(organizationId, {}), entryOf(organizationId, {})]
  await setFake(page, { asOf: '2026-01-02T13:02:00Z', entries })
  await go(page, 'Customers')
  network.fault = 'down'
  await go(page, 'Dashboard')
  const line = page.getByRole('status').filter({ hasText: 'Offline' })
  await expect(line).toContainText('Offline – you can keep working; 3 changes will be sent · as of 2 Jan 2026, 14:02')
  await noViolations(page, 'offline')
  network.fault = 'none'
  await setFake(page, { asOf: null })
  await expect(line).toHaveCount(0, { timeout: 10_000 })
})

const stock = (organizationId: string) => [
  entryOf(organizationId, { attempts: 2, nextAttemptAt: new Date(Date.now() + 60_000).toISOString() }),
  entryOf(organizationId, { name: 'createInvoice', kind: 'invoice', state: 'waiting-for-parent', body: { lines: [] } }),
  entryOf(organizationId, { name: 'issueInvoice', kind: 'invoice', state: 'waiting-for-parent', body: null }),
  entryOf(organizationId, {
    label: 'Nobody',
    state: 'rejected',
    body: { name: 'Nobody', country: 'NL', email: 'no' },
    lastProblem: problem('validation_failed', { errors: [{ pointer: '/email', detail: 'Must be an email' }] }),
  }),
]

for (const [name, viewport] of [
  ['phone', { width: 390, height: 844 }],
  ['desk', { width: 1440, height: 900 }],
] as const)
  test.describe(name, () => {
    test.use({ viewport })

    test('the Unsent screen says what, when and why; discarding is undone; the file goes out and in', async ({
      page,
      docket,
    }) => {
      const organizationId = await begin(page, docket)
      await setFake(page, { entries: stock(organizationId) })
      await page.goto('/unsent')
      await expect(chip(page)).toHaveText('1 needs attention')
      const list = page.getByRole('list', { name: 'Unsent' })
      const items = list.getByRole('listitem')
      await expect(items).toHaveCount(4)
      await expect(items.nth(0)).toContainText('New customer Nobody')
      await expect(items.nth(0)).toContainText('The server did not take it.')
      await expect(items.nth(0)).toContainText('Email: Must be an email')
      await expect(items.nth(1)).toContainText('Waits for a connection.')
      await expect(items.nth(1)).toContainText(/Tried 2 times\..*Next try at \d/)
      await expect(items.nth(3)).toContainText('Issue invoice · Bob the Baker')
      await noViolations(page, 'unsent')

      await page.getByRole('button', { name: 'Discard: New customer Nobody' }).click()
      await expect(items).toHaveCount(3)
      await expect(chip(page)).toHaveText('3 waiting')
      await expect(page.getByText('Discarded: New customer Nobody')).toBeVisible()
      await noViolations(page, 'discarded')
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(items).toHaveCount(4)
      await expect(page.getByText('Discarded: New customer Nobody')).toHaveCount(0)

      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      const download = await downloading
      expect(download.suggestedFilename()).toMatch(/^docket-unsent-\d{4}-\d\d-\d\d\.json$/)
      const exported = fs.readFileSync(await download.path(), 'utf8')
      expect((JSON.parse(exported) as OutboxFile).entries).toHaveLength(4)

      await setFake(page, { drains: true })
      await page.getByRole('button', { name: 'Retry', exact: true }).click()
      await expect(items).toHaveCount(1)
      await setFake(page, { entries: [] })
      await expect(page.getByText('Everything is synced')).toBeVisible()
      const file = (text: string) => ({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from(text) })
      const picker = page.locator('input[type="file"]')
      await picker.setInputFiles(file('{"docket":"other"}'))
      await expect(page.getByText('This file is no export of unsent changes.')).toBeVisible()
      await picker.setInputFiles(file(exported))
      await expect(items).toHaveCount(4)
      await expect(page.getByText('4 changes imported')).toBeVisible()
    })

    test('a conflict is decided field by field', async ({ page, docket }) => {
      const organizationId = await begin(page, docket)
      await makeCustomer(page)
      const address = { line1: 'Mill Lane 1', line2: null, postalCode: null, city: 'Delft', region: null }
      const base = {
        id: lastId(page),
        organizationId,
        name: 'Bob the Baker',
        country: 'NL',
        kind: 'business',
        version: 1,
      }
      const rest = { email: null, phone: '1', contactName: null, address, notes: null }
      const entry = entryOf(organizationId, {
        name: 'saveCustomer',
        state: 'conflict',
        id: base.id,
        base: { ...base, ...rest },
        body: { ...rest, name: 'Bob', country: 'NL', kind: 'business', email: '', phone: '2', contactName: 'Bob' },
        theirs: { ...base, ...rest, name: 'Robert', version: 5, phone: '3', notes: 'Pays late' },
      })
      await setFake(page, { entries: [entry] })
      await page.goto('/unsent')
      await page.getByRole('link', { name: 'Decide: Change to customer Bob the Baker' }).click()
      const question = (label: string) => page.getByRole('group', { name: label })
      await expect(page.getByRole('group')).toHaveCount(2)
      await expect(question('Name')).toContainText('Before: Bob the Baker')
      await expect(question('Name').getByRole('radio', { name: /Keep theirs\s*Robert/ })).toBeVisible()
      await noViolations(page, 'conflict')

      await page.getByRole('button', { name: 'Keep these' }).click()
      await expect(page.getByText('Choose for each field.')).toBeVisible()
      await question('Name').getByText('Keep theirs').click()
      await question('Phone').getByText('Keep mine').click()
      await page.getByRole('button', { name: 'Keep these' }).click()
      await expect(page.getByText('Everything is synced')).toBeVisible()
      const body = { ...entry.body, name: 'Robert', phone: '2', contactName: 'Bob', notes: 'Pays late', email: null }
      expect(await resolved(page)).toEqual([{ key: entry.key, resolution: { body, baseVersion: 5 } }])

      // Or written anew, in the form that it was made in.
      await setFake(page, { entries: [entry], resolved: [] })
      await page.getByRole('link', { name: /^Decide/ }).click()
      await question('Name').getByText('Edit', { exact: true }).click()
      await question('Phone').getByText('Keep theirs').click()
      await page.getByRole('button', { name: 'Go on' }).click()
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Bob')
      await expect(page.getByLabel('Phone')).toHaveValue('3')
      await expect(page.getByLabel('Internal notes')).toHaveValue('Pays late')
      await page.getByLabel('Name', { exact: true }).fill('Bobby')
      await page.getByRole('button', { name: 'Save customer' }).click()
      await expect(page.getByText('Everything is synced')).toBeVisible()
      const [decided] = await resolved(page)
      expect(decided).toMatchObject({ key: entry.key, resolution: { baseVersion: 5 } })
      expect(decided!.resolution.body).toMatchObject({ name: 'Bobby', phone: '3', contactName: 'Bob' })
    })

    test('signing out with unsent work names the counts and leaves the choice', async ({ page, docket }) => {
      const organizationId = await begin(page, docket)
      await setFake(page, { entries: stock(organizationId) })
      await expect(chip(page)).toHaveText('1 needs attention')
      await page.getByRole('button', { name: 'Sign out' }).click()
      const dialog = page.getByRole('dialog', { name: '4 changes not sent yet' })
      await expect(dialog).toContainText('3 waiting, 1 needs attention')
      await noViolations(page, 'leaving')
      const downloading = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Export' }).click()
      await downloading
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(dialog).toHaveCount(0)
      await expect(chip(page)).toHaveText('1 needs attention')

      // What needs the person is not sent by waiting for it.
      await setFake(page, { drains: true })
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sync now' }).click()
      await expect(page.getByText('Some of it needs you first: look at Unsent.')).toBeVisible()
      await page.getByRole('button', { name: 'Discard and sign out' }).click()
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
      expect(await page.evaluate(() => window.fake.entries)).toEqual([])
    })
  })

test('sync now sends what waits, then signs out; without unsent work it is one press', async ({ page, docket }) => {
  const organizationId = await begin(page, docket)
  await setFake(page, { entries: [entryOf(organizationId, {})], drains: true })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sync now' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()

  await signUp(page, docket)
  await expect(chip(page)).toHaveText('All synced')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('what the server refused opens its form again, filled in, and is sent in its place', async ({ page, docket }) => {
  const organizationId = await begin(page, docket)
  await makeCustomer(page)
  const customerId = lastId(page)
  const invoice = entryOf(organizationId, {
    name: 'createInvoice',
    kind: 'invoice',
    state: 'rejected',
    body: {
      customerId,
      currency: 'EUR',
      taxMode: 'net',
      notes: 'Thanks',
      lines: [
        { id: uuidv7(), name: 'Website', quantity: '2', unitPrice: '379.00', vat: { category: 'S', rate: '21' } },
      ],
    },
  })
  const created = entryOf(uuidv7(), {
    name: 'createOrganization',
    kind: 'organization',
    state: 'rejected',
    label: 'Other Works',
    body: { id: uuidv7(), name: 'Other Works', country: 'BE', currency: 'EUR', locale: 'nl-BE', timeZone: 'Etc/UTC' },
  })
  const [, , , customer] = stock(organizationId)
  await setFake(page, { entries: [invoice, created, customer!] })
  await page.goto('/unsent')
  await page.getByRole('link', { name: 'Edit: New invoice · Bob the Baker' }).click()
  await expect(page.getByLabel('Customer')).toHaveValue('Bob the Baker')
  await expect(page.getByLabel('Unit price')).toHaveValue('379.00')
  await page.getByLabel('Quantity').fill('3')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText('Decided, and saved on this device')).toBeVisible()

  await page.getByRole('link', { name: 'Edit: New organization Other Works' }).click()
  await expect(page.getByLabel('Country')).toHaveValue('BE')
  await page.getByLabel('Name', { exact: true }).fill('Another Works')
  await page.getByRole('button', { name: 'Create organization' }).click()

  await page.getByRole('link', { name: 'Edit: New customer Nobody' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Nobody')
  await page.getByRole('textbox', { name: 'Email' }).fill('no@example.com')
  await page.getByRole('button', { name: 'Save customer' }).click()
  await expect(page.getByText('Everything is synced')).toBeVisible()

  const [first, second, third] = await resolved(page)
  expect(first).toMatchObject({ key: invoice.key, resolution: { baseVersion: null } })
  expect(first!.resolution.body).toMatchObject({
    id: invoice.id,
    customerId,
    lines: [{ name: 'Website', quantity: '3' }],
  })
  expect(second!.resolution.body).toEqual({ ...created.body, name: 'Another Works' })
  expect(third!.resolution.body).toMatchObject({ id: customer!.id, name: 'Nobody', email: 'no@example.com' })
})

test('an invoice that was issued meanwhile is copied into a new draft', async ({ page, docket }) => {
  const organizationId = await begin(page, docket)
  await makeCustomer(page)
  await makeDraft(page)
  const id = lastId(page)
  await issueDraft(page)
  const { body: issued } = await fetchIn(page, `/organizations/${organizationId}/invoices/${id}`)
  const { customerId, lines } = issued as { customerId: string; lines: object[] }
  const body = { customerId, currency: 'EUR', taxMode: 'net', notes: 'Mine', lines }
  const entry = entryOf(organizationId, { name: 'saveInvoice', kind: 'invoice', id, state: 'conflict', body })
  await setFake(page, { entries: [{ ...entry, theirs: issued as Record<string, unknown> }] })
  await page.goto('/unsent')
  await page.getByRole('link', { name: /^Decide/ }).click()
  await expect(page.getByText(/This invoice was issued meanwhile as INV-\d{4}-0001/)).toBeVisible()
  await page.getByRole('button', { name: 'Copy into a new draft' }).click()
  await expect(page.getByRole('heading', { name: 'Edit draft' })).toBeVisible()
  await expect(page.getByLabel('Notes on the invoice')).toHaveValue('Mine')
  await expect(page.getByLabel('Description, Line 1')).toHaveValue('Website')
  expect(page.url()).not.toContain(id)
  await expect(chip(page)).toHaveText('All synced')
})

test('a press that somebody was faster than is decided too; what was refused is sent again as it was', async ({
  page,
  docket,
}) => {
  const organizationId = await begin(page, docket)
  const remove = entryOf(organizationId, {
    name: 'deleteCustomer',
    state: 'conflict',
    body: null,
    base: { version: 1 },
    theirs: { name: 'Robert', version: 4 },
  })
  const gone = entryOf(organizationId, { name: 'saveCustomer', state: 'conflict', label: 'Gone' })
  const issue = entryOf(organizationId, {
    name: 'issueInvoice',
    kind: 'invoice',
    state: 'rejected',
    body: null,
    base: { version: 2 },
    lastProblem: problem('validation_failed', { errors: [{ pointer: '/customerId', detail: 'Choose a customer' }] }),
  })
  await setFake(page, { entries: [remove, gone, issue] })
  await page.goto('/unsent')
  await page.getByRole('link', { name: 'Decide: Delete customer Bob the Baker' }).click()
  await page.getByRole('button', { name: 'Delete it all the same' }).click()
  await page.getByRole('link', { name: 'Decide: Change to customer Gone' }).click()
  await expect(page.getByText('It is no longer at the server')).toBeVisible()
  await page.getByRole('link', { name: 'To all unsent changes' }).click()
  await expect(page.getByText('Customer: Choose a customer')).toBeVisible()
  // Nothing to fill in: the record itself is what has to be mended.
  await expect(page.getByRole('link', { name: 'Edit: Issue invoice · Bob the Baker' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Retry: Issue invoice · Bob the Baker' }).click()
  await expect(page.getByRole('list', { name: 'Unsent' }).getByRole('listitem')).toHaveCount(1)
  expect(await resolved(page)).toEqual([
    { key: remove.key, resolution: { body: null, baseVersion: 4 } },
    { key: issue.key, resolution: { body: null, baseVersion: 2 } },
  ])
})
