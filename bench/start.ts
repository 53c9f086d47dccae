// From `npm start` (installed and built) to the first 200, on a machine that has no data yet and on one that has.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { freePort } from '#tests/support/server-process.ts'
import { root } from '#tools/sources.ts'
import { figure } from './numbers.ts'

const rounds = 5

export async function measureStart(folder: string) {
  const first: number[] = []
  const later: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const dataDir = path.join(folder, `start-${round}`)
    first.push(await startOnce(dataDir))
    later.push(await startOnce(dataDir))
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
  return { firstStartMs: figure(first), laterStartMs: figure(later) }
}

async function startOnce(dataDir: string): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    stdio: 'ignore',
    detached: true,
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  while (
    !(await fetch(`http://localhost:${port}/login`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 10))
  const took = performance.now() - began
  // npm and the server it started are a group of their own.
  process.kill(-child.pid!, 'SIGTERM')
  await ended
  return took
}
