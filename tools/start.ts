// `npm start`: the production build, made again only when its sources changed. With a name: another entry of the server, such as `backup`.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { isBuilt, root } from './sources.ts'

const named = process.argv[2]
const entry = named === 'backup' || named === 'restore' ? named : 'server'
if (entry !== 'server') process.argv.splice(2, 1)

// Without the development packages (a deploy) the build is what it is.
const canBuild = fs.existsSync(path.join(root, 'node_modules/vite'))
if (canBuild && !isBuilt()) {
  process.stdout.write('Building Docket ...\n')
  const { run } = await import('./commands.ts')
  const { ok, output } = await run(process.execPath, ['tools/build.ts'])
  if (!ok) {
    process.stderr.write(output)
    process.exit(1)
  }
}
process.env['NODE_ENV'] = 'production'
process.chdir(root)
const file = path.join(root, `dist/server/${entry}.js`)
if (!fs.existsSync(file)) {
  process.stderr.write('Docket is not built: run npm ci && npm run build first.\n')
  process.exit(1)
}
await import(pathToFileURL(file).href)
