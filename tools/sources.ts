// What the build is made from, as one hash: the same sources need no second build.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '..')
const inputs = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'vite.server.config.ts',
  'tools/build.ts',
  'tools/publish.ts',
  'package-lock.json',
]
/** Written by a complete build, last. */
export const buildNote = path.join(root, 'dist/build.json')
/** Which chunk imports which, as Vite tells it. */
export const chunkNote = path.join(root, 'dist/chunks.json')

export interface BuildNote {
  sources: string
  /** What `VITE_API_BASE_URL` was at the build; it is part of the page. */
  apiBaseUrl: string
  /** What `VITE_DEVICE_INVOICES` was; empty when it was left to src/worker/copy/cap.ts. */
  deviceInvoices?: string
}

/** The address that the page is or will be built for: the environment's, else the one it was last built for. */
export function apiBaseUrl(): string {
  return process.env['VITE_API_BASE_URL'] ?? lastBuild()?.apiBaseUrl ?? ''
}

/** How many invoices of an organization a device keeps; by the same rule. */
export function deviceInvoices(): string {
  return process.env['VITE_DEVICE_INVOICES'] ?? lastBuild()?.deviceInvoices ?? ''
}

export function sourcesHash(): string {
  const hash = createHash('sha256').update(`${apiBaseUrl()}\n${deviceInvoices()}\n`)
  for (const input of inputs) {
    for (const file of filesIn(path.join(root, input))) {
      // Written by the build itself.
      if (file.endsWith('route-tree.gen.ts')) continue
      hash.update(`${path.relative(root, file)}\n`).update(fs.readFileSync(file))
    }
  }
  return hash.digest('hex')
}

function filesIn(entry: string): string[] {
  if (!fs.existsSync(entry)) return []
  if (!fs.statSync(entry).isDirectory()) return [entry]
  return fs
    .readdirSync(entry, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(entry, name))
    .filter((file) => fs.statSync(file).isFile())
    .toSorted()
}

export function isBuilt(): boolean {
  return lastBuild()?.sources === sourcesHash()
}

function lastBuild(): BuildNote | null {
  return fs.existsSync(buildNote) ? (JSON.parse(fs.readFileSync(buildNote, 'utf8')) as BuildNote) : null
}
