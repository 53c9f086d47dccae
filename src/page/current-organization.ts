// The organization in view: the person's organizations, and which of them this device shows.
import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import type { Organization } from '#shared/contract/organizations.ts'
import { call } from './api.ts'
import { organizationsKey, paint } from './query-client.ts'
import { createTopic, useTopic } from './topic.ts'

export const organizationsQuery = queryOptions({
  queryKey: organizationsKey,
  queryFn: ({ signal }) => call<{ data: Organization[] }>('listOrganizations', { signal }).then(({ data }) => data),
  ...paint,
})

/** Goes with everything else of the person at sign-out (query-client.ts seals by the same beginning). */
const key = 'docket.paint.organization'
const choices = createTopic()

export function showOrganization(id: string): void {
  if (localStorage.getItem(key) === id) return
  localStorage.setItem(key, id)
  choices.tell()
}

/** It is none of this person's any more: the next page begins without asking for it, also while the list that was painted last still has it. */
export function forgetOrganization(id: string): void {
  if (localStorage.getItem(key) !== id) return
  localStorage.removeItem(key)
  choices.tell()
}

export function useOrganizations() {
  return useQuery(organizationsQuery)
}

/** The one this device showed last, else the first; null while there is none. */
export function useCurrentOrganization(): Organization | null {
  const { data } = useOrganizations()
  return inView(
    data,
    useTopic(choices, () => localStorage.getItem(key), null),
  )
}

/** The same before anything is drawn: what a screen is about to show can be asked for while it is still loading. Null where nothing was painted before. */
export function knownOrganization(queryClient: QueryClient): Organization | null {
  return inView(queryClient.getQueryData(organizationsQuery.queryKey), localStorage.getItem(key))
}

function inView(organizations: Organization[] | undefined, chosen: string | null): Organization | null {
  return organizations?.find(({ id }) => id === chosen) ?? organizations?.[0] ?? null
}
