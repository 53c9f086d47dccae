// Backup and restore hold the whole database of either engine, and are the road from one to the other.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { verifiedAccount, type Account } from '#tests/support/api-client.ts'
import { customerBody, invoiceBody, organizationBody, paymentBody } from '#tests/support/bodies.ts'
import { freshDatabase, type Engine, type FreshDatabase } from '#tests/support/database.ts'
import { runToEnd, startServer, type Environment } from '#tests/support/server-process.ts'

let folder: string
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-backup-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const environmentOf = ({ dataDir, databaseUrl }: FreshDatabase): Environment => ({
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
})
const backup = (file: string, environment: Environment) => runToEnd('src/server/backup.ts', [file], environment)
const restore = (file: string, environment: Environment) => runToEnd('src/server/restore.ts', [file], environment)

test.each<[Engine, Engine]>([
  ['embedded', 'postgresql'],
  ['postgresql', 'embedded'],
  ['embedded', 'embedded'],
])(
  'from %s to %s: taken while running, everything is there, the session goes on, numbers count on',
  async (from, to) => {
    const file = path.join(folder, `${from}-${to}.backup`)
    const source = environmentOf(await freshDatabase(from))
    const first = await startServer(source)
    const account = await verifiedAccount(first.url)
    const organization = organizationBody({ name: 'Ünïcödé & "quotes" \\ 100 %' })
    const base = `/organizations/${organization.id}`
    const buyer = customerBody({ notes: 'two\nlines\tand a tab' })
    await account.call('POST', '/organizations', organization)
    await account.call('POST', `${base}/customers`, buyer)
    await issueOne(account, base, buyer.id)
    await payAndCredit(account, base)
    const before = await everything(account, base)
    const taken = await backup(file, source)
    expect(taken).toEqual({ code: 0, output: expect.stringMatching(/^\d+ rows are in .*\n$/) })
    expect(fs.statSync(file).mode & 0o077).toBe(0)
    const changes = `${base}/changes?since=`
    const { next } = (await account.call('GET', `${changes}&limit=500`)).body.page
    // What comes after the backup is not in it, and a device that has seen it has seen revisions that are given again.
    await account.call('POST', `${base}/customers`, customerBody())
    const { next: beyond } = (await account.call('GET', changes + next)).body.page
    await first.end('SIGTERM')

    const target = environmentOf(await freshDatabase(to))
    expect((await restore(file, target)).code).toBe(0)
    const again = await restore(file, target)
    expect(again).toEqual({
      code: 1,
      output: 'The restore failed: The database is not empty: restore into a new one.\n',
    })
    const second = await startServer(target)
    try {
      const there = account.at(second.url)
      expect(await everything(there, base)).toEqual(before)
      expect(await issueOne(there, base, buyer.id)).toMatch(/-0002$/)
      for (const mark of [next, beyond])
        expect((await there.call('GET', changes + mark)).body).toMatchObject({ status: 410, code: 'changes_lost' })
      const { page } = (await there.call('GET', `${changes}&limit=1`)).body
      expect((await there.call('GET', changes + page.next)).status).toBe(200)
      const whileRunning = await restore(file, target)
      expect(whileRunning).toMatchObject({
        code: 1,
        output: expect.stringMatching(/^The restore failed: Docket is running.*stop it first/),
      })
    } finally {
      await second.end('SIGTERM')
    }
  },
  // It ends what hangs: each starts servers of which the embedded one takes long on a slow machine.
  300_000,
)

test('a file that is cut off, or none, is one clear line, and nothing is restored', async () => {
  const source = environmentOf(await freshDatabase('embedded'))
  const whole = path.join(folder, 'whole.backup')
  expect((await backup(whole, source)).code).toBe(0)
  const cut = path.join(folder, 'cut.backup')
  fs.writeFileSync(cut, fs.readFileSync(whole).subarray(0, -20))
  const noise = path.join(folder, 'noise.backup')
  fs.writeFileSync(noise, 'not a backup')
  for (const file of [cut, noise, path.join(folder, 'missing')]) {
    const { code, output } = await restore(file, environmentOf(await freshDatabase('embedded')))
    expect(code).toBe(1)
    expect(output).toMatch(/^The restore failed: .*\n$/)
  }
  const nowhere = { DATA_DIR: path.join(folder, 'nowhere') }
  expect(await backup(path.join(folder, 'empty'), nowhere)).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no database in'),
  })
  expect(fs.existsSync(nowhere.DATA_DIR)).toBe(false)
  expect(await runToEnd('src/server/backup.ts', [], source)).toMatchObject({
    code: 1,
    output: expect.stringContaining('name the file'),
  })
})

async function issueOne(account: Account, base: string, customerId: string): Promise<string> {
  const draft = invoiceBody(customerId)
  await account.call('POST', `${base}/invoices`, draft)
  return (await account.call('POST', `${base}/invoices/${draft.id}/issue`, undefined, { 'if-match': '"1"' })).body
    .number
}

/** What came later in the database's life: a payment that was reversed, one that was not, and a credit note of the rest. */
async function payAndCredit(account: Account, base: string): Promise<void> {
  const [invoice] = (await account.call('GET', `${base}/invoices`)).body.data
  for (const amount of ['1.00', '2.00'])
    expect((await account.call('POST', `${base}/payments`, paymentBody(invoice, amount))).status).toBe(201)
  const [payment] = (await account.call('GET', `${base}/payments`)).body.data
  const path = `${base}/payments/${payment.id}/reverse`
  expect((await account.call('POST', path, { reason: 'Bounced' }, { 'if-match': '"1"' })).status).toBe(200)
  const ifMatch = { 'if-match': `"${invoice.version}"` }
  const note = { id: uuidv7() }
  expect((await account.call('POST', `${base}/invoices/${invoice.id}/credit-notes`, note, ifMatch)).status).toBe(201)
  const issued = await account.call('POST', `${base}/invoices/${note.id}/issue`, undefined, { 'if-match': '"1"' })
  expect(issued.status).toBe(200)
}

async function everything(account: Account, base: string) {
  const [organizations, customers, invoices, payments] = await Promise.all(
    ['/organizations', `${base}/customers`, `${base}/invoices`, `${base}/payments`].map(async (list) =>
      account.call('GET', list),
    ),
  )
  expect([organizations!.status, customers!.status, invoices!.status]).toEqual([200, 200, 200])
  const whole = await account.call('GET', `${base}/invoices/${invoices!.body.data[0].id}`)
  return { organizations, customers, invoices, payments, whole }
}
