// The languages that Docket speaks, and which of them somebody is spoken to in.

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** Each by its own name: whoever understands no other finds it. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

/** Where the page notes for the worker which language was chosen on this device: an entry of the cache storage, whose body is the language. */
export const languageNote = { cache: 'docket-language', path: '/language' } as const

/** The first of these BCP 47 tags that Docket speaks, whatever its country; English else. */
export function languageOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    const [spoken] = tag.toLowerCase().split('-')
    const known = languages.find((each) => each === spoken)
    if (known) return known
  }
  return 'en'
}

/** Of an Accept-Language header (RFC 9110 12.5.4): what is liked most comes first. */
export function acceptedLanguage(header: string | null): Language {
  const liked = (header ?? '').split(',').map((each) => {
    const [tag = '', ...parameters] = each.trim().split(/\s*;\s*/)
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
  })
  // The sort is stable: of two that are liked alike the first one counts.
  const wanted = liked.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality)
  return languageOf(wanted.map(({ tag }) => tag))
}
