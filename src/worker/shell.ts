// The app's shell: every file of the build is kept on the device, and a navigation is answered from there.
import { matchPrecache, precache, type PrecacheEntry } from 'workbox-precaching'
import { documentFor } from '#shared/documents.ts'
import { languageNote, languageOf, type Language } from '#shared/language.ts'

declare const self: ServiceWorkerGlobalScope

/** Chromium's, not yet in TypeScript's own (Service Worker Static Routing API). */
interface RoutedInstallEvent extends ExtendableEvent {
  addRoutes?: (rule: { condition: { urlPattern: { pathname: string } }; source: 'cache' }) => Promise<void>
}

/** Files that are kept, by path; the worker answers these alone and leaves the rest to the browser. */
const kept = new Set<string>()

export function keepShell(manifest: (string | PrecacheEntry)[]): void {
  precache(manifest)
  // A start has twenty of these: where the browser can, it takes them from where they are kept itself, and asks the worker for none (decision 021).
  self.addEventListener('install', (event: RoutedInstallEvent) => {
    void event.addRoutes?.({ condition: { urlPattern: { pathname: '/assets/*' } }, source: 'cache' })
  })
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
