// The two honest words (OFFLINE.md): what is saved is saved on this device, or it is synced; nothing says "saved" and leaves open where.
import { describe, expect, test } from 'vitest'
import { english as app } from '#page/words/app-english.ts'
import { german as appGerman } from '#page/words/app-german.ts'
import { english } from '#page/words/english.ts'
import { german } from '#page/words/german.ts'

/** Every sentence of a catalogue, with words in the place of what differs from time to time. */
function sentences(words: unknown, path: string): [path: string, sentence: string][] {
  if (typeof words === 'string') return [[path, words]]
  if (typeof words === 'function') return sentences(words('week', 2, 'Bob'), path)
  if (typeof words !== 'object' || words === null) return []
  return Object.entries(words).flatMap(([name, each]) => sentences(each, `${path}.${name}`))
}

describe.each([
  ['English', [english, app], /\bsaved[.!]?$/i, /saved on this device/i],
  ['German', [german, appGerman], /\bgespeichert[.!]?$/i, /auf diesem Gerät gespeichert/i],
] as const)('in %s', (_, catalogues, bare, honest) => {
  const all = catalogues.flatMap((catalogue) => sentences(catalogue, ''))

  test('nothing is saved without a word of where', () => {
    expect(all.filter(([, sentence]) => bare.test(sentence) && !honest.test(sentence))).toEqual([])
  })

  test('and the walk has seen all of them', () => {
    expect(all.filter(([path]) => path === '.saved.here' || path === '.logo.saved')).toHaveLength(2)
  })
})
