// A cold start without a network on a cheap phone: from the address to a list of invoices that can be used, and what it costs the page (OFFLINE.md).
import { setTimeout as pause } from 'node:timers/promises'
import { figure, percentile } from './numbers.ts'
import { openPhone, settled, type Phone } from './phone.ts'
import { noteWhenShown, type Shown } from './shown.ts'
import { undisturbed, type Rounds } from './undisturbed.ts'

const rounds = 8
const slowdown = 4
const invoicesOnPhone = [100, 10_000]
/** As somebody leaves the list who looked for something old. */
const scrolledRows = 1500
/** Tasks are watched on after the list is there: what it is drawn anew with comes then. */
const watchedMs = 2000
/** Longer than the list takes. */
const listMs = 3000
const browserStartMs = 2000

const screens = {
  /** Its first page was painted before, and is in localStorage. */
  seenBefore: '/invoices',
  /** From the device's copy alone. */
  neverSeen: '/invoices?sort=-gross&status=issued',
}
type Screen = keyof typeof screens
/** What can be pressed of a row. */
const listRow = 'ul[aria-label="Invoices"] a'

interface Start {
  usableMs: number
  longestTaskMs: number
  localStorageBytes: number
}

export async function measureOfflineStarts(folder: string) {
  const results: Record<string, object> = {}
  for (const count of invoicesOnPhone) {
    const phone = await openPhone(`${folder}-${count}`)
    const books = await phone.makeBooks()
    await phone.fill(books, count)
    await settled(phone)
    await browse(phone, Math.min(count, scrolledRows))
    phone.network.fault = 'down'
    const starts: Partial<Record<Screen, object>> = {}
    for (const [name, address] of Object.entries(screens) as [Screen, string][]) {
      const start = async () => {
        await phone.relaunch()
        // The browser's own start is not the app's; page and worker are started by the visit.
        await pause(browserStartMs)
        return startAt(phone, address)
      }
      // The first start of a profile after its making warms up.
      await start()
      starts[name] = summary(await undisturbed(rounds, start))
    }
    await phone.close()
    results[`${count} invoices`] = starts
  }
  return { cpuSlowdown: slowdown, ...results }
}

function summary({ results: starts, said }: Rounds<Start>) {
  const tasks = starts.map(({ longestTaskMs }) => longestTaskMs)
  return {
    usableMs: {
      ...figure(starts.map(({ usableMs }) => usableMs)),
      p75: percentile(
        starts.map(({ usableMs }) => usableMs),
        0.75,
      ),
    },
    longestTaskMs: { ...figure(tasks), most: Math.max(...tasks) },
    localStorageBytes: Math.max(...starts.map(({ localStorageBytes }) => localStorageBytes)),
    ...said,
  }
}

/** Scrolls through the list, so that what is painted next time is as large as it gets. */
async function browse(phone: Phone, rows: number): Promise<void> {
  const page = phone.page()
  await page.goto('/invoices')
  await page.locator(listRow).first().waitFor()
  await page.evaluate(async (wanted) => {
    const reached = () => Number(document.querySelector('ul[aria-label="Invoices"] li')?.ariaSetSize ?? 0)
    while (reached() < wanted) {
      window.scrollTo(0, document.body.scrollHeight)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    window.scrollTo(0, 0)
  }, rows)
  // The paint cache is written a second after the last change.
  await pause(2500)
}

async function startAt(phone: Phone, address: string): Promise<Start> {
  const page = phone.page()
  await page.addInitScript(watchTasks)
  await page.addInitScript(noteWhenShown, { [address]: listRow })
  // Only the page is slowed down: the worker is beyond the reach of the setting.
  await phone.devtools().send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.goto(address, { waitUntil: 'commit' })
  await pause(listMs)
  await page.waitForFunction(() => 'shownMs' in window)
  await pause(watchedMs)
  return page.evaluate(() => {
    const { shownMs, longestTaskMs } = window as Shown & Tasks
    const kept = Object.entries(localStorage).flat().join('')
    return {
      usableMs: shownMs!,
      longestTaskMs: longestTaskMs!,
      localStorageBytes: new TextEncoder().encode(kept).length,
    }
  })
}

interface Tasks {
  longestTaskMs?: number
}

/** Runs in the page before anything else: its longest task until now. */
function watchTasks(): void {
  const seen = window as Tasks
  seen.longestTaskMs = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longestTaskMs = Math.max(seen.longestTaskMs!, duration)
  }).observe({ type: 'longtask', buffered: true })
}
