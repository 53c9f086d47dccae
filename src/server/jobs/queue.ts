// The job queue: pg-boss on Docket's own database, in a role of its own, without LISTEN (STACK.md "Server").
import { PgBoss, fromKysely } from 'pg-boss'
import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'

/** What a failed job knows of itself: whether it is tried again. */
interface Attempt {
  isLast: boolean
}

/** What a job does is told by its kind, of what by its key; everything else is in the row that it reads again. */
export interface Queue {
  /** One at a time for each key, however often it is asked for and by how many processes; the `urgent` ones first. Work here begins at once. */
  add(kind: string, keys: readonly string[], urgent?: readonly string[]): Promise<void>
  /** What waits after a failure is tried as soon as can be. */
  hurry(kind: string, key: string): Promise<void>
  work(
    kind: string,
    handle: (key: string, attempt: Attempt) => Promise<void>,
    patience?: Partial<QueuePatience>,
  ): Promise<void>
  /** Waits for what is under way, but not for ever. */
  stop(): Promise<void>
}

/** Times in seconds. */
interface QueuePatience {
  /** Tries after the first one. */
  retryLimit: number
  /** Before the second try; doubled with each. */
  retryDelay: number
  /** A job that runs longer was lost with its process. */
  expireInSeconds: number
}

/** Times in seconds. */
export interface Patience extends QueuePatience {
  /** A process that does not say in this time that it still works at a job was killed. */
  heartbeatSeconds: number
  /** How soon what a killed process left is found. */
  superviseIntervalSeconds: number
  /** How soon a job begins that another process asked for, at most. */
  pollingIntervalSeconds: number
}

const usual: Patience = {
  retryLimit: 4,
  retryDelay: 15,
  expireInSeconds: 120,
  heartbeatSeconds: 20,
  superviseIntervalSeconds: 20,
  pollingIntervalSeconds: 15,
}
const stopPatienceMs = 5000

export async function openQueue(db: Database, log: Log, wanted: Partial<Patience> = {}): Promise<Queue> {
  const patience = { ...usual, ...wanted }
  const { heartbeatSeconds, superviseIntervalSeconds, pollingIntervalSeconds } = patience
  const boss = new PgBoss({
    backend: db.engine === 'embedded' ? 'pglite' : 'postgres',
    db: {
      executeSql: (text, values) => db.asJobs((tx) => fromKysely(tx.withoutPlugins()).executeSql(text, values)),
    },
    // Its tables come with ours (migrations/0013-jobs.sql), and the role that works them does not own them.
    migrate: false,
    createSchema: false,
    reindex: false,
    monitorVacuum: false,
    schedule: false,
    superviseIntervalSeconds,
    monitorIntervalSeconds: superviseIntervalSeconds,
  })
  boss.on('error', (error) => log.error({ error: error.message }, 'job queue'))
  await boss.start()
  /** Kind -> the worker of this process. */
  const workers = new Map<string, string>()
  const wake = (kind: string) => {
    const worker = workers.get(kind)
    if (worker !== undefined) boss.notifyWorker(worker)
  }
  return {
    async add(kind, keys, urgent = []) {
      if (keys.length === 0) return
      const jobs = keys.map((key) => ({ singletonKey: key, priority: urgent.includes(key) ? 1 : 0 }))
      await boss.insert(kind, jobs)
      // Also for what another process had asked for: that one may be gone.
      wake(kind)
    },
    async hurry(kind, key) {
      await boss.update(kind, undefined, { singletonKey: key, startAfter: new Date() })
      wake(kind)
    },
    async work(kind, handle, own = {}) {
      const { retryLimit, retryDelay, expireInSeconds } = { ...patience, ...own }
      const options = { retryLimit, retryDelay, expireInSeconds, heartbeatSeconds }
      const kept = { retryBackoff: retryLimit > 0, deleteAfterSeconds: 60 * 60 }
      await boss.createQueue(kind, { policy: 'exclusive', ...options, ...kept })
      // One that an earlier build made keeps what that one gave it.
      await boss.updateQueue(kind, { ...options, ...kept })
      const worker = await boss.work(kind, { pollingIntervalSeconds, includeMetadata: true }, async (jobs) => {
        // Where there was one there may be another: it does not wait for the next look.
        wake(kind)
        for (const { singletonKey, retryCount } of jobs)
          await handle(singletonKey!, { isLast: retryCount >= retryLimit })
      })
      workers.set(kind, worker)
    },
    stop: () => boss.stop({ graceful: true, timeout: stopPatienceMs }),
  }
}
