import { defineConfig } from 'vitest/config'

const node = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, environment: 'node' as const, testTimeout: 20_000, hookTimeout: 60_000, ...more },
})

export default defineConfig({
  test: {
    projects: [
      node('shared', ['tests/shared/**/*.test.ts', 'tests/*.test.ts']),
      node('worker', ['tests/worker/**/*.test.ts', 'tests/page/**/*.test.ts'], {
        globalSetup: ['tests/support/postgres.ts'],
      }),
      node('server', ['tests/server/**/*.test.ts'], { globalSetup: ['tests/support/postgres.ts'] }),
      node('walks', ['tests/walks/**/*.test.ts'], { globalSetup: ['tests/support/postgres.ts'] }),
    ],
  },
})
