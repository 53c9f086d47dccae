// Writes by the real forms; what is heard of them is what the screen says.
import { expect, type Page } from '@playwright/test'
import { fromMenu, makeCustomer, makeDraft } from '#tests/support/browser.ts'
import type { Act } from './ledger.ts'
import { acknowledge, asked, free, made, newMark, type Row, type Scene } from './scene.ts'

/** A customer is made; then now and then changed, or drafted an invoice for, which is issued or deleted. */
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
  await finish(scene, page, isThere(scene, 'invoice', null), next === 2 ? 'issue' : 'delete')
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
  if (act === 'delete' && row.kind === 'invoice') await fromMenu(page, 'Delete')
  else await page.getByRole('button', { name: act === 'issue' ? 'Issue invoice' : 'Delete' }).click()
  if (act === 'delete') await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  const word = page.getByText(
    act === 'issue'
      ? /^(Will be issued|.*will be issued as soon as.*|(Invoice )?INV-\d+-\d+( issued)?)$/
      : /^Draft deleted( on this device)?$/,
  )
  const refusal = page.getByText(/^Somebody changed this meanwhile/)
  await expect(word.or(refusal).first()).toBeVisible()
  if ((await refusal.count()) === 0) said(scene, row, act, null)
  else scene.note('the form says that it was changed meanwhile')
}

function said(scene: Scene, { kind, id }: Row, act: Act, mark: string | null): void {
  scene.watch.count('of these by a form')
  const each = asked(scene, { key: null, kind, id, act, mark, isElsewhere: false })
  acknowledge(scene, each, `the screen says: ${act} ${kind} ${id}`)
}
