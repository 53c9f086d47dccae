// `npm run soak`: the long run of the model and the replays of copied tokens. Prints the counts; a broken rule ends it with 1 and the way to replay it.
import { parseArgs } from 'node:util'
import { startCluster } from '#tools/postgres.ts'
import { mutants, plant } from './mutants.ts'
import { createWatch, Violation } from './watch.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    refreshes: { type: 'string', default: '20000' },
    replays: { type: 'string', default: '10000' },
    path: { type: 'string' },
    'in-step': { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    mutant: { type: 'string' },
    'database-url': { type: 'string' },
  },
})
const seed = Number(values.seed)
console.log(`seed ${seed}`)
if (values.mutant !== undefined) {
  const mutant = mutants[values.mutant]
  if (!mutant) throw new Error(`No such mutant: ${values.mutant}. There are ${Object.keys(mutants).join(', ')}`)
  plant(mutant)
}
// Only now: a mutant is planted before what it changes is loaded.
const { openDatabase } = await import('#server/db/database.ts')
const { soak } = await import('./soak.ts')
const { replayStolen } = await import('./replays.ts')

const cluster = values['database-url'] === undefined ? await startCluster() : null
cluster?.createDatabase('docket_soak')
const db = await openDatabase({ dataDir: '', databaseUrl: values['database-url'] ?? cluster!.url('docket_soak') })
const watch = createWatch()
const began = performance.now()
const seconds = () => `${((performance.now() - began) / 1000).toFixed(0)} s`
const show = (count: number, what: string) => console.log(`${String(count).padStart(8)}  ${what}`)

/** The thief first: it is quick. A path names a place in the model's runs alone. */
async function stealFirst(): Promise<void> {
  if (values.path !== undefined) return
  const { tries, minted, honest, byKind } = await replayStolen(db, watch, Number(values.replays), seed)
  show(tries, `replays of a copied refresh token (${seconds()})`)
  for (const [kind, count] of Object.entries(byKind)) show(count, `  ${kind}`)
  show(minted, 'tokens minted for them')
  show(honest, 'calls of the honest devices meanwhile, all answered')
}

try {
  await stealFirst()
  let next = 1000
  const failure = await soak(db, watch, {
    seed,
    refreshes: Number(values.refreshes),
    path: values.path,
    inStep: values['in-step'],
    shrink: values.shrink,
    progress(arrived) {
      if (arrived < next) return
      next += 1000
      console.log(`${arrived} refreshes (${seconds()})`)
    },
  })
  for (const [what, count] of Object.entries(watch.counts)) show(count, what)
  if (failure) {
    console.log(failure.road)
    console.log(
      `again: npm run soak -- --seed ${failure.seed} --path ${failure.path}${values['in-step'] ? ' --in-step' : ''}`,
    )
    throw failure.violation
  }
  console.log(`every rule held (${seconds()})`)
} catch (error) {
  console.log(error instanceof Violation ? `VIOLATION ${error.message}` : error)
  process.exitCode = 1
} finally {
  await db.close()
  await cluster?.stop()
}
