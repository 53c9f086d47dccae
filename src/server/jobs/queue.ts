// The job queue: pg-boss on Docket's own database, in a role of its own, without LISTEN (STACK.md "Server").
import { PgBoss, fromKysely } from 'pg-boss'
import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'

export interface Job {
  organizationId: string
}

/** What a failed job knows of itself: whether it is tried again. */
export interface Attempt {
  isLast: boolean
}

export interface Queue {
  /** One at a time for each organization, however often it is asked for and by how many processes. */
  add(kind: string, job: Job): Promise<void>
  work(kind: string, handle: (job: Job, attempt: Attempt) => Promise<void>): Promise<void>
  /** Waits for what is under way. */
  stop(): Promise<void>
}

/** Times in seconds. */
export interface Patience {
  /** Tries after the first one. */
  retryLimit: number
  /** Before the second try; doubled with each. */
  retryDelay: number
  /** A job that runs longer was lost with its process: it is begun again. */
  expireInSeconds: number
  /** How soon what a killed process left is found. */
  superviseIntervalSeconds: number
  /** How soon a job begins, at most. */
  pollingIntervalSeconds: number
}

const patience: Patience = {
  retryLimit: 4,
  retryDelay: 15,
  expireInSeconds: 120,
  superviseIntervalSeconds: 30,
  pollingIntervalSeconds: 5,
}

export async function openQueue(db: Database, log: Log, wanted: Partial<Patience> = {}): Promise<Queue> {
  const { retryLimit, retryDelay, expireInSeconds, superviseIntervalSeconds, pollingIntervalSeconds } = {
    ...patience,
    ...wanted,
  }
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
  return {
    async add(kind, job) {
      await boss.send(kind, job, { singletonKey: job.organizationId })
    },
    async work(kind, handle) {
      await boss.createQueue(kind, {
        policy: 'exclusive',
        retryLimit,
        retryDelay,
        retryBackoff: true,
        expireInSeconds,
        deleteAfterSeconds: 24 * 60 * 60,
      })
      await boss.work<Job>(kind, { pollingIntervalSeconds, includeMetadata: true }, async (jobs) => {
        for (const { data, retryCount } of jobs) await handle(data, { isLast: retryCount >= retryLimit })
      })
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  }
}
