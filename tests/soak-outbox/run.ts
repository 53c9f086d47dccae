// `npm run soak:outbox`: the model of the outbox over the shipped worker and the shipped server. A broken rule ends it with 1 and the way to replay it.
import { parseArgs } from 'node:util'
import { plant } from '#tests/soak/mutants.ts'
import { Violation } from '#tests/soak/watch.ts'
import { startCluster } from '#tools/postgres.ts'
import { mutants } from './mutants.ts'
import { createWatch } from './watch.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    steps: { type: 'string', default: '100000' },
    'steps-per-run': { type: 'string', default: '150' },
    road: { type: 'boolean', default: false },
    mutant: { type: 'string' },
    'database-url': { type: 'string' },
  },
})
const stepsPerRun = Number(values['steps-per-run'])
let seed = Number(values.seed)
console.log(`seed ${seed}`)
if (values.mutant !== undefined) {
  const mutant = mutants[values.mutant]
  if (!mutant) throw new Error(`No such mutant: ${values.mutant}. There are ${Object.keys(mutants).join(', ')}`)
  plant(mutant)
}
// Only now: a mutant is planted before what it changes is loaded.
const { openDatabase } = await import('#server/db/database.ts')
const { startSoakServer } = await import('#tests/soak/server.ts')
const { createScene } = await import('./scene.ts')
const { move } = await import('./moves.ts')
const { settle } = await import('./settle.ts')

const cluster = values['database-url'] === undefined ? await startCluster() : null
cluster?.createDatabase('docket_soak')
const db = await openDatabase({ dataDir: '', databaseUrl: values['database-url'] ?? cluster!.url('docket_soak') })
const watch = createWatch()
const began = performance.now()
const seconds = () => `${((performance.now() - began) / 1000).toFixed(0)} s`
let log: readonly string[] = []

try {
  for (let next = 5000; watch.counts.steps < Number(values.steps); seed = (seed + 1) | 0) {
    watch.forget()
    // Other people each time: what the last ones have would be pulled as well.
    const scene = createScene(await startSoakServer(db, watch), db, watch, seed)
    log = scene.ledger.log
    for (let step = 0; step < stepsPerRun; step += 1) {
      const what = await move(scene)
      scene.ledger.log.push(`-- ${what}`)
    }
    await settle(scene)
    if (watch.counts.steps < next) continue
    console.log(`${watch.counts.steps} steps (${seconds()})`)
    next += 5000
  }
  for (const [what, count] of Object.entries(watch.counts)) console.log(`${String(count).padStart(8)}  ${what}`)
  console.log(`every rule held (${seconds()})`)
} catch (error) {
  const rows = new Set(
    (String(error).match(/[0-9a-f-]{36}/g) ?? []).slice(String(error).includes('/organizations/') ? 1 : 0),
  )
  const isOfRow = (line: string) => line.startsWith('--') || [...rows].some((id) => line.includes(id))
  if (values.road) console.log(log.filter(isOfRow).join('\n'))
  console.log(`after ${watch.counts.steps} steps in all (${seconds()})`)
  console.log(`again: npm run soak:outbox -- --seed ${seed} --steps 1 --steps-per-run ${stepsPerRun} --road`)
  console.log(error instanceof Violation ? `VIOLATION ${error.message}` : error)
  process.exitCode = 1
} finally {
  await db.close()
  await cluster?.stop()
}
