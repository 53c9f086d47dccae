// Registers the worker and offers its updates (OFFLINE.md "Shell and updates"): a new one waits until the person agrees.
import { isBroadcast, type PageMessage } from '#shared/worker-messages.ts'
import { leaveAlone } from './boot.ts'
import { reloadWhenFree } from './reload.ts'

interface TrustedTypesHost {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(url: string): string },
    ): { createScriptURL(url: string): string }
  }
}

const workerUrl = import.meta.env.DEV ? '/dev-sw.js?dev-sw' : '/sw.js'

export interface WorkerUpdate {
  /** Makes the waiting version current in every tab, which load it then. */
  apply(): void
}

export function registerWorker(onUpdate: (update: WorkerUpdate) => void): void {
  if (!('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  // A page that was there before the new version loads that one's files, also one that no worker controlled; a first visit only gains a worker.
  let known = serviceWorker.controller
  serviceWorker.addEventListener('controllerchange', () => {
    const { controller } = serviceWorker
    // None: the worker was cleared away with the rest of what the device kept.
    if (known && controller && known !== controller) reloadWhenFree()
    known = controller
  })
  serviceWorker.addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
    if (!isBroadcast(data) || data.type !== 'worker-leaves') return
    leaveAlone()
    // Not by a port: this comes after all that was asked of the worker before.
    source?.postMessage({ type: 'left-alone' } satisfies PageMessage)
  })
  register().then(
    (registration) => {
      known ??= registration.active
      lookOnReturn(registration)
      followUpdates(registration, onUpdate)
    },
    () => {
      // Without a worker (a private window, a full disk) the page works through the gateway in it.
    },
  )
}

/** Once the page is loaded: the first screen comes first, before what registers, and the worker fetches every file of the build. */
async function register(): Promise<ServiceWorkerRegistration> {
  if (document.readyState !== 'complete') await new Promise((resolve) => window.addEventListener('load', resolve))
  const { Workbox } = await import('workbox-window')
  const registration = await new Workbox(trusted(workerUrl), {
    scope: '/',
    updateViaCache: 'none',
    ...(import.meta.env.DEV && { type: 'module' }),
  }).register()
  if (!registration) throw new TypeError('Nothing was registered')
  return registration
}

/** By the registration itself: Workbox's own `waiting` is not told of an update that it did not begin. */
function followUpdates(registration: ServiceWorkerRegistration, onUpdate: (update: WorkerUpdate) => void): void {
  const offer = () => {
    // The first one of all waits for nobody.
    if (!registration.waiting || !registration.active) return
    const { waiting } = registration
    // Chromium lets the version before go on for up to five minutes where an event came to it while it was being ended.
    onUpdate({ apply: () => waiting.postMessage({ type: 'skip-waiting' } satisfies PageMessage) })
  }
  const follow = () => registration.installing?.addEventListener('statechange', offer)
  registration.addEventListener('updatefound', follow)
  follow()
  offer()
}

function lookOnReturn(registration: ServiceWorkerRegistration): void {
  const look = () => {
    if (document.visibilityState === 'visible') void registration.update().catch(() => {})
  }
  document.addEventListener('visibilitychange', look)
  window.addEventListener('focus', look)
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) look()
  })
}

/** Trusted Types refuse a plain string as a script's address; this policy knows the one address there is. */
function trusted(url: string): string {
  const { trustedTypes } = window as TrustedTypesHost
  if (!trustedTypes) return url
  const policy = trustedTypes.createPolicy('sw-url', {
    createScriptURL(asked) {
      if (asked !== workerUrl) throw new TypeError(`Not a worker of ours: ${asked}`)
      return asked
    },
  })
  return policy.createScriptURL(url)
}
