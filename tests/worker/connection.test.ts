// The database of a person who leaves while two contexts, the worker and a page say, are about to open it: neither brings it back.
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConnection } from '#worker/copy/connection.ts'
import { copiesHere, deleteCopy } from '#worker/copy/stores.ts'
import { Undeliverable } from '#worker/wire.ts'

const ann = '01a00000-0000-7000-8000-000000000001'

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))
afterEach(() => vi.unstubAllGlobals())

/** A session that the contexts have asked for, and of which they hear later how it was when they asked. */
function session() {
  let isHere = true
  let asked = 0
  const { promise: told, resolve: tell } = Promise.withResolvers<void>()
  return {
    tell,
    end: () => (isHere = false),
    isAskedBy: (contexts: number) => vi.waitFor(() => expect(asked).toBe(contexts)),
    async ask() {
      asked += 1
      const was = isHere
      await told
      return was
    },
  }
}

function contextOf(disk: ReturnType<typeof session>) {
  const connection = createConnection(disk.ask)
  connection.enter(ann)
  return { ...connection, count: () => connection.using(ann, (database) => database.count('outbox')) }
}

test('an opening that comes after they left in another context deletes what it has made', async () => {
  const disk = session()
  const there = createConnection(async () => true)
  there.enter(ann)
  await there.using(ann, (database) => database.count('outbox'))
  expect(await copiesHere()).toEqual([ann])
  const late = contextOf(disk).count()
  await disk.isAskedBy(1)
  disk.end()
  await there.leave()
  await deleteCopy(ann)
  disk.tell()
  await expect(late).rejects.toThrow(Undeliverable)
  expect(await copiesHere()).toEqual([])
})

test('of two that open at once the one that made it deletes it, under the hands of the other', async () => {
  const disk = session()
  const both = [contextOf(disk).count(), contextOf(disk).count()]
  await disk.isAskedBy(2)
  disk.end()
  disk.tell()
  for (const each of both) await expect(each).rejects.toThrow(Undeliverable)
  expect(await copiesHere()).toEqual([])
})

test('whoever stays is let in by both', async () => {
  const disk = session()
  const both = [contextOf(disk).count(), contextOf(disk).count()]
  await disk.isAskedBy(2)
  disk.tell()
  expect(await Promise.all(both)).toEqual([0, 0])
  expect(await copiesHere()).toEqual([ann])
})
