// `npm run faults -- --seeds 1000 [--from 1]`: schedules of faults in real Chromium, `--browsers 2` at a time. `--seed 123` replays one, and prints
// what happened; `--mutant name` breaks the product on purpose.
import { parseArgs } from 'node:util'
import { isBuilt } from '#tools/sources.ts'
import { buildMutant } from './mutant.ts'
import { createWatch, neverHappened, type Watch } from './watch.ts'
import { runSeeds } from './seeds.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '50' },
    from: { type: 'string', default: '1' },
    browsers: { type: 'string', default: '2' },
    mutant: { type: 'string' },
  },
})
const first = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1
if (!isBuilt()) {
  const { buildAll } = await import('#tools/build.ts')
  await buildAll()
}
const build = values.mutant === undefined ? undefined : await buildMutant(values.mutant)
const seeds = Array.from({ length: count }, (_, index) => first + index)
const watch: Watch = createWatch()
const began = performance.now()
const minutes = () => `${((performance.now() - began) / 60_000).toFixed(1)} min`
let done = 0
const tell = () => {
  done += 1
  if (done % 25 === 0) console.log(`${done} seeds (${minutes()})`)
}
try {
  const browsers = Number(values.browsers)
  await runSeeds(seeds, watch, { browsers, build: build?.folder, tell, isLogWanted: values.seed !== undefined })
  const missing = count >= 50 ? neverHappened(watch) : []
  console.log(missing.length > 0 ? `these never happened: ${missing.join(', ')}` : `every rule held (${minutes()})`)
  if (missing.length > 0) process.exitCode = 1
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
for (const [what, number] of Object.entries(watch.counts)) console.log(`${String(number).padStart(8)}  ${what}`)
build?.remove()
