// Runs at build time only: a public screen as the markup it is painted from before any script has run.
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Language } from '#shared/language.ts'
import { createPaintCache, createQueryClient } from '#page/query-client.ts'
import { createAppRouter } from '#page/router.tsx'
import { speak } from '#page/words/text.ts'

const words = {
  en: () => import('#page/words/english.ts').then(({ english }) => english),
  de: () => import('#page/words/german.ts').then(({ german }) => german),
}

export async function renderScreen(path: string, language: Language): Promise<string> {
  speak(await words[language]())
  const queryClient = createQueryClient()
  const history = createMemoryHistory({ initialEntries: [path] })
  const router = createAppRouter({ queryClient, paintCache: createPaintCache(queryClient) }, history)
  await router.load()
  const markup = renderToStaticMarkup(<RouterProvider router={router} />)
  if (!markup.includes('<h1')) throw new Error(`${path} has no heading: it was not rendered`)
  return markup
}
