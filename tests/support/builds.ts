// Builds of the page that follow one another: the built one under other names, put in place by the tool that a real build ends with.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { loadStaticFiles } from '#server/http/static.ts'
import { publish } from '#tools/publish.ts'
import { root } from '#tools/sources.ts'
import type { Network, OwnAnswer } from './network.ts'

export interface Deployment {
  /** Names of the newest build's hashed files, as they are in `assets/`. */
  assets(): string[]
  /** Builds and deploys once more: every hashed file has another name, and the documents and the worker name those. */
  next(): void
  /** Paths that were asked for, API calls aside. */
  asked: string[]
  remove(): void
}

/** From now on this network answers for the page's files, as a server does that was started after the last deploy; the rest is Docket's. */
export async function deployBuild(network: Network): Promise<Deployment> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-builds-'))
  const served = path.join(folder, 'dist/app')
  const list = path.join(folder, 'dist/builds.json')
  const everyAnswer = policyOf(await fetch(`${network.url}/healthz`))
  let builds = 0
  let files = loadStaticFiles(served)
  const next = () => {
    const fresh = path.join(folder, 'fresh')
    copyBuild(fresh)
    if (builds > 0) rename(fresh, String(builds))
    publish(fresh, served, list)
    files = loadStaticFiles(served)
    builds += 1
  }
  next()
  const asked: string[] = []
  network.before = async ({ method = 'GET', url = '/', headers }) => {
    if (!/^(GET|HEAD)$/.test(method) || /^\/(api|dev)\//.test(url)) return undefined
    asked.push(url)
    const conditions = ['accept-encoding', 'if-none-match'].flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value] as [string, string]] : []
    })
    const answer = files.answer(new Request(new URL(url, network.url), { method, headers: conditions }))
    return answer ? deliver(answer, everyAnswer) : undefined
  }
  return {
    asked,
    next,
    assets: () => (JSON.parse(fs.readFileSync(list, 'utf8')) as string[][])[0]!,
    remove: () => fs.rmSync(folder, { recursive: true }),
  }
}

function policyOf({ headers }: Response): [string, string][] {
  return [...headers].filter(([name]) => /policy|^x-content-type|^cross-origin/.test(name))
}

function deliver(answer: Response, more: [string, string][]): OwnAnswer {
  return async (response) => {
    response.writeHead(answer.status, Object.fromEntries([...more, ...answer.headers]))
    response.end(Buffer.from(await answer.arrayBuffer()))
  }
}

/** What was built last, without what it keeps of the build before. */
function copyBuild(to: string): void {
  const [own = []] = JSON.parse(fs.readFileSync(path.join(root, 'dist/builds.json'), 'utf8')) as string[][]
  const isOwn = (file: string) => path.basename(path.dirname(file)) !== 'assets' || own.includes(path.basename(file))
  fs.cpSync(path.join(root, 'dist/app'), to, {
    recursive: true,
    filter: (file) => !file.endsWith('.br') && isOwn(file),
  })
}

function rename(app: string, build: string): void {
  const assets = path.join(app, 'assets')
  const names = new Map(fs.readdirSync(assets).map((name) => [name, name.replace(/(\.\w+)$/, `.${build}$1`)]))
  const renamed = (text: string) => text.replace(/[\w.-]+\.(?:js|css|pack)\b/g, (name) => names.get(name) ?? name)
  for (const file of [...textsIn(app), ...textsIn(assets)])
    fs.writeFileSync(file, renamed(fs.readFileSync(file, 'utf8')))
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

function textsIn(folder: string): string[] {
  return fs
    .readdirSync(folder)
    .filter((name) => /\.(js|css|html|pack)$/.test(name))
    .map((name) => path.join(folder, name))
}
