import type { english } from './english.ts'

/** What every screen says; a language is an object of this shape. */
export type Text = typeof english

/** In the language of this page. Filled before the first screen is loaded (language.ts), for good: another language is another load of the page. */
export let text: Text

export function speak(words: Text): void {
  text = words
}
