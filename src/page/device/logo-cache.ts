/** Where this device keeps logos: by its organization and hash. */
export const logoCache = 'logos'

/** Whoever leaves takes their organizations' pictures with them. Done when none is left. */
export async function forgetLogos(): Promise<void> {
  // Not there outside a secure context.
  await globalThis.caches?.delete(logoCache).catch(() => {})
}
