// What time it is by a device's clock that is off (page/device/clock.ts): as the server's answers told it, and as it was told before where none came yet.
import { beforeEach, expect, test, vi } from 'vitest'

const dayMs = 24 * 3_600_000
const serverMs = Date.parse('2026-11-21T07:09:04.000Z')
let device = new Map<string, string>()
/** As the device's clock has it. */
const at = (ms: number) => vi.setSystemTime(ms)

beforeEach(() => {
  device = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => device.get(key) ?? null,
    setItem: (key: string, value: string) => device.set(key, value),
  })
  vi.useFakeTimers({ toFake: ['Date'] })
})

/** A page that was just loaded; `person` has signed in. */
async function start(person: string | null = 'ann') {
  vi.resetModules()
  const { showPerson } = await import('#page/person.ts')
  showPerson(person)
  return import('#page/device/clock.ts')
}

test('an answer tells it, the next start knows it, and a clock that is set right is believed', async () => {
  at(serverMs + dayMs)
  const { now, reportNow } = await start()
  expect(now()).toBe(serverMs + dayMs)
  reportNow(serverMs, Date.now() - 500)
  expect(now()).toBe(serverMs)
  const next = await start()
  expect(next.now()).toBe(serverMs)
  at(serverMs)
  next.reportNow(serverMs, Date.now())
  expect(next.now()).toBe(serverMs)
  expect((await start()).now()).toBe(serverMs)
})

test('less than a minute, no date, and an answer that a page slept over tell nothing', async () => {
  at(serverMs)
  const { now, reportNow } = await start()
  reportNow(serverMs + 50_000, Date.now())
  reportNow(NaN, Date.now())
  reportNow(serverMs - dayMs, Date.now() - dayMs)
  expect(now()).toBe(serverMs)
  expect(device.size).toBe(0)
})

test('of who has left nothing is written, and what cannot be read is nothing', async () => {
  at(serverMs)
  const { now, reportNow } = await start(null)
  reportNow(serverMs + dayMs, Date.now())
  expect(now()).toBe(serverMs + dayMs)
  expect(device.size).toBe(0)
  device.set('docket.paint.clock', 'x')
  expect((await start()).now()).toBe(serverMs)
})
