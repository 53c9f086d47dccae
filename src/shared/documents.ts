import type { Language } from './language.ts'

/** Paths with a document of their own, painted from HTML made at build time; every other page is the shell. */
const publicDocuments: Readonly<Record<string, string>> = {
  '/': '/landing',
  '/login': '/login',
  '/register': '/register',
}

export const publicPaths: readonly string[] = Object.keys(publicDocuments)

/** Screens that people begin with: the shell, and what it loads first is theirs (decision 021). */
export const firstScreens: readonly string[] = ['/dashboard', '/invoices', '/customers', '/items']

/** The document that answers a navigation to this path in this language: server and worker pick alike. */
export function documentFor(pathname: string, language: Language): string {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  const name = publicDocuments[path] ?? (firstScreens.includes(path) ? path : '/index')
  return `${name}${language === 'en' ? '' : `.${language}`}.html`
}
