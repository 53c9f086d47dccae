// The logo's picture on this device: had once by its hash, then kept, because papers are drawn without a connection too.
import { queryOptions } from '@tanstack/react-query'
import type { Logo } from '#shared/contract/organizations.ts'
import { call } from '#page/api.ts'
import { logoCache } from './logo-cache.ts'

/** Not an address that answers: only a name to keep it under. */
const nameOf = (organizationId: string, hash: string) => `/logos/${organizationId}/${hash}`

/** Of organizations that are not this person's any more none stays. */
export async function keepLogosOf(organizations: readonly { id: string }[]): Promise<void> {
  const cache = await caches.open(logoCache)
  for (const request of await cache.keys())
    if (!organizations.some(({ id }) => request.url.includes(nameOf(id, '')))) await cache.delete(request)
}

/** The picture; null where there is none, or none that can be had now. */
export async function loadLogo(organizationId: string, logo: Logo | null | undefined): Promise<Blob | null> {
  if (!logo) return null
  const cache = await caches.open(logoCache).catch(() => null)
  const name = nameOf(organizationId, logo.hash)
  const kept = await cache?.match(name)
  if (kept) return kept.blob()
  const picture = await call<Blob>('getLogo', { params: { organizationId }, query: { hash: logo.hash } }).catch(
    () => null,
  )
  // A device without room asks again.
  if (picture) await cache?.put(name, new Response(picture)).catch(() => {})
  return picture
}

/** As an address that an image can show. */
export function logoQuery(organizationId: string, logo: Logo | null | undefined) {
  return queryOptions({
    queryKey: ['logo', organizationId, logo?.hash ?? null],
    queryFn: async () => {
      const picture = await loadLogo(organizationId, logo)
      return picture && asDataUrl(picture)
    },
    enabled: !!logo,
    staleTime: (query) => (query.state.data ? Infinity : 0),
  })
}

export function asDataUrl(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(new Error('The picture cannot be read')))
    reader.readAsDataURL(picture)
  })
}
