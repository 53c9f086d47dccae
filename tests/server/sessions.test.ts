// Sessions bound to a device key: proofs (RFC 9449) are checked before any refresh token is looked at (SESSION.md "Refresh").
import { calculateJwkThumbprint } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { claims, expectProblem, origin, startTestApp, type TestApp } from '#tests/support/app.ts'
import { makeDevice, prove as proofFor, sendFrom, type Device } from '#tests/support/device.ts'
import { password } from '#tests/support/people.ts'
import { engines, openFresh } from '#tests/support/database.ts'

const day = 24 * 60 * 60_000
const refreshPath = '/api/v1/auth/refresh-token'

const prove = (device: Device, nonce: string | null, claimed: Record<string, unknown> = {}, header: object = {}) =>
  proofFor(device, refreshPath, nonce, claimed, header)

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
  })
  afterAll(() => app.db.close())

  const nonceNow = async () => (await app.send('GET', '/api/v1/openapi.json')).headers.get('dpop-nonce')!
  const refresh = async (pair: object, proof?: string) =>
    app.send('POST', refreshPath, { body: pair, headers: proof === undefined ? {} : { dpop: proof } })

  async function boundSession(device: Device) {
    const proof = await prove(device, await nonceNow(), { htu: `${origin}/api/v1/auth/register` })
    const body = { name: 'Ann', email: `${uuidv7()}@example.com`, password }
    const answer = await app.send('POST', '/api/v1/auth/register', { body, headers: { dpop: proof } })
    expect(answer.status).toBe(201)
    return answer.body as { accessToken: string; refreshToken: string }
  }

  test('the key of the proof is kept with the session; the refresh token does not rotate, a repeat works', async () => {
    const device = await makeDevice()
    const pair = await boundSession(device)
    const session = await app.db.asAuth((tx) =>
      tx.selectFrom('sessions').selectAll().where('id', '=', claims(pair.accessToken).sid).executeTakeFirstOrThrow(),
    )
    expect(session.deviceKey).toBe(await calculateJwkThumbprint(device.jwk))
    for (let turn = 1; turn <= 3; turn += 1) {
      const { status, body } = await refresh(pair, await prove(device, await nonceNow()))
      expect({ status, refreshToken: body.refreshToken }).toEqual({ status: 200, refreshToken: pair.refreshToken })
    }
  })

  test('without a proof, or with another key: 400, nothing minted, the session stays', async () => {
    const device = await makeDevice()
    const pair = await boundSession(device)
    expectProblem(await refresh(pair), { status: 400, code: 'invalid_dpop_proof' })
    const thief = await makeDevice()
    expectProblem(await refresh(pair, await prove(thief, await nonceNow())), {
      status: 400,
      code: 'invalid_dpop_proof',
    })
    expect((await refresh(pair, await prove(device, await nonceNow()))).status).toBe(200)
    const { refusedAt } = await app.db.asAuth((tx) =>
      tx
        .selectFrom('sessions')
        .select('refusedAt')
        .where('id', '=', claims(pair.accessToken).sid)
        .executeTakeFirstOrThrow(),
    )
    expect(refusedAt).not.toBeNull()
  })

  test('no nonce, an old nonce or a proof seen before: use_dpop_nonce with a nonce, before the token is looked at', async () => {
    const device = await makeDevice()
    const pair = await boundSession(device)
    const good = await prove(device, await nonceNow())
    expect((await refresh(pair, good)).status).toBe(200)
    for (const proof of [await prove(device, null), await prove(device, 'made.up'), good]) {
      const answer = await refresh({ accessToken: '', refreshToken: 'r_unknown' }, proof)
      expectProblem(answer, { status: 400, code: 'use_dpop_nonce' })
      expect((await refresh(pair, await prove(device, answer.headers.get('dpop-nonce')))).status).toBe(200)
    }
  })

  test('with a good nonce iat is ignored: clocks lie', async () => {
    const device = await makeDevice()
    const pair = await boundSession(device)
    const proof = await prove(device, await nonceNow(), { iat: 7 })
    expect((await refresh(pair, proof)).status).toBe(200)
  })

  test.each([
    ['another method', { htm: 'GET' }, {}],
    ['another path', { htu: `${origin}/api/v1/auth/login` }, {}],
    ['another host', { htu: `https://evil.example${refreshPath}` }, {}],
    ['another port', { htu: `http://localhost:9999${refreshPath}` }, {}],
    ['another type', {}, { typ: 'JWT' }],
    ['no jti', { jti: undefined }, {}],
  ])('a proof for %s is refused', async (_, claimed, header) => {
    const device = await makeDevice()
    const pair = await boundSession(device)
    const answer = await refresh(pair, await prove(device, await nonceNow(), claimed, header))
    expectProblem(answer, { status: 400, code: 'invalid_dpop_proof' })
    if ('htu' in claimed) expect(answer.body.detail).toContain(origin)
  })

  test('loopback names of one port count as one; the Host header counts for nothing', async () => {
    const device = await makeDevice()
    const pair = await boundSession(device)
    const proof = await prove(device, await nonceNow(), { htu: `http://127.0.0.1:8080${refreshPath}` })
    const answer = await app.send('POST', refreshPath, { body: pair, headers: { dpop: proof, host: 'evil.example' } })
    expect(answer.status).toBe(200)
  })

  test('the access token of the body may be expired, and past 70 % of its life the refresh token is replaced, the old one good until the new is used', async () => {
    const late = await startTestApp(app.db)
    const nonce = async () => (await late.send('GET', '/api/v1/openapi.json')).headers.get('dpop-nonce')!
    const device = await makeDevice()
    const pair = await boundSession(device)
    const renew = async (sent: object) =>
      late.send('POST', refreshPath, { body: sent, headers: { dpop: await prove(device, await nonce()) } })
    late.pass(60 * day)
    expect((await renew(pair)).body.refreshToken).toBe(pair.refreshToken)
    late.pass(5 * day)
    const replaced = await renew(pair)
    const lost = await renew(pair)
    expect([replaced.status, lost.status]).toEqual([200, 200])
    expect(lost.body.refreshToken).not.toBe(pair.refreshToken)
    expect((await renew(replaced.body)).status).toBe(200)
    // Late, but with the device's own proof: it gets nothing, and the session of an honest device goes on.
    expectProblem(await renew(pair), { status: 401, code: 'invalid_token', sid: claims(pair.accessToken).sid })
    expect((await renew(replaced.body)).status).toBe(200)
  })

  test('ends after 90 days idle, and after 365 in all however often it is used', async () => {
    const device = await makeDevice()
    for (const [stepDays, lastsDays] of [
      [91, 0],
      [45, 360],
    ] as const) {
      const late = await startTestApp(app.db)
      let pair: object = await boundSession(device)
      const renew = async () => {
        const nonce = (await late.send('GET', '/api/v1/openapi.json')).headers.get('dpop-nonce')!
        return late.send('POST', refreshPath, { body: pair, headers: { dpop: await prove(device, nonce) } })
      }
      let livedDays = 0
      for (;;) {
        late.pass(stepDays * day)
        const answer = await renew()
        if (answer.status !== 200) {
          expectProblem(answer, { status: 401, code: 'session_expired' })
          break
        }
        pair = answer.body
        livedDays += stepDays
      }
      expect(livedDays).toBe(lastsDays)
    }
  })

  test('a copied token alone ends nothing; with its key it ends the session', async () => {
    const device = await makeDevice()
    const pair = await boundSession(device)
    const { refreshToken } = pair
    const logout = '/api/v1/auth/logout'
    expect((await app.send('POST', logout, { body: { refreshToken } })).status).toBe(204)
    expect((await sendFrom(await makeDevice(), app, logout, { refreshToken })).status).toBe(204)
    expect((await refresh(pair, await prove(device, await nonceNow()))).status).toBe(200)
    expect((await sendFrom(device, app, logout, { refreshToken })).status).toBe(204)
    expectProblem(await refresh(pair, await prove(device, await nonceNow())), { status: 401, code: 'session_revoked' })
  })

  test('fifty refreshes at once all succeed', async () => {
    const device = await makeDevice()
    const pair = await boundSession(device)
    const nonce = await nonceNow()
    const answers = await Promise.all(Array.from({ length: 50 }, async () => refresh(pair, await prove(device, nonce))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })
})
