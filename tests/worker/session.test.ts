// The session through the worker: src/sw.ts itself, against the real server on a real database (HOUSE.md "Tests").
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { apiPath, personHeader, type Endpoint } from '#shared/endpoint.ts'
import { endpoints } from '#shared/endpoints.ts'
import { uuidv7 } from '#shared/ids.ts'
import { answerShapes, asResponse } from '#tests/support/answer-shapes.ts'
import { claims, startTestApp, type TestApp } from '#tests/support/app.ts'
import { expired } from '#tests/support/expired.ts'
import { password, until } from '#tests/support/people.ts'
import { organizationBody } from '#tests/support/bodies.ts'
import { openFresh } from '#tests/support/database.ts'
import { openBrowser, type Browser } from '#tests/support/worker-scope.ts'

const minute = 60_000
let app: TestApp
let browser: Browser
beforeAll(async () => {
  app = await startTestApp(await openFresh('postgresql'))
})
afterAll(() => app.db.close())
beforeEach(async () => {
  browser = openBrowser((request) => app.fetch(request))
  await browser.startWorker()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const isRefresh = ({ url }: Request) => url.endsWith('/auth/refresh-token')
const refreshes = () => browser.sent.filter(isRefresh).length
const tokensOf = async () => (await browser.vault())!.state

async function register(email = `${uuidv7()}@example.com`): Promise<string> {
  const { status } = await browser.call('/api/v1/auth/register', {
    method: 'POST',
    body: JSON.stringify({ name: 'Ann', email, password }),
  })
  expect(status).toBe(201)
  return email
}

async function verified(): Promise<void> {
  const email = await register()
  const token = await app.mailedToken(email)
  expect((await browser.call(`/api/v1/auth/verify-email?token=${token}`)).status).toBe(200)
}

describe('tokens stay in the worker', () => {
  test('the page gets the session in their place, never a token', async () => {
    const email = `${uuidv7()}@example.com`
    const { status, body, headers } = await browser.call('/api/v1/auth/register', {
      method: 'POST',
      body: JSON.stringify({ name: 'Ann', email, password }),
    })
    expect(status).toBe(201)
    expect(Object.keys(body).toSorted()).toEqual(['expiresAt', 'status', 'userId'])
    expect(body.status).toBe('WAITING_FOR_EMAIL_VERIFICATION')
    const { authToken, refreshToken } = await tokensOf()
    const everything = JSON.stringify([body, [...headers], browser.told])
    expect(everything).not.toContain(authToken)
    expect(everything).not.toContain(refreshToken)
    expect(browser.told).toEqual([{ type: 'session-changed', session: body }])
    expect(await browser.vault()).toMatchObject({ version: 1, state: { authToken: expect.any(String) } })
  })

  test('the session is bound to this device’s key from the first call on', async () => {
    await register()
    const session = await app.db.asAuth(async (tx) => {
      const { sid } = claims((await tokensOf()).authToken)
      return tx.selectFrom('sessions').select('deviceKey').where('id', '=', sid).executeTakeFirstOrThrow()
    })
    expect(session.deviceKey).toMatch(/^[\w-]{43}$/)
  })

  test('verifying makes it ACTIVE; a failed one changes nothing', async () => {
    const email = await register()
    const before = await tokensOf()
    expect((await browser.call('/api/v1/auth/verify-email?token=v_wrong')).status).toBe(410)
    expect(await tokensOf()).toEqual(before)
    const answer = await browser.call(`/api/v1/auth/verify-email?token=${await app.mailedToken(email)}`)
    expect(answer).toMatchObject({ status: 200, body: { status: 'ACTIVE' } })
    expect((await tokensOf()).refreshToken).toBe(before.refreshToken)
  })

  test('opened on another device, the link starts a session there', async () => {
    const email = await register()
    const token = await app.mailedToken(email)
    browser = openBrowser((request) => app.fetch(request))
    await browser.startWorker()
    expect(await browser.call(`/api/v1/auth/verify-email?token=${token}`)).toMatchObject({
      status: 200,
      body: { status: 'ACTIVE' },
    })
    expect((await tokensOf()).refreshToken).toMatch(/^r_/)
  })

  test('whatever the page sets as Authorization or DPoP is dropped', async () => {
    await verified()
    await browser.call('/api/v1/organizations', { headers: { authorization: 'Bearer stolen', dpop: 'forged' } })
    const last = browser.sent.at(-1)!
    expect(last.headers.get('authorization')).toBe(`Bearer ${(await tokensOf()).authToken}`)
    expect(last.headers.has('dpop')).toBe(false)
  })
})

describe('only our calls', () => {
  test('navigations to the API, other paths and other origins are left alone', async () => {
    await verified()
    for (const [url, init] of [
      ['/api/v1/organizations', { mode: 'navigate' as const }],
      ['/dev/mailbox', {}],
      ['https://elsewhere.example/api/v1/organizations', {}],
    ] as const) {
      browser.network = async () => new Response('theirs')
      await browser.fetch(url, init)
      expect(browser.sent.at(-1)!.headers.has('authorization')).toBe(false)
    }
  })

  test('what the gateway in a page sends is left alone, when the worker has taken that page over meanwhile', async () => {
    await verified()
    const before = await browser.vault()
    const body = JSON.stringify({ refreshToken: 'r_of-a-session-that-ended-before' })
    const farewell = { method: 'POST', body, headers: { dpop: 'its own' }, redirect: 'manual' as const }
    browser.network = async () => new Response(null, { status: 204, headers: { 'x-docket': '1' } })
    await browser.fetch('/api/v1/auth/logout', farewell)
    expect(await browser.sent.at(-1)!.text()).toBe(body)
    expect(browser.sent.at(-1)!.headers.get('dpop')).toBe('its own')
    expect(await browser.vault()).toEqual(before)
  })

  test('signed out, a call that needs a session never leaves the device', async () => {
    const before = browser.sent.length
    const ask = ({ method, path }: Endpoint) =>
      browser.fetch(apiPath + path.replaceAll(/\{\w+\}/g, () => uuidv7()), { method })
    for (const endpoint of Object.values(endpoints)) {
      if (endpoint.auth !== 'session' && endpoint.auth !== 'verified') continue
      const answer = await ask(endpoint)
      const answered = { path: endpoint.path, status: answer.status, ...((await answer.json()) as object) }
      expect(answered).toMatchObject({ status: 401, code: 'invalid_token', detail: 'No auth token' })
    }
    expect(browser.sent).toHaveLength(before)
    const everybodys = Object.values(endpoints).filter(({ path }) => path.startsWith('/public/'))
    for (const endpoint of everybodys) await ask(endpoint)
    await browser.fetch('/api/v1/openapi.json')
    expect(browser.sent).toHaveLength(before + everybodys.length + 1)
    const refresh = await browser.call('/api/v1/auth/refresh-token', { method: 'POST', body: '{}' })
    expect(refresh.body).toMatchObject({ code: 'invalid_token', detail: 'No refresh token' })
    expect(await browser.call('/api/v1/auth/session')).toMatchObject({ status: 200, body: { status: 'anonymous' } })
  })

  test('signed out without having heard of it, a page is told with the answer', async () => {
    const told = () => browser.told.filter(({ type }) => type === 'session-changed')
    await browser.call('/api/v1/organizations')
    expect(told()).toEqual([])
    const { status } = await browser.call('/api/v1/organizations', { headers: { [personHeader]: uuidv7() } })
    expect(status).toBe(401)
    expect(told()).toEqual([{ type: 'session-changed', session: { status: 'anonymous' } }])
  })

  test('a redirect is not followed with the Bearer', async () => {
    await verified()
    browser.network = async (request) => {
      expect(request.redirect).toBe('manual')
      return new Response(null, { status: 302, headers: { location: 'https://evil.example/' } })
    }
    expect((await browser.call('/api/v1/organizations')).status).toBe(503)
  })
})

describe('renewing', () => {
  test('within 15 seconds of exp, before the call; not a second earlier', async () => {
    await verified()
    app.pass(585_000 - 3000)
    browser.clockOffMs += 585_000 - 3000
    await browser.call('/api/v1/organizations')
    expect(refreshes()).toBe(0)
    app.pass(4000)
    browser.clockOffMs += 4000
    const old = (await tokensOf()).authToken
    expect((await browser.call('/api/v1/organizations')).status).toBe(200)
    expect(refreshes()).toBe(1)
    expect((await tokensOf()).authToken).not.toBe(old)
    expect(browser.sent.at(-1)!.headers.get('authorization')).toBe(`Bearer ${(await tokensOf()).authToken}`)
  })

  test('single flight: twenty calls at once renew once, and all are answered', async () => {
    await verified()
    app.pass(10 * minute)
    browser.clockOffMs += 10 * minute
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.call('/api/v1/organizations')))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(refreshes()).toBe(1)
  })

  test('a phone whose clock is two days off works: the server’s date corrects it', async () => {
    browser.clockOffMs = -2 * 24 * 60 * minute
    await verified()
    expect((await browser.call('/api/v1/organizations')).status).toBe(200)
    browser.clockOffMs = 2 * 24 * 60 * minute
    await browser.startWorker()
    expect((await browser.call('/api/v1/organizations')).status).toBe(200)
    expect((await browser.call('/api/v1/organizations')).status).toBe(200)
    // One renewal, which the clock caused before the first answer had corrected it: asked for a nonce, then done.
    expect(refreshes()).toBe(2)
  })

  test('a 401 with a token that looks good: renewed once, tried once more, then the 401 is the page’s', async () => {
    await verified()
    let refusals = 1
    browser.network = async (request) => {
      if (request.url.endsWith('/organizations') && refusals-- > 0)
        return app.fetch(new Request(request.url, { headers: { authorization: 'Bearer a.b.c' } }))
      return app.fetch(request)
    }
    expect((await browser.call('/api/v1/organizations')).status).toBe(200)
    expect(refreshes()).toBe(1)
    refusals = 2
    expect((await browser.call('/api/v1/organizations')).status).toBe(401)
    expect(refreshes()).toBe(2)
  })

  test('an answer that was lost costs nothing: the same call with the same token works again', async () => {
    await verified()
    app.pass(10 * minute)
    browser.clockOffMs += 10 * minute
    let lose = true
    browser.network = async (request) => {
      const answer = await app.fetch(request.clone())
      if (isRefresh(request) && lose) {
        lose = false
        throw new TypeError('network')
      }
      return answer
    }
    expect((await browser.call('/api/v1/organizations')).status).toBe(503)
    await browser.post({ type: 'try-now' })
    expect((await browser.call('/api/v1/organizations')).status).toBe(200)
  })

  test('the page going away does not stop a renewal', async () => {
    await verified()
    app.pass(10 * minute)
    browser.clockOffMs += 10 * minute
    const old = await tokensOf()
    const leaving = new AbortController()
    let arrived = false
    browser.network = async (request) => {
      if (isRefresh(request)) {
        leaving.abort()
        arrived = !request.signal.aborted
      }
      return app.fetch(request)
    }
    await expect(browser.fetch('/api/v1/organizations', { signal: leaving.signal })).rejects.toThrow(/abort/i)
    await until(async () => (await tokensOf()).authToken !== old.authToken)
    expect(arrived).toBe(true)
  })

  test('persist, then use: the new pair lies on the disk before its access token is sent', async () => {
    await verified()
    app.pass(10 * minute)
    browser.clockOffMs += 10 * minute
    browser.network = async (request) => {
      const bearer = request.headers.get('authorization')
      if (bearer) expect(bearer).toBe(`Bearer ${(await tokensOf()).authToken}`)
      return app.fetch(request)
    }
    expect((await browser.call('/api/v1/organizations')).status).toBe(200)
  })

  test('killed and started again: the session is there', async () => {
    await verified()
    await browser.startWorker()
    expect(await browser.call('/api/v1/auth/session')).toMatchObject({ body: { status: 'ACTIVE' } })
    expect((await browser.call('/api/v1/organizations')).status).toBe(200)
  })

  test('another nonce is asked for once: a renewal after a long sleep is two trips, not a failure', async () => {
    await verified()
    app.pass(24 * 60 * minute)
    browser.clockOffMs += 24 * 60 * minute
    await browser.startWorker()
    expect((await browser.call('/api/v1/organizations')).status).toBe(200)
    expect(refreshes()).toBe(2)
  })
})

describe('refused, or undeliverable', () => {
  const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/problem+json', 'x-docket': '1', ...headers },
    })
  const otherSub = () =>
    `h.${Buffer.from(JSON.stringify({ sub: uuidv7(), exp: 9e9, status: 'ACTIVE' })).toString('base64url')}.s`

  describe('every shape of an answer', () => {
    let device: Browser | null = null
    beforeEach(async () => {
      // One device for all of them: each ends with the session as it was.
      if (device === null) {
        await verified()
        device = browser
      }
      browser = device
      await browser.startWorker()
    })

    test.each(answerShapes.map((shape) => [`${shape.verdict}: ${shape.name}`, shape] as const))(
      '%s',
      async (_, shape) => {
        const putBack = await browser.setAside()
        const { authToken, refreshToken } = await tokensOf()
        const { sid, sub } = claims(authToken)
        const over = { version: 1, state: { authToken: expired(authToken), refreshToken } }
        await browser.writeVault(over)
        const raw = shape.answer({ sid, sub, accessToken: authToken, refreshToken })
        const toldBefore = browser.told.length
        browser.network = (request) => (isRefresh(request) ? asResponse(raw) : app.fetch(request))
        const { status, body } = await browser.call('/api/v1/organizations')
        browser.network = (request) => app.fetch(request)
        const vault = await browser.vault()
        switch (shape.verdict) {
          case 'renewed':
            expect(status).toBe(200)
            return expect(vault?.state).toEqual({ authToken, refreshToken })
          case 'refused':
            expect(status).toBe(401)
            expect(vault?.state).toEqual({ authToken: '', refreshToken: '' })
            expect(browser.told.slice(toldBefore)).toEqual([
              { type: 'session-changed', session: { status: 'anonymous' } },
            ])
            return putBack()
          case 'undeliverable':
            expect({ status, code: body.code }).toEqual({ status: 503, code: 'undeliverable' })
            expect(vault).toEqual(over)
            expect(await browser.call('/api/v1/auth/session')).toMatchObject({ body: { status: 'ACTIVE' } })
            await browser.startWorker()
            expect((await browser.call('/api/v1/organizations')).status).toBe(200)
        }
      },
    )
  })

  test('between tries it waits ever longer; whoever comes back need not', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    await browser.startWorker()
    await verified()
    app.pass(10 * minute)
    browser.clockOffMs += 10 * minute
    browser.network = () => Promise.reject(new TypeError('Failed to fetch'))
    const call = async () => (await browser.call('/api/v1/organizations')).status
    const triesAt: number[] = []
    for (let second = 0; second <= 200; second += 1) {
      const before = refreshes()
      expect(await call()).toBe(503)
      if (refreshes() > before) triesAt.push(second)
      browser.clockOffMs += 1000
    }
    expect(triesAt).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183])
    const before = refreshes()
    await browser.post({ type: 'try-now' })
    expect(await call()).toBe(503)
    expect(refreshes()).toBe(before + 1)
    browser.network = (request) => app.fetch(request)
    await browser.post({ type: 'try-now' })
    expect(await call()).toBe(200)
  })

  test('a Retry-After of the server’s own is kept, whoever comes back', async () => {
    await verified()
    app.pass(10 * minute)
    browser.clockOffMs += 10 * minute
    browser.network = async (request) =>
      isRefresh(request)
        ? json(503, { code: 'unavailable', status: 503 }, { 'retry-after': '120' })
        : app.fetch(request)
    const call = async () => (await browser.call('/api/v1/organizations')).status
    expect(await call()).toBe(503)
    const before = refreshes()
    browser.network = (request) => app.fetch(request)
    browser.clockOffMs += 119_000
    await browser.post({ type: 'try-now' })
    expect(await call()).toBe(503)
    expect(refreshes()).toBe(before)
    browser.clockOffMs += 2000
    expect(await call()).toBe(200)
  })

  test('after many tries in vain a 429 is waited out as long as it asks, and no longer, by whoever comes back', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    await browser.startWorker()
    await verified()
    app.pass(10 * minute)
    browser.clockOffMs += 10 * minute
    const callAnew = async () => {
      await browser.post({ type: 'try-now' })
      return (await browser.call('/api/v1/organizations')).status
    }
    browser.network = () => Promise.reject(new TypeError('Failed to fetch'))
    for (let tries = 0; tries < 8; tries += 1) expect(await callAnew()).toBe(503)
    browser.network = async (request) =>
      isRefresh(request)
        ? json(429, { code: 'too_many_requests', status: 429 }, { 'retry-after': '3' })
        : app.fetch(request)
    expect(await callAnew()).toBe(503)
    browser.network = (request) => app.fetch(request)
    const before = refreshes()
    browser.clockOffMs += 2000
    expect(await callAnew()).toBe(503)
    expect(refreshes()).toBe(before)
    browser.clockOffMs += 1000
    // Of itself the device would wait for a minute by now.
    expect(await callAnew()).toBe(200)
    expect(refreshes()).toBe(before + 1)
  })

  test.each([
    ['never answers', () => new Promise<never>(() => {})],
    ['begins to answer', async () => new Response(new ReadableStream(), { headers: { 'x-docket': '1' } })],
  ])('a renewal that %s is asked beside by the next trigger, and what waits for it goes on', async (_, hang) => {
    await verified()
    browser.clockOffMs += 10 * minute
    const before = refreshes()
    const { network } = browser
    // As a network that is gone leaves it: a connection of before never answers.
    browser.network = (request) => (isRefresh(request) ? hang() : network(request))
    const waiting = browser.call('/api/v1/organizations')
    await until(async () => refreshes() > before || undefined)
    browser.network = network
    // Not before it is plain that it hangs: a slow answer is one.
    void browser.post({ type: 'try-now' })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(refreshes()).toBe(before + 1)
    browser.clockOffMs += 2000
    void browser.post({ type: 'try-now' })
    expect((await waiting).status).toBe(200)
    expect(refreshes()).toBe(before + 2)
  })

  test('a cold start offline with an expired token is signed in', async () => {
    await verified()
    browser.clockOffMs += 30 * 24 * 60 * minute
    browser.network = () => Promise.reject(new TypeError('Failed to fetch'))
    await browser.startWorker()
    expect(await browser.call('/api/v1/auth/session')).toMatchObject({ status: 200, body: { status: 'ACTIVE' } })
  })

  test('revoked: both tokens are cleared, every tab is told, the call fails', async () => {
    await verified()
    const { sid } = claims((await tokensOf()).authToken)
    await app.db.asAuth((tx) =>
      tx
        .updateTable('sessions')
        .set({ revokedAt: new Date().toISOString(), revokeReason: 'signed_out' })
        .where('id', '=', sid)
        .execute(),
    )
    app.pass(10 * minute)
    browser.clockOffMs += 10 * minute
    const { status } = await browser.call('/api/v1/organizations')
    expect(status).toBe(401)
    expect(await tokensOf()).toEqual({ authToken: '', refreshToken: '' })
    expect(browser.told.at(-1)).toEqual({ type: 'session-changed', session: { status: 'anonymous' } })
  })

  test('a stale refusal does not wipe a newer pair', async () => {
    await verified()
    app.pass(10 * minute)
    browser.clockOffMs += 10 * minute
    const { authToken } = await tokensOf()
    const newer = { version: 1, state: { authToken: otherSub(), refreshToken: 'r_newer' } }
    browser.network = async (request) => {
      if (!isRefresh(request)) return app.fetch(request)
      await browser.writeVault(newer)
      return json(401, { code: 'session_revoked', status: 401, sid: claims(authToken).sid })
    }
    await browser.call('/api/v1/organizations')
    expect(await browser.vault()).toEqual(newer)
  })

  test('a vault of a version unknown here means signed out, and is left as it is until a sign-in', async () => {
    const future = { version: 2, state: { authToken: 'x', refreshToken: 'y' } }
    await browser.writeVault(future)
    expect(await browser.call('/api/v1/auth/session')).toMatchObject({ body: { status: 'anonymous' } })
    expect(await browser.vault()).toEqual(future)
  })
})

describe('signing out', () => {
  const signOut = () => browser.call('/api/v1/auth/logout', { method: 'POST', body: '{}' })

  test('here at once, at the server too', async () => {
    await verified()
    const { authToken } = await tokensOf()
    expect((await signOut()).status).toBe(204)
    expect(await tokensOf()).toEqual({ authToken: '', refreshToken: '' })
    await until(async () => {
      const headers = { authorization: `Bearer ${authToken}` }
      return (await app.send('GET', '/api/v1/account', { headers })).status === 401
    })
  })

  test('offline: at once here; the server is told as soon as it can be reached', async () => {
    await verified()
    const { authToken } = await tokensOf()
    browser.network = () => Promise.reject(new TypeError('Failed to fetch'))
    expect((await signOut()).status).toBe(204)
    browser.network = (request) => app.fetch(request)
    await browser.startWorker()
    // Also for a page whose own note of it never came to the disk: of whoever left nothing stays, what they typed either.
    expect((await browser.call('/api/v1/auth/session')).body).toEqual({ status: 'anonymous', isLeft: true })
    await browser.call('/api/v1/openapi.json')
    await until(async () => {
      const headers = { authorization: `Bearer ${authToken}` }
      return (await app.send('GET', '/api/v1/account', { headers })).status === 401
    })
  })

  test('signing in anew while signed in: the session it takes the place of ends at the server', async () => {
    const email = await register()
    const { authToken } = await tokensOf()
    const answer = await browser.call('/api/v1/auth/login', {
      method: 'POST',
      body: JSON.stringify({ email, password }),
    })
    expect(answer.status).toBe(200)
    await browser.call('/api/v1/account')
    await until(async () => {
      const headers = { authorization: `Bearer ${authToken}` }
      return (await app.send('GET', '/api/v1/account', { headers })).status === 401
    })
    expect((await browser.call('/api/v1/account')).status).toBe(200)
  })

  test('a verification that was answered after somebody else signed in does not change their session', async () => {
    const ann = await register()
    const token = await app.mailedToken(ann)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    browser.network = async (request) => {
      const answer = await app.fetch(request)
      if (request.url.includes('verify-email')) await held
      return answer
    }
    const before = browser.sent.length
    const verifying = browser.call(`/api/v1/auth/verify-email?token=${token}`)
    await until(() => browser.sent.length > before)
    await signOut()
    await register()
    const theirs = await tokensOf()
    release()
    await verifying
    expect(await tokensOf()).toEqual(theirs)
  })

  test('a renewal that the server answered before a verification, and that comes after it, does not take the verification back', async () => {
    const email = await register()
    const token = await app.mailedToken(email)
    let isVerified = false
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    browser.network = async (request) => {
      const answer = await app.fetch(request)
      if (isRefresh(request) && answer.ok) await held
      isVerified ||= request.url.includes('verify-email')
      return answer
    }
    const before = refreshes()
    const renewing = browser.call('/api/v1/auth/refresh-token', { method: 'POST', body: '{}' })
    await until(() => refreshes() > before)
    const verifying = browser.call(`/api/v1/auth/verify-email?token=${token}`)
    await until(() => isVerified)
    // Time enough for it to be stored, if nothing held it back.
    await Promise.race([verifying, new Promise((resolve) => setTimeout(resolve, 200))])
    release()
    await renewing
    expect((await verifying).body.status).toBe('ACTIVE')
    expect((await browser.call('/api/v1/auth/session')).body.status).toBe('ACTIVE')
  })

  test('a sign-in under way in another tab keeps the key that its session is bound to', async () => {
    const email = await register()
    await signOut()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let reached = false
    browser.network = async (request) => {
      const answer = await app.fetch(request)
      if (request.url.endsWith('/auth/login') && answer.ok) {
        reached = true
        await held
      }
      return answer
    }
    const signIn = browser.call('/api/v1/auth/login', { method: 'POST', body: JSON.stringify({ email, password }) })
    await until(() => reached)
    await signOut()
    release()
    expect((await signIn).status).toBe(200)
    app.pass(10 * minute)
    browser.clockOffMs += 10 * minute
    expect((await browser.call('/api/v1/account')).status).toBe(200)
  })

  test('what was kept to be told is told when the network comes back, not only with the next call', async () => {
    await verified()
    const { authToken } = await tokensOf()
    browser.network = () => Promise.reject(new TypeError('Failed to fetch'))
    expect((await signOut()).status).toBe(204)
    await until(() => browser.sent.some(({ url }) => url.endsWith('/auth/logout')))
    browser.network = (request) => app.fetch(request)
    await browser.post({ type: 'try-now' })
    const headers = { authorization: `Bearer ${authToken}` }
    expect((await app.send('GET', '/api/v1/account', { headers })).status).toBe(401)
  })

  test('one person’s write is never done as another who signed in meanwhile', async () => {
    await verified()
    const alice = await tokensOf()
    await app.db.asAuth((tx) =>
      tx
        .updateTable('sessions')
        .set({ revokedAt: new Date(app.nowMs()).toISOString(), revokeReason: 'ended_elsewhere' })
        .where('id', '=', claims(alice.authToken).sid)
        .execute(),
    )
    app.pass(1000)
    let bob = ''
    browser.network = async (request) => {
      const answer = await app.fetch(request)
      if (request.method === 'PUT' && bob === '') {
        bob = 'signing in'
        bob = await register()
      }
      return answer
    }
    const rename = { method: 'PUT', body: JSON.stringify({ name: 'Renamed by Alice' }) }
    expect((await browser.call('/api/v1/account', rename)).status).toBe(401)
    const { body } = await browser.call('/api/v1/account')
    expect(body).toMatchObject({ email: bob, name: 'Ann' })
  })

  test('a screen that still shows somebody else gets nothing done with this person’s token', async () => {
    await verified()
    const before = browser.sent.length
    const headers = { 'x-docket-person': uuidv7() }
    const { status, body } = await browser.call('/api/v1/account', { headers })
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'invalid_token' })
    const out = await browser.call('/api/v1/auth/logout', { method: 'POST', body: '{}', headers })
    expect({ status: out.status, code: out.body.code }).toEqual({ status: 401, code: 'invalid_token' })
    expect(browser.sent).toHaveLength(before)
    const own = { 'x-docket-person': claims((await tokensOf()).authToken).sub }
    expect((await browser.call('/api/v1/account', { headers: own })).status).toBe(200)
    expect(browser.sent.at(-1)!.headers.has('x-docket-person')).toBe(false)
  })

  test('a refresh in flight loses', async () => {
    await verified()
    app.pass(10 * minute)
    browser.clockOffMs += 10 * minute
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    browser.network = async (request) => {
      const answer = await app.fetch(request)
      if (isRefresh(request)) await held
      return answer
    }
    const call = browser.call('/api/v1/organizations')
    await until(() => refreshes() > 0)
    await signOut()
    release()
    await call
    expect(await tokensOf()).toEqual({ authToken: '', refreshToken: '' })
  })
})

test('writes carry the key the page minted, the same on a second try by the gateway', async () => {
  await verified()
  let refusals = 1
  const keys: (string | null)[] = []
  browser.network = async (request) => {
    if (request.method === 'POST' && request.url.endsWith('/organizations')) {
      keys.push(request.headers.get('idempotency-key'))
      if (refusals-- > 0) return app.fetch(new Request(request, { headers: { authorization: 'Bearer a.b.c' } }))
    }
    return app.fetch(request)
  }
  const key = uuidv7()
  const { status } = await browser.call('/api/v1/organizations', {
    method: 'POST',
    body: JSON.stringify(organizationBody()),
    headers: { 'idempotency-key': key },
  })
  expect(status).toBe(201)
  expect(keys).toEqual([key, key])
})

describe('the shell', () => {
  test('is kept at install; navigations open from it with the server gone', async () => {
    const packed = { '/assets/small.js': 'packed small.js' }
    browser.network = async (request) => {
      const { pathname } = new URL(request.url)
      return pathname.endsWith('.pack') ? Response.json(packed) : new Response(`kept ${pathname}`)
    }
    await (await caches.open('assets/before.pack')).put('/assets/before.js', new Response('before'))
    await browser.dispatch('install')
    await browser.dispatch('activate')
    expect(browser.claimed()).toBe(true)
    browser.network = () => Promise.reject(new TypeError('Failed to fetch'))
    const open = async (path: string) => (await browser.fetch(path, { mode: 'navigate' })).text()
    expect(await open('/dashboard')).toContain('/dashboard.html')
    expect(await open('/organization/1/invoices/2?x=1')).toContain('/index.html')
    expect(await open('/login')).toContain('/login.html')
    expect(await (await browser.fetch('/assets/start-abc.js')).text()).toContain('/assets/start-abc.js')
    const small = await browser.fetch('/assets/small.js')
    expect([small.headers.get('content-type'), await small.text()]).toEqual(['text/javascript', 'packed small.js'])
    await expect(browser.fetch('/assets/before.js')).rejects.toThrow('Failed to fetch')
    await expect(browser.fetch('/assets/other.js')).rejects.toThrow('Failed to fetch')
    await expect(browser.fetch('/dev/mailbox', { mode: 'navigate' })).rejects.toThrow('Failed to fetch')
  })

  test('a worker whose pack does not come is not installed', async () => {
    browser.network = async (request) => new Response(null, { status: request.url.endsWith('.pack') ? 404 : 200 })
    await expect(browser.dispatch('install')).rejects.toThrow('assets/small.pack: 404')
  })

  test('a page may ask to be taken over', async () => {
    expect(browser.claimed()).toBe(false)
    await browser.post({ type: 'claim' })
    expect(browser.claimed()).toBe(true)
  })
})
