// Account care: devices, passwords, the email, taking one's data home, closing account and organization.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { purge } from '#server/purge.ts'
import {
  claims,
  expectProblem,
  register,
  startTestApp,
  verifiedActor,
  type Actor,
  type TestApp,
} from '#tests/support/app.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization, recordPayment } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { makeDevice, sendFrom } from '#tests/support/device.ts'
import { password } from '#tests/support/people.ts'

const minute = 60_000
const day = 24 * 60 * minute
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
  })
  afterAll(() => app.db.close())

  async function login(email: string, userAgent = firefox, secret = password): Promise<Actor> {
    const { status, body } = await app.send('POST', '/api/v1/auth/login', {
      body: { email, password: secret },
      headers: { 'user-agent': userAgent },
    })
    expect(status).toBe(200)
    return asActor(email, body)
  }
  function asActor(email: string, pair: { accessToken: string; refreshToken: string }): Actor {
    return {
      ...pair,
      email,
      userId: claims(pair.accessToken).sub,
      send: (method, path, sent = {}) =>
        app.send(method, `/api/v1${path}`, {
          ...sent,
          headers: { authorization: `Bearer ${pair.accessToken}`, ...sent.headers },
        }),
    }
  }
  const isIn = async (actor: Actor) => (await actor.send('GET', '/account')).status === 200
  const mailsTo = (email: string) =>
    app.db.asJobs((tx) => tx.selectFrom('mails').selectAll().where('recipient', '=', email).orderBy('id').execute())

  describe('devices', () => {
    test('each in words, the asking one marked, the one used last first', async () => {
      const ann = await verifiedActor(app)
      const laptop = await login(ann.email, firefox)
      const phone = await login(ann.email, iphone)
      const { body } = await phone.send('GET', '/account/sessions')
      expect(body.data).toHaveLength(3)
      expect(body.data).toContainEqual(
        expect.objectContaining({ browser: 'Safari', system: 'iOS', current: true, bound: false, refusedAt: null }),
      )
      expect(body.data).toContainEqual(
        expect.objectContaining({
          id: claims(laptop.accessToken).sid,
          browser: 'Firefox',
          system: 'Linux',
          current: false,
          firstSeenAt: expect.any(String),
          lastSeenAt: expect.any(String),
        }),
      )
      expect(JSON.stringify(body)).not.toContain(phone.refreshToken)
    })

    test('one is ended: its access token stops, the others go on; ending it again is fine', async () => {
      const ann = await verifiedActor(app)
      const other = await login(ann.email)
      for (let turn = 1; turn <= 2; turn += 1)
        expect((await ann.send('DELETE', `/account/sessions/${claims(other.accessToken).sid}`)).status).toBe(204)
      expectProblem(await other.send('GET', '/account'), { status: 401, code: 'session_revoked' })
      expect(await isIn(ann)).toBe(true)
      expect((await ann.send('GET', '/account/sessions')).body.data).toHaveLength(1)
    })

    test('all others at once', async () => {
      const ann = await verifiedActor(app)
      const others = [await login(ann.email), await login(ann.email)]
      expect((await ann.send('POST', '/account/sessions/end-others')).body).toEqual({ ended: 2 })
      for (const other of others) expect(await isIn(other)).toBe(false)
      expect(await isIn(ann)).toBe(true)
    })

    test('a stranger’s session, a missing one and nonsense are the same 404', async () => {
      const ann = await verifiedActor(app)
      const eve = await verifiedActor(app)
      const bodies = await Promise.all(
        [claims(eve.accessToken).sid, uuidv7(), 'nonsense'].map(async (sid) => {
          const { status, body } = await ann.send('DELETE', `/account/sessions/${sid}`)
          return { status, ...body, instance: '' }
        }),
      )
      expect(bodies[0]).toMatchObject({ status: 404, code: 'not_found' })
      expect(bodies[1]).toEqual(bodies[0])
      expect(bodies[2]).toEqual(bodies[0])
      expect(await isIn(eve)).toBe(true)
    })

    test('a device that signed in twice with one key is one device, and is ended as one', async () => {
      const ann = await verifiedActor(app)
      const device = await makeDevice()
      const credentials = { email: ann.email, password }
      await sendFrom(device, app, '/api/v1/auth/login', credentials)
      const second = asActor(ann.email, (await sendFrom(device, app, '/api/v1/auth/login', credentials)).body)
      const listed = (await ann.send('GET', '/account/sessions')).body.data
      expect(listed).toHaveLength(2)
      const shown = listed.find((each: { bound: boolean }) => each.bound)
      expect((await ann.send('DELETE', `/account/sessions/${shown.id}`)).status).toBe(204)
      expect(await isIn(second)).toBe(false)
      expect((await ann.send('GET', '/account/sessions')).body.data).toHaveLength(1)
    })

    test('somebody who tries a copied token without its key is shown there', async () => {
      const ann = await verifiedActor(app)
      const device = await makeDevice()
      const pair = (await sendFrom(device, app, '/api/v1/auth/login', { email: ann.email, password })).body
      expectProblem(await app.send('POST', '/api/v1/auth/refresh-token', { body: pair }), {
        status: 400,
        code: 'invalid_dpop_proof',
      })
      const { data } = (await ann.send('GET', '/account/sessions')).body
      expect(data.find((each: { bound: boolean }) => each.bound).refusedAt).toEqual(expect.any(String))
      expect((await sendFrom(device, app, '/api/v1/auth/refresh-token', pair)).status).toBe(200)
    })
  })

  describe('a forgotten password', () => {
    const forgot = (email: string) => app.send('POST', '/api/v1/auth/forgot-password', { body: { email } })
    const reset = (token: string, secret = 'a new password') =>
      app.send('POST', '/api/v1/auth/reset-password', { body: { token, password: secret } })

    test('the link sets a new one, once, ends every session and signs this device in', async () => {
      const ann = await verifiedActor(app)
      expect((await forgot(ann.email)).status).toBe(204)
      const token = await app.mailedToken(ann.email)
      expect(token).toMatch(/^p_[\w-]{43}$/)
      const answer = await reset(token)
      expect(answer.status).toBe(200)
      expect(await isIn(ann)).toBe(false)
      expect(await isIn(asActor(ann.email, answer.body))).toBe(true)
      expectProblem(await app.send('POST', '/api/v1/auth/login', { body: { email: ann.email, password } }), {
        status: 401,
      })
      await login(ann.email, firefox, 'a new password')
      expectProblem(await reset(token, 'yet another one'), { status: 410, code: 'link_expired' })
      await login(ann.email, firefox, 'a new password')
      expect((await mailsTo(ann.email)).map(({ kind }) => kind)).toContain('password-changed')
    })

    test('the same call sent twice by a killed worker signs in again', async () => {
      const ann = await verifiedActor(app)
      await forgot(ann.email)
      const token = await app.mailedToken(ann.email)
      expect((await reset(token)).status).toBe(200)
      expect((await reset(token)).status).toBe(200)
      const late = await startTestApp(app.db)
      late.pass(11 * minute)
      const body = { token, password: 'a new password' }
      expectProblem(await late.send('POST', '/api/v1/auth/reset-password', { body }), { status: 410 })
    })

    test('is good for one hour', async () => {
      const ann = await verifiedActor(app)
      await forgot(ann.email)
      const token = await app.mailedToken(ann.email)
      const late = await startTestApp(app.db)
      late.pass(60 * minute + 1000)
      const body = { token, password: 'a new password' }
      expectProblem(await late.send('POST', '/api/v1/auth/reset-password', { body }), { status: 410 })
      expect(await isIn(ann)).toBe(true)
    })

    test('eight at once with one link: one password, no error', async () => {
      const ann = await verifiedActor(app)
      await forgot(ann.email)
      const token = await app.mailedToken(ann.email)
      const answers = await Promise.all(Array.from({ length: 8 }, (_, turn) => reset(token, `password number ${turn}`)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 410)).toHaveLength(7)
    })

    test('an address without an account gets the same answer and no mail; the token is kept as a hash', async () => {
      const ann = await verifiedActor(app)
      const stranger = `${uuidv7()}@example.com`
      const [known, unknown] = [await forgot(ann.email), await forgot(stranger)]
      expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
      expect(await mailsTo(stranger)).toEqual([])
      const token = await app.mailedToken(ann.email)
      const stored = await app.db.asAuth((tx) => tx.selectFrom('emailTokens').selectAll().execute())
      expect(JSON.stringify(stored)).not.toContain(token)
      expect(app.logged()).not.toContain(token)
    })

    test('it verifies an address that waited', async () => {
      const ann = await register(app)
      const late = await startTestApp(app.db)
      late.pass(2 * minute)
      await late.send('POST', '/api/v1/auth/forgot-password', { body: { email: ann.email } })
      const answer = await reset(await app.mailedToken(ann.email))
      expect(claims(answer.body.accessToken).status).toBe('ACTIVE')
    })

    test('a password that is none is said at the field, and the link is still good', async () => {
      const ann = await verifiedActor(app)
      await forgot(ann.email)
      const token = await app.mailedToken(ann.email)
      const refused = await reset(token, 'short')
      expectProblem(refused, { status: 422 })
      expect(refused.body.errors[0].pointer).toBe('/password')
      expect((await reset(token)).status).toBe(200)
    })
  })

  describe('changing the password', () => {
    test('wants the current one, ends all other sessions, keeps this one', async () => {
      const ann = await verifiedActor(app)
      const other = await login(ann.email)
      const change = (currentPassword: string) =>
        ann.send('PUT', '/account/password', { body: { currentPassword, password: 'a new password' } })
      const wrong = await change('guessed it')
      expectProblem(wrong, { status: 422 })
      expect(wrong.body.errors).toEqual([{ pointer: '/currentPassword', detail: 'This is not your password' }])
      expect((await change(password)).status).toBe(204)
      // Sent twice by a killed worker.
      expect((await change(password)).status).toBe(204)
      expect(await isIn(ann)).toBe(true)
      expect(await isIn(other)).toBe(false)
      await login(ann.email, firefox, 'a new password')
    })
  })

  test('a changed password ends the change of email that is out; the way back that the owner asked for stays', async () => {
    const ann = await verifiedActor(app)
    const email = `${uuidv7()}@example.com`
    await app.send('POST', '/api/v1/auth/forgot-password', { body: { email: ann.email } })
    const reset = { token: await app.mailedToken(ann.email), password: 'by the owner’s link' }
    await ann.send('POST', '/account/email', { body: { email, password } })
    const confirm = { token: await app.mailedToken(email) }
    const change = { currentPassword: password, password: 'a new password' }
    expect((await ann.send('PUT', '/account/password', { body: change })).status).toBe(204)
    expectProblem(await app.send('POST', '/api/v1/auth/confirm-email', { body: confirm }), { status: 410 })
    expect((await app.send('POST', '/api/v1/auth/reset-password', { body: reset })).status).toBe(200)
    await login(ann.email, firefox, 'by the owner’s link')
  })

  test('an address that nobody has proved is asked for the proof and told nothing else', async () => {
    const eve = await register(app)
    const statuses = [
      await eve.send('PUT', '/account/password', { body: { currentPassword: password, password: 'another one' } }),
      await eve.send('POST', '/account/delete', { body: { password: 'another one' } }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([204, 204])
    expect((await mailsTo(eve.email)).map(({ kind }) => kind)).toEqual(['verify-email'])
  })

  describe('changing the email', () => {
    const confirm = (token: string) => app.send('POST', '/api/v1/auth/confirm-email', { body: { token } })

    async function askFor(actor: Actor, email: string) {
      const answer = await actor.send('POST', '/account/email', { body: { email, password } })
      expect(answer).toMatchObject({ status: 202, body: { sentTo: [actor.email, email] } })
      return { from: await app.mailedToken(actor.email), to: await app.mailedToken(email) }
    }

    test.each([
      ['the old address first', ['from', 'to']],
      ['the new address first', ['to', 'from']],
    ] as const)('is made when both links were opened: %s', async (_, order) => {
      const ann = await verifiedActor(app)
      const email = `${uuidv7()}@example.com`
      const links = await askFor(ann, email)
      expect((await ann.send('GET', '/account')).body.pendingEmail).toMatchObject({
        email,
        confirmed: { oldAddress: false, newAddress: false },
      })
      expect((await confirm(links[order[0]])).body).toEqual({ status: 'waiting', email })
      const { body } = await ann.send('GET', '/account')
      expect(body.email).toBe(ann.email)
      expect(body.pendingEmail.confirmed).toEqual({
        oldAddress: order[0] === 'from',
        newAddress: order[0] === 'to',
      })
      expect((await confirm(links[order[1]])).body).toEqual({ status: 'changed', email })
      expect((await confirm(links[order[1]])).body).toEqual({ status: 'changed', email })
      expect((await ann.send('GET', '/account')).body).toMatchObject({ email, status: 'ACTIVE', pendingEmail: null })
      await login(email)
      expectProblem(await app.send('POST', '/api/v1/auth/login', { body: { email: ann.email, password } }), {
        status: 401,
      })
      expect((await mailsTo(ann.email)).map(({ kind }) => kind)).toContain('email-changed')
    })

    test('both at the same moment: changed', async () => {
      const ann = await verifiedActor(app)
      const email = `${uuidv7()}@example.com`
      const { from, to } = await askFor(ann, email)
      const answers = await Promise.all([confirm(from), confirm(to)])
      expect(answers.map(({ body }) => String(body.status)).toSorted()).toEqual(['changed', 'waiting'])
      expect((await ann.send('GET', '/account')).body.email).toBe(email)
    })

    test('wants the password, a free address and a person who did not change their mind', async () => {
      const ann = await verifiedActor(app)
      const eve = await verifiedActor(app)
      const ask = (body: object) => ann.send('POST', '/account/email', { body })
      const wrong = await ask({ email: `${uuidv7()}@example.com`, password: 'guessed it' })
      expect(wrong.body.errors).toEqual([{ pointer: '/password', detail: 'This is not your password' }])
      expectProblem(await ask({ email: eve.email.toUpperCase(), password }), { status: 409, code: 'email_taken' })
      const { from, to } = await askFor(ann, `${uuidv7()}@example.com`)
      expect((await ann.send('DELETE', '/account/email')).status).toBe(204)
      for (const token of [from, to]) expectProblem(await confirm(token), { status: 410 })
      expect((await ann.send('GET', '/account')).body).toMatchObject({ email: ann.email, pendingEmail: null })
    })

    test('somebody else may take the address meanwhile: 409, nothing changed', async () => {
      const ann = await verifiedActor(app)
      const email = `${uuidv7()}@example.com`
      const { from, to } = await askFor(ann, email)
      await register(app, email)
      await confirm(from)
      expectProblem(await confirm(to), { status: 409, code: 'email_taken' })
      expect((await ann.send('GET', '/account')).body.email).toBe(ann.email)
    })

    test('who has not verified yet mends a typing mistake at once; the link sent before is no longer good', async () => {
      const ann = await register(app)
      const before = await app.mailedToken(ann.email)
      const email = `${uuidv7()}@example.com`
      const answer = await ann.send('POST', '/account/email', { body: { email, password } })
      expect(answer.body).toEqual({ sentTo: [email] })
      expect((await ann.send('GET', '/account')).body).toMatchObject({ email, pendingEmail: null })
      expectProblem(await ann.send('GET', `/auth/verify-email?token=${before}`), { status: 410 })
      expect((await ann.send('GET', `/auth/verify-email?token=${await app.mailedToken(email)}`)).status).toBe(200)
    })
  })

  test('the name can be changed; a blank one is refused at the field', async () => {
    const ann = await verifiedActor(app)
    expect((await ann.send('PUT', '/account', { body: { name: ' Ann Works ' } })).body.name).toBe('Ann Works')
    const refused = await ann.send('PUT', '/account', { body: { name: ' ' } })
    expect(refused.body.errors[0].pointer).toBe('/name')
  })

  test('everything kept about a person, and no secret', async () => {
    const ann = await verifiedActor(app)
    await login(ann.email)
    const organization = await makeOrganization(ann)
    await makeOrganization(await verifiedActor(app))
    const { body, text } = await ann.send('GET', '/account/export')
    expect(body).toMatchObject({
      account: { email: ann.email },
      organizations: [{ id: organization.id, role: 'owner' }],
      passkeys: [],
    })
    expect(body.sessions).toHaveLength(2)
    for (const secret of ['argon2', ann.refreshToken, 'Hash']) expect(text).not.toContain(secret)
  })

  describe('closing', () => {
    const close = (actor: Actor, secret = password) =>
      actor.send('POST', '/account/delete', { body: { password: secret } })

    test('an account: at once, everywhere; the address is free again', async () => {
      const ann = await verifiedActor(app)
      const other = await login(ann.email)
      expectProblem(await close(ann, 'guessed it'), { status: 422 })
      expect((await close(ann)).status).toBe(204)
      expect((await mailsTo(ann.email)).map(({ kind }) => kind)).toContain('account-closed')
      for (const actor of [ann, other]) expect(await isIn(actor)).toBe(false)
      expectProblem(await app.send('POST', '/api/v1/auth/login', { body: { email: ann.email, password } }), {
        status: 401,
        code: 'invalid_credentials',
      })
      const renewed = await app.send('POST', '/api/v1/auth/refresh-token', { body: ann })
      expect(renewed.status).toBe(401)
      const anew = await register(app, ann.email)
      expect(anew.userId).not.toBe(ann.userId)
    })

    test('the only owner must delete the organization first; a member just leaves', async () => {
      const ann = await verifiedActor(app)
      const organization = await makeOrganization(ann)
      const refused = await close(ann)
      expectProblem(refused, { status: 409, code: 'sole_owner' })
      expect(refused.body.detail).toContain(organization.name)
      expect(await isIn(ann)).toBe(true)

      const bob = await verifiedActor(app)
      await app.db.asApp({ organizationIds: [organization.id] }, (tx) =>
        tx
          .insertInto('memberships')
          .values({
            organizationId: organization.id,
            userId: bob.userId,
            role: 'member',
            createdAt: new Date().toISOString(),
          })
          .execute(),
      )
      expect((await close(bob)).status).toBe(204)
      const left = await app.db.asApp({ organizationIds: [organization.id] }, (tx) =>
        tx.selectFrom('memberships').select('userId').execute(),
      )
      expect(left).toEqual([{ userId: ann.userId }])

      const headers = { 'if-match': `"${organization.version}"` }
      expect((await ann.send('DELETE', `/organizations/${organization.id}`, { headers })).status).toBe(204)
      expect((await close(ann)).status).toBe(204)
    })

    test('of two owners who leave at once one stays', async () => {
      const ann = await verifiedActor(app)
      const bob = await verifiedActor(app)
      const { id } = await makeOrganization(ann)
      await app.db.asApp({ organizationIds: [id] }, (tx) =>
        tx
          .insertInto('memberships')
          .values({ organizationId: id, userId: bob.userId, role: 'owner', createdAt: new Date().toISOString() })
          .execute(),
      )
      const answers = await Promise.all([close(ann), close(bob)])
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['204', '409'])
    })

    test('an organization: at once for everybody, only by its owner, and erased with all it holds after 30 days', async () => {
      const ann = await verifiedActor(app)
      const organization = await makeOrganization(ann)
      const other = await makeOrganization(ann)
      const path = `/organizations/${organization.id}`
      const gone = await issue(
        ann,
        await makeInvoice(ann, organization.id, (await makeCustomer(ann, organization.id)).id),
      )
      const paid = await recordPayment(ann, gone)
      const reversed = { body: { reason: 'Bounced' }, headers: { 'if-match': '"1"' } }
      expect((await ann.send('POST', `${path}/payments/${paid.id}/reverse`, reversed)).status).toBe(200)
      const kept = await issue(ann, await makeInvoice(ann, other.id, (await makeCustomer(ann, other.id)).id))
      expectProblem(await ann.send('DELETE', path), { status: 428 })
      expectProblem(await ann.send('DELETE', path, { headers: { 'if-match': '"99"' } }), { status: 412 })
      const headers = { 'if-match': `"${organization.version}"` }
      expect((await ann.send('DELETE', path, { headers })).status).toBe(204)
      for (const each of ['', '/invoices', '/customers', '/dashboard'])
        expectProblem(await ann.send('GET', path + each), { status: 404 })
      expect((await ann.send('GET', '/organizations')).body.data.map(({ id }: { id: string }) => id)).toEqual([
        other.id,
      ])

      const counts = () =>
        app.db.asApp({ organizationIds: [organization.id] }, async (tx) => [
          (await tx.selectFrom('issuedInvoices').select('number').execute()).length,
          (await tx.selectFrom('invoices').select('id').execute()).length,
          (await tx.selectFrom('customers').select('id').execute()).length,
          (await tx.selectFrom('payments').select('id').execute()).length,
          (await tx.selectFrom('paymentAllocations').select('position').execute()).length,
          (await tx.selectFrom('paymentReversals').select('reason').execute()).length,
        ])
      await purge(app.db, app.nowMs() + 29 * day)
      expect(await counts()).toEqual([1, 1, 1, 1, 1, 1])
      await purge(app.db, app.nowMs() + 31 * day)
      expect(await counts()).toEqual([0, 0, 0, 0, 0, 0])
      expect((await ann.send('GET', `/organizations/${other.id}/invoices/${kept.id}`)).status).toBe(200)
    })

    test('an account is erased after 30 days; the others stay', async () => {
      const ann = await verifiedActor(app)
      const eve = await verifiedActor(app)
      await close(ann)
      const users = () =>
        app.db.asAuth((tx) => tx.selectFrom('users').select('id').where('id', 'in', [ann.userId, eve.userId]).execute())
      await purge(app.db, app.nowMs() + 29 * day)
      expect(await users()).toHaveLength(2)
      await purge(app.db, app.nowMs() + 31 * day)
      expect(await users()).toEqual([{ id: eve.userId }])
    })
  })
})
