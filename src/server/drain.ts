import type http from 'node:http'

/** A request that never ends must not keep the database open until somebody pulls the plug. */
const drainMs = 8000
/** Longer than whatever is closed waits for its own work. */
const closeMs = 30_000

/** On SIGTERM or SIGINT: what is under way is answered, then `close` closes the rest, then the process ends with 0; with 1 where that has no end. */
export function drainOnSignal(server: http.Server, close: () => Promise<void>): void {
  let draining = false
  const drain = () => {
    // Who asks twice does not want to wait.
    if (draining) return server.closeAllConnections()
    draining = true
    setTimeout(() => server.closeAllConnections(), drainMs).unref()
    // A connection that has become idle is not kept for more.
    const hangUp = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearInterval(hangUp)
      setTimeout(() => {
        process.stderr.write(`Docket did not close within ${closeMs / 1000} seconds and ends all the same\n`)
        process.exit(1)
      }, closeMs).unref()
      void close().then(() => process.exit(0))
    })
  }
  process.on('SIGTERM', drain)
  process.on('SIGINT', drain)
}
