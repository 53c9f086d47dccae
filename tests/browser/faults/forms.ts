// Writes by the real forms; what is heard of them is what the screen says.
import type { Page, Request } from '@playwright/test'
import { expect, fromMenu, makeCustomer, makeDraft } from '#tests/support/browser.ts'
import { until } from '#tests/support/people.ts'
import { formatAmount } from '#shared/money.ts'
import { invoiceIn } from './hand.ts'
import { websiteGross, type Act, type Part } from './ledger.ts'
import { acknowledge, asked, free, made, newMark, paidOf, type Row, type Scene } from './scene.ts'

/** A customer is made; then now and then changed, or drafted an invoice for, which is issued, and paid in part, or deleted. */
export async function byForm(scene: Scene): Promise<void> {
  const { device, dice, note } = scene
  const page = device.page()
  const name = newMark(scene)
  note(`by forms: customer ${name}`)
  await page.goto('/customers')
  await makeCustomer(page, name)
  const customer = isThere(scene, 'customer', name)
  const next = dice.below(4)
  if (next === 1) await rename(scene, page, customer)
  if (next < 2) return
  note('by forms: a draft')
  customer.isNamed = true
  await makeDraft(page, name)
  const draft = isThere(scene, 'invoice', null)
  await finish(scene, page, draft, next === 2 ? 'issue' : 'delete')
  if (next === 2) await payPart(scene, page, draft)
}

/** The screen shows it, so it was saved. */
function isThere(scene: Scene, kind: 'customer' | 'invoice', mark: string | null): Row {
  const [, organizationId, id] = /organization\/([\w-]+)\/\w+\/([\w-]+)$/.exec(scene.device.page().url()) ?? []
  if (organizationId !== scene.organizationId || !id) throw new Error(`The form ended at ${scene.device.page().url()}`)
  said(scene, made(scene, kind, id), 'create', mark)
  return free(scene, kind, (row) => row.id === id)!
}

async function rename(scene: Scene, page: Page, row: Row): Promise<void> {
  const mark = newMark(scene)
  scene.note(`by forms: it becomes ${mark}`)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill(mark)
  await page.getByRole('button', { name: 'Save customer' }).click()
  await expect(page.getByRole('heading', { name: mark })).toBeVisible()
  said(scene, row, 'save', mark)
}

/** The screen says what became of it, or that somebody changed it meanwhile, which ends it. */
async function finish(scene: Scene, page: Page, row: Row, act: 'issue' | 'delete'): Promise<void> {
  row.isOver = true
  scene.note(`by forms: ${act}`)
  const answer = act === 'issue' ? answerTo(page, `/${row.id}/issue`) : null
  if (act === 'delete' && row.kind === 'invoice') await fromMenu(page, 'Delete')
  else await page.getByRole('button', { name: act === 'issue' ? 'Issue invoice' : 'Delete' }).click()
  const word = page.getByText(
    act === 'issue'
      ? /^(Will be issued|.*will be issued as soon as.*|(Invoice )?INV-\d+-\d+( issued)?)$/
      : /^Draft deleted( on this device)?$/,
  )
  const refusal = page.getByText(/^Somebody changed this meanwhile/)
  await expect(word.or(refusal).first()).toBeVisible()
  // While the press is on its way its screen says already what will be; only the answer says whether that holds.
  if ((await answer) !== 412 && (await refusal.count()) === 0) said(scene, row, act, null)
  else scene.note('the form says that it was changed meanwhile')
}

/** The status that the page's call is answered with; null where it ends without. */
function answerTo(page: Page, path: string): Promise<number | null> {
  const isIt = (request: Request) => request.method() === 'POST' && request.url().endsWith(path)
  const answered = page.waitForResponse((response) => isIt(response.request())).then((response) => response.status())
  const failed = page.waitForEvent('requestfailed', isIt).then(() => null)
  return Promise.race([answered.catch(() => null), failed.catch(() => null)])
}

/** Where the screen offers it: something is due, or will be once what waits is issued. */
async function payPart(scene: Scene, page: Page, invoice: Row): Promise<void> {
  const button = page.getByRole('button', { name: 'Record payment' })
  if ((await button.count()) === 0) return
  const mark = newMark(scene)
  const amount = BigInt(1 + scene.dice.below(Number(websiteGross - paidOf(scene, invoice))))
  scene.note(`by forms: pays ${amount} as ${mark}`)
  await button.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount (EUR)').fill(formatAmount(amount, 'EUR'))
  await dialog.getByLabel('Reference').fill(mark)
  await dialog.getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByRole('list', { name: 'Payments' }).getByText(mark)).toBeVisible()
  const { device, organizationId } = scene
  // Which id it has is read from the invoice: by the network while the first pull is under way, and in bad weather that takes more than one try.
  const { id } = await until(async () => {
    const shown = await invoiceIn(page, device.userId, organizationId, invoice.id).catch(() => null)
    return shown?.payments.find(({ reference }) => reference === mark)
  })
  said(scene, made(scene, 'payment', id), 'create', mark, { invoiceId: invoice.id, amount })
}

function said(scene: Scene, { kind, id }: Row, act: Act, mark: string | null, part?: Part): void {
  scene.watch.count('of these by a form')
  const each = asked(scene, { key: null, kind, id, act, mark, isElsewhere: false, parts: part && [part] })
  acknowledge(scene, each, `the screen says: ${act} ${kind} ${id}`)
}
