import os from 'node:os'
import { defineConfig } from 'vitest/config'

const node = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, environment: 'node' as const, testTimeout: 20_000, hookTimeout: 60_000, ...more },
})

export default defineConfig({
  test: {
    // Files side by side, as many as there are cores: left to itself Vitest keeps one core free, which of two is half.
    maxWorkers: os.availableParallelism(),
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
