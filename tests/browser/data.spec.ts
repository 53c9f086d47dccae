// A person's rows in and out: imported from a file with a bad row in it, a list exported, everything made by the server's job and downloaded.
import fs from 'node:fs'
import { unzipSync } from 'fflate'
import { expect, issueDraft, makeDraft, pulled, signUp, test } from '#tests/support/browser.ts'
import { look, phone, phoneAndDesk } from '#tests/support/look.ts'

const csv = (name: string, content: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

test('customers and invoices come in from files, a list goes out, and everything goes out as one ZIP', async ({
  page,
  docket,
}) => {
  await page.setViewportSize(phone.size)
  await signUp(page, docket, { organization: 'Ann Works' })
  await page.goto('/dashboard/organizations')
  await page.getByRole('link', { name: 'Ann Works' }).click()
  await page.getByRole('link', { name: 'Export and import' }).click()
  await page.getByRole('link', { name: 'Import customers' }).click()

  // A file that is none is named, and nothing is asked.
  await page.getByLabel('CSV file').setInputFiles(csv('empty.csv', ''))
  await expect(page.getByText('This file is empty.')).toBeVisible()
  const customers =
    'Firma;E-Mail;Land;Ort\nBob the Baker;bob@example.com;Niederlande;Delft\nEve Ltd;no email;Belgien;\n=Formula;;DE;Köln\n'
  await page.getByLabel('CSV file').setInputFiles(csv('customers.csv', customers))
  await expect(page.getByLabel('Firma')).toHaveValue('name')
  await expect(page.getByLabel('Between columns')).toHaveValue(';')
  await page.getByLabel('Ort').selectOption('address.region')
  await page.getByLabel('Ort').selectOption('address.city')
  await page.getByRole('button', { name: 'See what would happen' }).click()
  const bad = page.getByRole('list', { name: 'Rows that cannot be imported' })
  await expect(bad).toContainText('Row 3, Eve Ltd')
  await expect(bad).toContainText('E-Mail: Enter an email such as name@example.com')
  await look(page, 'import-preview', phoneAndDesk)
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByText('Import finished')).toBeVisible()
  await expect(bad).toContainText('Row 3, Eve Ltd')
  await look(page, 'import-done', phoneAndDesk)
  // The same file again changes nothing.
  await page.getByRole('button', { name: 'Import another file' }).click()
  await page.getByLabel('CSV file').setInputFiles(csv('customers.csv', customers))
  await page.getByRole('button', { name: 'See what would happen' }).click()
  await expect(page.getByText('There is nothing to import: what can be is here already.')).toBeVisible()
  await page.getByLabel('CSV file').setInputFiles(csv('bad.csv', 'Firma;E-Mail\nEve Ltd;no email\n'))
  await page.getByRole('button', { name: 'See what would happen' }).click()
  await expect(page.getByText('There is nothing to import: none of the rows can be.')).toBeVisible()

  await page.goBack()
  await page.getByRole('link', { name: 'Import invoices' }).click()
  const old = ['OLD-2', 'OLD-3', 'OLD-4', 'OLD-5', 'OLD-6', 'OLD-7'].map(
    (number) => `${number},Bob the Baker,Stamp,1,1.00,0\n`,
  )
  const lines = `Number,Customer,Item,Quantity,Unit price,VAT rate\nOLD-1,Bob the Baker,Website,2,"1,379.00",21\nOLD-1,,Stamp,1,1.00,0\n${old.join('')}`
  await page.getByLabel('CSV file').setInputFiles(csv('lines.csv', lines))
  await page.getByRole('button', { name: 'See what would happen' }).click()
  await page.getByRole('button', { name: 'Import 7 drafts' }).click()
  await expect(page.getByText('Import finished')).toBeVisible()
  await page.getByRole('link', { name: 'To the invoices' }).click()
  await expect(page.getByRole('list', { name: 'Invoices' })).toContainText('€3,338.18')
  await makeDraft(page)
  await issueDraft(page)
  await expect.poll(() => pulled(page)).toBe(true)

  // What the list shows, as a file.
  await page.goto('/customers')
  await expect(page.getByRole('list', { name: 'Customers' })).toContainText('=Formula')
  await page.getByRole('button', { name: 'Export' }).click()
  await look(page, 'export-dialog', phoneAndDesk)
  const listed = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Start export' }).click()
  const table = fs.readFileSync(await (await listed).path(), 'utf8')
  expect(table).toContain(`"'=Formula"`)
  expect(table).toContain('Bob the Baker')
  expect(table).not.toContain('Eve Ltd')

  // Everything, by the job.
  await page.goto('/dashboard/organizations')
  await page.getByRole('link', { name: 'Ann Works' }).click()
  await page.getByRole('link', { name: 'Export and import' }).click()
  await page.getByRole('button', { name: 'Export everything' }).click()
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible({ timeout: 60_000 })
  await look(page, 'exports', phoneAndDesk)
  const whole = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const files = unzipSync(fs.readFileSync(await (await whole).path()))
  expect(Object.keys(files)).toContain('invoices.json')
  expect(Object.keys(files).filter((name) => name.endsWith('.pdf'))).toHaveLength(1)
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /Bob the Baker.*€917\.18/ })).toBeVisible()
  await look(page, 'dashboard', phoneAndDesk)
  // The first six of what needs somebody, and where the others are.
  await page.getByRole('link', { name: 'All 7 drafts' }).click()
  await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')).toHaveCount(7)
})
