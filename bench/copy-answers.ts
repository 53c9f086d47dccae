// How long the device's copy takes to answer, from a page through the worker, awake and stopped, over ever more invoices: lists, search and dashboard.
import { emptyPage, openPhone, settled, type Phone } from './phone.ts'
import { figure, percentile, type Figure } from './numbers.ts'

const sizes = [100, 1000, 10_000, 100_000]
const rounds = { warm: 20, stopped: 10 }
const warmUps = 1

const questions = {
  list: '/invoices?limit=50',
  listByAmount: '/invoices?limit=50&sort=-gross',
  listOverdue: '/invoices?limit=50&status=overdue',
  searchCustomer: '/invoices?limit=50&q=florist',
  searchOne: '/invoices?limit=50&q=unicorn',
  searchNothing: '/invoices?limit=50&q=nowhere',
  dashboard: '/dashboard',
}
type Question = keyof typeof questions

export async function measureCopyAnswers(folder: string) {
  const phone = await openPhone(folder)
  const books = new Map<number, string>()
  for (const size of sizes) {
    const made = await phone.makeBooks()
    await phone.fill(made, size)
    books.set(size, made.organizationId)
  }
  await settled(phone)
  await phone.relaunch(emptyPage)
  const answerMs = await measure(phone, books, rounds.warm, async () => {})
  const answerMsWorkerStopped = await measure(phone, books, rounds.stopped, () => phone.stopWorker())
  await phone.close()
  return { answerMs, answerMsWorkerStopped }
}

/** Every question to every organization, by turns. */
async function measure(phone: Phone, books: Map<number, string>, count: number, before: () => Promise<void>) {
  const times = Object.fromEntries(
    Object.keys(questions).map((name) => [name, new Map(sizes.map((size) => [size, [] as number[]]))]),
  ) as Record<Question, Map<number, number[]>>
  for (let round = 0; round < warmUps + count; round += 1)
    for (const [name, path] of Object.entries(questions) as [Question, string][])
      for (const [size, organizationId] of books) {
        await before()
        const ms = await ask(phone, `/api/v1/organizations/${organizationId}${path}`)
        if (round >= warmUps) times[name].get(size)!.push(ms)
      }
  return Object.fromEntries(Object.entries(times).map(([name, bySize]) => [name, growth(bySize)]))
}

interface Growth {
  byInvoices: Record<string, Figure & { p95: number }>
  /** How many times the median grows from each size to the next, ten times as large. */
  timesPerTenfold: number[]
}

function growth(bySize: Map<number, number[]>): Growth {
  const figures = [...bySize].map(([size, ms]) => [size, { ...figure(ms), p95: percentile(ms, 0.95) }] as const)
  return {
    byInvoices: Object.fromEntries(figures),
    timesPerTenfold: figures
      .slice(1)
      .map(([, { median }], index) => Number((median / figures[index]![1].median).toFixed(1))),
  }
}

function ask(phone: Phone, url: string): Promise<number> {
  return phone.page().evaluate(async (asked) => {
    const began = performance.now()
    const answer = await fetch(asked)
    await answer.json()
    const ms = performance.now() - began
    if (answer.headers.get('x-docket-source') !== 'device') throw new Error(`${asked} was not the device's answer`)
    return ms
  }, url)
}
