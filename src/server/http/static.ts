// The built page: documents by path, hashed assets for ever, everything read and compressed once, before the first request.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { documentFor } from '#shared/documents.ts'
import { acceptedLanguage } from '#shared/language.ts'
import { workerPath } from './headers.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.woff': 'font/woff',
  // Many small scripts in one file (vite.config.ts).
  '.pack': 'application/json',
}
const compressed = new Set(['.html', '.js', '.css', '.svg', '.webmanifest', '.txt', '.pack'])

interface File {
  body: Uint8Array<ArrayBuffer>
  brotli: Uint8Array<ArrayBuffer> | null
  headers: Record<string, string>
}

export interface StaticFiles {
  /** The answer to a GET or HEAD outside the API; null when there is no such file (then 404, never HTML in a script's place). */
  answer(request: Request): Response | null
}

/** Reads the folder that `npm run build` made. A missing folder is a server without a page: only the API answers. */
export function loadStaticFiles(folder: string): StaticFiles {
  const files = new Map<string, File>()
  const names = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  for (const name of names) {
    const file = path.join(folder, name)
    const extension = path.extname(name)
    if (types[extension] && fs.statSync(file).isFile()) {
      files.set(`/${name.split(path.sep).join('/')}`, load(file, name, extension))
    }
  }
  return {
    answer(request) {
      const { pathname } = new URL(request.url)
      const isPage = path.extname(pathname) === '' && !pathname.startsWith('/assets/')
      const language = acceptedLanguage(request.headers.get('accept-language'))
      const file = files.get(isPage ? documentFor(pathname, language) : pathname)
      return file ? respond(request, file) : null
    },
  }
}

function load(file: string, name: string, extension: string): File {
  const body = new Uint8Array(fs.readFileSync(file))
  const forEver = name.startsWith('assets')
  return {
    body,
    brotli: compressed.has(extension) ? precompressed(file, body) : null,
    headers: {
      'content-type': types[extension]!,
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      'cache-control': forEver ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(compressed.has(extension) && {
        vary: extension === '.html' ? 'accept-encoding, accept-language' : 'accept-encoding',
      }),
      ...(`/${name}` === workerPath && { 'service-worker-allowed': '/' }),
    },
  }
}

/** The build leaves a .br beside each file; without one (an older asset) it is made here, once. */
function precompressed(file: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  if (fs.existsSync(`${file}.br`)) return new Uint8Array(fs.readFileSync(`${file}.br`))
  return new Uint8Array(brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
}

function respond(request: Request, file: File): Response {
  if (request.headers.get('if-none-match') === file.headers['etag'])
    return new Response(null, { status: 304, headers: file.headers })
  const brotli = file.brotli !== null && /\bbr\b/.test(request.headers.get('accept-encoding') ?? '')
  const body = brotli ? file.brotli! : file.body
  return new Response(request.method === 'HEAD' ? null : body, {
    headers: {
      ...file.headers,
      'content-length': String(body.byteLength),
      ...(brotli && { 'content-encoding': 'br' }),
    },
  })
}
