// `npm run build`: public screens to markup, page and worker, compressed files, server. Everything ends in dist/.
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { pathToFileURL } from 'node:url'
import { brotliCompress, constants } from 'node:zlib'
import { build } from 'vite'
import { documentFor, publicPaths } from '#shared/documents.ts'
import { languages, type Language } from '#shared/language.ts'
import { publish } from './publish.ts'
import { apiBaseUrl, buildNote, chunkNote, deviceInvoices, root, sourcesHash, type BuildNote } from './sources.ts'

const compress = promisify(brotliCompress)
const logLevel = 'warn'
const prerenderFolder = path.join(root, '.cache/prerender')
const fresh = path.join(root, '.cache/app')
const served = path.join(root, 'dist/app')

export async function buildAll(): Promise<void> {
  process.env['NODE_ENV'] = 'production'
  const note: BuildNote = { sources: sourcesHash(), apiBaseUrl: apiBaseUrl(), deviceInvoices: deviceInvoices() }
  process.env['VITE_API_BASE_URL'] = note.apiBaseUrl
  process.env['VITE_DEVICE_INVOICES'] = note.deviceInvoices
  fs.rmSync(buildNote, { force: true })
  await prerender()
  await build({ root, logLevel })
  await compressFiles(fresh)
  fs.mkdirSync(path.dirname(chunkNote), { recursive: true })
  fs.renameSync(path.join(fresh, 'manifest.json'), chunkNote)
  publish(fresh, served, path.join(root, 'dist/builds.json'))
  await build({ root, logLevel, configFile: path.join(root, 'vite.server.config.ts') })
  fs.cpSync(path.join(root, 'src/server/db/migrations'), path.join(root, 'dist/server/migrations'), { recursive: true })
  fs.writeFileSync(buildNote, JSON.stringify(note))
}

/** Renders the public screens once, here, so that they are painted before any script has run. */
async function prerender(): Promise<void> {
  await build({
    root,
    logLevel,
    build: { ssr: 'src/page/start/prerender.tsx', outDir: prerenderFolder, emptyOutDir: true, copyPublicDir: false },
  })
  const { renderScreen } = (await import(pathToFileURL(path.join(prerenderFolder, 'prerender.js')).href)) as {
    renderScreen(path: string, language: Language): Promise<string>
  }
  const markup: Record<string, string> = {}
  for (const language of languages)
    for (const screen of publicPaths) markup[documentFor(screen, language)] = await renderScreen(screen, language)
  fs.writeFileSync(path.join(prerenderFolder, 'markup.json'), JSON.stringify(markup))
}

async function compressFiles(folder: string): Promise<void> {
  const names = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(html|js|css|svg|webmanifest|txt|pack)$/.test(name))
  await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name)
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
      fs.writeFileSync(`${file}.br`, await compress(fs.readFileSync(file), { params }))
    }),
  )
}

if (process.argv[1] === import.meta.filename) await buildAll()
