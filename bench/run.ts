// `npm run bench`: what Docket weighs and how fast it is, on this machine, side by side with its yardsticks. Writes bench/results.json.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { weigh } from '#tools/budgets.ts'
import { isBuilt, root } from '#tools/sources.ts'
import { measureCopyAnswers } from './copy-answers.ts'
import { measureDrain } from './drain.ts'
import { measureOfflineStarts } from './offline-start.ts'
import { round } from './numbers.ts'
import { measurePaint } from './paint.ts'
import { measureRequests } from './requests.ts'
import { measureSaves } from './save.ts'
import { measureScrolling } from './scroll.ts'
import { measureSession } from './session.ts'
import { measureSignOut } from './sign-out.ts'
import { measureStalled } from './stalled.ts'
import { measureStart } from './start.ts'
import { stolenPercent, stolenSeconds } from './undisturbed.ts'
import { measureWorker } from './worker.ts'

if (!isBuilt()) {
  const { buildAll } = await import('#tools/build.ts')
  await buildAll()
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-bench-'))
const parts = {
  workerOverhead: () => measureWorker(path.join(folder, 'worker')),
  requests: () => measureRequests(path.join(folder, 'requests')),
  session: () => measureSession(path.join(folder, 'session')),
  signOut: () => measureSignOut(path.join(folder, 'sign-out')),
  coldStart: () => measureStart(folder),
  firstPaint: () => measurePaint(folder),
  save: () => measureSaves(path.join(folder, 'save')),
  offlineStart: () => measureOfflineStarts(path.join(folder, 'offline-start')),
  scroll: () => measureScrolling(path.join(folder, 'scroll')),
  stalled: () => measureStalled(path.join(folder, 'stalled')),
  copyAnswers: () => measureCopyAnswers(path.join(folder, 'copy-answers')),
  drain: () => measureDrain(path.join(folder, 'drain')),
}
const file = path.join(root, 'bench/results.json')
const results = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>
results['machine'] = `${os.cpus().length} x ${os.cpus()[0]?.model.trim()}, ${process.platform}, Node ${process.version}`
results['bytes'] = Object.fromEntries(weigh().map(({ what, bytes, budget }) => [what, { bytes, budget }]))
// `npm run bench -- signOut` measures that part alone; each says when it was measured.
const wanted = process.argv.slice(2)
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const measuredAt = new Date().toISOString()
  const [loadBefore, stolenBefore, startedAt] = [os.loadavg()[0]!, stolenSeconds(), performance.now()]
  const figures = await measure()
  // How busy the machine was, its own work included in the second, and how much of its processors' time went to the host's other guests.
  const noise = {
    loadBefore: round(loadBefore),
    loadAfter: round(os.loadavg()[0]!),
    stolenPercent: stolenPercent(stolenBefore, startedAt),
  }
  results[name] = { measuredAt, noise, ...figures }
  fs.writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
}
fs.rmSync(folder, { recursive: true, force: true })
console.log(JSON.stringify(results, null, 2))
