// People of an organization, in real browsers: invited by mail, joined, made an admin, removed; and the device of who was removed.
import type { Page } from '@playwright/test'
import { signedInAccount } from '#tests/support/api-client.ts'
import { controlled, expect, mailedLink, makeOrganization, password, signUp, test } from '#tests/support/browser.ts'
import { bothThemes, look } from '#tests/support/look.ts'
import { uuidv7 } from '#shared/ids.ts'

async function openMembers(page: Page, organization: string): Promise<void> {
  await page.goto('/dashboard/organizations')
  await page.getByRole('link', { name: organization }).click()
  await page.getByRole('link', { name: 'Members' }).click()
  await expect(page.getByRole('heading', { name: 'Members', level: 1 })).toBeVisible()
}

test('somebody is invited, joins, gets another role, and is removed: their device keeps nothing of it', async ({
  page,
  browser,
  docket,
  complaints,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signUp(page, docket, { organization: 'Annex', invoices: ['draft'] })
  await page.goto('/dashboard/organizations')
  await expect(page.getByRole('link', { name: /Annex.*Owner.*1 draft waits/ })).toBeVisible()
  await openMembers(page, 'Annex')
  await expect(page.getByRole('list', { name: 'Members' })).toContainText('Ann Works')
  await expect(page.getByText('You are the only owner.')).toBeVisible()
  const email = `${uuidv7()}@example.com`
  await page.getByLabel('Email').fill('nobody')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText('Enter an email such as name@example.com')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Role', { exact: true }).selectOption('Viewer')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('list', { name: 'Invitations' })).toContainText(email)
  await look(page, 'members-invited', bothThemes)

  const guest = await browser.newContext({ baseURL: docket.network.url, viewport: { width: 320, height: 700 } })
  const theirs = await guest.newPage()
  await theirs.goto(await mailedLink(docket, email, 'invitation'))
  await expect(theirs.getByRole('heading', { name: 'Ann Works invites you to Annex' })).toBeVisible()
  expect(theirs.url()).not.toContain('Token')
  await look(theirs, 'invitation-signed-out', bothThemes)
  await theirs.getByRole('link', { name: 'Create account' }).click()
  await theirs.getByLabel('Name').fill('Gus')
  await expect(theirs.getByLabel('Email')).toHaveValue(email)
  await theirs.getByLabel('Password').fill(password)
  await theirs.getByRole('button', { name: 'Create account' }).click()
  await expect(theirs.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  await theirs.goto(await mailedLink(docket, email))
  await expect(theirs.getByText('Ann Works invites you to Annex')).toBeVisible()
  await theirs.getByRole('button', { name: 'Join Annex' }).click()
  await theirs.goto('/dashboard/organizations')
  await expect(theirs.getByRole('link', { name: /Annex.*Viewer/ })).toBeVisible()
  // What a viewer may not do is not offered, and a form opened by its address says so before anything is typed.
  await theirs.goto('/invoices')
  await expect(theirs.getByRole('list', { name: 'Invoices' })).toContainText('Bob the Baker')
  await expect(theirs.getByRole('button', { name: 'New invoice' })).toHaveCount(0)
  await theirs.keyboard.press('n')
  await theirs.goto('/customers/new')
  await expect(theirs.getByText('Your role does not allow this.')).toBeVisible()
  await expect(theirs.getByLabel('Name')).toHaveCount(0)
  // The organization's own screen has its figures, and the way to what is in it.
  await theirs.goto('/dashboard/organizations')
  await theirs.getByRole('link', { name: 'Annex' }).click()
  await expect(theirs.getByRole('region', { name: 'Dashboard' })).toContainText(/Drafts.*1 invoice/)
  await theirs.getByRole('link', { name: /^Customers ?1$/ }).click()
  await expect(theirs.getByRole('list', { name: 'Customers' })).toContainText('Bob the Baker')
  await openMembers(theirs, 'Annex')
  await expect(theirs.getByRole('list', { name: 'Members' })).toContainText(/Ann Works.*Gus/)
  await expect(theirs.getByLabel('Email')).toHaveCount(0)
  expect(await theirs.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await controlled(theirs)

  // Whoever keeps the books finds the numbers given, from the settings that are not theirs to change.
  await page.reload()
  await page.getByLabel('Role of Gus').selectOption('Accountant')
  await expect(page.getByText('Gus is Accountant now')).toBeVisible()
  const members = theirs.url()
  await theirs.reload()
  await expect(theirs.getByRole('list', { name: 'Members' })).toContainText('Accountant')
  await theirs.goto(members.replace(/members$/, 'settings'))
  await theirs.getByRole('link', { name: 'Numbers given' }).click()
  await expect(theirs.getByText(/^No number has been given yet/).first()).toBeVisible()
  await theirs.goto(members)

  await page.reload()
  await page.getByLabel('Role of Gus').selectOption('Admin')
  await expect(page.getByText('Gus is Admin now')).toBeVisible()
  await theirs.reload()
  await expect(theirs.getByRole('heading', { name: 'Invite somebody' })).toBeVisible()
  await look(theirs, 'members-admin-320', bothThemes)
  await page.setViewportSize({ width: 1440, height: 900 })

  // What was done is told to who may see it, with before and after.
  await page.getByRole('link', { name: 'Organizations' }).click()
  await page.getByRole('link', { name: 'Annex' }).click()
  await page.getByRole('link', { name: 'Activity' }).click()
  const done = page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  await expect(done.first()).toContainText('Ann Works changed member Gus')
  await done.first().getByText('1 change').click()
  await expect(done.first().getByRole('row', { name: 'Role Accountant Admin' })).toBeVisible()
  await page.getByLabel('What').selectOption('customer')
  await expect(done).toHaveText([/Ann Works made customer Bob the Baker/])
  await done.first().locator('summary').click()
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await look(page, 'activity', bothThemes)
  await page.setViewportSize({ width: 1440, height: 900 })
  await openMembers(page, 'Annex')

  // With the network gone the list is there all the same.
  await guest.setOffline(true)
  await theirs.reload()
  await expect(theirs.getByRole('list', { name: 'Members' })).toContainText(/Ann Works.*Gus/)
  await guest.setOffline(false)

  await page.getByRole('button', { name: 'Remove Gus' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('list', { name: 'Members' })).not.toContainText('Gus')
  await theirs.goto('/dashboard/organizations')
  await expect(theirs.getByText('Your first organization')).toBeVisible()
  const left = await theirs.evaluate(async () => {
    const [{ name } = { name: '' }] = (await indexedDB.databases()).filter((each) =>
      each.name?.startsWith('docket-device.'),
    )
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open(name!)
      opening.onsuccess = () => resolve(opening.result)
    })
    const counts = await Promise.all(
      ['organizations', 'customers', 'members'].map(
        (store) =>
          new Promise<number>((resolve) => {
            const counting = database.transaction(store).objectStore(store).count()
            counting.onsuccess = () => resolve(counting.result)
          }),
      ),
    )
    database.close()
    return counts
  })
  expect(left).toEqual([0, 0, 0])
  expect(complaints).toEqual([])
  await guest.close()
})

test('a form stays with the organization it was begun for: when that is gone it says so, and opens for no other', async ({
  page,
  docket,
}) => {
  const email = await signUp(page, docket, { organization: 'Annex' })
  const [, id] = /organization\/([\w-]+)/.exec(page.url())!
  const { call } = await signedInAccount(docket.server.url, email)
  await page.goto('/dashboard/organizations')
  await makeOrganization(page, 'Bakery')
  await page.goto(`/organization/${id}`)
  await expect(page.getByRole('heading', { name: 'Annex' })).toBeVisible()
  await page.goto('/invoices/new')
  const form = page.getByRole('heading', { name: 'New invoice' })
  await expect(page.getByRole('main').getByText('Annex', { exact: true })).toBeVisible()
  await page.getByLabel('Order reference').fill('For Annex alone')

  await test.step('another tab goes on with another organization', async () => {
    const other = await page.context().newPage()
    await other.goto('/dashboard/organizations')
    await other.getByRole('link', { name: /Bakery/ }).click()
    await expect(other.getByRole('heading', { name: 'Bakery' })).toBeVisible()
    await page.bringToFront()
    await page.evaluate(() => navigator.serviceWorker.controller!.postMessage({ type: 'sync' }))
    await page.getByLabel('Order reference').press('End')
    await page.keyboard.type('!')
    await expect(page.getByLabel('Order reference')).toHaveValue('For Annex alone!')
    await other.close()
  })

  const { body: annex } = await call('GET', `/organizations/${id}`)
  const headers = { 'idempotency-key': uuidv7(), 'if-match': `"${annex.version}"` }
  expect((await call('DELETE', `/organizations/${id}`, undefined, headers)).status).toBe(204)
  await page.evaluate(() => navigator.serviceWorker.controller!.postMessage({ type: 'sync' }))
  await expect(page.getByRole('heading', { name: 'No longer among your organizations' })).toBeVisible()
  await expect(form).toHaveCount(0)
  await look(page, 'form-of-a-closed-organization', bothThemes)
  await page.getByRole('navigation').getByRole('link', { name: 'Invoices' }).filter({ visible: true }).click()
  await page.getByRole('button', { name: 'New invoice' }).click()
  await expect(form).toBeVisible()
  await expect(page.getByRole('main').getByText('Bakery', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Order reference')).toHaveValue('')
})
