// Registering, signing in, verifying, signing out: one table of requests per concern, on both engines.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { claims, expectProblem, register, startTestApp, verifiedActor, type TestApp } from '#tests/support/app.ts'
import { password } from '#tests/support/people.ts'
import { engines, openFresh } from '#tests/support/database.ts'

const minute = 60_000
const day = 24 * 60 * minute

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
  })
  afterAll(() => app.db.close())

  describe('register', () => {
    test('answers exactly a pair, with the claims of the seed', async () => {
      const email = 'Grete.Meier@Example.com'
      const { status, body, headers, text } = await app.send('POST', '/api/v1/auth/register', {
        body: { name: 'Grete', email, password },
      })
      expect(status).toBe(201)
      expect(Object.keys(body).toSorted()).toEqual(['accessToken', 'refreshToken'])
      const { sub, sid, exp, iat, status: mailStatus, gen } = claims(body.accessToken)
      expect(mailStatus).toBe('WAITING_FOR_EMAIL_VERIFICATION')
      expect({ lifeSeconds: exp - iat, gen }).toEqual({ lifeSeconds: 600, gen: 1 })
      expect([sub, sid].every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true)
      expect(headers.get('x-docket')).toBe('1')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(text).not.toContain(password)
      expect(app.logged()).not.toContain(body.refreshToken)
      expect(app.logged()).not.toContain(password)
      expect(app.logged()).not.toContain(email)
    })

    test('again with the right password is signing in; with another one it is 409 at the email', async () => {
      const { email, userId } = await register(app)
      const again = { name: 'Ann', email: email.toUpperCase(), password }
      const repeated = await app.send('POST', '/api/v1/auth/register', { body: again })
      expect(repeated.status).toBe(200)
      expect(claims(repeated.body.accessToken).sub).toBe(userId)
      const other = await app.send('POST', '/api/v1/auth/register', { body: { ...again, password: 'another-one' } })
      expectProblem(other, {
        status: 409,
        code: 'email_taken',
        errors: [{ pointer: '/email', detail: expect.any(String) }],
      })
    })

    test('twenty at once make one account', async () => {
      const email = `${uuidv7()}@example.com`
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          app.send('POST', '/api/v1/auth/register', { body: { name: 'Ann', email, password } }),
        ),
      )
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        ...Array<number>(19).fill(200),
        201,
      ])
      expect(new Set(answers.map(({ body }) => claims(body.accessToken).sub)).size).toBe(1)
    })

    test.each([
      ['nothing', {}, ['/email', '/name', '/password']],
      ['blank name', { name: ' ', email: 'a@b.org', password }, ['/name']],
      ['no email', { name: 'A', email: 'not one', password }, ['/email']],
      ['short password', { name: 'A', email: 'a@b.org', password: '1234567' }, ['/password']],
      ['wrong types', { name: 1, email: [], password: {} }, ['/email', '/name', '/password']],
      ['a NUL', { name: 'A\0', email: 'a\0@b.org', password }, ['/email', '/name']],
    ])('refuses %s with pointers', async (_, body, pointers) => {
      const answer = await app.send('POST', '/api/v1/auth/register', { body })
      expectProblem(answer, { status: 422, code: 'validation_failed' })
      expect(answer.body.errors.map((error: { pointer: string }) => error.pointer).toSorted()).toEqual(pointers)
    })
  })

  describe('login', () => {
    test('a wrong password and an unknown email get the same answer', async () => {
      const { email } = await register(app)
      const wrong = await app.send('POST', '/api/v1/auth/login', { body: { email, password: 'wrong-password' } })
      const unknown = await app.send('POST', '/api/v1/auth/login', {
        body: { email: 'nobody@example.com', password: 'wrong-password' },
      })
      for (const answer of [wrong, unknown]) expectProblem(answer, { status: 401, code: 'invalid_credentials' })
      const { instance: _, ...rest } = wrong.body
      expect(unknown.body).toMatchObject(rest)
    })

    test('the right one starts a session of its own', async () => {
      const { email, userId, accessToken } = await register(app)
      const { status, body } = await app.send('POST', '/api/v1/auth/login', { body: { email: ` ${email}`, password } })
      expect(status).toBe(200)
      expect(claims(body.accessToken).sub).toBe(userId)
      expect(claims(body.accessToken).sid).not.toBe(claims(accessToken).sid)
    })

    test('nonsense is refused, never a 5xx', async () => {
      for (const email of ['a\0b', '\ud800', 'x'.repeat(900), "' or 1=1 --"]) {
        const { status } = await app.send('POST', '/api/v1/auth/login', { body: { email, password: 'x' } })
        expect([401, 422]).toContain(status)
      }
    })
  })

  describe('verify', () => {
    test('with the Bearer: a new access token alone, ACTIVE; again the same; in another session 410', async () => {
      const actor = await register(app)
      const token = await app.mailedToken(actor.email)
      expect(token).toMatch(/^v_[\w-]{22,}$/)
      for (let turn = 1; turn <= 2; turn += 1) {
        const { status, body } = await actor.send('GET', `/auth/verify-email?token=${token}`)
        expect(status).toBe(200)
        expect(Object.keys(body)).toEqual(['accessToken'])
        expect(claims(body.accessToken)).toMatchObject({ status: 'ACTIVE', sid: claims(actor.accessToken).sid })
      }
      expectProblem(await app.send('GET', `/api/v1/auth/verify-email?token=${token}`), {
        status: 410,
        code: 'link_expired',
      })
      expect(app.logged()).not.toContain(token)
    })

    test('without a Bearer it starts a session on this device', async () => {
      const actor = await register(app)
      const token = await app.mailedToken(actor.email)
      const { status, body } = await app.send('GET', `/api/v1/auth/verify-email?token=${token}`)
      expect(status).toBe(200)
      expect(claims(body.accessToken)).toMatchObject({ sub: actor.userId, status: 'ACTIVE' })
      expect(claims(body.accessToken).sid).not.toBe(claims(actor.accessToken).sid)
      expect(body.refreshToken).toMatch(/^r_/)
    })

    test('with the Bearer of somebody else: 409, and the token is still good', async () => {
      const actor = await register(app)
      const other = await register(app)
      const token = await app.mailedToken(actor.email)
      expectProblem(await other.send('GET', `/auth/verify-email?token=${token}`), {
        status: 409,
        code: 'other_account',
      })
      expect((await actor.send('GET', `/auth/verify-email?token=${token}`)).status).toBe(200)
    })

    test('lasts 24 hours; an unknown one and none are told apart', async () => {
      const late = await startTestApp(app.db)
      const { email } = await register(late)
      const token = await late.mailedToken(email)
      late.pass(day - minute)
      expect((await late.send('GET', `/api/v1/auth/verify-email?token=${token}`)).status).toBe(200)
      const { email: second } = await register(late)
      const secondToken = await late.mailedToken(second)
      late.pass(day)
      expectProblem(await late.send('GET', `/api/v1/auth/verify-email?token=${secondToken}`), { status: 410 })
      expectProblem(await late.send('GET', '/api/v1/auth/verify-email?token=v_nonsense'), { status: 410 })
      expectProblem(await late.send('GET', '/api/v1/auth/verify-email'), {
        status: 422,
        errors: [{ pointer: '/query/token', detail: 'No verification token' }],
      })
    })

    test('is kept as a hash', async () => {
      const { email } = await register(app)
      const token = await app.mailedToken(email)
      const hashes = await app.db.asAuth((tx) => tx.selectFrom('emailTokens').select('tokenHash').execute())
      expect(hashes.map(({ tokenHash }) => tokenHash)).not.toContain(token)
    })
  })

  test('who waits for verification gets 403 outside auth and account', async () => {
    const actor = await register(app)
    expectProblem(await actor.send('GET', '/organizations'), { status: 403, code: 'email_not_verified' })
    expectProblem(await actor.send('GET', `/organizations/${uuidv7()}/invoices`), { status: 403 })
    const { status, body } = await actor.send('GET', '/account')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { email: actor.email, name: 'Ann', status: 'WAITING_FOR_EMAIL_VERIFICATION' },
    })
  })

  test('the server decides by its own row, not by the claim', async () => {
    const actor = await register(app)
    const token = await app.mailedToken(actor.email)
    await app.send('GET', `/api/v1/auth/verify-email?token=${token}`)
    app.pass(1001)
    expect((await actor.send('GET', '/organizations')).status).toBe(200)
  })

  describe('send-verification-mail', () => {
    test('needs the Bearer, sends another link, and nothing to who is verified', async () => {
      expectProblem(await app.send('POST', '/api/v1/auth/send-verification-mail'), {
        status: 401,
        code: 'invalid_token',
      })
      const actor = await register(app)
      const first = await app.mailedToken(actor.email)
      app.pass(1000)
      const sent = await actor.send('POST', '/auth/send-verification-mail')
      expect(sent).toMatchObject({ status: 202, body: { sentTo: actor.email } })
      expect(await app.mailedToken(actor.email)).not.toBe(first)
      const verified = await verifiedActor(app)
      expect((await verified.send('POST', '/auth/send-verification-mail')).status).toBe(204)
    })

    test('one a minute, five an hour, the mail of the registration counted', async () => {
      const limited = await startTestApp(app.db, {
        limits: { mailPerMinute: { most: 1, windowMs: minute }, mailPerHour: { most: 5, windowMs: 60 * minute } },
      })
      const actor = await register(limited)
      const tooSoon = await actor.send('POST', '/auth/send-verification-mail')
      expectProblem(tooSoon, { status: 429, code: 'too_many_requests' })
      expect(Number(tooSoon.headers.get('retry-after'))).toBeGreaterThan(50)
      for (let mail = 2; mail <= 5; mail += 1) {
        limited.pass(minute)
        expect((await actor.send('POST', '/auth/send-verification-mail')).status).toBe(202)
      }
      limited.pass(minute)
      expectProblem(await actor.send('POST', '/auth/send-verification-mail'), { status: 429 })
    })
  })

  describe('limits', () => {
    test('ten failures per account in 15 minutes; a success is not counted', async () => {
      const limited = await startTestApp(app.db, { limits: { signInPerAccount: { most: 10, windowMs: 15 * minute } } })
      const { email } = await register(limited)
      const login = (typed: string) => limited.send('POST', '/api/v1/auth/login', { body: { email, password: typed } })
      for (let turn = 1; turn <= 12; turn += 1) expect((await login(password)).status).toBe(200)
      for (let turn = 1; turn <= 10; turn += 1) expect((await login('wrong-password')).status).toBe(401)
      const blocked = await login(password)
      expectProblem(blocked, { status: 429, code: 'too_many_requests' })
      expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
      limited.pass(15 * minute)
      expect((await login(password)).status).toBe(200)
    })

    test('forty parallel guesses are ten', async () => {
      const limited = await startTestApp(app.db, { limits: { signInPerAccount: { most: 10, windowMs: 15 * minute } } })
      const { email } = await register(limited)
      const answers = await Promise.all(
        Array.from({ length: 40 }, () =>
          limited.send('POST', '/api/v1/auth/login', { body: { email, password: 'wrong-password' } }),
        ),
      )
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
    })

    test('per address, which one trusted proxy names', async () => {
      const limited = await startTestApp(app.db, { limits: { registerPerAddress: { most: 2, windowMs: 60 * minute } } })
      const from = (address: string) =>
        limited.send('POST', '/api/v1/auth/register', {
          body: { name: 'Ann', email: `${uuidv7()}@example.com`, password },
          headers: { 'x-forwarded-for': `6.6.6.6, ${address}` },
        })
      expect([(await from('1.1.1.1')).status, (await from('1.1.1.1')).status]).toEqual([201, 201])
      expectProblem(await from('1.1.1.1'), { status: 429 })
      expect((await from('2.2.2.2')).status).toBe(201)
    })
  })

  describe('sessions', () => {
    test('a refresh without a proof rotates; a repeat gives a sibling; an older one after use ends it', async () => {
      const actor = await register(app)
      const refresh = (pair: { accessToken: string; refreshToken: string }) =>
        app.send('POST', '/api/v1/auth/refresh-token', { body: pair })
      const first = await refresh(actor)
      const sibling = await refresh(actor)
      expect([first.status, sibling.status]).toEqual([200, 200])
      expect(Object.keys(first.body).toSorted()).toEqual(['accessToken', 'refreshToken'])
      expect(new Set([actor.refreshToken, first.body.refreshToken, sibling.body.refreshToken]).size).toBe(3)
      expect((await refresh(first.body)).status).toBe(200)
      const reused = await refresh(actor)
      expectProblem(reused, { status: 401, code: 'reuse_detected', sid: claims(actor.accessToken).sid })
      expectProblem(await refresh(first.body), { status: 401, code: 'reuse_detected' })
    })

    test('using a successor’s access token confirms it too', async () => {
      const actor = await verifiedActor(app)
      const next = await app.send('POST', '/api/v1/auth/refresh-token', { body: actor })
      const headers = { authorization: `Bearer ${next.body.accessToken}` }
      expect((await app.send('GET', '/api/v1/organizations', { headers })).status).toBe(200)
      expectProblem(await app.send('POST', '/api/v1/auth/refresh-token', { body: actor }), { code: 'reuse_detected' })
    })

    test('an unbound session ends after 14 days idle', async () => {
      const late = await startTestApp(app.db)
      const actor = await register(late)
      late.pass(14 * day)
      const refused = await late.send('POST', '/api/v1/auth/refresh-token', { body: actor })
      expectProblem(refused, { status: 401, code: 'session_expired', sid: claims(actor.accessToken).sid })
    })

    test('an unknown refresh token names the session of the access token sent', async () => {
      const actor = await register(app)
      const refused = await app.send('POST', '/api/v1/auth/refresh-token', {
        body: { accessToken: actor.accessToken, refreshToken: 'r_unknown' },
      })
      expectProblem(refused, { status: 401, code: 'invalid_token', sid: claims(actor.accessToken).sid })
      const nameless = await app.send('POST', '/api/v1/auth/refresh-token', {
        body: { accessToken: '', refreshToken: '' },
      })
      expectProblem(nameless, { status: 422, errors: [{ pointer: '/refreshToken', detail: 'No refresh token' }] })
    })

    test('signing out bites at once, whatever the Bearer', async () => {
      const actor = await verifiedActor(app)
      expect((await actor.send('GET', '/account')).status).toBe(200)
      expect((await actor.send('POST', '/auth/logout', { body: {} })).status).toBe(204)
      expectProblem(await actor.send('GET', '/account'), { status: 401, code: 'session_revoked' })
      expect((await actor.send('POST', '/auth/logout', { body: {} })).status).toBe(204)
      const second = await register(app)
      await app.send('POST', '/api/v1/auth/logout', { body: { refreshToken: second.refreshToken } })
      expectProblem(await second.send('GET', '/account'), { status: 401 })
    })

    test.each([
      ['none', {}],
      ['nonsense', { authorization: 'Bearer a.b.c' }],
      ['another scheme', { authorization: 'Basic YTpi' }],
    ])('a Bearer that is %s is 401', async (_, headers) => {
      expectProblem(await app.send('GET', '/api/v1/account', { headers }), { status: 401, code: 'invalid_token' })
    })

    test('an access token ends after ten minutes, and one signed by another key never begins', async () => {
      const late = await startTestApp(app.db)
      const actor = await verifiedActor(late)
      late.pass(10 * minute)
      expectProblem(await actor.send('GET', '/account'), { status: 401, code: 'invalid_token' })
      const [header, payload] = actor.accessToken.split('.')
      const unsigned = [Buffer.from('{"alg":"none"}').toString('base64url'), payload, ''].join('.')
      for (const forged of [`${header}.${payload}.AAAA`, unsigned]) {
        const headers = { authorization: `Bearer ${forged}` }
        expectProblem(await app.send('GET', '/api/v1/account', { headers }), { status: 401 })
      }
    })
  })
})
