// The open database of the person who is here: opened once, opened again when the browser lost it, and never for somebody who has left.
import { Undeliverable } from '#worker/wire.ts'
import { inTime, readSpare } from '#worker/outbox/spare.ts'
import { showUnsent } from './apply.ts'
import { deleteCopy, openCopyDatabase, type CopyDatabase } from './stores.ts'

export interface Connection {
  /** This person is here; until then, and after they left, their database is not opened. */
  enter(userId: string): void
  /** Nobody is here, or nobody but this person. */
  leave(butNot?: string | null): Promise<void>
  /** Throws Undeliverable for whoever is not here: work that goes on for them must not bring their database back. */
  using<T>(userId: string, work: (database: CopyDatabase) => Promise<T>): Promise<T>
}

/** `isHere`: whether the session of this device is theirs, as far as is on its disk. */
export function createConnection(isHere: (userId: string) => Promise<boolean>): Connection {
  let present: string | null = null
  let opened: { userId: string; database: Promise<CopyDatabase> } | null = null

  async function close(): Promise<void> {
    const before = opened
    opened = null
    await before?.database.then((database) => database.close()).catch(() => {})
  }

  /**
   * After a session that ended without the person what they wrote is there, and their rows are not: it is shown again. So is what the database had lost.
   * Work of somebody who has left meanwhile may still ask for it, so the disk is asked whether they are here.
   */
  async function openShown(userId: string): Promise<CopyDatabase> {
    let isNew = false
    const hasLeft = async () => !(await isHere(userId))
    if (await hasLeft()) throw new Undeliverable()
    const database = await openCopyDatabase(userId, () => (isNew = true))
    // Another context may have taken theirs away between the two: this one is in its place, and holds nothing.
    if (isNew && (await hasLeft())) {
      database.close()
      await deleteCopy(userId)
      throw new Undeliverable()
    }
    await Promise.all([inTime(readSpare(database, userId)), showUnsent(database)])
    return database
  }

  return {
    enter: (userId) => void (present = userId),
    async leave(butNot = null) {
      if (present !== butNot) present = null
      await close()
    },
    async using(userId, work) {
      const attempt = async () => {
        if (present !== userId) throw new Undeliverable()
        if (opened?.userId !== userId) {
          await close()
          const opening = { userId, database: openShown(userId) }
          opened = opening
          opening.database.catch(() => {
            if (opened === opening) opened = null
          })
        }
        return work(await opened.database)
      }
      try {
        return await attempt()
      } catch (error) {
        // A connection that the browser closed fails at its next transaction; one that it aborted has stored nothing.
        if (!(error instanceof DOMException) || !['InvalidStateError', 'AbortError'].includes(error.name)) throw error
        const lost = opened
        // Deleted for whoever left in another context, as a rule: opened once more it would be back. Until that is known the lost one keeps its
        // place, so that whatever else is under way fails at it too and asks as well.
        if (!(await isHere(userId))) {
          if (present === userId) present = null
          throw new Undeliverable()
        }
        if (opened === lost) await close()
        return attempt()
      }
    },
  }
}
