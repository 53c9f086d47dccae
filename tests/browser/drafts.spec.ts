// What is typed is kept by the page until the outbox has it, and by one of the two from then on: nothing is lost, and nothing comes back that was saved.
import type { Locator, Page } from '@playwright/test'
import { problemMediaType } from '#shared/problem-form.ts'
import { problem } from '#shared/problem.ts'
import { signedInAccount } from '#tests/support/api-client.ts'
import { type Docket, expect, go, makeCustomer, makeDraft, paintCache, signUp, test } from '#tests/support/browser.ts'
import { askAgain } from '#tests/support/session-faults.ts'
import { uuidv7 } from '#shared/ids.ts'

async function begin(page: Page, docket: Docket): Promise<void> {
  await signUp(page, docket, { organization: 'Ann Works' })
}

async function typeCustomer(page: Page, name: string): Promise<void> {
  await page.goto('/customers/new')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await expect.poll(async () => (await drafts(page)).some((key) => key.includes('.draft.'))).toBe(true)
}

const create = (page: Page) => page.getByRole('button', { name: 'Create customer' }).click()

/** What this tab, or the next, would go on with. */
function drafts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter(
      (key) => key.includes('.draft.') || key.startsWith('docket.new.'),
    ),
  )
}

/** The worker does what it is asked, and this page never hears its answer to a write. */
async function loseAnswers(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { fetch } = window
    window.fetch = async (...call) => {
      const answer = await fetch(...call)
      const [asked] = call
      return asked instanceof Request && asked.method !== 'GET' ? new Promise(() => {}) : answer
    }
  })
}

/** The worker does what it is asked, and the page that is here now never hears of it. */
async function loseWords(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const forget = (event: Event) => {
      if ('isDeaf' in window && event instanceof MessageEvent && event.data.type === 'stored')
        event.stopImmediatePropagation()
    }
    // Before the app listens to either.
    navigator.serviceWorker.addEventListener('message', forget)
    window.BroadcastChannel = class extends BroadcastChannel {
      constructor(name: string) {
        super(name)
        this.addEventListener('message', forget)
      }
    }
  })
  await page.reload()
  await loseAnswers(page)
  await page.evaluate(() => Object.assign(window, { isDeaf: true }))
}

/** A write leaves the page once it may. */
async function holdWrites(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { fetch } = window
    const { promise, resolve } = Promise.withResolvers<void>()
    window.fetch = async (...call) => {
      const [asked] = call
      if (asked instanceof Request && asked.method !== 'GET') await promise
      return fetch(...call)
    }
    Object.assign(window, { letWritesGo: resolve })
  })
  return () => page.evaluate(() => (window as unknown as { letWritesGo(): void }).letWritesGo())
}

test('what a killed browser forgot to take away, of what is saved long since, is no new record again', async ({
  page,
  docket,
  context,
}) => {
  await begin(page, docket)
  await typeCustomer(page, 'Zoe the First')
  const entries = () => page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.includes('.draft.')))
  const typed: [string, string][] = await entries()
  await create(page)
  await expect(page.getByRole('heading', { name: 'Zoe the First' })).toBeVisible()
  await expect.poll(entries).toEqual([])
  await page.evaluate((kept) => kept.forEach(([key, value]) => localStorage.setItem(key, value)), typed)
  const next = await context.newPage()
  await page.close()
  await next.goto('/customers/new')
  const name = next.getByLabel('Name', { exact: true })
  await expect(name).toHaveValue('')
  await name.fill('Adam the Second')
  await create(next)
  await expect(next.getByRole('heading', { name: 'Adam the Second' })).toBeVisible()
  await go(next, 'Customers')
  await expect(next.getByRole('link', { name: /Zoe the First/ })).toBeVisible()
})

for (const end of ['closed', 'loaded anew'] as const)
  test(`a tab that is ${end} between the word that a save is stored and its answer does not put it back`, async ({
    page,
    docket,
  }) => {
    await begin(page, docket)
    await typeCustomer(page, 'Zoe the First')
    await loseAnswers(page)
    await create(page)
    await expect.poll(() => drafts(page)).toEqual([])
    await expect(page).toHaveURL(/\/customers\/new$/)
    let tab = page
    if (end === 'closed') {
      tab = await page.context().newPage()
      await page.close()
      await tab.goto('/customers/new')
    } else await page.reload()
    await expect(tab.getByLabel('Name', { exact: true })).toHaveValue('')
    await expect(tab.getByText('It has been put back')).toHaveCount(0)
    await tab.getByLabel('Name', { exact: true }).fill('Zoe the Second')
    await create(tab)
    await expect(tab.getByRole('heading', { name: 'Zoe the Second' })).toBeVisible()
    await go(tab, 'Customers')
    await expect(tab.getByRole('main').getByRole('link', { name: /Zoe the (First|Second)/ })).toHaveCount(2)
  })

test('a tab that is loaded anew before it hears that its save is stored leads on as the answer would have', async ({
  page,
  docket,
  network,
}) => {
  await begin(page, docket)
  await typeCustomer(page, 'Zoe the First')
  await loseWords(page)
  network.fault = 'hang'
  await create(page)
  await expect(page.getByRole('link', { name: '1 waiting' })).toBeVisible()
  // A device that has not said within a second what became of it is not waited for: the form is shown again.
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    AbortSignal.timeout = (ms) => timeout(Math.max(ms, 30_000))
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Zoe the First' })).toBeVisible()
  await expect(page.getByText('saved on this device', { exact: false })).toBeVisible()
  expect(await drafts(page)).toEqual([])
  // The next one is another.
  await page.goto('/customers/new')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  network.fault = 'none'
  await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible({ timeout: 30_000 })
})

test('what was typed after the press of such a tab stays in its form', async ({ page, docket, network }) => {
  await begin(page, docket)
  await typeCustomer(page, 'Zoe')
  await loseWords(page)
  network.fault = 'hang'
  await create(page)
  await expect(page.getByRole('link', { name: '1 waiting' })).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Zoe the Second')
  await page.reload()
  await expect(page.getByText('It has been put back')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Zoe the Second')
})

test('what the server refuses is the form’s again, also after the page was loaded anew', async ({
  page,
  docket,
  network,
}) => {
  await begin(page, docket)
  await typeCustomer(page, 'Zoe the Refused')
  network.before = (request) =>
    request.method === 'POST' && request.url?.endsWith('/customers')
      ? Promise.resolve((response) => {
          response.writeHead(422, { 'content-type': problemMediaType, 'x-docket': '1' })
          response.end(JSON.stringify(problem('invalid_request', { detail: 'Not like this.' })))
        })
      : undefined
  await create(page)
  await expect(page.getByRole('alert').filter({ hasText: 'Not like this.' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'All synced' })).toBeVisible()
  await expect.poll(() => drafts(page)).toHaveLength(2)
  network.before = null
  await page.reload()
  await expect(page.getByText('It has been put back')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Zoe the Refused')
  await create(page)
  await expect(page.getByRole('heading', { name: 'Zoe the Refused' })).toBeVisible()
})

test.describe('typed after the press to save', () => {
  const notes = (page: Page) => page.getByLabel('Notes')
  const save = (page: Page) => page.getByRole('button', { name: 'Save draft' }).click()

  async function isThereAgain(page: Page): Promise<void> {
    await expect(notes(page)).toHaveValue('Saved, and typed since')
    await expect(page.getByText('This was left unsaved on this device')).toBeVisible()
    await save(page)
    await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
    await expect(page.getByText('Saved, and typed since')).toBeVisible()
    expect(await drafts(page)).toEqual([])
  }

  async function beginEdit(page: Page, docket: Docket): Promise<void> {
    await signUp(page, docket, { invoices: ['draft'] })
    await page.getByRole('link', { name: 'Edit' }).click()
    await notes(page).fill('Saved')
  }

  for (const painted of ['as it is', 'as it was before'])
    test(`while its answer is waited for; it is painted ${painted}`, async ({ page, docket }) => {
      await beginEdit(page, docket)
      await expect.poll(() => drafts(page)).not.toEqual([])
      const [, id] = /invoices\/([\w-]+)/.exec(page.url())!
      await expect.poll(async () => (await paintCache(page))?.[1]).toContain(id)
      const before = (await paintCache(page))!
      await loseAnswers(page)
      await save(page)
      // The page has heard that the outbox has it.
      await expect.poll(() => drafts(page)).toEqual([])
      await notes(page).fill('Saved, and typed since')
      await expect.poll(() => drafts(page)).not.toEqual([])
      if (painted === 'as it was before')
        // The page before is gone when the next one begins, and has not kept what it was told last.
        await page.addInitScript(([key, value]) => {
          if (!sessionStorage.getItem('set')) localStorage.setItem(key!, value!)
          sessionStorage.setItem('set', '1')
        }, before)
      await page.reload()
      await isThereAgain(page)
    })

  for (const end of ['answered', 'loaded anew'] as const)
    test(`before it is stored, and ${end}`, async ({ page, docket }) => {
      await beginEdit(page, docket)
      const go = await holdWrites(page)
      if (end === 'loaded anew') await loseAnswers(page)
      await save(page)
      await notes(page).fill('Saved, and typed since')
      await go()
      if (end === 'answered') {
        await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
        await expect(page.getByText('Saved', { exact: true })).toBeVisible()
        await page.getByRole('link', { name: 'Edit' }).click()
      } else {
        // What was typed counts as a change of what was saved: the page has heard that it is.
        const keptUpon = () => page.evaluate(() => Object.entries(localStorage).find(([key]) => key.endsWith('.from')))
        await expect.poll(async () => (await keptUpon())?.[1]).toContain('"Saved"')
        await page.reload()
      }
      await isThereAgain(page)
    })

  test('into what is over with its answer it is over too', async ({ page, docket }) => {
    await signUp(page, docket, { invoices: ['issued'] })
    const press = (within: Page | Locator) => within.getByRole('button', { name: 'Record payment' }).click()
    const dialog = page.getByRole('dialog')
    await press(page)
    await dialog.getByLabel('Amount (EUR)').fill('17.18')
    await dialog.getByLabel('Reference').fill('Till')
    const go = await holdWrites(page)
    await press(dialog)
    await dialog.getByLabel('Reference').fill('Till 4')
    await go()
    await expect(dialog).toBeHidden()
    expect(await drafts(page)).toEqual([])
    await press(page)
    await expect(dialog.getByLabel('Reference')).toHaveValue('')
  })

  test('of a new one', async ({ page, docket }) => {
    await begin(page, docket)
    await typeCustomer(page, 'Zoe')
    const go = await holdWrites(page)
    await create(page)
    await page.getByLabel('Name', { exact: true }).fill('Zoe the Second')
    await go()
    await expect(page.getByRole('heading', { name: 'Zoe' })).toBeVisible()
    await page.getByRole('link', { name: 'Edit' }).click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Zoe the Second')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { name: 'Zoe the Second' })).toBeVisible()
    expect(await drafts(page)).toEqual([])
  })
})

test('what was begun for nobody yet and saved for one customer is over: the next one is another', async ({
  page,
  docket,
}) => {
  await begin(page, docket)
  await makeCustomer(page)
  await go(page, 'Invoices')
  await page.getByRole('button', { name: 'New invoice' }).click()
  await page.getByLabel('Customer', { exact: true }).fill('Bob')
  await page.getByRole('option', { name: 'Bob the Baker' }).click()
  await page.getByLabel('Description, Line 1').fill('Begun first')
  await go(page, 'Customers')
  await page.getByRole('link', { name: 'Bob the Baker' }).click()
  await page.getByRole('button', { name: 'New invoice' }).click()
  await expect(page.getByLabel('Description, Line 1')).toHaveValue('Begun first')
  const save = async (price: string) => {
    await page.getByLabel('Unit price').fill(price)
    await page.getByLabel('VAT rate').fill('0')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByRole('article')).toBeVisible()
  }
  await save('1')
  await go(page, 'Invoices')
  await page.getByRole('button', { name: 'New invoice' }).click()
  await page.getByLabel('Description, Line 1').fill('Begun next')
  await save('2')
  await go(page, 'Invoices')
  await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('link')).toHaveCount(2)
})

test.describe('typed upon a version that is gone', () => {
  const notes = (page: Page) => page.getByLabel('Notes')
  const reference = (page: Page) => page.getByLabel('Order reference')

  async function typed(page: Page, docket: Docket) {
    const elsewhere = await opened(page, docket)
    await notes(page).fill('Typed and not saved')
    await expect.poll(() => drafts(page)).not.toEqual([])
    return elsewhere
  }

  /** On the form of a draft, with the other side that changes it. */
  async function opened(page: Page, docket: Docket) {
    const email = await signUp(page, docket, { invoices: ['draft'] })
    await page.getByRole('link', { name: 'Edit' }).click()
    await expect(notes(page)).toBeVisible()
    const [, organizationId, invoiceId] = /organization\/([\w-]+)\/invoices\/([\w-]+)/.exec(page.url())!
    const path = `/organizations/${organizationId}/invoices/${invoiceId}`
    const { call } = await signedInAccount(docket.server.url, email)
    const now = async () => (await call('GET', path)).body
    const upon = ({ version }: { version: number }) => ({ 'idempotency-key': uuidv7(), 'if-match': `"${version}"` })
    return {
      /** Somebody else saves it, and the device hears of it. */
      async changed(change: Record<string, unknown>) {
        const row = await now()
        expect((await call('PUT', path, { ...row, ...change }, upon(row))).status).toBe(200)
        await heard(page, path, change)
      },
      async issued() {
        expect((await call('POST', `${path}/issue`, undefined, upon(await now()))).status).toBe(200)
        await heard(page, path, { status: 'issued' })
      },
    }
  }

  async function heard(page: Page, path: string, change: Record<string, unknown>): Promise<void> {
    await askAgain(page)
    const shown = () => page.evaluate(async (each) => (await fetch(each)).json() as object, `/api/v1${path}`)
    await expect.poll(shown).toMatchObject(change)
  }

  /** The form holds the same words: what says that it is saved is its screen. */
  async function saved(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
    await expect(page.getByText('Typed and not saved')).toBeVisible()
  }

  test('a draft made without a network, changed again and sent meanwhile: what was typed into it is there', async ({
    page,
    docket,
    network,
  }) => {
    await signUp(page, docket, { organization: 'Ann Works' })
    await makeCustomer(page)
    network.fault = 'down'
    await makeDraft(page)
    await page.getByRole('link', { name: 'Edit' }).click()
    await notes(page).fill('Typed and not saved')
    await expect.poll(() => drafts(page)).not.toEqual([])
    network.fault = 'none'
    await askAgain(page)
    await expect.poll(() => page.getByText('All synced').count()).toBeGreaterThan(0)
    await page.reload()
    await expect(notes(page)).toHaveValue('Typed and not saved')
    await expect(page.getByText('This was left unsaved on this device')).toBeVisible()
    await saved(page)
    expect(await drafts(page)).toEqual([])
  })

  test('a form that nobody is at shows what is saved elsewhere; from then on it waits', async ({ page, docket }) => {
    const { changed, issued } = await opened(page, docket)
    await changed({ notes: 'Theirs' })
    await expect(notes(page)).toHaveValue('Theirs')
    await notes(page).focus()
    await changed({ notes: 'Theirs too' })
    // As long as the page takes to hear of it.
    await page.waitForTimeout(1500)
    await page.keyboard.type('And mine: ')
    await expect(notes(page)).toHaveValue(/And mine: /)
    await expect(notes(page)).toHaveValue(/Theirs$/)
    await issued()
    await expect(notes(page)).toBeVisible()
  })

  test('an untouched form says when its invoice is issued', async ({ page, docket }) => {
    const { issued } = await opened(page, docket)
    await issued()
    await expect(page.getByText('This invoice is issued')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Put it into a new draft' })).toBeHidden()
  })

  test('changed elsewhere in something else: both are there, and saved nobody is asked', async ({ page, docket }) => {
    const { changed } = await typed(page, docket)
    await changed({ orderReference: 'PO-77' })
    await page.reload()
    await expect(notes(page)).toHaveValue('Typed and not saved')
    await expect(reference(page)).toHaveValue('PO-77')
    await saved(page)
    await expect(page.getByText('PO-77')).toBeVisible()
    expect(await drafts(page)).toEqual([])
  })

  test('saved elsewhere word for word: it is no change any more', async ({ page, docket }) => {
    const { changed } = await typed(page, docket)
    await changed({ notes: 'Typed and not saved', orderReference: 'PO-77' })
    await page.reload()
    await expect(reference(page)).toHaveValue('PO-77')
    await expect(notes(page)).toHaveValue('Typed and not saved')
    await expect.poll(() => drafts(page)).toEqual([])
    await expect(page.getByText('This was left unsaved on this device')).toBeHidden()
  })

  test('two tabs at the same: one that was loaded anew keeps its own', async ({ page, docket, context }) => {
    const { changed } = await typed(page, docket)
    const other = await context.newPage()
    await other.goto(page.url())
    await notes(other).fill('Typed in the other tab')
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('Typed in the other tab')
    await page.reload()
    await expect(notes(page)).toHaveValue('Typed and not saved')
    await changed({ orderReference: 'PO-77' })
    await expect(reference(page)).toHaveValue('PO-77')
    await expect(notes(page)).toHaveValue('Typed and not saved')
    await expect(notes(other)).toHaveValue('Typed in the other tab')
  })

  test('what is typed in one tab is there when another has saved the same record', async ({
    page,
    docket,
    context,
  }) => {
    await typed(page, docket)
    const other = await context.newPage()
    await other.goto(page.url())
    // The same text is offered there, and done without.
    await other.getByRole('button', { name: 'Start fresh' }).click()
    await reference(other).fill('PO-77')
    await other.getByRole('button', { name: 'Save draft' }).click()
    await expect(other.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
    await page.close({ runBeforeUnload: true })
    // A tab writes as it goes, and the browser tells another tab of it soon after.
    await expect.poll(() => drafts(other)).not.toEqual([])
    await other.getByRole('link', { name: 'Edit' }).click()
    await expect(reference(other)).toHaveValue('PO-77')
    await expect(notes(other)).toHaveValue('Typed and not saved')
  })

  test('changed elsewhere in the same: the form shows theirs, and mine is put back or discarded', async ({
    page,
    docket,
  }) => {
    const { changed } = await typed(page, docket)
    await changed({ notes: 'Theirs' })
    await page.reload()
    await expect(notes(page)).toHaveValue('Theirs')
    await expect(page.getByText('the same was changed elsewhere since')).toBeVisible()
    await page.getByRole('button', { name: 'Put mine back' }).click()
    await expect(notes(page)).toHaveValue('Typed and not saved')
    // It is the form's again: also after the page was loaded anew.
    await page.reload()
    await expect(notes(page)).toHaveValue('Typed and not saved')
    await page.getByRole('button', { name: 'Start fresh' }).click()
    await expect(notes(page)).toHaveValue('Theirs')
    expect(await drafts(page)).toEqual([])
  })

  test('changed elsewhere in the same and not answered: what else is saved there takes it from nobody', async ({
    page,
    docket,
  }) => {
    const { changed } = await typed(page, docket)
    await changed({ notes: 'Theirs' })
    await page.reload()
    await expect(notes(page)).toHaveValue('Theirs')
    const asked = page.getByText('the same was changed elsewhere since')
    await expect(asked).toBeVisible()
    await reference(page).fill('PO-77')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByText('PO-77')).toBeVisible()
    await page.getByRole('link', { name: 'Edit' }).click()
    await expect(asked).toBeVisible()
    await expect(notes(page)).toHaveValue('Theirs')
    await reference(page).fill('PO-78')
    await page.getByRole('button', { name: 'Put mine back' }).click()
    await expect(notes(page)).toHaveValue('Typed and not saved')
    await expect(reference(page)).toHaveValue('PO-78')
    // Answered and saved, it is asked no more.
    await saved(page)
    await page.getByRole('link', { name: 'Edit' }).click()
    await expect(notes(page)).toHaveValue('Typed and not saved')
    await expect(asked).toBeHidden()
    expect(await drafts(page)).toEqual([])
  })

  test('issued elsewhere: it goes into a new draft', async ({ page, docket }) => {
    const { changed, issued } = await typed(page, docket)
    // Also where the same was changed since, which a form would ask about.
    await changed({ notes: 'Theirs' })
    await issued()
    await page.reload()
    await expect(page.getByText('This invoice is issued')).toBeVisible()
    await page.getByRole('button', { name: 'Put it into a new draft' }).click()
    await expect(page.getByRole('heading', { name: 'New invoice' })).toBeVisible()
    await expect(notes(page)).toHaveValue('Typed and not saved')
    await saved(page)
    expect(await drafts(page)).toEqual([])
  })
})
