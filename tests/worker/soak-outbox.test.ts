// The model of tests/soak-outbox in short: the shipped rules hold, and each rule that is broken on purpose is caught by its name.
import { execFile } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { mutants } from '#tests/soak-outbox/mutants.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { root } from '#tools/sources.ts'

/** A seed whose first runs meet most mutants; without a mutant it must pass as far. */
const fixed = '1'
/** Mutants that it meets late, and a seed that meets them soon. Only a shorter way: each is looked for far beyond its first run. */
const sooner: Partial<Record<string, string>> = {
  'other-invoices-forgotten': '12',
  'conflict-overwritten': '2',
  'answers-forgotten': '2',
  'stale-form-wins': '16',
  'repeated-after-merge': '38',
}
/** What a change of the product or of the model does to a run must not decide whether a mutant is met: one or two minutes of runs. */
const patience = ['--steps', '3600']
const timeout = 300_000

/** `npm run soak:outbox` in a process of its own, because a mutant is planted before anything is loaded. */
async function soak(...args: string[]): Promise<{ code: number; output: string }> {
  const { databaseUrl } = await freshDatabase('postgresql')
  const all = ['tests/soak-outbox/run.ts', '--database-url', databaseUrl!, ...args]
  return new Promise((resolve) => {
    execFile(process.execPath, all, { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })
}

test('nothing acknowledged is lost, nothing is done twice, and the copy is the server’s', { timeout }, async () => {
  const { code, output } = await soak('--seed', fixed, '--steps', '900')
  expect(output).toContain('every rule held')
  expect(code).toBe(0)
})

test('the same with another seed', { timeout }, async () => {
  // Seeds of the moment are for `npm run soak:outbox`, where somebody reads what broke.
  const { code, output } = await soak('--seed', '553072476', '--steps', '400')
  // The output begins with the seed, and a violation ends it with the way to replay it.
  expect(output).toContain('every rule held')
  expect(code).toBe(0)
})

describe('an outbox that is broken is caught', () => {
  test.each(Object.entries(mutants))('%s', { timeout }, async (name, { caughtBy }) => {
    const { code, output } = await soak('--seed', sooner[name] ?? fixed, ...patience, '--mutant', name)
    const rule = /^VIOLATION ([\w-]+):/m.exec(output)?.[1]
    if (rule === undefined) throw new Error(output)
    expect(caughtBy).toContain(rule)
    expect(code).toBe(1)
  })
})
