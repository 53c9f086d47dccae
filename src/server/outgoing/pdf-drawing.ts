// Has PDFs drawn by a thread of its own (pdf-thread.ts), which starts with the first of them and ends with the server.
import { Worker } from 'node:worker_threads'
import type { Drawing, Drawn } from './pdf-thread.ts'

type Content = Uint8Array<ArrayBuffer>
interface Waiting {
  resolve: (content: Content) => void
  reject: (error: Error) => void
}

/** A thread that finishes none for so long is given up: hundreds of lines in Chinese take some seconds. */
const mostMs = 60_000

let thread: Worker | null = null
let lastId = 0
let giveUp: NodeJS.Timeout | undefined
const waiting = new Map<number, Waiting>()

/** Being drawn, by what it is of: who asks meanwhile gets the same drawing. */
const drawings = new Map<string, Promise<Content>>()

export function drawOnce(name: string, drawing: Drawing): Promise<Content> {
  let drawn = drawings.get(name)
  if (!drawn) drawings.set(name, (drawn = drawPdf(drawing).finally(() => drawings.delete(name))))
  return drawn
}

export function drawPdf(drawing: Drawing): Promise<Content> {
  const id = (lastId += 1)
  const worker = (thread ??= startThread())
  return new Promise<Content>((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    // A process that only waits for this stays; an idle thread keeps none alive.
    worker.ref()
    if (waiting.size === 1) watch(worker)
    worker.postMessage({ id, drawing })
  }).finally(() => {
    waiting.delete(id)
    if (waiting.size > 0) return watch(worker)
    clearTimeout(giveUp)
    worker.unref()
  })
}

function watch(worker: Worker): void {
  clearTimeout(giveUp)
  giveUp = setTimeout(() => void worker.terminate(), mostMs)
}

/** Ends the thread and fails what it has not drawn; the next drawing would start another. */
export async function stopDrawing(): Promise<void> {
  const worker = thread
  thread = null
  await worker?.terminate()
}

function startThread(): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./pdf-thread.${extension}`, import.meta.url))
  worker.on('message', (drawn: Drawn) => {
    const asked = waiting.get(drawn.id)
    if ('content' in drawn) asked?.resolve(drawn.content)
    else asked?.reject(new Error(drawn.failure))
  })
  const end = (why: string) => {
    if (thread === worker) thread = null
    for (const { reject } of waiting.values()) reject(new Error(why))
  }
  worker.on('error', (error) => end(`The thread that draws PDFs failed: ${String(error)}`))
  worker.on('exit', () => end('The thread that draws PDFs ended'))
  return worker
}
