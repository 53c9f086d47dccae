// Scrolling through ten thousand invoices on a cheap phone: how even the frames are, the longest task, and whether rows are ever missing (UX.md).
import { figure, percentile } from './numbers.ts'
import { openPhone, settled, type Phone } from './phone.ts'

const invoices = 10_000
const slowdown = 4
const rounds = 5
/** In CSS pixels a second. */
const ways = {
  /** The fastest fling that Android has (ViewConfiguration: 8000 dp a second). */
  fling: 8000,
  /** The bar dragged from the top to the bottom: most of a screen in each frame of 60 Hz. */
  drag: 38_400,
} as const
const roundMs = 4000
/** Two frames late at 60 Hz is what a person sees. */
const lateMs = 50

interface Scrolled {
  frameMs: number[]
  longestTaskMs: number
  /** Frames in which nothing of the list was in sight. */
  blankFrames: number
  /** Rows in the document at most. */
  mostRows: number
}

export async function measureScrolling(folder: string) {
  const phone = await openPhone(folder)
  const books = await phone.makeBooks()
  await phone.fill(books, invoices)
  await settled(phone)
  const page = phone.page()
  await page.goto('/invoices')
  await loadAll(phone)
  await phone.devtools().send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const runs = { fling: [] as Scrolled[], drag: [] as Scrolled[] }
  for (let round = 0; round <= rounds; round += 1)
    for (const way of ['fling', 'drag'] as const) {
      const run = await page.evaluate(scrollThrough, { pxPerMs: ways[way] / 1000, roundMs })
      // The first warms up.
      if (round > 0) runs[way].push(run)
    }
  await phone.close()
  return { cpuSlowdown: slowdown, invoices, fling: told(runs.fling), drag: told(runs.drag) }
}

function told(runs: readonly Scrolled[]) {
  const frames = runs.flatMap(({ frameMs }) => frameMs)
  return {
    frameMs: { ...figure(frames), p95: percentile(frames, 0.95), most: Math.max(...frames) },
    lateFramesShare: frames.filter((ms) => ms > lateMs).length / frames.length,
    longestTaskMs: figure(runs.map(({ longestTaskMs }) => longestTaskMs)),
    blankFrames: runs.reduce((sum, { blankFrames }) => sum + blankFrames, 0),
    mostRowsInDocument: Math.max(...runs.map(({ mostRows }) => mostRows)),
  }
}

/** The list loads on as its end comes near: once to the last row, and back to the top. */
async function loadAll(phone: Phone): Promise<void> {
  const page = phone.page()
  await page.locator('ul[aria-label="Invoices"] a').first().waitFor()
  await page.evaluate(async (wanted) => {
    const reached = () => Number(document.querySelector('ul[aria-label="Invoices"] li')?.ariaSetSize ?? 0)
    while (reached() < wanted) {
      window.scrollTo(0, document.body.scrollHeight)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    window.scrollTo(0, 0)
  }, invoices)
}

/** Runs in the page: a frame that is late goes the further, as under a thumb; at the end it begins at the top again. */
async function scrollThrough({ pxPerMs, roundMs }: { pxPerMs: number; roundMs: number }): Promise<Scrolled> {
  const seen: Scrolled = { frameMs: [], longestTaskMs: 0, blankFrames: 0, mostRows: 0 }
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longestTaskMs = Math.max(seen.longestTaskMs, duration)
  })
  observer.observe({ type: 'longtask' })
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const began = await frame()
  let before = began
  let stepMs = 1000 / 60
  while (before - began < roundMs) {
    const step = pxPerMs * stepMs
    const isAtEnd = window.scrollY + window.innerHeight + step >= document.body.scrollHeight
    window.scrollTo(0, isAtEnd ? 0 : window.scrollY + step)
    const now = await frame()
    stepMs = now - before
    seen.frameMs.push(stepMs)
    before = now
    const rows = [...document.querySelectorAll('ul[aria-label="Invoices"] li')]
    seen.mostRows = Math.max(seen.mostRows, rows.length)
    const middle = window.innerHeight / 2
    const isThere = rows.some((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return top <= middle && bottom >= middle
    })
    if (!isThere) seen.blankFrames += 1
  }
  observer.disconnect()
  return seen
}
