import path from 'node:path'
import { processSettings, type Settings } from './env.ts'

/** Runs a command that takes one file: one line says what became of it, and a failure ends with status 1. */
export async function runTool(
  name: string,
  work: (settings: Settings, file: string) => Promise<string>,
): Promise<void> {
  const checked = processSettings()
  const file = process.argv.slice(2).find((argument) => !argument.startsWith('-'))
  try {
    if ('problem' in checked) throw new Error(checked.problem)
    if (!file) throw new Error(`name the file: npm run ${name} -- FILE`)
    process.stdout.write(`${await work(checked.settings, path.resolve(file))}\n`)
  } catch (error) {
    process.stderr.write(`The ${name} failed: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
