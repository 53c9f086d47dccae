import os from 'node:os'
import { defineConfig } from 'vitest/config'

/** Nothing here is about how fast this machine is: a limit ends what hangs, on one that is shared and stands for seconds as well. */
const limits = { testTimeout: 600_000, hookTimeout: 300_000 }
const node = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, environment: 'node' as const, ...limits, ...more },
})

export default defineConfig({
  test: {
    // Files side by side, one more than there are cores: some wait much of the time, for mail servers that are slow or processes that start.
    maxWorkers: os.availableParallelism() + 1,
    projects: [
      node('shared', ['tests/{shared,documents}/**/*.test.{ts,tsx}', 'tests/*.test.{ts,tsx}']),
      node('worker', ['tests/worker/**/*.test.{ts,tsx}', 'tests/page/**/*.test.{ts,tsx}'], {
        globalSetup: ['tests/support/postgres.ts'],
        setupFiles: ['tests/support/speak.ts'],
      }),
      node('server', ['tests/server/**/*.test.{ts,tsx}'], { globalSetup: ['tests/support/postgres.ts'] }),
      node('walks', ['tests/walks/**/*.test.{ts,tsx}'], { globalSetup: ['tests/support/postgres.ts'] }),
    ],
  },
})
