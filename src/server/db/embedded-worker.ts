// The embedded database's own thread: a durable PGlite behind a private unix socket (STACK.md "Database" 1).
import fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

export interface EmbeddedSettings {
  folder: string
  socketPath: string
  maxConnections: number
}
export type EmbeddedMessage = { type: 'ready' } | { type: 'failed'; message: string } | { type: 'closed' }

// What Emscripten's file system gives us to hold on to; its place has moved between patch releases, so it is checked.
interface EmscriptenStream {
  nfd?: number
}
interface EmscriptenModule {
  FS: { filesystems: { NODEFS: { stream_ops?: { fsync?: (stream: EmscriptenStream) => number } } } }
}

let fsyncCalls = 0

/** NodeFS that fsyncs: the stock one has no fsync at all, so a power cut loses what was committed. */
class DurableNodeFS extends NodeFS {
  override async init(...[pg, options]: Parameters<NodeFS['init']>) {
    const initialised = await super.init(pg, options)
    const { emscriptenOpts } = initialised
    const patch = (module: unknown) => {
      const operations = (module as EmscriptenModule).FS.filesystems.NODEFS.stream_ops
      if (!operations) throw new Error('The embedded database cannot be made durable: NODEFS.stream_ops was not found')
      operations.fsync = (stream) => {
        if (stream.nfd !== undefined) fs.fsyncSync(stream.nfd)
        fsyncCalls += 1
        return 0
      }
    }
    emscriptenOpts.preRun = [patch as never, ...(emscriptenOpts.preRun ?? [])]
    return initialised
  }
}

const settings = workerData as EmbeddedSettings
const port = parentPort!

try {
  const pg = await PGlite.create({
    fs: new DurableNodeFS(settings.folder),
    startParams: startParams(),
    relaxedDurability: false,
  })
  await proveFsync(pg)
  const server = new PGLiteSocketServer({ db: pg, path: settings.socketPath, maxConnections: settings.maxConnections })
  await server.start()
  fs.chmodSync(settings.socketPath, 0o600)
  port.on('message', () => void close(pg, server))
  port.postMessage({ type: 'ready' } satisfies EmbeddedMessage)
} catch (error) {
  port.postMessage({
    type: 'failed',
    message: error instanceof Error ? error.message : String(error),
  } satisfies EmbeddedMessage)
}

/** Stock parameters without `-F` (no fsync), with bounded memory and log. */
function startParams(): string[] {
  const stock = (PGlite as unknown as { defaultStartParams?: string[] }).defaultStartParams
  if (!stock?.includes('-F'))
    throw new Error('The embedded database cannot be made durable: its start parameters have changed')
  const own = {
    fsync: 'on',
    wal_sync_method: 'fsync',
    synchronous_commit: 'on',
    shared_buffers: '32MB',
    max_wal_size: '64MB',
    min_wal_size: '32MB',
  }
  return [
    ...stock.filter((each) => each !== '-F'),
    ...Object.entries(own).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

/** One real commit must reach the disk through the patched call; else promising durability would be a lie. */
async function proveFsync(pg: PGlite): Promise<void> {
  await pg.exec('create table if not exists durability_proof (at timestamptz not null)')
  const before = fsyncCalls
  await pg.exec('begin; delete from durability_proof; insert into durability_proof values (clock_timestamp()); commit')
  if (fsyncCalls === before) throw new Error('The embedded database did not fsync a commit; refusing to start')
}

async function close(pg: PGlite, server: PGLiteSocketServer): Promise<void> {
  await server.stop()
  await pg.exec('checkpoint').catch(report)
  await pg.close()
  port.postMessage({ type: 'closed' } satisfies EmbeddedMessage)
}

function report(error: unknown): void {
  process.stderr.write(`Embedded database: ${error instanceof Error ? error.message : String(error)}\n`)
}
