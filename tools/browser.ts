// The installed Chromium, as everything here starts it.
import fs from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

/** How long a test waits for what must come: it only ends what hangs. */
export const testPatienceMs = 30_000

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Path of an installed Chromium; undefined when there is none (then Playwright's own is used, which tools/test.ts installs). */
export function installedChromium(): string | undefined {
  return places.find((place) => fs.existsSync(place))
}

/** The same Chromium without its windows and what belongs to them, where Debian's package of it is installed: a sixth less work in each test. */
export function installedShell(): string | undefined {
  return ['/usr/bin/chromium-headless-shell'].find((place) => fs.existsSync(place))
}

/** Every window of Chromium loads two pages for its address bar, which nobody sees here: three quarters of the work that a new page is. */
const ownPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
/** Chromium heeds the last such list alone. What Playwright turns off, to the letter (`disabledFeatures` in its coreBundle.js), but for what Edge has. */
const playwrights = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** `shell`: where nothing is asked of the browser beside its pages and their workers. */
export function browserOptions(part: 'whole' | 'shell' = 'whole'): LaunchOptions {
  const executablePath = (part === 'shell' ? installedShell() : undefined) ?? installedChromium()
  return {
    ...(executablePath !== undefined && { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      `--disable-features=${[...playwrights, ...ownPages].join(',')}`,
    ],
  }
}
