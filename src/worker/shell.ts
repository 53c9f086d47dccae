// The app's shell: every file of the build is kept on the device, the small ones from one pack, and a navigation is answered from there.
import { matchPrecache, precache, type PrecacheEntry } from 'workbox-precaching'
import { documentFor } from '#shared/documents.ts'
import { languageNote, languageOf, type Language } from '#shared/language.ts'

declare const self: ServiceWorkerGlobalScope

/** Chromium's, not yet in TypeScript's own (Service Worker Static Routing API). */
interface RoutedInstallEvent extends ExtendableEvent {
  addRoutes?: (rule: { condition: { urlPattern: { pathname: string } }; source: 'cache' }) => Promise<void>
}

/** Files that are kept each by itself, by path; the worker answers these and the build's small ones, and leaves the rest to the browser. */
const kept = new Set<string>()

export function keepShell(manifest: (string | PrecacheEntry)[]): void {
  const isPack = (entry: string | PrecacheEntry) => typeof entry === 'string' && entry.endsWith('.pack')
  const pack = manifest.find(isPack) as string | undefined
  const files = manifest.filter((entry) => !isPack(entry))
  precache(files)
  for (const entry of files) kept.add(new URL(typeof entry === 'string' ? entry : entry.url, location.origin).pathname)
  self.addEventListener('install', (event: RoutedInstallEvent) => {
    if (pack) event.waitUntil(unpack(pack))
    // A start has twenty of these: where the browser can, it takes them from where they are kept itself, and asks the worker for none (decision 021).
    void event.addRoutes?.({ condition: { urlPattern: { pathname: '/assets/*' } }, source: 'cache' })
  })
  self.addEventListener('activate', (event) => event.waitUntil(forgetPacksBut(pack)))
}

/**
 * Keeps the build's small files, which come in one piece, because to ask for one costs a processor more than what is in it: a JSON object of path and text
 * (vite.config.ts). Their cache has the pack's name, which says what is in it.
 */
async function unpack(pack: string): Promise<void> {
  const cache = await caches.open(pack)
  // What is in it is kept below: in the browser's own cache it would lie twice.
  const answer = await fetch(pack, { cache: 'no-store' })
  if (!answer.ok) throw new Error(`${pack}: ${answer.status}`)
  const headers = { 'content-type': 'text/javascript' }
  const texts = Object.entries((await answer.json()) as Record<string, string>)
  await Promise.all(texts.map(([path, text]) => cache.put(path, new Response(text, { headers }))))
}

async function forgetPacksBut(pack: string | undefined): Promise<void> {
  for (const name of await caches.keys()) if (name.endsWith('.pack') && name !== pack) await caches.delete(name)
}

/** The path of a kept file, or of a navigation; null for what is not the shell's to answer. */
export function shellFile(request: Request): string | null {
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin || request.method !== 'GET') return null
  if (request.mode === 'navigate') {
    if (pathname.startsWith('/api/') || pathname.startsWith('/dev/') || /\.\w+$/.test(pathname)) return null
    return pathname
  }
  return kept.has(pathname) || /^\/assets\/.*\.js$/.test(pathname) ? pathname : null
}

/** Workbox keeps documents and icons under their revisions; of a small file the path says it all. */
export async function answerFromShell(path: string, request: Request): Promise<Response> {
  const file = request.mode === 'navigate' ? documentFor(path, await chosenLanguage()) : path
  return (await matchPrecache(file)) ?? (await caches.match(file)) ?? fetch(request)
}

/** As the page noted it (page/words/language.ts), else the browser's. */
async function chosenLanguage(): Promise<Language> {
  const noted = await (await caches.match(languageNote.path, { cacheName: languageNote.cache }))?.text()
  return languageOf(noted ? [noted] : navigator.languages)
}
