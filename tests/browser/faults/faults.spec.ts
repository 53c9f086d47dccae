// Schedules of faults with fixed seeds (decision 019): what was saved is at the server once and in order, whatever the network did and whoever died.
import { expect, test } from '@playwright/test'
import { runSeeds } from './seeds.ts'
import { createWatch, neverHappened } from './watch.ts'

const seeds = Array.from({ length: 50 }, (_, index) => 1 + index)
// A trace of thousands of calls costs more than the calls; what happened stands in the message of a violation.
test.use({ trace: 'off' })

test(`seeds 1 to ${seeds.length}: nothing lost, nothing twice, no child before its parent, no gap in the numbers`, async () => {
  test.setTimeout(20 * 60_000)
  const watch = createWatch()
  await runSeeds(seeds, watch, { browsers: 3 })
  test.info().annotations.push({ type: 'what happened', description: JSON.stringify(watch.counts) })
  expect(neverHappened(watch)).toEqual([])
})
