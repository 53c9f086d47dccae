// `npm run soak`: the long run of the model and the replays of copied tokens. Prints the counts; a broken rule ends it with 1 and the way to replay it.
import { parseArgs } from 'node:util'
import { openDatabase } from '#server/db/database.ts'
import { startCluster } from '#tools/postgres.ts'
import { createWatch, Violation } from './watch.ts'
import { soak } from './soak.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    refreshes: { type: 'string', default: '20000' },
    replays: { type: 'string', default: '10000' },
    path: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    mutant: { type: 'string' },
    'database-url': { type: 'string' },
  },
})
const seed = Number(values.seed)
console.log(`seed ${seed}`)

const cluster = values['database-url'] === undefined ? await startCluster() : null
cluster?.createDatabase('docket_soak')
const db = await openDatabase({ dataDir: '', databaseUrl: values['database-url'] ?? cluster!.url('docket_soak') })
const watch = createWatch()
const began = performance.now()
let next = 1000
const failure = await soak(db, watch, {
  seed,
  refreshes: Number(values.refreshes),
  path: values.path,
  shrink: values.shrink,
  progress(arrived) {
    if (arrived < next) return
    next = arrived + 1000
    console.log(`${arrived} refreshes, ${((performance.now() - began) / 1000).toFixed(0)} s`)
  },
})
for (const [what, count] of Object.entries(watch.counts)) console.log(`${String(count).padStart(8)}  ${what}`)
if (failure) {
  console.log(failure.violation instanceof Violation ? `VIOLATION ${failure.violation.message}` : failure.violation)
  console.log(failure.road)
  console.log(`again: npm run soak -- --seed ${failure.seed} --path ${failure.path}`)
  process.exitCode = 1
}
await db.close()
await cluster?.stop()
