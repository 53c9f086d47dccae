// The boot gate (SESSION.md fact 2): no call leaves the page bare. The worker answers; where none controls the page, the gateway runs here.
import type { Gateway } from '#worker/gateway.ts'
import type { PageMessage } from '#shared/worker-messages.ts'

/** How long the first call waits for the worker to take control. */
const patienceMs = 2000
/** How long a worker that gives way is left alone: idle for half of that it is ended, whatever came to it before. */
const leftAloneMs = 60_000

let gate: Promise<void> | null = null
let leaving: { worker: ServiceWorker; untilMs: number } | null = null
let inPage: Promise<Gateway> | null = null

/** Sends a call of ours: through the worker, or through the same gateway in the page (same vault, same lock). */
export async function send(request: Request): Promise<Response> {
  if (!isControlled() || (isLeaving() && request.method === 'GET')) await (gate ??= openGate())
  if (isControlled()) return fetch(request)
  inPage ??= import('./without-worker.ts').then(({ openGatewayHere }) => openGatewayHere())
  return (await inPage).answer(request)
}

/** The person is back, or the network is: a renewal that waits for a better moment is tried with the next call. */
export function tryNow(): void {
  ask({ type: 'try-now' }, (gateway) => gateway.tryNow())
}

/** A page that is seen keeps the device's copy current and what is unsent moving. */
export function sync(): void {
  if (!isLeaving()) ask({ type: 'sync' }, (gateway) => gateway.sync())
}

/** Of one of the two: a page that the worker took over goes on with the worker's gateway alone, or everything would be asked for twice. */
function ask(message: PageMessage, here: (gateway: Gateway) => Promise<unknown>): void {
  if (isControlled()) navigator.serviceWorker.controller!.postMessage(message)
  else void inPage?.then(here)
}

/**
 * The worker of this page gives way to a new one. Chromium starts it anew where anything comes to it while it is being ended, and then lets it go on until
 * it is idle for thirty seconds, or for five minutes. So reads wait for the new one as they do at a start, and it is asked for nothing that has time; what
 * is written goes to it at once, because the page is loaded anew when the new one is there.
 */
export function leaveAlone(): void {
  const { controller } = navigator.serviceWorker
  if (!controller) return
  leaving = { worker: controller, untilMs: performance.now() + leftAloneMs }
  gate = patiently(controlled())
}

/** Until it has been replaced, or left alone for long enough. */
export function isLeaving(): boolean {
  return (
    leaving !== null && navigator.serviceWorker.controller === leaving.worker && performance.now() < leaving.untilMs
  )
}

/** Starts waiting for the worker now, so that the first call need not. */
export function openGateEarly(): void {
  if (!isControlled()) gate ??= openGate()
}

function isControlled(): boolean {
  return 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null
}

async function openGate(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  await patiently(takenControl())
}

async function takenControl(): Promise<void> {
  const { serviceWorker } = navigator
  const registration = await serviceWorker.ready
  if (serviceWorker.controller) return
  const changed = controlled()
  registration.active?.postMessage({ type: 'claim' } satisfies PageMessage)
  await changed
}

/** Until another worker has taken this page over. */
function controlled(): Promise<unknown> {
  return new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
}

async function patiently(work: Promise<unknown>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, patienceMs))])
}
