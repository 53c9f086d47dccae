// One process per database folder: PGlite has no lock of its own, and two processes destroy each other's data.
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

export interface FolderLock {
  release(): Promise<void>
}

/**
 * Holds the folder until released or until this process ends, however it ends. Throws one clear line when it is held already.
 * Linux: an abstract unix socket, which the kernel frees with the process. Elsewhere: a file with the process id.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  return process.platform === 'linux' ? lockBySocket(folder) : lockByFile(folder)
}

async function lockBySocket(folder: string): Promise<FolderLock> {
  const { dev, ino } = fs.statSync(folder, { bigint: true })
  // Padded to the whole sun_path: libuv once bound the trailing zeros too, so names of equal length are safe everywhere.
  const name = `\0docket-database-${dev}-${ino}-`.padEnd(107, 'x')
  const server = net.createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? heldAlready(folder) : error)
    })
    server.listen(name, resolve)
  })
  server.unref()
  return { release: () => new Promise((resolve) => server.close(() => resolve())) }
}

async function lockByFile(folder: string): Promise<FolderLock> {
  const file = path.join(path.dirname(folder), `${path.basename(folder)}.pid`)
  for (;;) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' })
      return { release: async () => fs.rmSync(file, { force: true }) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (isAlive(Number(fs.readFileSync(file, 'utf8')))) throw heldAlready(folder)
      fs.rmSync(file, { force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function heldAlready(folder: string): Error {
  return new Error(`Another Docket process is using ${folder}. Stop it first, or choose another DATA_DIR.`)
}
