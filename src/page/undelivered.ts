// A file of the app that did not come. With a worker every file is on the device; without one the network may be away when it is asked for.
import { reportReachable } from './device/connection.ts'

const undelivered = 'undelivered'

// By the error's own words the router would load the page anew, which without a worker could leave nothing.
if (typeof window !== 'undefined')
  window.addEventListener('vite:preloadError', ({ payload }) => {
    if (navigator.serviceWorker?.controller) return
    payload.message = undelivered
    reportReachable(false)
  })

export function isUndelivered(error: unknown): boolean {
  return error instanceof Error && error.message === undelivered
}
