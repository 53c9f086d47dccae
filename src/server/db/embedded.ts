// Starts the embedded database: folder lock, worker thread, private socket. From there on it is used like any PostgreSQL.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { EmbeddedMessage, EmbeddedSettings } from './embedded-worker.ts'
import { lockFolder } from './folder-lock.ts'

/** One PGlite has one backend, which runs one transaction at a time; more connections would only queue inside it. */
const embeddedConnections = 4

export interface Embedded {
  /** Folder of the unix socket, as node-postgres takes it for `host`. */
  host: string
  close(): Promise<void>
}

export async function startEmbedded(dataDir: string): Promise<Embedded> {
  const folder = path.join(dataDir, 'database')
  const lock = await lockFolder(folder)
  // In the temp folder, because a unix socket's path may have 107 bytes at most; readable by this user alone.
  const host = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-'))
  const settings: EmbeddedSettings = {
    folder,
    socketPath: path.join(host, '.s.PGSQL.5432'),
    maxConnections: embeddedConnections + 1,
  }
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./embedded-worker.${extension}`, import.meta.url), { workerData: settings })
  const next = () =>
    new Promise<EmbeddedMessage>((resolve, reject) => {
      const hear = (message: Partial<EmbeddedMessage>) => {
        // `node --watch` sends messages of its own on the same line.
        if (message.type === undefined) return
        worker.off('message', hear)
        resolve(message as EmbeddedMessage)
      }
      worker.on('message', hear)
      worker.once('error', reject)
    })
  const first = await next()
  if (first.type === 'failed') {
    await worker.terminate()
    await lock.release()
    throw new Error(`The embedded database in ${folder} did not start: ${first.message}`)
  }
  return {
    host,
    async close() {
      const closed = next()
      worker.postMessage('close')
      await closed
      await worker.terminate()
      fs.rmSync(host, { recursive: true, force: true })
      await lock.release()
    },
  }
}
