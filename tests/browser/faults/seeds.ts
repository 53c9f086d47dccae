// Many seeds one after the other: a server for all, a new person on a new device every so often.
import { Violation } from '#tests/soak/watch.ts'
import { runSeed } from './schedule.ts'
import type { Watch } from './watch.ts'
import { openDevice, openServer } from './world.ts'

const seedsPerDevice = 25

export interface SeedOptions {
  /** Beside each other: what one waits for leaves the processor to the others. */
  browsers: number
  /** The folder of a build that is not this one. */
  build?: string | undefined
  /** Called after each seed. */
  tell?: () => void
  /** Prints what happened also when every rule held. */
  isLogWanted?: boolean
}

/** A seed takes ten to thirty seconds; what a page evaluates has no limit of its own. */
const patienceMs = 5 * 60_000

async function inTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Violation('stuck', 'it never ended')), patienceMs)
  })
  await Promise.race([work, tooLate]).finally(() => clearTimeout(timer))
}

/** Runs each of these seeds once. The first that breaks a rule ends it, with its log and the way to replay it. */
export async function runSeeds(seeds: readonly number[], watch: Watch, options: SeedOptions): Promise<void> {
  const left = [...seeds]
  const works = Array.from({ length: Math.min(seeds.length, options.browsers) }, () => workOff(left, watch, options))
  await Promise.all(works)
}

/** Takes seeds off the list until it is empty. */
async function workOff(
  left: number[],
  watch: Watch,
  { build, tell = () => {}, isLogWanted = false }: SeedOptions,
): Promise<void> {
  const server = await openServer(build)
  try {
    while (left.length > 0) {
      const device = await openDevice(server)
      try {
        for (let run = 0; run < seedsPerDevice && left.length > 0; run += 1) {
          const seed = left.shift()!
          const log: string[] = []
          await device.signInElsewhere()
          await inTime(runSeed(device, seed, watch, log)).catch((error: unknown) => {
            // Whoever runs beside this ends after the seed it is at.
            left.length = 0
            const again = `again: npm run faults -- --seed ${seed}`
            throw new Error(`${log.join('\n')}\nVIOLATION ${(error as Violation).message}\nseed ${seed}; ${again}`)
          })
          if (isLogWanted) process.stdout.write(`${log.join('\n')}\n`)
          tell()
        }
      } finally {
        await device.close()
      }
    }
  } finally {
    await server.close()
  }
}
