// The server as tests speak to it: requests to the real app on a real database, a clock to move, and what it logged.
import { expect } from 'vitest'
import { createApp } from '#server/app.ts'
import type { Database } from '#server/db/database.ts'
import { defaultLimits, type Limits } from '#server/http/limits.ts'
import { createLog } from '#server/log.ts'
import { loadStaticFiles } from '#server/http/static.ts'
import { uuidv7 } from '#shared/ids.ts'
import { password } from './people.ts'
import type { Problem } from '#shared/problem-form.ts'

export const origin = 'http://localhost:8080'

export interface Sent {
  body?: unknown
  headers?: Record<string, string>
}

export interface Answered {
  status: number
  headers: Headers
  // Whatever came: tests say what it must be.
  body: any // oxlint-disable-line typescript/no-explicit-any
  text: string
}

export interface TestApp {
  db: Database
  /** Moves the server's clock. */
  pass(ms: number): void
  nowMs(): number
  /** Everything logged so far, as text. */
  logged(): string
  fetch(request: Request): Promise<Response>
  send(method: string, path: string, sent?: Sent): Promise<Answered>
  /** The token of the newest mail with a link to this address. */
  mailedToken(email: string): Promise<string>
}

export interface TestAppOptions {
  limits?: Partial<Limits>
  apiPublicUrl?: string
  corsOrigins?: string[]
  files?: string
}

/** Held on to, because a test of the device puts another clock in the place of the global one. */
const realNow = Date.now

/** Far above what a test does, so that only tests of limits meet them. */
const looseLimits = Object.fromEntries(
  Object.keys(defaultLimits).map((name) => [name, { most: 10_000, windowMs: 60_000 }]),
) as Limits

export async function startTestApp(db: Database, options: TestAppOptions = {}): Promise<TestApp> {
  let passedMs = 0
  const lines: string[] = []
  const clock = () => realNow() + passedMs
  const { apiPublicUrl = origin } = options
  const app = await createApp({
    services: {
      db,
      clock,
      limits: { ...looseLimits, ...options.limits },
      log: createLog({ write: (line) => void lines.push(line) }),
      mailQueued: () => {},
      workDue: () => {},
      publicUrl: origin,
      apiPublicUrl,
    },
    settings: { publicUrl: origin, apiPublicUrl, corsOrigins: options.corsOrigins ?? [], trustProxy: 1 },
    files: loadStaticFiles(options.files ?? 'no such folder'),
    mailbox: null,
  })
  const fetch = async (request: Request) => app.fetch(request)
  return {
    db,
    fetch,
    nowMs: clock,
    pass: (ms) => void (passedMs += ms),
    logged: () => lines.join(''),
    async send(method, path, { body, headers = {} } = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined
      const answer = await fetch(
        new Request(origin + path, {
          method,
          headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
          body: isRaw ? ((body as string | undefined) ?? null) : JSON.stringify(body),
        }),
      )
      const text = await answer.text()
      const isJson = /json/.test(answer.headers.get('content-type') ?? '')
      return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : text }
    },
    async mailedToken(email) {
      const mail = await db.asJobs((tx) =>
        tx
          .selectFrom('mails')
          .selectAll()
          .where('recipient', '=', email)
          .where('bodyText', 'like', '%Token=%')
          .orderBy('createdAt', 'desc')
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirstOrThrow(),
      )
      return /Token=([\w-]+)/.exec(mail.bodyText)![1]!
    },
  }
}

/** A signed-in person of a test, who speaks with a Bearer. */
export interface Actor {
  email: string
  userId: string
  accessToken: string
  refreshToken: string
  send(method: string, path: string, sent?: Sent): Promise<Answered>
}

export async function register(app: TestApp, email = `${uuidv7()}@example.com`, name = 'Ann'): Promise<Actor> {
  const { status, body } = await app.send('POST', '/api/v1/auth/register', { body: { name, email, password } })
  expect(status).toBe(201)
  const actor: Actor = {
    ...body,
    email,
    userId: claims(body.accessToken).sub,
    send: (method, path, sent = {}) =>
      app.send(method, `/api/v1${path}`, {
        ...sent,
        headers: { authorization: `Bearer ${actor.accessToken}`, ...sent.headers },
      }),
  }
  return actor
}

/** Registered, and the mailed link opened. */
export async function verifiedActor(app: TestApp, email?: string, name?: string): Promise<Actor> {
  const actor = await register(app, email, name)
  const { status, body } = await actor.send('GET', `/auth/verify-email?token=${await app.mailedToken(actor.email)}`)
  expect(status).toBe(200)
  actor.accessToken = body.accessToken
  return actor
}

export function claims(token: string): {
  sub: string
  sid: string
  status: string
  exp: number
  iat: number
  gen: number
} {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
}

/** Checks that an answer is a problem of ours, whole. */
export function expectProblem({ status, headers, body }: Answered, expected: Partial<Problem>): void {
  expect({ ...body, httpStatus: status }).toMatchObject({ ...expected, httpStatus: body.status })
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(body).toMatchObject({ type: `urn:docket:problem:${body.code}`, title: expect.any(String) })
  expect(body.instance).toMatch(/^[0-9a-f-]{36}$/)
}
