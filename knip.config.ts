// Dead code: what no entry reaches, and packages nobody imports.
import type { KnipConfig } from 'knip'

const config: KnipConfig = {
  entry: [
    'src/page/start/prerender.tsx',
    'src/server/{backup,restore}.ts',
    'src/page/routes/**/*.tsx',
    'tools/*.ts',
    'bench/bare-server.ts',
  ],
  project: ['src/**/*.{ts,tsx}', 'tools/**/*.ts', 'tests/**/*.{ts,tsx}', 'bench/**/*.ts', '*.config.ts'],
  // Named by their binaries, or brought for npm scripts to find first (Node).
  // Fonts are read by the names of their files (documents/pdf/fonts.ts).
  ignoreDependencies: ['tailwindcss', '@fontsource/.+'],
  ignoreExportsUsedInFile: { interface: true, type: true },
  vitest: {
    config: ['vitest.config.ts'],
    entry: ['tests/**/*.test.{ts,tsx}', 'tests/support/{postgres,job-process,exporting-job}.ts'],
  },
  playwright: { config: ['playwright.config.ts'], entry: ['tests/browser/**/*.spec.ts'] },
  vite: { config: ['vite.config.ts', 'vite.server.config.ts'] },
}

export default config
