// What a PostgreSQL server does in the background, and the embedded one does not: its log is written back, its dead rows are cleared away.
import type pg from 'pg'

export interface UpkeepTimes {
  checkpoint: number
  vacuum: number
}

const usualMs: UpkeepTimes = { checkpoint: 5 * 60_000, vacuum: 60 * 60_000 }

/**
 * Asks by the pool, whose one connection is the engine's one backend: so it runs between two transactions. Told to the engine directly it ran
 * within whichever was under way, in that one's role, and broke it.
 */
export function beginUpkeep(pool: pg.Pool, everyMs: UpkeepTimes = usualMs): { end: () => void } {
  const timers = new Map<string, NodeJS.Timeout>()
  let hasEnded = false
  const wait = (command: string, ms: number) => {
    // From its end to the next beginning: however slow the disk is, no two of them wait.
    const run = async () => {
      await pool.query(command).catch(report)
      if (!hasEnded) wait(command, ms)
    }
    timers.set(
      command,
      setTimeout(() => void run(), ms),
    )
  }
  wait('checkpoint', everyMs.checkpoint)
  wait('vacuum (analyze)', everyMs.vacuum)
  return {
    end() {
      hasEnded = true
      timers.forEach((each) => clearTimeout(each))
    },
  }
}

function report(error: unknown): void {
  process.stderr.write(`Embedded database: ${error instanceof Error ? error.message : String(error)}\n`)
}
