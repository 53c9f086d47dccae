// A page that no worker serves loads every file while there is a network. Routes and pieces name their own; what is imported in the middle of some work stands
// in a list by hand (page/start/without-worker.ts), and this finds what the list does not know of.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '../../src')
const list = 'page/start/without-worker.ts'

/** What need not be there, and why. */
const leftOut: Record<string, string> = {
  [list]: 'It is this very page’s, and loads the others.',
  '#documents/pdf/pdf.ts': 'Its fonts would be needed as well.',
  '@simplewebauthn/browser': 'A passkey is nothing without the server.',
  'workbox-window': 'It registers the worker that does not come.',
  'page/words/english.ts': 'The words of the language that is shown are there.',
  'page/words/german.ts': 'The words of the language that is shown are there.',
  'page/words/app-english.ts': 'The words of the language that is shown are there.',
  'page/words/app-german.ts': 'The words of the language that is shown are there.',
}

/** What a file imports only when it is needed, by one name each; with `isPiece`, whether the piece of a screen does it (page/lazily.ts). */
function importsOf(file: string): { name: string; isPiece: boolean }[] {
  const source = fs.readFileSync(path.join(src, file), 'utf8')
  return [...source.matchAll(/(?<!\{@link )\bimport\(\s*'([^']+)'/g)].map(({ 1: said, index }) => {
    const before = source.slice(0, index)
    const [, loader] = /const (\w+) = (?:async )?\(\) =>\s*$/.exec(before) ?? []
    const isPiece =
      /lazily\((?:async )?\(\) =>\s*$/.test(before) ||
      (loader !== undefined && new RegExp(`lazily\\([^,]*?\\b${loader}\\(`).test(source))
    return { name: nameOf(said!, file), isPiece }
  })
}

function nameOf(said: string, file: string): string {
  if (said.startsWith('.')) return path.posix.join(path.posix.dirname(file), said)
  return said.replace(/^#(?=page\/)/, '')
}

const files = fs
  .readdirSync(path.join(src, 'page'), { recursive: true, encoding: 'utf8' })
  .map((name) => `page/${name.replaceAll(path.sep, '/')}`)
  // walls.test.ts plants files of this name, and takes them away again meanwhile.
  .filter((name) => /\.tsx?$/.test(name) && name !== 'page/start/prerender.tsx' && !name.includes('planted-breach'))

test('whatever is imported in the middle of some work is loaded while it can be, or is left out for a reason', () => {
  const listed = importsOf(list).map(({ name }) => name)
  const imported = files.filter((file) => file !== list).flatMap(importsOf)
  const pieces = new Set(imported.filter(({ isPiece }) => isPiece).map(({ name }) => name))
  const inWork = new Set(imported.map(({ name }) => name).filter((name) => !pieces.has(name)))
  expect(pieces.size).toBeGreaterThan(20)
  expect([...inWork].toSorted()).toEqual([...listed, ...Object.keys(leftOut)].toSorted())
})
