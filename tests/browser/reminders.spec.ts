// Reminders as a person meets them: the rules, one sent by hand, one that does not get through and is named until it does.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
// A server of its own, with a mail server that can refuse: not the one that other tests share.
import { test } from '@playwright/test'
import { addDays, todayIn } from '#shared/dates.ts'
import {
  chooseCustomer,
  expect,
  go,
  issueDraft,
  makeCustomer,
  makeOrganization,
  password,
} from '#tests/support/browser.ts'
import { look, phoneAndDesk } from '#tests/support/look.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { until } from '#tests/support/people.ts'
import { startServer, type ServerProcess } from '#tests/support/server-process.ts'

const gone = 'gone@example.com'
const invited = 'invited@example.com'

test('rules, a reminder by hand, what failed and is tried again, an invitation too', async ({ page }) => {
  const unknown = new Set([gone, invited])
  const mailServer = await startMailServer({
    refuse: (address) => (unknown.has(address) ? 'No such person here' : null),
  })
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-reminders-'))
  let server: ServerProcess | undefined
  try {
    server = await startServer(
      { DATA_DIR: dataDir, SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, MAIL_FROM: 'Docket <docket@example.com>' },
      { file: 'dist/server/server.js' },
    )
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${server.url}/register`)
    await page.getByLabel('Name').fill('Ann Works')
    await page.getByLabel('Email').fill('ann@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    const welcome = await until(async () => (await mailServer.mailsTo('ann@example.com'))[0], 30_000)
    await page.goto(/http\S+/.exec(welcome.text!)![0])
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await makeOrganization(page)

    await page.getByRole('link', { name: 'Settings' }).filter({ visible: true }).first().click()
    await page.getByRole('link', { name: 'Automatic reminders' }).click()
    await page.getByLabel('State').selectOption('on')
    await page.getByLabel('Subject').first().fill('Pay {sum}')
    await page.getByRole('button', { name: 'Remove reminder 3' }).click()
    await page.getByRole('button', { name: 'Save reminders' }).click()
    await expect(page.getByText('{sum} stands for nothing.')).toBeVisible()
    await page.getByLabel('Subject').first().fill('Reminder: invoice {number}')
    await look(page, 'rules', phoneAndDesk)
    await page.getByRole('button', { name: 'Save reminders' }).click()
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()

    await makeCustomer(page)
    await go(page, 'Invoices')
    await page.getByRole('button', { name: 'New invoice' }).click()
    await chooseCustomer(page, 'Bob the Baker')
    await page.getByLabel('Description, Line 1').fill('Website')
    await page.getByLabel('Quantity').fill('2')
    await page.getByLabel('Unit price').fill('379,00')
    await page.getByLabel('VAT rate').fill('21')
    // By the clock of the organization: it may be tomorrow there.
    const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
    await page.getByLabel('Due date').fill(addDays(todayIn(zone, Date.now()), -10))
    await page.getByRole('button', { name: 'Save draft' }).click()
    await issueDraft(page)

    await expect(page.getByText(/has nowhere to go/)).toBeVisible()
    await page.getByRole('button', { name: 'Send reminder' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('Subject')).toHaveValue(/^Reminder: invoice INV-\d{4}-0001$/)
    await expect(dialog.getByLabel('Message')).toHaveValue(
      /^Hello Bob the Baker,\n\n€917.18 of our invoice INV-\d{4}-0001 is still open; it was due/,
    )
    await dialog.getByRole('button', { name: 'Send reminder now' }).click()
    await expect(dialog.getByLabel('To')).toHaveAttribute('aria-invalid', 'true')
    await look(page, 'remind', phoneAndDesk)
    await dialog.getByLabel('To').fill(gone)
    await dialog.getByRole('button', { name: 'Send reminder now' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(`Reminder to ${gone}`)).toBeVisible()
    await expect(page.getByText('Not delivered', { exact: true })).toBeVisible({ timeout: 60_000 })
    await look(page, 'invoice', phoneAndDesk)

    await go(page, 'Dashboard')
    await page.getByRole('link', { name: 'One thing failed and needs somebody' }).click()
    await expect(page.getByRole('heading', { name: 'What failed' })).toBeVisible()
    await expect(page.getByText('The mail server does not take mail for this address.')).toBeVisible()
    await expect(page.getByText(/No such person here/)).toBeVisible()
    await look(page, 'failures', phoneAndDesk)
    unknown.delete(gone)
    await page.getByRole('button', { name: `Retry now: mail to ${gone}` }).click()
    await expect(page.getByText('Nothing failed')).toBeVisible({ timeout: 30_000 })
    const reminder = await until(async () => (await mailServer.mailsTo(gone))[0], 30_000)
    expect(reminder.attachments[0]!.filename).toMatch(/^INV-\d{4}-0001\.pdf$/)

    await go(page, 'Invoices')
    await page.getByRole('link', { name: /INV-\d{4}-0001/ }).click()
    await expect(
      page.getByRole('list', { name: 'Mails and reminders' }).getByText('Sent', { exact: true }),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Pause reminders' }).click()
    await expect(page.getByText('No reminders go out for this invoice.')).toBeVisible()

    // Whoever was invited and never heard of it is not told as somebody who does not answer.
    await page.goto(`${server.url}${new URL(page.url()).pathname.split('/invoices')[0]}/members`)
    await page.getByLabel('Email').fill(invited)
    await page.getByRole('button', { name: 'Send invitation' }).click()
    const invitations = page.getByRole('list', { name: 'Invitations' })
    await expect(invitations).toContainText('Mail not delivered', { timeout: 60_000 })
    await look(page, 'invitation', phoneAndDesk)
    unknown.delete(invited)
    await page.getByRole('button', { name: `Send again: invitation of ${invited}` }).click()
    await expect(invitations).toContainText('Waiting')
    await until(async () => (await mailServer.mailsTo(invited))[0], 30_000)
    await expect(invitations).not.toContainText('Mail not delivered')
  } finally {
    await server?.end('SIGTERM')
    await mailServer.close()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
})
