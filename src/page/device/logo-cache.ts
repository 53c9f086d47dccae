/** Where this device keeps logos: by its organization and hash. */
export const logoCache = 'logos'

/** Whoever leaves takes their organizations' pictures with them. */
export function forgetLogos(): void {
  // Not there outside a secure context.
  void globalThis.caches?.delete(logoCache).catch(() => {})
}
