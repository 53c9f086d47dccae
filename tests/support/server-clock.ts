// Loaded into a server that is under test before anything of its own: told by a signal, its clock goes ahead, so that nobody waits a minute for a minute.
import { isMainThread } from 'node:worker_threads'

const jumpMs = Number(process.env['CLOCK_JUMP_MS'] ?? 61_000)
// Signals come to the main thread alone: the clocks of others stay the machine's.
let aheadMs = isMainThread ? Number(process.env['CLOCK_AHEAD_MS'] ?? 0) : 0

globalThis.Date = new Proxy(Date, {
  construct: (Real, given: [], Made) =>
    Reflect.construct(Real, given.length === 0 ? [Real.now() + aheadMs] : given, Made) as Date,
  get: (Real, name) => (name === 'now' ? () => Real.now() + aheadMs : (Reflect.get(Real, name) as unknown)),
})

process.on('SIGUSR2', () => (aheadMs += jumpMs))
