// What is typed into the small forms outlives a reload as it does in the large ones: until it is saved, or the person does without it (decision 012).
import type { Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { signedInAccount } from '#tests/support/api-client.ts'
import { expect, signUp, test, type Docket } from '#tests/support/browser.ts'
import { makeFullBooks, type FullBooks } from '#tests/support/full-books.ts'

interface SmallForm {
  address: (books: FullBooks) => string
  /** What opens it, where it is a dialog: such a one has a way to cancel. */
  opener?: string
  label: string
  typed: string
  save: string
}

const of = ({ organizationId }: FullBooks) => `/organization/${organizationId}`
const invoice = (index: number) => (books: FullBooks) => `${of(books)}/invoices/${books.issuedIds[index]}`

const forms: Record<string, SmallForm> = {
  'the mail of an invoice': {
    address: invoice(0),
    opener: 'Send',
    label: 'Subject',
    typed: 'Here it is again',
    save: 'Send mail',
  },
  'the mail of a quote': {
    address: (books) => `${of(books)}/quotes/${books.quoteId}`,
    opener: 'Send',
    label: 'Message',
    typed: 'As we said on the phone',
    save: 'Send mail',
  },
  'a reminder by hand': {
    address: invoice(1),
    opener: 'Send reminder',
    label: 'Subject',
    typed: 'You forgot this one',
    save: 'Send reminder now',
  },
  'a payment on one invoice': {
    address: invoice(1),
    opener: 'Record payment',
    label: 'Reference',
    typed: 'Till 9',
    save: 'Record payment',
  },
  'money given back': {
    address: invoice(8),
    opener: 'Record refund',
    label: 'Reference',
    typed: 'Till 9',
    save: 'Record refund',
  },
  'a payment on several': {
    address: (books) => `${of(books)}/payments/new?customerId=${books.customerId}`,
    label: 'Amount (EUR)',
    typed: '12,50',
    save: 'Record payment',
  },
  'why a payment is reversed': {
    address: invoice(2),
    opener: 'Reverse the payment of €17.18',
    label: 'Why',
    typed: 'Entered twice',
    save: 'Reverse',
  },
  'a new schedule': {
    address: (books) => `${of(books)}/recurring/new?from=${books.issuedIds[0]}`,
    label: 'Every',
    typed: '3',
    save: 'Start repeating',
  },
  'a schedule': {
    address: (books) => `${of(books)}/recurring/${books.recurringId}`,
    label: 'Every',
    typed: '5',
    save: 'Save',
  },
  'the rules of reminders': {
    address: (books) => `${of(books)}/reminders`,
    label: 'Subject (English)',
    typed: 'Pay {number}, please',
    save: 'Save reminders',
  },
  // Not a small one: its `Start fresh` is the same.
  'a draft': {
    address: (books) => `${of(books)}/invoices/${books.draftId}/edit`,
    label: 'Description, Line 1',
    typed: 'Rework',
    save: 'Save draft',
  },
  'a new organization': {
    address: () => '/dashboard/organizations/new',
    label: 'Name',
    typed: 'Zoe Works',
    save: 'Create organization',
  },
}

async function begin(page: Page, docket: Docket): Promise<FullBooks> {
  return makeFullBooks(docket.server.url, await signUp(page, docket))
}

const notice = (page: Page) => page.getByText('It has been put back')

/** What is kept on this device of what was typed. What the form showed when it was opened lies beside it and goes with it. */
async function drafts(page: Page): Promise<string[]> {
  const keys = await page.evaluate(() => [localStorage, sessionStorage].flatMap((storage) => Object.keys(storage)))
  const typed = keys.filter((key) => key.includes('.draft.'))
  const names = typed.filter((key) => !key.endsWith('.from'))
  expect(typed.length - names.length).toBeLessThanOrEqual(names.length)
  return names
}

test('what is typed into a small form outlives a reload, until it is saved or done without', async ({
  page,
  docket,
}) => {
  const books = await begin(page, docket)
  for (const [name, { address, opener, label, typed, save }] of Object.entries(forms))
    await test.step(name, async () => {
      const open = async () => {
        if (opener) await page.getByRole('main').getByRole('button', { name: opener, exact: true }).click()
      }
      const field = page.getByLabel(label, { exact: true }).first()
      await page.goto(address(books))
      await open()
      const before = await field.inputValue()
      await field.fill(typed)
      await page.reload()
      await open()
      await expect(notice(page), name).toBeVisible()
      await expect(field, name).toHaveValue(typed)
      await expect.poll(() => drafts(page), name).toHaveLength(1)

      await page.getByRole('button', { name: opener ? 'Cancel' : 'Start fresh', exact: true }).click()
      await expect(notice(page)).toHaveCount(0)
      expect(await drafts(page), `${name}, done without`).toEqual([])
      await open()
      await expect(field, name).toHaveValue(before)
      await expect(notice(page)).toHaveCount(0)

      await field.fill(typed)
      await expect.poll(() => drafts(page), name).toHaveLength(1)
      const within = opener ? page.getByRole('dialog') : page.getByRole('main')
      await within.getByRole('button', { name: save, exact: true }).click()
      await expect(page.locator('[data-sonner-toast]').first(), name).toBeVisible()
      await expect.poll(() => drafts(page), `${name}, saved`).toEqual([])
    })
})

test('what is saved again after an answer was lost and the page loaded anew is there once', async ({
  page,
  docket,
  network,
}) => {
  const books = await begin(page, docket)
  await page.goto(`${of(books)}/recurring/new?from=${books.issuedIds[0]}`)
  await page.getByLabel('Every').fill('3')
  network.before = async ({ method, url = '' }) =>
    method === 'POST' && url.endsWith('/recurring-invoices') ? 'lost-answer' : undefined
  const start = page.getByRole('button', { name: 'Start repeating' })
  await start.click()
  await expect(page.getByText(/No connection to the server/).first()).toBeVisible()
  network.before = null
  await page.reload()
  await expect(page.getByLabel('Every')).toHaveValue('3')
  await start.click()
  await expect(page).toHaveURL(/\/recurring$/)
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2)
  await expect(page.getByText('Every 3 months')).toHaveCount(1)
})

test('saved elsewhere meanwhile: the new version is loaded when it is asked for, and what was typed is not gone', async ({
  page,
  docket,
}) => {
  const email = await signUp(page, docket)
  const books = await makeFullBooks(docket.server.url, email)
  await page.goto(`${of(books)}/reminders`)
  const subject = page.getByLabel('Subject (English)').first()
  await subject.fill('Pay {number}, please')
  await page.getByLabel('Message (English)').first().fill('Soon.')
  const { call } = await signedInAccount(docket.server.url, email)
  const path = `/organizations/${books.organizationId}/reminders`
  const { body: rules } = await call('GET', path)
  const words = { en: { subject: 'Theirs {number}', message: 'Pay.' }, de: null }
  const headers = { 'idempotency-key': uuidv7(), 'if-match': `"${rules.version}"` }
  expect((await call('PUT', path, { ...rules, steps: [{ id: uuidv7(), days: 7, words }] }, headers)).status).toBe(200)
  await page.getByRole('button', { name: 'Save reminders' }).click()
  await expect(subject).toHaveValue('Pay {number}, please')
  await page.getByRole('button', { name: 'Load the new version' }).click()
  await expect(subject).toHaveValue('Theirs {number}')
  await page.getByRole('button', { name: 'Put mine back' }).click()
  await expect(subject).toHaveValue('Pay {number}, please')
  await page.getByRole('button', { name: 'Save reminders' }).click()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  const saved = await call('GET', path)
  expect(saved.body.steps[0].words.en).toEqual({ subject: 'Pay {number}, please', message: 'Soon.' })
})

test('nothing that was typed stays for the next person, and a password never', async ({ page, docket }) => {
  await begin(page, docket)
  await page.goto('/account/security')
  await page.getByLabel('Current password').fill('correct horse')
  await page.reload()
  await expect(page.getByLabel('Current password')).toHaveValue('')
  await page.goto('/dashboard/organizations/new')
  await page.getByLabel('Name', { exact: true }).fill('Zoe Works')
  await expect.poll(() => drafts(page)).toHaveLength(1)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(await drafts(page)).toEqual([])
})
