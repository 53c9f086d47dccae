// A network that breaks on demand, between browser and server (STACK.md: `setOffline` does not reach every worker).
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { problem, problemMediaType } from '#shared/problem.ts'

/**
 * `down`: every connection ends at once. `hang`: no answer ever comes. `portal`: somebody else's page with status 200. `limited`: too many
 * tries, the next one is heard in three seconds.
 */
export type Fault = 'none' | 'down' | 'hang' | 'portal' | 'limited'

export const limitedSeconds = 3

/** Answers one request in the server's place. */
export type OwnAnswer = (response: http.ServerResponse) => void | Promise<void>

export interface ArrivedRequest {
  method: string
  path: string
  /** Milliseconds of this process; `endedAt` is null as long as nothing was answered and nobody went away. */
  startedAt: number
  endedAt: number | null
}

export interface PassedRequest {
  method: string
  path: string
  hasBearer: boolean
  hasProof: boolean
  status: number
}

export interface Network {
  url: string
  fault: Fault
  /** The server does what it is asked, and its answer never arrives. */
  loseAnswers: boolean
  /** Called before a request goes on; what it resolves to, if anything, is the fault of this one, or its answer. */
  before: ((request: http.IncomingMessage) => Promise<Fault | OwnAnswer | undefined> | undefined) | null
  /** Called when the server has answered and nothing of it has been delivered yet. */
  after: ((request: http.IncomingMessage) => Promise<void>) | null
  /** API calls that came here, whatever became of them. */
  arrived: ArrivedRequest[]
  /** API calls that the server answered. */
  passed: PassedRequest[]
  close(): Promise<void>
}

/** `files`: paths that it answers itself, with type and text. Port 0 takes a free one. */
export async function openNetwork(
  port: number,
  target: () => string,
  files: Readonly<Record<string, readonly [type: string, text: string]>> = {},
): Promise<Network> {
  const server = http.createServer((request, response) => void pass(request, response))
  server.listen(port, 'localhost')
  await once(server, 'listening')
  const network: Network = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    fault: 'none',
    loseAnswers: false,
    before: null,
    after: null,
    arrived: [],
    passed: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    if (request.url?.startsWith('/api/')) {
      const arrival: ArrivedRequest = {
        method: request.method ?? 'GET',
        path: request.url,
        startedAt: performance.now(),
        endedAt: null,
      }
      network.arrived.push(arrival)
      response.on('close', () => (arrival.endedAt = performance.now()))
    }
    const fault = (await network.before?.(request)) ?? network.fault
    if (typeof fault === 'function') return fault(response)
    if (fault === 'hang') return
    if (fault === 'down') return void request.socket.destroy()
    if (fault === 'portal') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to HotelWiFi</h1>')
      return
    }
    if (fault === 'limited') {
      response.writeHead(429, {
        'content-type': problemMediaType,
        'x-docket': '1',
        'retry-after': String(limitedSeconds),
      })
      return void response.end(JSON.stringify(problem('too_many_requests')))
    }
    const { method = 'GET', url = '/', headers } = request
    const own = files[url]
    if (own) return void response.writeHead(200, { 'content-type': own[0] }).end(own[1])
    // A connection of its own: a kept one may be closed by the server in the very moment it is used again, which would be a fault nobody set.
    const onwards = http.request(new URL(url, target()), { method, headers, agent: false }, (answer) => {
      if (url.startsWith('/api/')) {
        network.passed.push({
          method,
          path: url,
          hasBearer: headers.authorization !== undefined,
          hasProof: headers['dpop'] !== undefined,
          status: answer.statusCode ?? 0,
        })
      }
      if (network.loseAnswers) {
        answer.resume()
        return void answer.on('end', () => request.socket.destroy())
      }
      void Promise.resolve(network.after?.(request)).then(() => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
    })
    onwards.on('error', () => request.socket.destroy())
    response.on('close', () => onwards.destroy())
    request.pipe(onwards)
  }
  return network
}

/** How many of these were under way at the same moment, at most. */
export function mostAtOnce(requests: readonly ArrivedRequest[]): number {
  const open = (at: number) =>
    requests.filter(({ startedAt, endedAt }) => startedAt <= at && (endedAt ?? Infinity) > at).length
  return Math.max(0, ...requests.map(({ startedAt }) => open(startedAt)))
}
