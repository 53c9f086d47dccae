// The byte budgets (STACK.md "Floor, brotli"), reckoned from the build: what a first visit to login must load, and each further route.
import fs from 'node:fs'
import path from 'node:path'
import { chunkNote, root } from './sources.ts'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
  isEntry?: true
}

export interface Weight {
  what: string
  bytes: number
  budget: number
}

const kB = 1000
const served = path.join(root, 'dist/app')

/** Every budget with the bytes it is held against, as a browser loads them: brotli. */
export function weigh(): Weight[] {
  const chunks = JSON.parse(fs.readFileSync(chunkNote, 'utf8')) as Record<string, Chunk>
  const entry = Object.keys(chunks).find((name) => chunks[name]!.isEntry)!
  const routes = Object.keys(chunks).filter((name) => name.startsWith('src/page/routes/'))
  const login = routes.find((name) => name.startsWith('src/page/routes/login.tsx'))!
  const loginIn = (words: string) => filesOf(chunks, [entry, login, `src/page/words/${words}.ts`])
  const [first, inGerman] = [loginIn('english'), loginIn('german')]
  const frame = filesOf(chunks, [entry, ...routes.filter((name) => name.startsWith('src/page/routes/_authed.tsx'))])
  // Drawing a PDF is loaded on the press that asks for one, and weighed by itself.
  const pdf = new Set([chunks['src/documents/pdf/pdf.ts']!.file])
  const later = filesOf(chunks, Object.keys(chunks)).js.difference(first.js).difference(pdf)
  const largest = [...later].reduce((a, b) => (size(a) > size(b) ? a : b))
  const app = filesOf(chunks, ['src/page/words/app-english.ts'])
  const additions = routes.map((name) => {
    const around = name.includes('/_authed/') ? frame : first
    return { name, bytes: sum(filesOf(chunks, [name]).js.difference(around.js)) }
  })
  const heaviest = additions.reduce((a, b) => (a.bytes > b.bytes ? a : b))
  return [
    { what: `login, JavaScript (${first.js.size} files)`, bytes: sum(first.js), budget: 120 * kB },
    { what: 'login, JavaScript in German', bytes: sum(inGerman.js), budget: 120 * kB },
    { what: 'login, CSS', bytes: sum(first.css), budget: 10 * kB },
    // Why it is more than the 25 kB it began with: decision 016.
    { what: 'worker', bytes: size('sw.js'), budget: 36.5 * kB },
    // The small files once more, in one piece, for the worker's install (decision 009).
    { what: 'pack of the small files', bytes: size(packName()), budget: 150 * kB },
    { what: `largest of the ${later.size} files loaded later`, bytes: size(largest), budget: 40 * kB },
    { what: 'drawing a PDF', bytes: sum(pdf), budget: 200 * kB },
    {
      what: 'frame of who is signed in, with its words and what a first visit loads',
      bytes: sum(first.js.union(frame.js).union(app.js)),
      budget: 150 * kB,
    },
    {
      what: `most that a screen adds to its frame (${heaviest.name.replace(/^src\/page\/routes|\.tsx.*$/g, '')})`,
      bytes: heaviest.bytes,
      budget: 75 * kB,
    },
  ]
}

/** Of the build that is served: the one before left its own beside it. */
function packName(): string {
  const [own = []] = JSON.parse(fs.readFileSync(path.join(root, 'dist/builds.json'), 'utf8')) as string[][]
  return `assets/${own.find((name) => name.endsWith('.pack'))}`
}

function filesOf(chunks: Record<string, Chunk>, names: string[]) {
  const seen = new Set<string>()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    waiting.push(...(chunks[name]!.imports ?? []))
  }
  const all = [...seen].map((name) => chunks[name]!)
  // A chunk may be noted for an asset that it names, such as a font.
  const scripts = all.filter(({ file }) => file.endsWith('.js'))
  return { js: new Set(scripts.map(({ file }) => file)), css: new Set(all.flatMap(({ css = [] }) => css)) }
}

function sum(files: Set<string>): number {
  return [...files].reduce((total, file) => total + size(file), 0)
}

function size(file: string): number {
  return fs.statSync(path.join(served, `${file}.br`)).size
}
