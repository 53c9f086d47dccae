// Schedules of faults with fixed seeds (decision 019): what was saved is at the server once and in order, whatever the network did and whoever died.
import { expect, test } from '@playwright/test'
import { runSeeds } from './seeds.ts'
import { createWatch, neverHappened } from './watch.ts'

const seeds = 50
/** Beside each other: what one waits for leaves the processor to the others. */
const browsers = 3
// A trace of thousands of calls costs more than the calls; what happened stands in the message of a violation.
test.use({ trace: 'off' })

test(`seeds 1 to ${seeds}: nothing lost, nothing twice, no child before its parent, no gap in the numbers`, async () => {
  test.setTimeout(20 * 60_000)
  const watch = createWatch()
  const left = Array.from({ length: seeds }, (_, index) => 1 + index)
  await Promise.all(Array.from({ length: browsers }, () => runSeeds(left, watch)))
  test.info().annotations.push({ type: 'what happened', description: JSON.stringify(watch.counts) })
  expect(neverHappened(watch)).toEqual([])
})
