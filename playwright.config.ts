// Real Chromium against the production build, as `npm start` serves it. tools/test.ts builds first.
import { defineConfig } from '@playwright/test'
import { browserOptions, testPatienceMs } from './tools/browser.ts'

/** What is not the page's or its worker's: installing, being woken without a page, and everything as it is used (faults/, which starts its own). */
const ofTheBrowser = ['**/install.spec.ts', '**/back-online.spec.ts', '**/main-road.spec.ts', '**/faults.spec.ts']

export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '**/*.spec.ts',
  // A test that needs a second try has a race: find it.
  retries: 0,
  // One more than this machine has cores: tests wait for screens much of the time.
  workers: 3,
  fullyParallel: true,
  // How slow this machine is says nothing of Docket: speed is the bench's. Shared machines have been seen to stand for many seconds.
  timeout: 300_000,
  expect: { timeout: testPatienceMs },
  reporter: [['list']],
  // Who looks into one that fails runs it with `--trace on`: a trace keeps every call and the page at each, and that of every test costs time for nothing.
  use: { locale: 'en-GB', timezoneId: 'Europe/Amsterdam' },
  projects: [
    {
      name: 'shell',
      testIgnore: ofTheBrowser,
      // What fades and slides is drawn many times over, and has no contrast to be judged by meanwhile; the whole browser has it.
      use: { launchOptions: browserOptions('shell'), contextOptions: { reducedMotion: 'reduce' } },
    },
    { name: 'whole', testMatch: ofTheBrowser, use: { launchOptions: browserOptions() } },
  ],
})
