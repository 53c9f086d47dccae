// What may come back from the refresh call, and what the gateway must make of it (SESSION.md "Refused or undeliverable"): one table, for the
// worker in Node and for Chromium.
import type { OwnAnswer } from './network.ts'

/** `renewed`: the pair is taken. `refused`: the session is over. `undeliverable`: nothing is known, and the session is kept. */
export type Verdict = 'renewed' | 'refused' | 'undeliverable'

export interface About {
  /** The session that asks, and whose it is. */
  sid: string
  sub: string
  /** A good pair of this session. */
  accessToken: string
  refreshToken: string
}

/** Bytes to be sent; `cutShort` says more will follow, and ends the connection. */
interface Sent {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer>
  cutShort?: true
}

/** `reset`: the connection ends without a word. `babble`: something that is no HTTP. */
type Raw = Sent | 'reset' | 'babble'

export interface AnswerShape {
  name: string
  verdict: Verdict
  answer(about: About): Raw
}

const foreignId = '0190f0a0-0000-7000-8000-00000000f0e1'
const refusals = ['session_revoked', 'session_expired', 'reuse_detected', 'user_disabled', 'invalid_token']
const bareStatuses = [
  [400, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 417, 418, 421, 422, 423, 424, 425, 426],
  [428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 521, 522, 523, 524, 525, 526, 527, 530],
].flat()

const ours = { 'content-type': 'application/json', 'x-docket': '1' }
const problemHeaders = { ...ours, 'content-type': 'application/problem+json' }
const withoutMark = ({ 'content-type': type }: { 'content-type': string }) => ({ 'content-type': type })
const byteOrderMark = '\uFEFF'
const portal = '<!doctype html><title>HotelWiFi</title><h1>Sign in to HotelWiFi</h1>'

function json(status: number, body: unknown, headers: Record<string, string> = ours): Sent {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

function token(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'ES256' })}.${part(claims)}.c2lnbmF0dXJl`
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600
const pair = ({ accessToken, refreshToken }: About) => ({ accessToken, refreshToken })
const refusal = (code: unknown, sid?: unknown, status = 401) => ({
  type: `urn:docket:problem:${String(code)}`,
  title: 'This session was ended',
  status,
  code,
  ...(sid !== undefined && { sid }),
})

type Row = [name: string, answer: (about: About) => Raw]

const renewed: Row[] = [
  ['a new pair', (about) => json(200, pair(about))],
  ['with a charset', (about) => json(200, pair(about), { ...ours, 'content-type': 'application/json; charset=utf-8' })],
  ['with a byte order mark', (about) => json(200, byteOrderMark + JSON.stringify(pair(about)))],
  ['with members unknown here', (about) => json(200, { ...pair(about), scope: 'all', expiresIn: 600 })],
  ['with white space around', (about) => json(200, `\n\n  ${JSON.stringify(pair(about), null, 4)}\n`)],
]

const refused: Row[] = [
  ...refusals.map((code): Row => [
    `${code} of this session`,
    ({ sid }) => json(401, refusal(code, sid), problemHeaders),
  ]),
  ...[
    'application/problem+json; charset=utf-8',
    'application/problem+json;charset="utf-8"',
    'Application/Problem+JSON',
  ].map((type): Row => [
    `as ${type}`,
    ({ sid }) => json(401, refusal('session_revoked', sid), { ...ours, 'content-type': type }),
  ]),
  [
    'with a byte order mark',
    ({ sid }) => json(401, byteOrderMark + JSON.stringify(refusal('session_expired', sid)), problemHeaders),
  ],
  [
    'with members unknown here',
    ({ sid }) => json(401, { ...refusal('session_revoked', sid), instance: 'r-1', since: '2026' }, problemHeaders),
  ],
  [
    'with a challenge besides',
    ({ sid }) =>
      json(401, refusal('session_revoked', sid), { ...problemHeaders, 'www-authenticate': 'Basic realm="docket"' }),
  ],
]

const undeliverable: Row[] = [
  // The network.
  ['a connection that is reset', () => 'reset'],
  ['something that is no HTTP', () => 'babble'],
  ['a pair cut short', (about) => ({ ...json(200, JSON.stringify(pair(about)).slice(0, 40)), cutShort: true })],
  [
    'a refusal cut short',
    ({ sid }) => ({
      ...json(401, JSON.stringify(refusal('session_revoked', sid)).slice(0, -3), problemHeaders),
      cutShort: true,
    }),
  ],
  [
    'a pair whose compression is broken',
    () => json(200, '\u001F\u008B\u0008broken', { ...ours, 'content-encoding': 'gzip' }),
  ],
  [
    'a refusal whose compression is broken',
    () => json(401, '\u001F\u008B\u0008broken', { ...problemHeaders, 'content-encoding': 'gzip' }),
  ],

  // Somebody else answers.
  ['a portal’s page with 200', () => json(200, portal, { 'content-type': 'text/html' })],
  ['a portal’s page that says JSON', () => json(200, portal, { 'content-type': 'application/json' })],
  ['a portal’s page with our mark', () => json(200, portal, { ...ours, 'content-type': 'text/html' })],
  ['a portal’s page with 401', () => json(401, portal, { 'content-type': 'text/html', 'www-authenticate': 'Basic' })],
  ['a portal’s page with 511', () => json(511, portal, { 'content-type': 'text/html' })],
  ['a pair without our mark', (about) => json(200, pair(about), withoutMark(ours))],
  ['a pair with another mark', (about) => json(200, pair(about), { ...ours, 'x-docket': '2' })],
  ...refusals.map((code): Row => [
    `${code} without our mark`,
    ({ sid }) => json(401, refusal(code, sid), withoutMark(problemHeaders)),
  ]),
  ...[301, 302, 303, 307, 308].flatMap((status): Row[] => [
    [`${status} to this origin`, () => json(status, '', { ...ours, location: '/portal' })],
    [`${status} to another origin`, () => json(status, '', { ...ours, location: 'http://127.0.0.1:9/portal' })],
  ]),
  ['300 without an address', () => json(300, '', ours)],
  ['304', () => json(304, '', ours)],

  // A success that is none.
  ['an empty 200', () => json(200, '')],
  ['201 without a body', () => json(201, '')],
  ['202 that promises', () => json(202, { state: 'queued' })],
  ['204', () => json(204, '')],
  ['205', () => json(205, '')],
  [
    '206 with the first half',
    (about) => json(206, JSON.stringify(pair(about)).slice(0, 60), { ...ours, 'content-range': 'bytes 0-59/900' }),
  ],
  ['truncated JSON', () => json(200, '{"accessToken":"a')],
  ['JSON that is null', () => json(200, 'null')],
  ['an array', (about) => json(200, [pair(about)])],
  ['a string', (about) => json(200, JSON.stringify(about.accessToken))],
  ['a pair inside something', (about) => json(200, { data: pair(about) })],
  ['two documents', (about) => json(200, JSON.stringify(pair(about)) + JSON.stringify(pair(about)))],
  ['only an access token', ({ accessToken }) => json(200, { accessToken })],
  ['only a refresh token', ({ refreshToken }) => json(200, { refreshToken })],
  ['an empty refresh token', ({ accessToken }) => json(200, { accessToken, refreshToken: '' })],
  ['tokens that are numbers', () => json(200, { accessToken: 1, refreshToken: 2 })],
  ['tokens that are none', () => json(200, { accessToken: 'x', refreshToken: 'y' })],
  [
    'a token of two parts',
    ({ accessToken }) => json(200, { accessToken: accessToken.replace(/\.[^.]*$/, ''), refreshToken: 'r_x' }),
  ],
  ['a token with an empty payload', () => json(200, { accessToken: 'h..s', refreshToken: 'r_x' })],
  ['a token whose payload is an array', () => json(200, { accessToken: token([]), refreshToken: 'r_x' })],
  [
    'tokens of somebody else',
    ({ sid }) =>
      json(200, {
        accessToken: token({ sub: foreignId, sid, exp: inAnHour(), status: 'ACTIVE' }),
        refreshToken: 'r_x',
      }),
  ],
  [
    '201 with tokens of somebody else',
    () => json(201, { accessToken: token({ sub: foreignId, exp: inAnHour(), status: 'ACTIVE' }), refreshToken: 'r_x' }),
  ],
  [
    'a token of nobody',
    ({ sid }) => json(200, { accessToken: token({ sid, exp: inAnHour(), status: 'ACTIVE' }), refreshToken: 'r_x' }),
  ],
  ['a refusal with status 200', ({ sid }) => json(200, refusal('session_revoked', sid), problemHeaders)],

  // A failure that is no refusal.
  ...bareStatuses.map((status): Row => [String(status), () => json(status, { code: 'invalid_token', status })]),
  ...[400, 403, 404, 410, 429, 500, 503].map((status): Row => [
    `a refusal with status ${status}`,
    ({ sid }) => json(status, refusal('session_revoked', sid, status), problemHeaders),
  ]),
  ...['2', 'Wed, 21 Oct 2037 07:28:00 GMT', 'soon', '-1', '1e9'].map((after): Row => [
    `429, Retry-After: ${after}`,
    () => json(429, refusal('too_many_requests', undefined, 429), { ...problemHeaders, 'retry-after': after }),
  ]),
  [
    '503, Retry-After: 2',
    () => json(503, refusal('unavailable', undefined, 503), { ...problemHeaders, 'retry-after': '2' }),
  ],
  ['400 that always wants another nonce', () => json(400, refusal('use_dpop_nonce', undefined, 400), problemHeaders)],
  ['400 that never likes the proof', ({ sid }) => json(400, refusal('invalid_dpop_proof', sid, 400), problemHeaders)],

  // A 401 in any other form.
  ['401 without a body', () => json(401, '', problemHeaders)],
  ['401 that says JSON', ({ sid }) => json(401, refusal('session_revoked', sid))],
  ...['text/html', 'text/plain', 'application/problem+xml', 'application/problem+json-seq', 'application/problem'].map(
    (type): Row => [
      `401 as ${type}`,
      ({ sid }) => json(401, refusal('session_revoked', sid), { ...ours, 'content-type': type }),
    ],
  ),
  ['401 of no type', ({ sid }) => json(401, refusal('session_revoked', sid), { 'x-docket': '1' })],
  ['401 that is HTML', () => json(401, portal, problemHeaders)],
  ['401 that is an array', ({ sid }) => json(401, [refusal('session_revoked', sid)], problemHeaders)],
  ['401 that is null', () => json(401, 'null', problemHeaders)],
  ['401 with another code of ours', ({ sid }) => json(401, refusal('invalid_credentials', sid), problemHeaders)],
  ...[
    'signed_out',
    'SESSION_REVOKED',
    'session_revoked ',
    'toString',
    '__proto__',
    '',
    null,
    401,
    ['session_revoked'],
  ].map((code): Row => [
    `401 with the code ${JSON.stringify(code)}`,
    ({ sid }) => json(401, refusal(code, sid), problemHeaders),
  ]),
  ['401 without a code', ({ sid }) => json(401, { status: 401, sid }, problemHeaders)],
  ...refusals.flatMap((code): Row[] => [
    [`${code} of another session`, () => json(401, refusal(code, foreignId), problemHeaders)],
    [`${code} of no session`, () => json(401, refusal(code), problemHeaders)],
  ]),
  ['a sid in an array', ({ sid }) => json(401, refusal('session_revoked', [sid]), problemHeaders)],
  [
    'a sid inside something',
    ({ sid }) => json(401, { ...refusal('session_revoked'), session: { sid } }, problemHeaders),
  ],
  ['the person’s id for the sid', ({ sub }) => json(401, refusal('session_revoked', sub), problemHeaders)],
  ['an empty sid', () => json(401, refusal('session_revoked', ''), problemHeaders)],
  ['a null sid', () => json(401, refusal('session_revoked', null), problemHeaders)],
]

const rows = (verdict: Verdict, of: Row[]): AnswerShape[] => of.map(([name, answer]) => ({ name, verdict, answer }))

export const answerShapes: readonly AnswerShape[] = [
  ...rows('renewed', renewed),
  ...rows('refused', refused),
  ...rows('undeliverable', undeliverable),
]

const bodyless = new Set([204, 205, 304])

/** As `fetch` in Node would give it to the worker. */
export async function asResponse(raw: Raw): Promise<Response> {
  if (typeof raw === 'string') throw new TypeError('Failed to fetch')
  const { status, headers, body, cutShort } = raw
  if (bodyless.has(status)) return new Response(null, { status, headers })
  if (!cutShort) return new Response(body, { status, headers })
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(String(body)))
      controller.error(new TypeError('terminated'))
    },
  })
  return new Response(stream, { status, headers })
}

/** As a server writes it to a connection. */
export function asAnswer(raw: Raw): OwnAnswer {
  return (response) => {
    if (raw === 'reset') return void response.socket?.resetAndDestroy()
    if (raw === 'babble') return void response.socket?.end('BABBLE 1\r\n\r\n')
    const { status, headers, body, cutShort } = raw
    if (!cutShort) return void response.writeHead(status, headers).end(bodyless.has(status) ? undefined : body)
    response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body) + 100) })
    response.write(body, () => response.socket?.destroy())
  }
}
