// Builds the page and its worker. The server is built by the same tool from vite.server.config.ts.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { documentFor, firstScreens, publicPaths } from './src/shared/documents.ts'
import { languages } from './src/shared/language.ts'

/** Where tools/build.ts leaves the markup of the public screens before this build runs: document -> HTML. */
const prerendered = '.cache/prerender/markup.json'

/** sonner puts its styles into the page by script, which the CSP refuses; ui/toaster imports its stylesheet instead. */
function sonnerWithoutStyles(): Plugin {
  return {
    name: 'sonner-without-styles',
    enforce: 'pre',
    transform(code, id) {
      if (!/node_modules\/sonner\/dist\/index\.mjs/.test(id)) return null
      const changed = code.replace(/^__insertCSS\(.*\);$/m, '')
      if (changed === code) throw new Error('sonner no longer calls __insertCSS: look how it brings its styles now')
      return changed
    },
  }
}

/**
 * Chromium compiles a module that a worker answers with anew at every start, although it keeps it compiled, unless the file was asked for as a
 * script before: then it takes what it keeps (decision 021). So modules are preloaded as scripts, with the shell also the signed-in screens' frame.
 */
function preloadAsScripts(): Plugin {
  return {
    name: 'preload-as-scripts',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    enforce: 'post',
    transform(code, id) {
      if (!id.includes('vite/preload-helper')) return null
      const changed = code.replace('? "modulepreload" : "preload"', '? "preload" : "preload"')
      if (changed === code) throw new Error('Vite no longer chooses between two ways to preload: look how it does now')
      return changed
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const files = Object.values(bundle)
        const chunks = files.filter((file) => file.type === 'chunk')
        const entry = chunks.find(({ isEntry }) => isEntry)!
        /** The chunks of a route's file: its component, and what else the router loads with it. */
        const ofRoute = (file: string) => {
          const found = chunks.filter(({ facadeModuleId }) => facadeModuleId?.includes(`/routes/${file}.tsx?`))
          if (found.length === 0) throw new Error(`The route ${file} is no chunk of its own any more`)
          return found.map(({ fileName }) => fileName)
        }
        const withImports = (name: string, found = new Set<string>()): Set<string> => {
          if (found.has(name)) return found
          found.add(name)
          for (const each of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) withImports(each, found)
          return found
        }
        const wordsFile = (name: string) => {
          const found = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/page/words/${name}.ts`))
          if (!found) throw new Error(`The words of ${name} are no chunk of their own any more`)
          return found.fileName
        }
        for (const file of files) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.html')) continue
          const words = file.fileName.endsWith('.de.html') ? 'german' : 'english'
          const screen = `/${file.fileName.replace(/(\.de)?\.html$/, '')}`
          const isFirstScreen = firstScreens.includes(screen)
          const routes = isFirstScreen ? ['_authed', `_authed${screen}/index`] : screen === '/index' ? ['_authed'] : []
          const scripts = new Set([
            entry.fileName,
            wordsFile(words),
            ...(routes.length > 0 ? [wordsFile(`app-${words}`)] : []),
            ...routes.flatMap(ofRoute).flatMap((name) => [...withImports(name)]),
          ])
          const tags = [...scripts].map((name) => `<link rel="preload" as="script" crossorigin href="/${name}">\n    `)
          const html = String(file.source)
          file.source = html.replace('<script type="module"', (script) => tags.join('') + script)
          if (file.source === html) throw new Error(`${file.fileName} starts no module`)
        }
      },
    },
  }
}

/** The PDF library can read WOFF2, which Docket gives it none of: its unpacker weighs 70 kB. */
function withoutBrotli(): Plugin {
  const name = '\0without-brotli'
  return {
    name: 'without-brotli',
    enforce: 'pre',
    resolveId: (source) => (source === 'brotli/decompress.js' ? name : null),
    load: (id) => (id === name ? `export default () => { throw new Error('WOFF2 is not read here') }` : null),
  }
}

/** The PDF library unpacks a picture in a worker made of generated code, which the CSP refuses; a logo is unpacked at once where it is drawn. */
function picturesWithoutWorker(): Plugin {
  return {
    name: 'pictures-without-worker',
    enforce: 'pre',
    transform(code, id) {
      if (!/node_modules\/png-js\/lib\/png-js\.browser\.js/.test(id)) return null
      const changed = code.replace(
        "import { unzlib } from 'fflate';",
        "import { unzlibSync } from 'fflate';const unzlib = (data, done) => done(null, unzlibSync(data));",
      )
      if (changed === code) throw new Error('png-js no longer imports unzlib: look how it unpacks now')
      return changed
    },
  }
}

/** landing, login and register: the shell with the screen's markup in place of the skeleton. All of them, and the shell, in each language. */
function publicDocuments(): Plugin {
  return {
    name: 'public-documents',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const shell = bundle['index.html']
        if (shell?.type !== 'asset') throw new Error('index.html was not built')
        const markup = JSON.parse(fs.readFileSync(prerendered, 'utf8')) as Record<string, string>
        const html = String(shell.source)
        for (const language of languages) {
          const isEnglish = language === 'en'
          const shell = html
            .replace('<html lang="en"', `<html lang="${language}"`)
            .replace('/manifest.webmanifest', isEnglish ? '$&' : `/manifest.${language}.webmanifest`)
          const emit = (path: string, source: string) =>
            this.emitFile({ type: 'asset', fileName: documentFor(path, language).slice(1), source })
          if (!isEnglish) emit('/anything-else', shell)
          for (const path of firstScreens) emit(path, shell)
          for (const path of publicPaths) {
            const source = shell.replace(/<!--screen-->.*<!--\/screen-->/s, () => markup[documentFor(path, language)]!)
            if (source === shell) throw new Error(`The shell has no place for the screen of ${path}`)
            emit(path, source)
          }
        }
      },
    },
  }
}

/** Most files are smaller, and to ask for one costs a processor more than what is in it (decision 009). */
const packedBelow = 20_000
/** Those of this build: the worker's list of files does without them. */
let packed: ReadonlySet<string>

/** The worker takes the small files in one piece when it installs (worker/shell.ts); a page that no worker serves yet asks for each. */
function packSmallFiles(): Plugin {
  return {
    name: 'pack-small-files',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const small = Object.values(bundle).flatMap((file) =>
          file.type === 'chunk' && file.code.length < packedBelow ? [[`/${file.fileName}`, file.code] as const] : [],
        )
        packed = new Set(small.map(([path]) => path.slice(1)))
        const source = JSON.stringify(Object.fromEntries(small.toSorted(([a], [b]) => (a < b ? -1 : 1))))
        const hash = createHash('sha256').update(source).digest('base64url').slice(0, 7)
        this.emitFile({ type: 'asset', fileName: `assets/${hash}.pack`, source })
      },
    },
  }
}

/** What many screens share, small; what it would bring along that is large (popups, virtual lists) is left out. */
const shared =
  /node_modules\/lucide-react\/|(?:useInfiniteQuery|infiniteQueryObserver)\.js|src\/shared\/(permissions|money|decimal)\.ts|src\/page\/(?!ui\/(opened-menu|picker|suggest-field|dialog|list|toaster|number-field)|forms\/(app-form|endpoint-fields|confirm-delete|kept|new-record)|device\/unsent(?!-counts)|words\/(app-text|field-text|choices)|mail-dialog|public-link|needs-organization|searched-list|features\/)/

/** What nearly every screen of who is signed in starts with, small: a file each would cost a slow processor more to ask for than to run. */
const signedIn = /src\/page\/(features\/shell\/app-shell|needs-organization|permitted|device\/unsent(-badge)?\.)/

/**
 * Whether this file, or one that it imports outright, reads the words of who is signed in (page/words/app-text.ts) at its top: in one chunk with what public
 * screens load, it would run before they are there.
 */
function saysAppWords(id: string, seen = new Set<string>()): boolean {
  const file = id.replace(/\?.*$/, '')
  if (seen.has(file) || !/\/src\/page\/.*\.tsx?$/.test(file) || !fs.existsSync(file)) return false
  seen.add(file)
  if (file.endsWith('/src/page/words/language.ts')) return false
  const imported = [
    ...fs.readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s(?!type\b)[^'"]*?from '((?:#page|\.\.?)\/[^']+)'/gm),
  ]
  return imported.some(
    ([, name]) =>
      name!.endsWith('/app-text.ts') ||
      saysAppWords(
        name!.startsWith('#page/')
          ? file.replace(/\/src\/page\/.*$/, `/src/page/${name!.slice('#page/'.length)}`)
          : path.join(path.dirname(file), name!),
        seen,
      ),
  )
}

export default defineConfig({
  build: {
    // For the byte budgets; the build moves it out of what is served.
    manifest: 'manifest.json',
    outDir: '.cache/app',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The worker holds every name: nothing but a hash, and of that, which no packing makes smaller, only what tells builds apart.
        chunkFileNames: 'assets/[hash:7].js',
        codeSplitting: {
          // Few files, because each costs a round trip on a slow network, and a slow processor 8 ms to ask for: what every screen starts with, what
          // forms share, and the small parts that many screens share. What is large and used by few (menus, lists, pickers) stays apart.
          groups: [
            { name: 'start', tags: ['$initial'], priority: 3 },
            { name: 'forms', test: /node_modules\/@tanstack\/(react-form|form-core)\//, priority: 2 },
            { name: 'schemas', test: /node_modules\/zod\//, priority: 2 },
            { name: 'public', test: /src\/page\/features\/auth\/|src\/shared\/account-rules/, priority: 1 },
            {
              name: 'screens',
              test: (id) => shared.test(id) && !saysAppWords(id),
              minShareCount: 2,
            },
            { name: 'loaded', test: /src\/page\/loaded\.tsx/, priority: 1 },
            { name: 'frame', test: signedIn, minShareCount: 2 },
          ],
        },
      },
    },
  },
  plugins: [
    sonnerWithoutStyles(),
    withoutBrotli(),
    picturesWithoutWorker(),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: 'src/page/routes',
      generatedRouteTree: 'src/page/route-tree.gen.ts',
      quoteStyle: 'single',
      semicolons: false,
    }),
    react(),
    tailwindcss(),
    publicDocuments(),
    preloadAsScripts(),
    packSmallFiles(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src',
      filename: 'sw.ts',
      registerType: 'prompt',
      injectRegister: false,
      manifest: false,
      includeManifestIcons: false,
      injectManifest: {
        // With the icons that documents name (the others are the manifest's, and wanted only where there is a network to install by), and the fonts that
        // most papers are written in: a PDF is drawn without a connection too.
        globPatterns: [
          '**/*.{js,css,html,pack}',
          'icons/icon{.svg,-192.png}',
          'assets/noto-sans-latin-{400,700}-*.woff',
        ],
        globIgnores: ['sw.js'],
        // Names of hashed files are their version; the documents' is their content.
        dontCacheBustURLsMatching: /^assets\//,
        // The worker's bytes are counted: an address that says it all stands alone, and of a content's hash there need be no more than tells builds apart.
        manifestTransforms: [
          (entries) => ({
            manifest: entries
              .filter(({ url }) => !packed.has(url))
              .map(({ revision, ...entry }) =>
                revision === null ? entry.url : { revision: revision.slice(0, 7), ...entry },
              ) as typeof entries,
          }),
        ],
      },
      devOptions: { enabled: true, type: 'module' },
    }),
  ],
})
