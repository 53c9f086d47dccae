import type http from 'node:http'

/** A request that never ends must not keep the database open until somebody pulls the plug. */
const drainMs = 8000

/** On SIGTERM or SIGINT: what is under way is answered, then `close` closes the rest, then the process ends with 0. */
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
      void close().then(() => process.exit(0))
    })
  }
  process.on('SIGTERM', drain)
  process.on('SIGINT', drain)
}
