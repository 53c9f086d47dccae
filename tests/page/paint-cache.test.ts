// What is painted at the next visit: the beginning of each list, however far it was scrolled.
import { afterEach, expect, test, vi } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { createPaintCache, createQueryClient, paint } from '#page/query-client.ts'

afterEach(() => vi.unstubAllGlobals())

function stubStorage(): Map<string, string> {
  const items = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  })
  return items
}

test('a list is kept with its first page, a row whole, and both are there again', async () => {
  const items = stubStorage()
  const userId = uuidv7()
  const before = createQueryClient()
  await createPaintCache(before).open(userId)
  const page = (name: string, nextCursor: string | null) => ({ data: [{ name }], page: { nextCursor, limit: 1 } })
  await before.fetchInfiniteQuery({
    queryKey: ['customers'],
    queryFn: ({ pageParam }) => page(`Row ${pageParam}`, 'next'),
    initialPageParam: '',
    getNextPageParam: ({ page: { nextCursor } }) => nextCursor,
    pages: 3,
    ...paint,
  })
  await before.fetchQuery({ queryKey: ['customer'], queryFn: () => ({ name: 'Bob' }), ...paint })
  await vi.waitFor(() => expect([...items.values()].join()).toContain('Bob'), 5000)

  const after = createQueryClient()
  await createPaintCache(after).open(userId)
  expect(after.getQueryData(['customers'])).toEqual({ pages: [page('Row ', 'next')], pageParams: [''] })
  expect(after.getQueryData(['customer'])).toEqual({ name: 'Bob' })
})
