// Lists of more rows than are read at once: every page of every order, forwards and backwards, whether the browser reads backwards at once or not.
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Customer } from '#shared/contract/customers.ts'
import { uuidv7 } from '#shared/ids.ts'
import { listNamed } from '#worker/copy/lists.ts'
import { customerRecord } from '#worker/copy/records.ts'
import { openCopyDatabase, type CopyDatabase } from '#worker/copy/stores.ts'

const count = 700
const organizationId = uuidv7()
const rows = Array.from({ length: count }, (_, index) => {
  const place = (index * 709) % count
  const name = `${place % 100 === 0 ? 'Rare' : 'Often'} ${String(place).padStart(4, '0')}`
  const updatedAt = new Date(place * 1000).toISOString()
  return { id: uuidv7(), organizationId, name, updatedAt, address: {} } as Customer
})

let copy: CopyDatabase
beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  copy = await openCopyDatabase(uuidv7())
  const tx = copy.transaction('customers', 'readwrite')
  await Promise.all(
    [...rows, { ...rows[0]!, organizationId: uuidv7() }].map((row) => tx.store.put(customerRecord(row))),
  )
  await tx.done
})
afterEach(() => {
  copy.close()
  vi.unstubAllGlobals()
})

const byName = rows.map(({ name }) => name).toSorted()
const rare = byName.filter((name) => name.startsWith('Rare'))

async function pagesOf(query: string): Promise<string[]> {
  const names: string[] = []
  let cursor = ''
  for (;;) {
    const answer = await listNamed(copy, 'customers', organizationId, new URLSearchParams(query + cursor))
    names.push(...answer!.data.map(({ name }) => name))
    if (answer!.page.nextCursor === null) return names
    cursor = `&cursor=${answer!.page.nextCursor}`
  }
}

async function expectSamePages(): Promise<void> {
  expect(await pagesOf('limit=50&sort=name')).toEqual(byName)
  expect(await pagesOf('limit=50&sort=-name')).toEqual(byName.toReversed())
  expect(await pagesOf('limit=5&sort=name&q=rare')).toEqual(rare)
  expect(await pagesOf('limit=5&sort=-name&q=rare')).toEqual(rare.toReversed())
  expect(await pagesOf('sort=-updatedAt&q=rare%200600')).toEqual(['Rare 0600'])
  expect(await pagesOf('sort=-name&q=nowhere')).toEqual([])
}

test('pages hold every row once, in order, however rare what is looked for', expectSamePages)

test('the same in a browser that only goes backwards row by row', async () => {
  const all = IDBIndex.prototype as IDBIndex & { getAllRecords?: unknown }
  const { getAllRecords } = all
  delete all.getAllRecords
  await expectSamePages().finally(() => (all.getAllRecords = getAllRecords))
})
