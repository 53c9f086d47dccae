// Later builds of the page: the built one under other names, put in place by the tool that a real build ends with.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { publish } from '#tools/publish.ts'
import { root } from '#tools/sources.ts'

export interface Deployment {
  /** A server started here serves its page. */
  folder: string
  /** Names of the newest build's hashed files, as they are in `assets/`. */
  assets(): string[]
  /** Builds once more: every hashed file has another name, and the documents and the worker name those. */
  next(): void
  remove(): void
}

/** Begins with the build in dist/ alone. */
export function deployBuild(): Deployment {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-builds-'))
  const served = path.join(folder, 'dist/app')
  const list = path.join(folder, 'dist/builds.json')
  const [own = []] = JSON.parse(fs.readFileSync(path.join(root, 'dist/builds.json'), 'utf8')) as string[][]
  const fresh = path.join(folder, 'fresh')
  let builds = 0
  const build = () => {
    fs.cpSync(path.join(root, 'dist/app'), fresh, {
      recursive: true,
      filter: (file) =>
        !file.endsWith('.br') && (path.basename(path.dirname(file)) !== 'assets' || own.includes(path.basename(file))),
    })
    if (builds > 0) rename(fresh, String(builds))
    publish(fresh, served, list)
    builds += 1
  }
  build()
  return {
    folder,
    assets: () => (JSON.parse(fs.readFileSync(list, 'utf8')) as string[][])[0]!,
    next: build,
    remove: () => fs.rmSync(folder, { recursive: true }),
  }
}

function rename(app: string, build: string): void {
  const assets = path.join(app, 'assets')
  const names = new Map(fs.readdirSync(assets).map((name) => [name, name.replace(/(\.\w+)$/, `.${build}$1`)]))
  const texts = (folder: string) =>
    fs
      .readdirSync(folder)
      .filter((name) => /\.(js|css|html)$/.test(name))
      .map((name) => path.join(folder, name))
  const renamed = (text: string) => text.replace(/[\w.-]+\.(?:js|css)\b/g, (name) => names.get(name) ?? name)
  for (const file of [...texts(app), ...texts(assets)]) fs.writeFileSync(file, renamed(fs.readFileSync(file, 'utf8')))
  for (const [from, to] of names) fs.renameSync(path.join(assets, from), path.join(assets, to))
  const worker = path.join(app, 'sw.js')
  const revised = fs
    .readFileSync(worker, 'utf8')
    .replace(/"revision":"\w+","url":"(\w+\.html)"/g, (_, name: string) => {
      const revision = createHash('md5')
        .update(fs.readFileSync(path.join(app, name)))
        .digest('hex')
      return `"revision":"${revision}","url":"${name}"`
    })
  fs.writeFileSync(worker, revised)
}
