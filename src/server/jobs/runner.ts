// Does what is due (due-work.ts): every process looks for it, the queue sees to it that it is done once, and what fails stays on record until it is mended.
import { setTimeout as pause } from 'node:timers/promises'
import { workKinds } from '#shared/contract/failures.ts'
import type { Database } from '#server/db/database.ts'
import type { WorkKind } from './due-work.ts'
import type { Queue } from './queue.ts'
import type { Log } from '#server/log.ts'

/** Does what is due of its kind in an organization, and notes what is due next. Whatever it did before it failed is done: it begins again after that. */
export type Work = (db: Database, organizationId: string, nowMs: number) => Promise<void>

export interface Runner {
  /** Something may be due now: look at once. */
  look(): Promise<void>
  /** Somebody wants it done now: it does not wait for its next try. */
  hurry(kind: WorkKind, organizationId: string): void
  /** Looks no more. What is under way the queue waits for. */
  stop(): void
}

interface RunnerParts {
  db: Database
  queue: Queue
  clock: () => number
  log: Log
  /** Of each kind that this process does. */
  work: Readonly<Partial<Record<WorkKind, Work>>>
}

const lookEveryMs = 15_000
const mostAtOnce = 500
/** Of many who want it done now those that come within this time have it done together. */
const hurryEveryMs = 500
/** What was given up is tried anew after this: somebody may have mended it without telling. */
const restMs = 60 * 60_000

export async function startRunner({ db, queue, clock, log, work }: RunnerParts): Promise<Runner> {
  const at = (ms: number) => new Date(ms).toISOString()
  const kinds = workKinds.filter((kind) => work[kind])

  async function run(kind: WorkKind, organizationId: string, isLast: boolean): Promise<void> {
    const due = await db.asJobs((tx) =>
      tx
        .selectFrom('dueWork')
        .select('dueAt')
        .where('organizationId', '=', organizationId)
        .where('kind', '=', kind)
        .where('dueAt', '<=', at(clock()))
        .executeTakeFirst(),
    )
    // Another process did it meanwhile, or it is no longer wanted.
    if (!due) return
    try {
      await work[kind]!(db, organizationId, clock())
    } catch (error) {
      const lastError = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
      log.warn({ kind, organizationId, error: lastError }, isLast ? 'job given up' : 'job failed')
      await db.asJobs((tx) =>
        tx
          .updateTable('dueWork')
          .set((eb) => ({
            failures: eb('failures', '+', 1),
            failedAt: at(clock()),
            lastError,
            ...(isLast && { dueAt: at(clock() + restMs) }),
          }))
          .where('organizationId', '=', organizationId)
          .where('kind', '=', kind)
          .execute(),
      )
      throw error
    }
  }

  async function look(): Promise<void> {
    const due = await db.asJobs((tx) =>
      tx
        .selectFrom('dueWork')
        .select(['organizationId', 'kind'])
        .where('dueAt', '<=', at(clock()))
        .orderBy('dueAt')
        .limit(mostAtOnce)
        .execute(),
    )
    for (const kind of kinds)
      await queue.add(
        kind,
        due.filter((each) => each.kind === kind).map(({ organizationId }) => organizationId),
      )
  }

  const complain = (error: unknown) =>
    log.error({ error: error instanceof Error ? error.message : '' }, 'looking for due work failed')
  const lookAgain = () => void look().catch(complain)
  let isStopped = false
  const hurried = new Map<string, { kind: WorkKind; organizationId: string }>()
  let isHurrying = false
  async function hurryAll(): Promise<void> {
    const wanted = [...hurried.values()]
    hurried.clear()
    for (const { kind, organizationId } of wanted) await queue.hurry(kind, organizationId)
    await look()
  }
  /** The first at once, and whoever comes meanwhile after a pause. */
  async function hurry(kind: WorkKind, organizationId: string): Promise<void> {
    hurried.set(`${kind} ${organizationId}`, { kind, organizationId })
    if (isHurrying) return
    isHurrying = true
    while (hurried.size > 0 && !isStopped) {
      await hurryAll().catch(complain)
      await pause(hurryEveryMs, undefined, { ref: false })
    }
    isHurrying = false
  }
  for (const kind of kinds) await queue.work(kind, (organizationId, { isLast }) => run(kind, organizationId, isLast))
  const timer = setInterval(lookAgain, lookEveryMs)
  lookAgain()
  return {
    look,
    hurry: (kind, organizationId) => void hurry(kind, organizationId),
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}
