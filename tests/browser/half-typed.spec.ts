// What is typed and not saved, when a session ends: kept for its person where it ended without them, asked about where they leave.
import { uuidv7 } from '#shared/ids.ts'
import { expect, makeCustomer, password, signUp, test } from '#tests/support/browser.ts'
import { signedInAccount } from '#tests/support/api-client.ts'

test('a session that is ended from elsewhere leaves it to its person, and shows it to nobody else', async ({
  page,
  docket,
}) => {
  const email = await signUp(page, docket, { organization: 'Ann Works' })
  await page.goto('/customers/new')
  await page.getByLabel('Name', { exact: true }).fill('Kluut half typed')
  const kept = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  await expect.poll(kept).toContain('Kluut half typed')
  const { call } = await signedInAccount(docket.server.url, email)
  const headers = { 'idempotency-key': uuidv7() }
  expect((await call('POST', '/account/sessions/end-others', undefined, headers)).status).toBe(200)
  await page.goto('/account/security')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()

  // Somebody else at the same device.
  await signUp(page, docket, { organization: 'Bob Works' })
  await page.goto('/customers/new')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  await page.getByRole('button', { name: 'Sign out' }).click()

  // A customer has an email too.
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/customers/new')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Kluut half typed')
})

test('signing out asks before it takes it away', async ({ page, docket }) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  await page.goto('/customers/new')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Kluut half typed')
  const kept = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  await expect.poll(kept).toContain('Kluut')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(dialog).toContainText('Something you typed would be lost')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(name).toHaveValue('Kluut half typed')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await dialog.getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(await kept()).not.toContain('Kluut')
})

test('signing out takes it from a tab that was elsewhere meanwhile, when that comes back', async ({
  page,
  docket,
  context,
}) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  const away = await context.newPage()
  await away.goto('/customers/new')
  await away.getByLabel('Name', { exact: true }).fill('Kluut half typed')
  await away.goto('/manifest.webmanifest')
  const kept = () => away.evaluate(() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]))
  expect(await kept()).toContain('Kluut')
  const signOut = async () => {
    // A tab writes as it goes, and the browser tells another tab of it soon after.
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('Kluut')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard and sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  }
  await signOut()
  await away.goto('/login')
  expect(await kept()).not.toContain('Kluut')

  // And where somebody else has come first.
  await signUp(page, docket, { organization: 'Bob Works' })
  await away.goto('/customers/new')
  await away.getByLabel('Name', { exact: true }).fill('Kluut half typed')
  await away.goto('/manifest.webmanifest')
  await signOut()
  await signUp(page, docket)
  await away.goto('/dashboard')
  await expect(away.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  expect(await kept()).not.toContain('Kluut')
})

test('what waits and what is half typed: when the one is sent, the other is still asked about', async ({
  page,
  docket,
  network,
}) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  network.fault = 'down'
  await makeCustomer(page)
  await page.goto('/customers/new')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Kluut half typed')
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('Kluut')
  await page.getByRole('button', { name: 'Sign out' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('1 change not sent yet')
  // Before it can go by itself, and the button with it.
  await dialog.getByRole('button', { name: 'Sync now' }).click()
  network.fault = 'none'
  await expect(dialog).toContainText('Something you typed would be lost')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(name).toHaveValue('Kluut half typed')
})
