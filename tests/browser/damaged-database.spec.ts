// Chromium found its database damaged and began with an empty one: it says so, and what was not sent goes out after the next sign-in (decision 039).
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium, type BrowserContext } from '@playwright/test'
import { signedInAccount } from '#tests/support/api-client.ts'
import { expect, makeCustomer, signUp, test } from '#tests/support/browser.ts'
import { damageDatabase } from '#tests/support/damaged-database.ts'
import { password } from '#tests/support/people.ts'
import { browserOptions } from '#tools/browser.ts'

test('what was saved without a network outlives the loss of the database', async ({ docket }) => {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-profile-'))
  const open = () =>
    chromium.launchPersistentContext(profile, {
      ...browserOptions(),
      baseURL: docket.network.url,
      locale: 'en-GB',
      viewport: { width: 360, height: 780 },
    })
  let context: BrowserContext = await open()
  try {
    const page = context.pages()[0]!
    const email = await signUp(page, docket, { organization: 'Storm Works' })
    docket.network.fault = 'down'
    await makeCustomer(page, 'Saved in the storm')
    await context.close()

    damageDatabase(profile)
    context = await open()
    const back = context.pages()[0]!
    await back.goto('/dashboard')
    await expect(back.getByText('what had not been sent is sent when you sign in again')).toBeVisible()
    await back.getByRole('button', { name: 'Understood' }).click()
    docket.network.fault = 'none'
    await back.getByLabel('Email').fill(email)
    await back.getByLabel('Password').fill(password)
    await back.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(back).toHaveURL(/\/dashboard$/)
    const account = await signedInAccount(docket.server.url, email)
    const organizations = await account.call('GET', '/organizations')
    const customers = `/organizations/${organizations.body.data[0].id}/customers`
    await expect
      .poll(async () => (await account.call('GET', customers)).body.data.map(({ name }: { name: string }) => name))
      .toEqual(['Saved in the storm'])
    await back.goto('/customers')
    await expect(back.getByRole('link', { name: 'Saved in the storm' })).toBeVisible()
  } finally {
    await context.close()
    fs.rmSync(profile, { recursive: true, force: true })
  }
})
