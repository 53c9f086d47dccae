/** Where this device keeps logos: by its organization and hash. */
export const logoCache = 'logos'

/** Not an address that answers: only a name to keep it under. */
export function logoName(organizationId: string, hash: string): string {
  return `/logos/${organizationId}/${hash}`
}

/** Of organizations that are not this person's any more none stays. */
export async function keepLogosOf(organizations: readonly { id: string }[]): Promise<void> {
  const cache = await globalThis.caches?.open(logoCache).catch(() => null)
  for (const request of (await cache?.keys()) ?? [])
    if (!organizations.some(({ id }) => request.url.includes(logoName(id, '')))) await cache!.delete(request)
}

/** Whoever leaves takes their organizations' pictures with them. Done when none is left. */
export async function forgetLogos(): Promise<void> {
  // Not there outside a secure context.
  await globalThis.caches?.delete(logoCache).catch(() => {})
}
