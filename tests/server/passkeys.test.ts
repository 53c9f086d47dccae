// Passkeys: added with the password, then good without it; nothing is opened by a challenge used twice, another origin or a copy.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  expectProblem,
  origin,
  register,
  startTestApp,
  verifiedActor,
  type Actor,
  type TestApp,
} from '#tests/support/app.ts'
import { uuidv7 } from '#shared/ids.ts'
import { makeAuthenticator, type Authenticator, type AuthenticatorOptions } from '#tests/support/authenticator.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { makeDevice, sendFrom } from '#tests/support/device.ts'
import { password } from '#tests/support/people.ts'

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
  })
  afterAll(() => app.db.close())

  async function optionsFor(actor: Actor) {
    const start = await actor.send('POST', '/account/passkey-options', { body: { password } })
    expect(start.status).toBe(200)
    return start.body.options
  }
  async function addPasskey(actor: Actor, options: Partial<AuthenticatorOptions> = {}) {
    const authenticator = makeAuthenticator({ origin, ...options })
    const response = authenticator.create(await optionsFor(actor))
    return { authenticator, response, answer: await actor.send('POST', '/account/passkeys', { body: { response } }) }
  }
  const begin = async () => (await app.send('POST', '/api/v1/auth/passkey-options')).body.options
  const finish = (response: unknown) => app.send('POST', '/api/v1/auth/passkey', { body: { response } })
  const signInWith = async (authenticator: Authenticator, userId?: string) =>
    finish(authenticator.get(await begin(), userId))

  test('added with the password, listed, used to sign in on a device, removed', async () => {
    const ann = await verifiedActor(app)
    const { authenticator, answer } = await addPasskey(ann)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ id: authenticator.credentialId, lastUsedAt: null })
    const device = await makeDevice()
    const response = authenticator.get(await begin(), ann.userId)
    const signedIn = await sendFrom(device, app, '/api/v1/auth/passkey', { response })
    expect(signedIn.status).toBe(200)
    const list = await app.send('GET', '/api/v1/account/passkeys', {
      headers: { authorization: `Bearer ${signedIn.body.accessToken}` },
    })
    expect(list.body.data).toHaveLength(1)
    expect(list.body.data[0].lastUsedAt).not.toBeNull()
    expect((await ann.send('DELETE', `/account/passkeys/${authenticator.credentialId}`)).status).toBe(204)
    expectProblem(await signInWith(authenticator), { status: 401, code: 'invalid_credentials' })
  })

  test('the options ask for a discoverable credential and for the person', async () => {
    const ann = await verifiedActor(app)
    const { body } = await ann.send('POST', '/account/passkey-options', { body: { password } })
    expect(body.options).toMatchObject({
      rp: { id: 'localhost', name: 'Docket' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(await begin()).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  })

  test('without the right password none is added', async () => {
    const ann = await verifiedActor(app)
    expectProblem(await ann.send('POST', '/account/passkey-options', { body: { password: 'guessed it' } }), {
      status: 422,
      code: 'validation_failed',
    })
  })

  test.each<[string, Partial<AuthenticatorOptions>]>([
    ['of another origin', { origin: 'https://evil.example', rpId: 'localhost' }],
    ['for another host', { rpId: 'evil.example' }],
    ['that did not ask who is there', { verifiesUser: false }],
  ])('a passkey %s is not added', async (_, options) => {
    expectProblem((await addPasskey(await verifiedActor(app), options)).answer, { status: 422 })
  })

  test('a challenge is good once, for five minutes, and for whom it was given', async () => {
    const ann = await verifiedActor(app)
    const eve = await verifiedActor(app)
    const { authenticator, response } = await addPasskey(ann)
    const { challenge: given } = JSON.parse(
      Buffer.from((response['response'] as { clientDataJSON: string }).clientDataJSON, 'base64url').toString(),
    )
    const second = makeAuthenticator({ origin }).create({ challenge: given })
    expectProblem(await ann.send('POST', '/account/passkeys', { body: { response: second } }), { status: 422 })
    const challenge = (await eve.send('POST', '/account/passkey-options', { body: { password } })).body.options
    const foreign = { response: makeAuthenticator({ origin }).create(challenge) }
    expectProblem(await ann.send('POST', '/account/passkeys', { body: foreign }), { status: 422 })
    expectProblem(await finish(authenticator.get(challenge)), { status: 401 })

    const used = authenticator.get(await begin())
    expect((await finish(used)).status).toBe(200)
    expectProblem(await finish(used), { status: 401, code: 'invalid_credentials' })
    const late = await startTestApp(app.db)
    const old = authenticator.get(await begin())
    late.pass(5 * 60_000 + 1000)
    expectProblem(await late.send('POST', '/api/v1/auth/passkey', { body: { response: old } }), { status: 401 })
  })

  test('another authenticator, a signature changed, or nonsense: the same answer, nothing minted', async () => {
    const ann = await verifiedActor(app)
    const { authenticator } = await addPasskey(ann)
    const good = authenticator.get(await begin())
    const inner = good['response'] as Record<string, string>
    for (const response of [
      makeAuthenticator({ origin }).get(await begin()),
      {
        ...makeAuthenticator({ origin }).get(await begin()),
        id: authenticator.credentialId,
        rawId: authenticator.credentialId,
      },
      { ...good, response: { ...inner, signature: 'AAAA' } },
      { ...good, response: { ...inner, clientDataJSON: '!' } },
      { ...good, response: null },
      { id: 7 },
      {},
    ]) {
      const answer = await finish(response)
      expectProblem(answer, { status: 401, code: 'invalid_credentials' })
      expect(answer.text).not.toContain('accessToken')
    }
  })

  test('a copy that lags behind in counting is refused', async () => {
    const ann = await verifiedActor(app)
    const { authenticator } = await addPasskey(ann, { counter: 5 })
    expect((await signInWith(authenticator)).status).toBe(200)
    await app.db.asAuth((tx) =>
      tx.updateTable('passkeys').set({ counter: 100n }).where('id', '=', authenticator.credentialId).execute(),
    )
    expectProblem(await signInWith(authenticator), { status: 401 })
  })

  test('a passkey that is there already is not added twice, and another person’s cannot be removed', async () => {
    const ann = await verifiedActor(app)
    const eve = await verifiedActor(app)
    const { authenticator } = await addPasskey(ann)
    const again = (await ann.send('POST', '/account/passkey-options', { body: { password } })).body.options
    expect(again.excludeCredentials).toMatchObject([{ id: authenticator.credentialId }])
    expectProblem(await ann.send('POST', '/account/passkeys', { body: { response: authenticator.create(again) } }), {
      status: 409,
      code: 'id_taken',
    })
    expectProblem(await eve.send('DELETE', `/account/passkeys/${authenticator.credentialId}`), { status: 404 })
    expect((await signInWith(authenticator)).status).toBe(200)
  })

  const resetOf = async (email: string) => {
    await app.send('POST', '/api/v1/auth/forgot-password', { body: { email } })
    const body = { token: await app.mailedToken(email), password: 'the owner’s own' }
    expect((await app.send('POST', '/api/v1/auth/reset-password', { body })).status).toBe(200)
  }
  const toldOf = async (recipient: string) => {
    const mails = await app.db.asJobs((tx) =>
      tx
        .selectFrom('mails')
        .select('kind')
        .where('recipient', '=', recipient)
        .where('kind', 'like', 'passkey-%')
        .execute(),
    )
    return mails.map(({ kind }) => kind)
  }

  test('whoever registered an address that may be a stranger’s leaves no passkey there', async () => {
    const eve = await register(app)
    expectProblem(await eve.send('POST', '/account/passkey-options', { body: { password } }), {
      status: 403,
      code: 'email_not_verified',
    })
    const body = { response: makeAuthenticator({ origin }).create(await optionsFor(await verifiedActor(app))) }
    expectProblem(await eve.send('POST', '/account/passkeys', { body }), { status: 403, code: 'email_not_verified' })
  })

  test('a reset leaves passkeys; those from before the address was proved go, and their owner is told', async () => {
    const ann = await verifiedActor(app)
    const first = await addPasskey(ann)
    await resetOf(ann.email)
    expect((await signInWith(first.authenticator, ann.userId)).status).toBe(200)
    expect(await toldOf(ann.email)).toEqual(['passkey-added'])

    // The account comes to another address; who had it before might come back by what they left.
    const bob = await verifiedActor(app)
    const old = await addPasskey(bob)
    const email = `${uuidv7()}@example.com`
    app.pass(61_000)
    expect((await bob.send('POST', '/account/email', { body: { email, password } })).status).toBe(202)
    for (const to of [bob.email, email])
      await app.send('POST', '/api/v1/auth/confirm-email', { body: { token: await app.mailedToken(to) } })
    app.pass(61_000)
    const own = await addPasskey(bob)
    await resetOf(email)
    expectProblem(await signInWith(old.authenticator, bob.userId), { status: 401, code: 'invalid_credentials' })
    expect((await signInWith(own.authenticator, bob.userId)).status).toBe(200)
    expect(await toldOf(email)).toEqual(['passkey-added', 'passkey-removed'])
  })

  test('the answer that added a removed one does not add it again', async () => {
    const ann = await verifiedActor(app)
    const authenticator = makeAuthenticator({ origin })
    const body = { response: authenticator.create(await optionsFor(ann)) }
    expect((await ann.send('POST', '/account/passkeys', { body })).status).toBe(201)
    expect((await ann.send('POST', '/account/passkeys', { body })).status).toBe(201)
    expect((await ann.send('DELETE', `/account/passkeys/${authenticator.credentialId}`)).status).toBe(204)
    expectProblem(await ann.send('POST', '/account/passkeys', { body }), { status: 422 })
  })

  test('a session that was ended adds none at a process that has not noticed yet', async () => {
    const ann = await verifiedActor(app)
    const other = await startTestApp(app.db)
    const headers = { authorization: `Bearer ${ann.accessToken}` }
    const start = await other.send('POST', '/api/v1/account/passkey-options', { body: { password }, headers })
    const seenMs = other.nowMs()
    expect((await other.send('GET', '/api/v1/account', { headers })).status).toBe(200)
    expect((await ann.send('POST', '/auth/logout', { body: {} })).status).toBe(204)
    const authenticator = makeAuthenticator({ origin })
    const body = { response: authenticator.create(start.body.options) }
    // However slow this machine is: it has just looked.
    other.pass(seenMs - other.nowMs())
    expect((await other.send('GET', '/api/v1/account', { headers })).status).toBe(200)
    expectProblem(await other.send('POST', '/api/v1/account/passkeys', { body, headers }), {
      status: 401,
      code: 'session_revoked',
    })
    expectProblem(await signInWith(authenticator, ann.userId), { status: 401 })
  })

  test('it says so by mail', async () => {
    const ann = await verifiedActor(app)
    await addPasskey(ann)
    const mails = await app.db.asJobs((tx) =>
      tx.selectFrom('mails').select('kind').where('recipient', '=', ann.email).execute(),
    )
    expect(mails.map(({ kind }) => kind)).toContain('passkey-added')
  })
})
