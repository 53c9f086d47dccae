// `npm test`: the set-up a bare machine needs, then check, then every test. It says what is missing and never skips.
import fs from 'node:fs'
import { installedChromium, installedShell } from './browser.ts'
import { run, show } from './commands.ts'
import { installedPgbouncer, installedPostgres } from './postgres.ts'

const isDebian = fs.existsSync('/etc/debian_version') && process.getuid?.() === 0

await setUp('PostgreSQL 15 or later', installedPostgres, ['postgresql'])
await setUp('PgBouncer', installedPgbouncer, ['pgbouncer'])
await setUp(
  'Chromium',
  () => (isDebian && !installedShell() ? undefined : installedChromium()) ?? playwrightChromium(),
  ['chromium', 'chromium-headless-shell', 'fonts-liberation'],
  [process.execPath, 'node_modules/@playwright/test/cli.js', 'install', '--with-deps', 'chromium'],
)

const began = performance.now()
for (const [name, command, ...args] of [
  ['check', process.execPath, 'tools/check.ts'],
  ['tests in Node', 'vitest', 'run'],
  ['tests in Chromium', 'playwright', 'test'],
] as const) {
  if (await show(command, args)) continue
  stop(`${name}: failed`)
}
console.log(`Every test passed in ${((performance.now() - began) / 60_000).toFixed(1)} min`)

/** Finds a program, else installs it: Debian's package where it may, the tool's own installer elsewhere, else one line that says what to do. */
async function setUp(
  what: string,
  find: () => string | undefined,
  packages: string[],
  installer?: string[],
): Promise<void> {
  if (find()) return
  console.log(`${what} is not installed: installing it ...`)
  let output = ''
  if (isDebian) {
    await run('apt-get', ['update', '-q'])
    output = (await withoutServices(() => run('apt-get', ['install', '-qy', '--no-install-recommends', ...packages])))
      .output
  }
  if (!find() && installer) output = (await run(installer[0]!, installer.slice(1))).output
  if (!find())
    stop(`${what} is missing and could not be installed: install ${packages.join(' ')} and run npm test again.`, output)
}

/** Debian starts what it installs, unless this file says no: nobody asked for a database that goes on running. */
async function withoutServices<T>(install: () => Promise<T>): Promise<T> {
  const policy = '/usr/sbin/policy-rc.d'
  if (fs.existsSync(policy)) return install()
  fs.writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    return await install()
  } finally {
    fs.rmSync(policy)
  }
}

function playwrightChromium(): string | undefined {
  const caches = [`${process.env['HOME']}/.cache/ms-playwright`, `${process.env['HOME']}/Library/Caches/ms-playwright`]
  return caches.find(
    (folder) => fs.existsSync(folder) && fs.readdirSync(folder).some((name) => name.startsWith('chromium')),
  )
}

function stop(problem: string, output = ''): never {
  if (output) process.stderr.write(output)
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
