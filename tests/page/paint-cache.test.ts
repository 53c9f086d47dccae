// What is painted at the next visit: the beginning of each list, however far it was scrolled.
import { afterEach, expect, test, vi } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { createPaintCache, createQueryClient, organizationsKey, paint } from '#page/query-client.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

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

/** A visit that shows this of an organization, and is over. */
async function visit(userId: string, organization: string): Promise<void> {
  const client = createQueryClient()
  await createPaintCache(client).open(userId)
  client.setQueryData(organizationsKey, [{ id: organization }])
  await client.fetchQuery({ queryKey: ['dashboard', organization], queryFn: () => ({ of: 'Secret Sally' }), ...paint })
  await vi.advanceTimersByTimeAsync(2000)
  vi.clearAllTimers()
}

test('of an organization that is theirs no more nothing stays painted', async () => {
  const items = stubStorage()
  vi.useFakeTimers()
  const [userId, organization] = [uuidv7(), uuidv7()]
  await visit(userId, organization)
  expect([...items.values()].join()).toContain('Secret Sally')
  const client = createQueryClient()
  await createPaintCache(client).open(userId)
  client.setQueryData(organizationsKey, [{ id: uuidv7() }])
  await vi.advanceTimersByTimeAsync(2000)
  expect([...items.values()].join()).not.toContain('Secret Sally')
})

test('what nobody looks at in a long visit is painted at the next one all the same', async () => {
  const items = stubStorage()
  vi.useFakeTimers()
  const [userId, organization] = [uuidv7(), uuidv7()]
  await visit(userId, organization)
  const client = createQueryClient()
  await createPaintCache(client).open(userId)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(client.getQueryData(['dashboard', organization])).toBeDefined()
  expect([...items.values()].join()).toContain('Secret Sally')
})
