// A thief with a copy of everything but the key: tokens from the disk, proofs from a proxy's log. Thousands of tries, and not one token.
import type { Database } from '#server/db/database.ts'
import { endpointPath } from '#shared/endpoints.ts'
import { makeProof } from '#worker/session/device-key.ts'
import { createDevice } from './device.ts'
import { createDice, type Dice } from './dice.ts'
import { asBody, claimsOf, origin, startSoakServer, type Sent, type SoakServer } from './server.ts'
import { createSteps } from './steps.ts'
import { createTransport } from './transport.ts'
import type { Watch } from './watch.ts'
import { account, signInAs } from './world.ts'

const day = 24 * 60 * 60_000
const refreshUrl = origin + endpointPath('refreshToken')
/** Rounds begin with a sign-in and go past a rotation. */
const triesPerRound = 500

export interface Replayed {
  tries: number
  minted: number
  byKind: Record<string, number>
  /** Times the honest device was asked to go on, and did. */
  honest: number
}

interface Stolen {
  accessToken: string
  refreshToken: string
}

/** What the thief has seen and can make. */
interface Loot {
  tokens: Stolen[]
  /** Requests of the device that reached the server, as a log would keep them. */
  seen: Sent[]
  /** A proof that the device made and that never arrived, with the nonce of its time. */
  pending: string
  /** Proofs of the device's own key for something else; it makes them for nobody, but a log may hold them. */
  foreign: Record<'path' | 'origin' | 'method' | 'no nonce', () => Promise<string>>
  otherKey: CryptoKeyPair
  nonce: () => Promise<string>
}

const kinds: Record<string, (loot: Loot, dice: Dice) => Promise<string | null>> = {
  'without proof': async () => null,
  'with another key': async ({ otherKey, nonce }) => proofBy(otherKey, await nonce()),
  'with a proof seen before': async ({ seen }, dice) => dice.pick(seen).headers.get('dpop'),
  'with a stale nonce': async ({ pending }) => pending,
  'with a proof for another path': ({ foreign }) => foreign.path(),
  'with a proof for another origin': ({ foreign }) => foreign.origin(),
  'with a proof for another method': ({ foreign }) => foreign.method(),
  'with a proof without nonce': ({ foreign }) => foreign['no nonce'](),
  'with the nonce of a seen proof exchanged': async ({ seen, nonce }, dice) =>
    tampered(dice.pick(seen).headers.get('dpop')!, { nonce: await nonce(), jti: crypto.randomUUID() }),
  'with the device’s public key over another signature': async ({ seen, otherKey, nonce }, dice) =>
    dressedUp(dice.pick(seen).headers.get('dpop')!, await proofBy(otherKey, await nonce())),
  'with garbage': async (_, dice) => dice.pick(['', 'x', 'a.b.c', 'null']),
}

export async function replayStolen(db: Database, watch: Watch, tries: number, seed: number): Promise<Replayed> {
  // Limits would hide what the proofs do.
  const server = await startSoakServer(db, watch, {
    limits: { refreshPerSession: { most: 1_000_000, windowMs: 60_000 } },
  })
  const dice = createDice(seed)
  const result: Replayed = { tries: 0, minted: 0, byKind: {}, honest: 0 }
  while (result.tries < tries) await round(server, watch, dice, Math.min(triesPerRound, tries - result.tries), result)
  return result
}

async function round(server: SoakServer, watch: Watch, dice: Dice, tries: number, result: Replayed): Promise<void> {
  server.reset()
  const transport = createTransport(server, watch)
  const device = createDevice(server, transport, createSteps(), watch)
  const ask = async ({ path, method, body, purpose = 'call' }: ReturnType<typeof signInAs>) => {
    const life = device.life(0)
    life.purpose = purpose
    const answer = await life.answer(
      new Request(origin + path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: body === undefined ? null : asBody(body),
      }),
    )
    return { status: answer?.status, body: (await answer?.json()) as { id?: string } }
  }
  const person = dice.pick(server.people)
  await ask(signInAs(person))
  const sessionId = device.sessionId()!

  const { privateKey, publicKey } = await device.vault.deviceKey()
  const own = { privateKey, publicKey }
  const nonce = async () => {
    const answer = await server.fetch({
      method: 'GET',
      url: `${origin}/api/v1/openapi.json`,
      headers: new Headers(),
      body: null,
    })
    return answer.headers.get('dpop-nonce')!
  }
  const copy = async (): Promise<Stolen> => {
    const { authToken, refreshToken } = await device.vault.read()
    return { accessToken: authToken, refreshToken }
  }
  const loot: Loot = {
    tokens: [await copy()],
    seen: [],
    pending: await proofBy(own, await nonce()),
    foreign: {
      path: async () => proofBy(own, await nonce(), { url: origin + endpointPath('login') }),
      origin: async () => proofBy(own, await nonce(), { url: `https://evil.example${endpointPath('refreshToken')}` }),
      method: async () => proofBy(own, await nonce(), { method: 'GET' }),
      'no nonce': async () => proofBy(own, null),
    },
    otherKey: await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']),
    nonce,
  }

  const goesOn = async () => {
    await transport.pass(11 * 60_000)
    const answered = await ask(account)
    if (answered.status === 200 && answered.body.id === person.userId && device.sessionId() === sessionId)
      result.honest += 1
    else watch.broke('honest-sign-out', `after the replays its call was answered ${answered.status}`)
  }
  /** The device renews once more, and the thief listens: its proofs are minutes old, their nonce is good, and only that they were seen stops them. */
  const listen = async () => {
    await goesOn()
    loot.tokens.push(await copy())
    loot.seen = transport.log.filter(({ url, headers }) => url === refreshUrl && headers.has('dpop')).slice(-1)
  }
  const steal = async (many: number) => {
    const before = await server.tokensOf(sessionId)
    for (let index = 0; index < many; index += 1) {
      const [kind, make] = dice.pick(Object.entries(kinds))
      const proof = await make(loot, dice)
      const answer = await server.fetch({
        method: 'POST',
        url: refreshUrl,
        headers: new Headers({ 'content-type': 'application/json', ...(proof !== null && { dpop: proof }) }),
        body: asBody(dice.pick(loot.tokens)),
      })
      result.tries += 1
      result.byKind[kind] = (result.byKind[kind] ?? 0) + 1
      if (!answer.ok && answer.status === 400) continue
      result.minted += answer.ok ? 1 : 0
      watch.broke('replay-minted', `${kind}: ${answer.status} ${(await answer.text()).slice(0, 200)}`)
    }
    if ((await server.tokensOf(sessionId)) !== before)
      watch.broke('replay-minted', 'the session has another refresh token')
  }

  // Until the pending proof's nonce is stale.
  await transport.pass(20 * 60_000)
  await listen()
  await steal(Math.floor(tries / 2))
  await goesOn()
  // Rotated: the thief has the old pair and, copied again, the new one.
  await transport.pass(64 * day)
  await listen()
  await steal(tries - Math.floor(tries / 2))
  await goesOn()
  if ((await server.revokedFor(sessionId)) !== null) watch.broke('honest-session-revoked', 'by the replays')
  if (claimsOf((await copy()).accessToken).sid !== sessionId) watch.broke('honest-sign-out', 'by the replays')
  watch.check()
}

function proofBy(
  key: CryptoKeyPair,
  nonce: string | null,
  more: { url?: string; method?: string } = {},
): Promise<string> {
  return makeProof(key, { method: 'POST', url: refreshUrl, nonce, nowMs: 0, ...more })
}

/** Other claims under the old signature. */
function tampered(proof: string, claims: object): string {
  const [header, payload, signature] = proof.split('.')
  const changed = { ...(JSON.parse(Buffer.from(payload!, 'base64url').toString()) as object), ...claims }
  return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.')
}

/** The header, and so the key, of one proof over another one's content and signature. */
function dressedUp(header: string, rest: string): string {
  return [header.split('.')[0], ...rest.split('.').slice(1)].join('.')
}
