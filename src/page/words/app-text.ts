import type { english } from './app-english.ts'
import { text as shared, type Text } from './text.ts'

/** What the screens of who is signed in say besides. */
export type AppText = typeof english

/** Both together. Filled by the guard of these screens (language.ts) before one of them is loaded. */
export let text: Text & AppText

export function speakApp(words: AppText): void {
  text = { ...shared, ...words }
}
