/** Paths with a document of their own, painted from HTML made at build time; every other page is the shell. */
const publicDocuments: Readonly<Record<string, string>> = {
  '/': '/landing.html',
  '/login': '/login.html',
  '/register': '/register.html',
}

export const publicPaths: readonly string[] = Object.keys(publicDocuments)

/** The document that answers a navigation to this path: server and worker pick alike. */
export function documentFor(pathname: string): string {
  return publicDocuments[pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname] ?? '/index.html'
}
