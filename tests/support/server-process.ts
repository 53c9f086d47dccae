// The server as a process of its own, from the sources: to be started, killed and asked.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'

/** Neither starting nor ending takes so long, also on a machine that does eight times as much beside it; a test that hangs would say nothing of why. */
const patienceMs = 240_000
const root = path.resolve(import.meta.dirname, '../..')

export interface ServerProcess {
  url: string
  child: ChildProcess
  /** Everything it wrote so far. */
  output(): string
  /** Ends it and waits; its exit code, null when a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export type Environment = Record<string, string | undefined>

/** Starts the server, from its sources or as built, and waits until it answers. */
export async function startServer(
  environment: Environment,
  { file = 'src/server.ts', cwd = root }: { file?: string; cwd?: string } = {},
): Promise<ServerProcess> {
  const port = environment['PORT'] ?? String(await freePort())
  const { child, output, ended } = launch(file, [], { PORT: port, ...environment }, cwd)
  const url = `http://localhost:${port}`
  const startsUntil = Date.now() + patienceMs
  const answers = async () => {
    for (;;) {
      if (Date.now() > startsUntil) throw new Error(`The server does not answer: ${output()}`)
      if (
        await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(patienceMs) }).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
  await Promise.race([
    answers(),
    ended.then((code) => {
      throw new Error(`The server ended with ${code}: ${output()}`)
    }),
  ]).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    url,
    child,
    output,
    async end(signal) {
      child.kill(signal)
      const hangs = setTimeout(() => child.kill('SIGKILL'), patienceMs)
      const code = await ended
      clearTimeout(hangs)
      if (signal !== 'SIGKILL' && child.signalCode === 'SIGKILL')
        throw new Error(`The server does not end: ${output()}`)
      return code
    },
  }
}

/** Runs a program of the server to its end. */
export async function runToEnd(file: string, args: string[], environment: Environment) {
  const { ended, output } = launch(file, args, environment)
  return { code: await ended, output: output() }
}

function launch(file: string, args: string[], environment: Environment, cwd = root) {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [path.join(root, file), ...args], {
    cwd,
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const parts: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => parts.push(text))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, output: () => parts.join('') }
}

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
