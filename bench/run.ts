// `npm run bench`: what Docket weighs and how fast it is, on this machine, side by side with its yardsticks. Writes bench/results.json.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { weigh } from '#tools/budgets.ts'
import { isBuilt, root } from '#tools/sources.ts'
import { measurePaint } from './paint.ts'
import { measureRequests } from './requests.ts'
import { measureSession } from './session.ts'
import { measureSignOut } from './sign-out.ts'
import { measureStart } from './start.ts'
import { measureWorker } from './worker.ts'

if (!isBuilt()) {
  const { buildAll } = await import('#tools/build.ts')
  await buildAll()
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-bench-'))
const results = {
  measuredAt: new Date().toISOString(),
  machine: `${os.cpus().length} x ${os.cpus()[0]?.model.trim()}, ${process.platform}, Node ${process.version}`,
  bytes: Object.fromEntries(weigh().map(({ what, bytes, budget }) => [what, { bytes, budget }])),
  workerOverhead: await measureWorker(path.join(folder, 'worker')),
  requests: await measureRequests(path.join(folder, 'requests')),
  session: await measureSession(path.join(folder, 'session')),
  signOut: await measureSignOut(path.join(folder, 'sign-out')),
  coldStart: await measureStart(folder),
  firstPaint: await measurePaint(folder),
}
fs.rmSync(folder, { recursive: true, force: true })
fs.writeFileSync(path.join(root, 'bench/results.json'), `${JSON.stringify(results, null, 2)}\n`)
console.log(JSON.stringify(results, null, 2))
