// Which language this page speaks: what was chosen on this device, else the browser's. The words of the others are not loaded.
import { languageNote, languageOf, languages, type Language } from '#shared/language.ts'
import { speakApp } from './app-text.ts'
import { learn } from './said.ts'
import { speak } from './text.ts'
import { createTopic, useTopic } from '#page/topic.ts'

export type LanguageChoice = Language | 'browser'

const key = 'docket.language'

const words = {
  en: () => import('./english.ts').then(({ english }) => speak(english)),
  de: () =>
    import('./german.ts').then(({ german, germanSayings }) => {
      speak(german)
      learn(germanSayings, readerLocales())
    }),
}
const appWords = {
  en: () => import('./app-english.ts').then(({ english }) => speakApp(english)),
  de: () =>
    import('./app-german.ts').then(({ german, germanSayings }) => {
      speakApp(german)
      learn(germanSayings, readerLocales())
    }),
}

const choices = createTopic()
let current: Language = 'en'
let opened: Promise<void> | null = null

/** The documents of the build know nobody's choice. */
export function useLanguageChoice(): LanguageChoice {
  return useTopic(choices, storedChoice, 'browser')
}

function storedChoice(): LanguageChoice {
  const stored = localStorage.getItem(key)
  return languages.find((each) => each === stored) ?? 'browser'
}

/** The language of this page. */
export function language(): Language {
  return current
}

/** The reader's own kinds of this language (en-GB, en-US), for dates and counts: words of another one do not stand among ours. */
export function readerLocales(): readonly string[] {
  const own = navigator.languages.filter((tag) => tag.toLowerCase().split('-')[0] === current)
  return own.length > 0 ? own : [current]
}

/** Before the first screen: its words. */
export async function openLanguage(): Promise<void> {
  current = languageFor(storedChoice())
  const { documentElement } = document
  if (documentElement.lang !== current) void noteForWorker(current)
  documentElement.lang = current
  await words[current]()
}

/** Before a screen of who is signed in. */
export function openAppWords(): Promise<void> {
  return (opened ??= appWords[current]())
}

/** From the next load of the page on; resolves when the worker would answer in it. */
export async function chooseLanguage(choice: LanguageChoice): Promise<void> {
  if (choice === 'browser') localStorage.removeItem(key)
  else localStorage.setItem(key, choice)
  choices.tell()
  await noteForWorker(languageFor(choice))
}

function languageFor(choice: LanguageChoice): Language {
  return choice === 'browser' ? languageOf(navigator.languages) : choice
}

/** A device that keeps nothing gets the document in the browser's language, and the page mends it. */
async function noteForWorker(language: Language): Promise<void> {
  try {
    const cache = await caches.open(languageNote.cache)
    await cache.put(languageNote.path, new Response(language))
  } catch {
    // No cache here, so no worker either.
  }
}
