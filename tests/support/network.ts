// A network that breaks on demand, between browser and server (STACK.md: `setOffline` does not reach every worker).
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { problemMediaType } from '#shared/problem-form.ts'
import { problem, type ProblemCode } from '#shared/problem.ts'

/** What answers in the server's place, which hears nothing of the request: too many tries is heard again in three seconds. */
type Forged = 'portal' | 'unauthorized' | 'stale' | 'limited' | 'unavailable'

/**
 * `down`: every connection ends at once. `hang`: no answer ever comes. `portal`: somebody else's page with status 200. `unauthorized`, `stale`, `limited`,
 * `unavailable`: Docket's own words of 401, 412, 429 and 503. Of these the server does what it is asked: `lost-answer`: and nobody hears it; `twice`:
 * two times at once; `late`: after the connection has ended; `cut`: half of the answer arrives, as if it were all; `stalled`: half of it, and nothing more.
 */
export type Fault = 'none' | 'down' | 'hang' | Forged | 'lost-answer' | 'twice' | 'late' | 'cut' | 'stalled'

export const limitedSeconds = 3
const lateMs = 700
const quietMs = 1000

const refuse = (code: ProblemCode, headers: http.OutgoingHttpHeaders = {}): OwnAnswer => {
  const said = problem(code)
  return (response) => {
    response.writeHead(said.status, { 'content-type': problemMediaType, 'x-docket': '1', ...headers })
    response.end(JSON.stringify(said))
  }
}
const forged: Record<Forged, OwnAnswer> = {
  portal: (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to HotelWiFi</h1>'),
  unauthorized: refuse('invalid_token'),
  stale: refuse('stale'),
  limited: refuse('too_many_requests', { 'retry-after': String(limitedSeconds) }),
  unavailable: refuse('unavailable'),
}

/** Answers one request in the server's place. */
export type OwnAnswer = (response: http.ServerResponse) => void | Promise<void>

export interface ArrivedRequest {
  method: string
  path: string
  /** Its Idempotency-Key. */
  key: string | undefined
  /** Milliseconds of this process; `endedAt` is null as long as nothing was answered and nobody went away. */
  startedAt: number
  endedAt: number | null
}

export interface PassedRequest {
  method: string
  path: string
  hasBearer: boolean
  hasProof: boolean
  /** Its Idempotency-Key. */
  key: string | undefined
  status: number
}

export interface Network {
  url: string
  /** The address its calls come from, for a server that trusts one proxy; null: this machine's. */
  place: string | null
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
  /** Resolves when no API call is under way and the last one ended a second ago. */
  quiet(): Promise<void>
  /** What is held back ends, and what is late arrives now; resolves when the server has answered that. */
  settle(): Promise<void>
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
    place: null,
    fault: 'none',
    loseAnswers: false,
    before: null,
    after: null,
    arrived: [],
    passed: [],
    async quiet() {
      const isQuiet = () =>
        network.arrived.every(({ endedAt }) => endedAt !== null && performance.now() - endedAt > quietMs)
      while (!isQuiet()) await pause(50)
    },
    async settle() {
      for (const response of held) response.destroy()
      await Promise.all([...late].map((arrive) => arrive()))
    },
    async close() {
      await network.settle()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const held = new Set<http.ServerResponse>()
  const late = new Set<() => Promise<void>>()

  function hold(response: http.ServerResponse): void {
    held.add(response)
    response.on('close', () => held.delete(response))
  }

  /** A connection of its own: a kept one may be closed by the server in the very moment it is used again, which would be a fault nobody set. */
  function send(
    { method = 'GET', url = '/', headers }: http.IncomingMessage,
    body: Buffer,
    hear: (answer: http.IncomingMessage) => void = (answer) => void answer.resume(),
  ): http.ClientRequest {
    const from = network.place && url.startsWith('/api/') ? { 'x-forwarded-for': network.place } : {}
    const options = { method, headers: { ...headers, ...from }, agent: false }
    const onwards = http.request(new URL(url, target()), options, (answer) => {
      if (url.startsWith('/api/'))
        network.passed.push({
          method,
          path: url,
          hasBearer: headers.authorization !== undefined,
          hasProof: headers['dpop'] !== undefined,
          key: headers['idempotency-key'] as string | undefined,
          status: answer.statusCode ?? 0,
        })
      hear(answer)
    })
    // Nobody else may be listening when the server ends.
    onwards.on('error', () => {})
    return onwards.end(body)
  }

  function sendLate(request: http.IncomingMessage, body: Buffer): void {
    const arrive = async () => {
      clearTimeout(timer)
      if (!late.delete(arrive)) return
      const sent = send(request, body)
      await new Promise((resolve) => sent.on('close', resolve))
    }
    const timer = setTimeout(() => void arrive(), lateMs)
    late.add(arrive)
  }

  async function pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    if (request.url?.startsWith('/api/')) {
      const arrival: ArrivedRequest = {
        method: request.method ?? 'GET',
        path: request.url,
        key: request.headers['idempotency-key'] as string | undefined,
        startedAt: performance.now(),
        endedAt: null,
      }
      network.arrived.push(arrival)
      response.on('close', () => (arrival.endedAt = performance.now()))
    }
    const fault = (await network.before?.(request)) ?? network.fault
    if (typeof fault === 'function') return fault(response)
    if (fault === 'hang') return hold(response)
    if (fault === 'down') return void request.socket.destroy()
    if (isForged(fault)) return forged[fault](response)
    const own = files[request.url ?? '/']
    if (own) return void response.writeHead(200, { 'content-type': own[0] }).end(own[1])
    const body = await buffer(request).catch(() => null)
    // Whoever asked went away before they had said what.
    if (!body) return
    if (fault === 'late') {
      sendLate(request, body)
      return void request.socket.destroy()
    }
    if (fault === 'twice') send(request, body)
    const onwards = send(request, body, (answer) => {
      if (network.loseAnswers || fault === 'lost-answer') {
        answer.resume()
        return void answer.on('end', () => request.socket.destroy())
      }
      void Promise.resolve(network.after?.(request)).then(() => deliver(answer, response, fault))
    })
    onwards.on('error', () => request.socket.destroy())
    response.on('close', () => onwards.destroy())
  }

  async function deliver(
    answer: http.IncomingMessage,
    response: http.ServerResponse,
    fault: Exclude<Fault, Forged>,
  ): Promise<void> {
    const { statusCode = 502, headers } = answer
    if (fault !== 'cut' && fault !== 'stalled') {
      response.writeHead(statusCode, headers)
      return void answer.pipe(response)
    }
    const whole = await buffer(answer).catch(() => null)
    if (!whole) return void response.destroy()
    const half = whole.subarray(0, whole.length / 2)
    if (fault === 'cut') {
      const { 'content-length': _, 'transfer-encoding': __, ...rest } = headers
      return void response.writeHead(statusCode, rest).end(half)
    }
    // An answer without a body has said all with its headers.
    response.writeHead(statusCode, headers)
    if (whole.length === 0) return void response.end()
    response.write(half)
    hold(response)
  }
  return network
}

function isForged(fault: Fault): fault is Forged {
  return Object.hasOwn(forged, fault)
}

/** What was asked for: a try that took long is made once more under its key, and the last of them counts. */
export function askedFor(passed: readonly PassedRequest[]): PassedRequest[] {
  return passed.filter(({ key }, index) => !key || passed.findLastIndex((each) => each.key === key) === index)
}

/** How many of these were under way at the same moment, at most. */
export function mostAtOnce(requests: readonly ArrivedRequest[]): number {
  const open = (at: number) =>
    requests.filter(({ startedAt, endedAt }) => startedAt <= at && (endedAt ?? Infinity) > at).length
  return Math.max(0, ...requests.map(({ startedAt }) => open(startedAt)))
}
