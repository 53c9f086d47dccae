// Runs other programs: their output kept until it is wanted, an end other than 0 an error that carries it.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { root } from './sources.ts'

const environment = {
  ...process.env,
  PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env['PATH']}`,
}

export interface Ended {
  ok: boolean
  output: string
  seconds: number
}

/** Runs quietly; what it said comes back. `more` is added to the environment. */
export function run(command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return start(command, args, 'pipe', more)
}

/** Runs in this terminal. */
export async function show(command: string, args: readonly string[]): Promise<boolean> {
  return (await start(command, args, 'inherit')).ok
}

function start(
  command: string,
  args: readonly string[],
  output: 'pipe' | 'inherit',
  more: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const began = performance.now()
  const child = spawn(command, args, { cwd: root, env: { ...environment, ...more }, stdio: ['ignore', output, output] })
  const parts: string[] = []
  child.stdout?.setEncoding('utf8').on('data', (text: string) => parts.push(text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => parts.push(text))
  const end = (ok: boolean): Ended => ({ ok, output: parts.join(''), seconds: (performance.now() - began) / 1000 })
  return new Promise((resolve) => {
    child.on('error', (error) => {
      parts.push(`${command}: ${error.message}\n`)
      resolve(end(false))
    })
    child.on('close', (code) => resolve(end(code === 0)))
  })
}
