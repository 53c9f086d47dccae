// `npm run check`: format, lint, types, dead code and the build with its byte budgets; no tests. Two at a time.
import fs from 'node:fs'
import { weigh } from './budgets.ts'
import { run, type Ended } from './commands.ts'
import { isBuilt, root } from './sources.ts'

const routeTree = `${root}/src/page/route-tree.gen.ts`

const steps: [string, () => Promise<Ended>][] = [
  ['build and byte budgets', budgets],
  ['format', () => run('oxfmt', ['--check'])],
  ['lint', () => run('oxlint', ['--deny-warnings'])],
  ['types', () => run('tsc', ['-b'])],
  ['dead code', () => run('knip', ['--no-progress'])],
]

async function budgets(): Promise<Ended> {
  const began = performance.now()
  const before = fs.readFileSync(routeTree, 'utf8')
  if (!isBuilt()) {
    const built = await run(process.execPath, ['tools/build.ts'])
    if (!built.ok) return built
  }
  const weights = weigh()
  const output = weights.map(
    ({ what, bytes, budget }) => `  ${bytes > budget ? 'OVER' : '    '} ${kB(bytes)} of ${kB(budget)}  ${what}\n`,
  )
  const current = fs.readFileSync(routeTree, 'utf8') === before
  if (!current) output.push('  route-tree.gen.ts was out of date: the build has written it, commit it\n')
  const ok = current && weights.every(({ bytes, budget }) => bytes <= budget)
  return { ok, output: output.join(''), seconds: (performance.now() - began) / 1000 }
}

function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(1).padStart(6)} kB`
}

const began = performance.now()
let failed = false
const waiting = [...steps]
async function work(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const [name, start] = step
    const { ok, output, seconds } = await start()
    failed ||= !ok
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`)
    if (!ok || start === budgets) process.stdout.write(output)
  }
}
await Promise.all([work(), work()])
console.log(`check ${failed ? 'failed' : 'passed'} in ${((performance.now() - began) / 1000).toFixed(1)} s`)
if (failed) process.exitCode = 1
