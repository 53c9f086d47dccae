// The app's shell: every file of the build is kept on the device, and a navigation is answered from there.
import { matchPrecache, precache, type PrecacheEntry } from 'workbox-precaching'
import { documentFor } from '#shared/documents.ts'
import { languageNote, languageOf, type Language } from '#shared/language.ts'

/** Files that are kept, by path; the worker answers these alone and leaves the rest to the browser. */
const kept = new Set<string>()

export function keepShell(manifest: (string | PrecacheEntry)[]): void {
  precache(manifest)
  for (const entry of manifest)
    kept.add(new URL(typeof entry === 'string' ? entry : entry.url, location.origin).pathname)
}

/** The path of a kept file, or of a navigation; null for what is not the shell's to answer. */
export function shellFile(request: Request): string | null {
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin || request.method !== 'GET') return null
  if (request.mode === 'navigate') {
    if (pathname.startsWith('/api/') || pathname.startsWith('/dev/') || /\.\w+$/.test(pathname)) return null
    return pathname
  }
  return kept.has(pathname) ? pathname : null
}

export async function answerFromShell(path: string, request: Request): Promise<Response> {
  const file = request.mode === 'navigate' ? documentFor(path, await chosenLanguage()) : path
  return (await matchPrecache(file)) ?? fetch(request)
}

/** As the page noted it (page/words/language.ts), else the browser's. */
async function chosenLanguage(): Promise<Language> {
  const noted = await (await caches.match(languageNote.path, { cacheName: languageNote.cache }))?.text()
  return languageOf(noted ? [noted] : navigator.languages)
}
