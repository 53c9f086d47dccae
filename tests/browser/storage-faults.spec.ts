// IndexedDB that fails under the session, as on a phone that lost it in the background: opened once more, else no connection; never signed out.
import type { Page } from '@playwright/test'
import { expect, signUp, test } from '#tests/support/browser.ts'
import { askAgain, askUntilListed, bareCalls, hostGateway, vaultOf } from '#tests/support/session-faults.ts'

/** `once` and `always`: a transaction is aborted. `shut`: the database does not open. Kept over a reload. */
type StorageFault = 'none' | 'once' | 'always' | 'shut'

declare global {
  interface Window {
    opened: IDBDatabase[]
    sawOffline?: boolean
  }
}

async function breakStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.opened = []
    const fault = () => sessionStorage.getItem('fault') ?? 'none'
    const { open } = IDBFactory.prototype
    IDBFactory.prototype.open = function (...args) {
      if (fault() === 'shut') throw new DOMException('Connection to Indexed Database server lost', 'UnknownError')
      return Reflect.apply(open, this, args)
    }
    const { transaction } = IDBDatabase.prototype
    IDBDatabase.prototype.transaction = function (...args) {
      const begun = Reflect.apply(transaction, this, args)
      window.opened.push(this)
      if (fault() === 'once') sessionStorage.removeItem('fault')
      else if (fault() !== 'always') return begun
      queueMicrotask(() => begun.abort())
      return begun
    }
  })
}

const setFault = (page: Page, fault: StorageFault) =>
  page.evaluate((next) => sessionStorage.setItem('fault', next), fault)

/** Under the gateway's feet, without a word to it. */
const closeAll = (page: Page) =>
  page.evaluate(() => {
    for (const database of window.opened) database.close()
  })

test('a storage that fails under the page’s own gateway never signs anybody out', async ({
  page,
  docket,
  network,
  context,
}) => {
  await signUp(page, docket, { customer: 'Bob the Baker' })
  const before = await vaultOf(page)
  const hosted = await context.newPage()
  await breakStorage(hosted)
  const devtools = await hostGateway(hosted, '/customers')
  const bob = hosted.getByRole('link', { name: /Bob the Baker/ })
  await expect(bob).toBeVisible()

  // A 503 would be asked for again by the page, and work: only the notice that it was there tells.
  await hosted.evaluate(() => {
    const look = () => {
      if (/offline/i.test(document.body.innerText)) window.sawOffline = true
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
  })
  for (const lost of ['closed', 'once'] as const) {
    await test.step(`${lost}: opened once more`, async () => {
      if (lost === 'closed') await closeAll(hosted)
      else await setFault(hosted, 'once')
      await askUntilListed(hosted)
      expect(await hosted.evaluate(() => window.sawOffline)).toBeUndefined()
    })
  }

  for (const fault of ['always', 'shut'] as const) {
    await test.step(`${fault}: no connection, and the screen stays`, async () => {
      await setFault(hosted, fault)
      await closeAll(hosted)
      await askAgain(hosted)
      await expect(hosted.getByText(/offline/i).first()).toBeVisible()
      await expect(bob).toBeVisible()
      await expect(hosted).toHaveURL(/\/customers$/)
      expect(await vaultOf(page)).toEqual(before)

      await devtools.hardReload()
      await expect(hosted.getByText(/offline/i).first()).toBeVisible()
      await expect(hosted.getByRole('heading', { name: 'Customers' })).toBeVisible()
      await expect(hosted).toHaveURL(/\/customers$/)

      await setFault(hosted, 'none')
      await askUntilListed(hosted)
      await expect(bob).toBeVisible()
      await expect(hosted.getByText(/offline/i)).toHaveCount(0)
    })
  }
  expect(await vaultOf(page)).toEqual(before)
  expect(bareCalls(network)).toEqual([])
})
