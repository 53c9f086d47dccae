// Schedules of faults with fixed seeds (decision 019): what was saved is at the server once and in order, whatever the network did and whoever died.
import { expect, test } from '@playwright/test'
import { runSeeds } from './seeds.ts'
import { createWatch, neverHappened } from './watch.ts'

const seedsPerTest = 25
// A trace of thousands of calls costs more than the calls; what happened stands in the message of a violation.
test.use({ trace: 'off' })

for (const first of [1, 26]) {
  const seeds = Array.from({ length: seedsPerTest }, (_, index) => first + index)
  test(`seeds ${first} to ${seeds.at(-1)}: nothing lost, nothing twice, no child before its parent, no gap in the numbers`, async () => {
    test.setTimeout(12 * 60_000)
    const watch = createWatch()
    await runSeeds(seeds, watch)
    test.info().annotations.push({ type: 'what happened', description: JSON.stringify(watch.counts) })
    expect(neverHappened(watch)).toEqual([])
  })
}
