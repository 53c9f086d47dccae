// The model-based run: lives of devices, one after the other, until the server has minted enough or a rule is broken.
import fc from 'fast-check'
import type { Database } from '#server/db/database.ts'
import { commands, type Model } from './commands.ts'
import { createDice } from './dice.ts'
import { startSoakServer } from './server.ts'
import type { Watch } from './watch.ts'
import { createWorld, type World } from './world.ts'

const runsPerSeed = 10
/** Most runs go step by step and are the same again with the same seed; some run freely, for the races of the database. */
const order = fc.record({ seed: fc.nat(), inStep: fc.constantFrom(true, true, true, false) })

export interface SoakOptions {
  seed: number
  /** Refreshes that the server mints; fewer arrive, and more are asked for. */
  refreshes: number
  /** Where in the seed's runs to begin: what a failure printed. */
  path?: string | undefined
  /** No run goes freely: nothing then depends on the machine. */
  inStep?: boolean
  /** Looks for a shorter road to the same violation. */
  shrink?: boolean
  progress?: (refreshes: number) => void
}

export interface Failure {
  violation: unknown
  seed: number
  path: string | null
  /** The commands that were run, in order. */
  road: string
}

/** Null when every rule held. */
export async function soak(db: Database, watch: Watch, options: SoakOptions): Promise<Failure | null> {
  const server = await startSoakServer(db, watch)
  let world: World
  const property = fc.asyncProperty(commands(watch), order, async (road, { seed, ...drawn }) => {
    const inStep = options.inStep === true || drawn.inStep
    watch.forget()
    world = createWorld(server, watch)
    world.steps.choose(inStep ? createDice(seed).next : null)
    if (!inStep) watch.count('of these with true races')
    const begin = async () => {
      await world.signIn(0, world.people[0]!, null)
      return { model: { signedIn: true } satisfies Model, real: world }
    }
    await fc.asyncModelRun(begin, road)
    await world.settle()
    watch.check()
  })
  for (let seed = options.seed; ; seed = (seed + 1) | 0) {
    const details = await fc.check(property, {
      seed,
      numRuns: runsPerSeed,
      endOnFailure: !options.shrink,
      ...(options.path !== undefined && { path: options.path }),
    })
    if (details.failed) {
      const { errorInstance, counterexamplePath, counterexample } = details
      return {
        violation: errorInstance,
        seed,
        // Shrinking goes on from there; the place in the seed's runs is what can be run again.
        path: counterexamplePath?.split(':')[0] ?? null,
        road: [...(counterexample?.[0] ?? []), counterexample?.[1]].map((each) => fc.stringify(each)).join('\n'),
      }
    }
    const minted = watch.counts['refreshes minted by the server']
    options.progress?.(minted)
    if (minted >= options.refreshes || options.path !== undefined) return null
  }
}
