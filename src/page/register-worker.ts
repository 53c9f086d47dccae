// Registers the worker and offers its updates (OFFLINE.md "Shell and updates"): a new one waits until the person agrees.
import { Workbox } from 'workbox-window'
import type { PageMessage } from '#shared/worker-messages.ts'
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
  const workbox = new Workbox(trusted(workerUrl), {
    scope: '/',
    updateViaCache: 'none',
    ...(import.meta.env.DEV && { type: 'module' }),
  })
  // A page that was there before the new version loads that one's files, also one that no worker controlled; a first visit only gains a worker.
  let known = navigator.serviceWorker.controller
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    const { controller } = navigator.serviceWorker
    // None: the worker was cleared away with the rest of what the device kept.
    if (known && controller && known !== controller) reloadWhenFree()
    known = controller
  })
  // Our own message: the worker knows no other, and workbox would send its `SKIP_WAITING`.
  const apply = async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    registration?.waiting?.postMessage({ type: 'skip-waiting' } satisfies PageMessage)
  }
  workbox.addEventListener('waiting', () => onUpdate({ apply: () => void apply() }))
  void workbox.register().then(
    (registration) => {
      known ??= registration?.active ?? null
      const lookAgain = () => {
        if (document.visibilityState === 'visible') void registration?.update().catch(() => {})
      }
      document.addEventListener('visibilitychange', lookAgain)
      window.addEventListener('focus', lookAgain)
      window.addEventListener('pageshow', ({ persisted }) => {
        if (persisted) lookAgain()
      })
    },
    () => {
      // Without a worker (a private window, a full disk) the page works through the gateway in it.
    },
  )
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
