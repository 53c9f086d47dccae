// The data cache: its rules for trying again, and the paint cache that shows the first frame before the worker has started (OFFLINE.md).
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { QueryClient, type InfiniteData, type Query } from '@tanstack/react-query'
import {
  persistQueryClientRestore,
  persistQueryClientSubscribe,
  removeOldestQuery,
  type PersistedClient,
} from '@tanstack/react-query-persist-client'
import { isUuid } from '#shared/ids.ts'
import { ProblemError } from '#shared/problem.ts'
import { keyPrefix } from '#page/person.ts'

/** Queries with this meta are painted from the device at the next visit. */
export const paint = { meta: { paint: true }, gcTime: 14 * 24 * 3_600_000 } as const

/** Of the list that says which organizations are theirs (current-organization.ts). */
export const organizationsKey = ['organizations'] as const

/** Changes with the shape of the data, never with a build: a deploy must not empty the cache. */
const dataSchema = '3'
const mostCharacters = 1_000_000
const fiveMinutesMs = 5 * 60_000

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The worker answers offline, so a call is always worth making.
        networkMode: 'always',
        retry: (failures, error) => isWorthRetrying(error) && failures < (typeof window === 'undefined' ? 0 : 3),
        retryDelay: (failures) => Math.min(1000 * 2 ** failures, 30_000),
        gcTime: fiveMinutesMs,
        staleTime: 2000,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

/** A refusal stays one however often it is asked; only what may pass is asked again. */
function isWorthRetrying(error: unknown): boolean {
  return !(error instanceof ProblemError) || error.problem.status >= 500 || error.code === 'too_many_requests'
}

export interface PaintCache {
  /** Fills the cache with what this person saw last, and keeps it for the next visit. */
  open(userId: string): Promise<void>
  /**
   * Removes everything of this person from the device for good; nothing that is still under way can bring it back. `keepsTyped`: but for what they typed and
   * chose themselves, where their session ended without them.
   */
  seal(userId: string, keepsTyped: boolean): void
}

export function createPaintCache(queryClient: QueryClient): PaintCache {
  let openFor: { userId: string; close(): void } | null = null
  const seal = (userId: string, keepsTyped: boolean) => {
    openFor?.close()
    openFor = null
    queryClient.clear()
    for (const key of Object.keys(localStorage))
      if (goesWith(userId, key) && !(keepsTyped && key.startsWith(`${keyPrefix}${userId}.`)))
        localStorage.removeItem(key)
    sessionStorage.clear()
  }
  return {
    seal,
    async open(userId) {
      if (openFor?.userId === userId) return
      if (openFor) seal(openFor.userId, false)
      const key = keyPrefix + userId
      let sealed = false
      const storage = {
        getItem: (name: string) => localStorage.getItem(name),
        // The persister writes late: after sealing, what it still holds must not come back.
        setItem(name: string, value: string) {
          if (sealed) return
          if (value.length > mostCharacters) throw new Error('full')
          localStorage.setItem(name, value)
        },
        removeItem: (name: string) => localStorage.removeItem(name),
      }
      const options = {
        queryClient,
        persister: createSyncStoragePersister({
          storage,
          key,
          serialize: (client) => JSON.stringify(withFirstPages(client)),
          retry: removeOldestQuery,
        }),
        maxAge: paint.gcTime,
        buster: dataSchema,
        // Else what was restored and is not looked at goes after five minutes, and from the device with it.
        hydrateOptions: { defaultOptions: { queries: { gcTime: paint.gcTime } } },
        dehydrateOptions: {
          shouldDehydrateQuery: ({ state, meta, queryKey }: Query) =>
            state.status === 'success' && meta?.['paint'] === true && isOfTheirs(queryClient, queryKey),
          shouldDehydrateMutation: () => false,
        },
      }
      let unsubscribe = () => {}
      openFor = {
        userId,
        close() {
          sealed = true
          unsubscribe()
          localStorage.removeItem(key)
        },
      }
      await persistQueryClientRestore(options)
      // What was seen last is for the first frame alone, however young it is: it is asked for again at once.
      void queryClient.invalidateQueries({ refetchType: 'none' })
      if (!sealed) unsubscribe = persistQueryClientSubscribe(options)
    },
  }
}

/** Not of an organization that they were taken out of or left: keys are `[resource, organization, …]`, and the list of organizations says which are theirs. */
function isOfTheirs(queryClient: QueryClient, [, organization]: readonly unknown[]): boolean {
  const theirs = queryClient.getQueryData<readonly { id: string }[]>(organizationsKey)
  return organization === undefined || theirs?.some(({ id }) => id === organization) !== false
}

/** The first frame shows how a list begins. Whatever else was scrolled through would be read before it, and asked for again page by page. */
function withFirstPages(client: PersistedClient): PersistedClient {
  const queries = client.clientState.queries.map((query) => {
    const { pages, pageParams } = (query.state.data ?? {}) as Partial<InfiniteData<unknown>>
    if (!pages || !pageParams) return query
    return {
      ...query,
      state: { ...query.state, data: { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) } },
    }
  })
  return { ...client, clientState: { ...client.clientState, queries } }
}

/** What names another person is theirs: they may be signed in by now. */
function goesWith(userId: string, key: string): boolean {
  if (!key.startsWith(keyPrefix)) return false
  const named = key.slice(keyPrefix.length, keyPrefix.length + userId.length)
  return named === userId || !isUuid(named)
}
