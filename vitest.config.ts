import { defineConfig } from 'vitest/config'

const node = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, environment: 'node' as const, testTimeout: 20_000, hookTimeout: 60_000, ...more },
})

export default defineConfig({
  test: {
    projects: [
      node('shared', ['tests/shared/**/*.test.{ts,tsx}', 'tests/*.test.{ts,tsx}']),
      node('worker', ['tests/worker/**/*.test.{ts,tsx}', 'tests/page/**/*.test.{ts,tsx}'], {
        globalSetup: ['tests/support/postgres.ts'],
      }),
      node('server', ['tests/server/**/*.test.{ts,tsx}'], { globalSetup: ['tests/support/postgres.ts'] }),
      node('walks', ['tests/walks/**/*.test.{ts,tsx}'], { globalSetup: ['tests/support/postgres.ts'] }),
    ],
  },
})
