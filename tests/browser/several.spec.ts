// Several invoices at once: all that a filter finds, sent, reminded of, saved as PDFs and as a table; what is refused is named (UX.md).
import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { uuidv7 } from '#shared/ids.ts'
import { problemMediaType } from '#shared/problem-form.ts'
import { problem } from '#shared/problem.ts'
import { expect, go, pulled, signUp, test, type Docket } from '#tests/support/browser.ts'
import { look, phoneAndDesk } from '#tests/support/look.ts'
import { askAgain, fetchIn } from '#tests/support/session-faults.ts'

const several = (page: Page) => page.getByRole('region', { name: 'Several invoices' })
const press = (page: Page, name: string | RegExp) => several(page).getByRole('button', { name }).click()
const answer = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

/** A customer with an email and one without; `count` drafts for them in turn, the first one late. */
async function withDrafts(page: Page, docket: Docket, count: number): Promise<string> {
  await signUp(page, docket, { organization: 'Ann Works' })
  const { body: organizations } = await fetchIn(page, '/organizations')
  const base = `/organizations/${organizations.data[0].id}`
  const make = async (path: string, body: object) => {
    const id = uuidv7()
    const { status } = await fetchIn(page, base + path, { key: uuidv7(), body: { id, ...body } })
    expect([201, 202]).toContain(status)
    return id
  }
  const email = `${uuidv7()}@example.com`
  const customers = [
    await make('/customers', { kind: 'business', name: 'Carla', country: 'NL', email }),
    await make('/customers', { kind: 'business', name: 'Bob', country: 'NL' }),
  ]
  for (let index = 0; index < count; index += 1)
    await make('/invoices', {
      customerId: customers[index % 2],
      ...(index === 0 && { dueDate: '2020-01-31' }),
      lines: [{ name: 'Work', quantity: '1', unitPrice: '10', vat: { category: 'S', rate: '21' } }],
    })
  await expect.poll(() => pulled(page)).toBe(true)
  await go(page, 'Invoices')
  await page.getByRole('button', { name: 'Choose several' }).click()
  return email
}

async function mailsTo(docket: Docket, email: string): Promise<string[]> {
  const mailbox = await (await fetch(`${docket.server.url}/dev/mailbox`)).text()
  return mailbox.split('<article>').filter((article) => article.includes(`<p>To ${email},`))
}

test('are issued, sent, reminded of and saved; nobody is told of a mail that had nowhere to go', async ({
  page,
  docket,
}) => {
  const email = await withDrafts(page, docket, 3)
  await press(page, 'Choose all')
  await expect(several(page)).toContainText('3 chosen')
  for (const name of ['Send', 'Remind', 'PDFs'])
    await expect(several(page).getByRole('button', { name })).toBeDisabled()
  await press(page, 'Issue drafts (3)')
  await answer(page, 'Issue drafts')
  await expect(several(page)).toContainText('3 of 3 issued')

  await press(page, 'Choose all')
  await press(page, 'Send (3)')
  await answer(page, 'Send')
  await expect(several(page)).toContainText('2 of 3 sent')
  await expect(several(page)).toContainText(/INV-\d{4}-000\d, Bob, €12\.10: The customer has no email\./)
  await expect.poll(async () => (await mailsTo(docket, email)).length).toBe(2)
  await press(page, 'Choose all')
  await press(page, 'Send (3)')
  await expect(page.getByRole('dialog')).toContainText('2 of them were sent before and go out once more.')
  await answer(page, 'Cancel')

  await press(page, 'Remind (1)')
  await answer(page, 'Remind')
  await expect(several(page)).toContainText('Reminded of 1 of 1')
  await expect.poll(async () => (await mailsTo(docket, email)).length).toBe(3)

  await press(page, 'Choose all')
  const [zip] = await Promise.all([page.waitForEvent('download'), press(page, 'PDFs (3)')])
  expect(zip.suggestedFilename()).toBe('invoices.zip')
  const files = unzipSync(fs.readFileSync(await zip.path()))
  expect(Object.keys(files).map((name) => /^INV-\d{4}-000\d\.pdf$/.test(name))).toEqual([true, true, true])
  for (const bytes of Object.values(files)) expect(Buffer.from(bytes).subarray(0, 5).toString()).toBe('%PDF-')

  // Of those that are chosen, and of no others.
  await expect(several(page)).toContainText('3 chosen')
  await page.getByRole('list', { name: 'Invoices' }).getByRole('checkbox').first().uncheck()
  await press(page, 'Export')
  await expect(page.getByRole('dialog')).toContainText('Holds the 2 invoices that are chosen.')
  const [table] = await Promise.all([page.waitForEvent('download'), answer(page, 'Start export')])
  const lines = fs
    .readFileSync(await table.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines).toHaveLength(3)
})

test('which of them go out without their XML is said beforehand, and why', async ({ page, docket }) => {
  await withDrafts(page, docket, 2)
  await press(page, 'Choose all')
  await press(page, 'Issue drafts (2)')
  await answer(page, 'Issue drafts')
  await expect(several(page)).toContainText('2 of 2 issued')
  await press(page, 'Choose all')
  await press(page, 'Send (2)')
  await expect(page.getByRole('dialog')).not.toContainText('XML')
  await answer(page, 'Cancel')

  const { body } = await fetchIn(page, '/organizations')
  const [{ id, version, ...organization }] = body.data
  const put = { id, version, key: uuidv7(), body: { ...organization, eInvoiceProfile: 'en16931' } }
  const status = await page.evaluate(async (sent) => {
    const headers = {
      'content-type': 'application/json',
      'if-match': `"${sent.version}"`,
      'idempotency-key': sent.key,
    }
    const answer = await fetch(`/api/v1/organizations/${sent.id}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(sent.body),
    })
    return answer.status
  }, put)
  expect([200, 202]).toContain(status)
  await page.reload()
  await page.getByRole('button', { name: 'Choose several' }).click()
  await press(page, 'Choose all')
  await press(page, 'Send (2)')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('2 of them go out without XML:')
  await expect(dialog.getByRole('listitem')).toHaveText([
    /^INV-\d{4}-000\d: It was issued before an e-invoice profile was chosen$/,
    /^INV-\d{4}-000\d: It was issued before an e-invoice profile was chosen$/,
  ])
  await expect(dialog).not.toContainText('Checking')
})

test('what one of them lacks to be issued is told as that many things', async ({ page, docket }) => {
  await withDrafts(page, docket, 1)
  const { body } = await fetchIn(page, '/organizations')
  const path = `/organizations/${body.data[0].id}/invoices`
  const { body: customers } = await fetchIn(page, path.replace('invoices', 'customers'))
  const late = {
    customerId: customers.data[0].id,
    dueDate: '2020-01-31',
    lines: [{ name: 'Work', quantity: '1', unitPrice: '20', vat: { category: 'S', rate: '21' } }],
  }
  // The newest is asked about first.
  for (const content of [{}, late])
    expect((await fetchIn(page, path, { key: uuidv7(), body: { id: uuidv7(), ...content } })).status).toBeLessThan(300)
  await page.reload()
  await page.getByRole('button', { name: 'Choose several' }).click()
  await press(page, 'Choose all')
  await press(page, 'Issue drafts (3)')
  // Beforehand, as each says it on its own screen; what they have in common once.
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Something is missing:')
  await expect(dialog.getByRole('listitem').filter({ hasText: /^No customer yet, €0\.00: Customer: / })).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: /^Ann Works: / })).toHaveCount(1)
  await expect(dialog).not.toContainText('Checking')
  // What it is not issued without stands first.
  await expect(dialog.getByRole('listitem').first()).toContainText('No customer yet')
  await look(page, 'issue-several', phoneAndDesk)
  await answer(page, 'Issue drafts')
  await expect(several(page)).toContainText('2 of 3 issued')
  await expect(several(page).getByRole('listitem')).toHaveText(/: [^;:]+; [^;:]+$/)
})

test('all of a filter are more than the list has loaded; what waits for a connection is told as waiting', async ({
  page,
  docket,
  network,
}) => {
  await withDrafts(page, docket, 56)
  await press(page, 'Choose all')
  await expect(several(page)).toContainText('56 chosen')
  await page.getByLabel('Search').fill('Carla')
  await expect(page).toHaveURL(/q=Carla/)
  // The address is ahead of the list: until its answer has come, that shows what it showed before.
  const list = page.getByRole('list', { name: 'Invoices' })
  await expect(list).not.toContainText('Bob')
  await press(page, 'Choose all')
  await expect(several(page)).toContainText('28 chosen')
  await press(page, 'Delete drafts (28)')
  await answer(page, 'Delete drafts')
  await expect(several(page)).toContainText('28 of 28 deleted')
  await page.getByLabel('Search').fill('')
  await expect(page).not.toHaveURL(/q=/)
  // What was deleted stands in the list of before, until it was asked for anew.
  await expect(list).toContainText('Bob')
  await expect(list).not.toContainText('Carla')
  network.fault = 'down'
  await list.getByRole('checkbox').first().check()
  await press(page, 'Issue drafts (1)')
  await answer(page, 'Issue drafts')
  await expect(several(page)).toContainText('0 of 1 issued · one of them waits for a connection')
  // It is no draft any more that could be chosen.
  await press(page, 'Choose all')
  await expect(several(page)).toContainText('27 chosen')
})

test('what waited for a connection is told as done once it is, and as left where it was refused or taken back meanwhile', async ({
  page,
  docket,
  network,
  context,
}) => {
  await withDrafts(page, docket, 4)
  network.fault = 'down'
  await press(page, 'Choose all')
  await press(page, 'Issue drafts (4)')
  await answer(page, 'Issue drafts')
  await expect(several(page)).toContainText('0 of 4 issued · 4 of them wait for a connection')

  const other = await context.newPage()
  await other.goto('/unsent')
  const discard = other.getByRole('button', { name: /^Discard: Issue invoice · Bob/ })
  await expect(discard).toHaveCount(2)
  // What is just being sent is not taken back: the tab that was opened tries once more.
  await expect(async () => {
    if ((await discard.count()) > 1) await discard.first().click()
    await expect(discard).toHaveCount(1, { timeout: 10_000 })
  }).toPass()
  await expect(several(page)).toContainText('0 of 4 issued · 3 of them wait for a connection')
  await expect(several(page).getByRole('listitem')).toHaveText(/Bob, €12\.10: It was taken back before it was sent\./)
  await other.close()

  let refused: string | undefined
  network.before = (request) => {
    if (!request.url?.endsWith('/issue') || (refused ??= request.url) !== request.url) return undefined
    return Promise.resolve((response) => {
      response.writeHead(422, { 'content-type': problemMediaType, 'x-docket': '1' })
      response.end(JSON.stringify(problem('validation_failed')))
    })
  }
  network.fault = 'none'
  await askAgain(page)
  await expect(several(page)).toContainText('2 of 4 issued')
  await expect(several(page)).not.toContainText('for a connection')
  await expect(several(page)).toContainText('2 were left as they are:')
  await expect(several(page).getByRole('listitem').filter({ hasText: 'Needs attention' })).toHaveCount(1)
  await look(page, 'several-settled', phoneAndDesk)
})
