// Keeps the session: hands out a token that is good, renews it one at a time, and ends it only when the server itself refuses (SESSION.md).
import { deviceEndpoints } from '#shared/device-endpoints.ts'
import { pathOf } from '#shared/endpoint.ts'
import { decodeJwt, isExpired, type AccessTokenClaims } from '#shared/jwt.ts'
import { anonymous, isSignedIn, left, type Session } from '#shared/session.ts'
import { problemOf, Undeliverable, type Call, type Wire } from '#worker/wire.ts'
import { unlessFull } from '#worker/full.ts'
import { createBackoff, retryAfterMs } from './backoff.ts'
import { makeProof } from './device-key.ts'
import type { TokenState, Vault, VaultState } from './vault.ts'

export interface KeeperParts {
  apiOrigin: string
  vault: Vault
  wire: Wire
  /** Runs the work alone among all contexts of this origin, if it can. */
  lock: <T>(work: () => Promise<T>) => Promise<T>
  announce: (session: Session) => void
  /** The device's own clock, in milliseconds. */
  clock: () => number
  /** From 0 to 1. */
  random?: () => number
}

export interface Keeper {
  session(): Promise<Session>
  /** Tells every tab once more: one of them is still another's, or takes somebody for signed in who is not. */
  sayAgain(): Promise<void>
  /** An access token that is not about to expire; null when nobody is signed in. Throws Undeliverable when it cannot be renewed now. */
  freshToken(): Promise<string | null>
  /** Renews although the token looks good: the server said 401 to it. Null when the session is over, or somebody else's by now. */
  renew(refusedToken: string): Promise<string | null>
  /** Sends with a proof of the device key, again once when the server wants another nonce. */
  sendWithProof(call: Call, key: CryptoKeyPair, headers?: Record<string, string>): Promise<Response>
  /** This device's key, for a sign-in. */
  deviceKey(): Promise<CryptoKeyPair>
  /** Stores a pair that a sign-in answered with, and the key that proved it; the session of the page. */
  begin(pair: TokenState, key: CryptoKeyPair): Promise<Session>
  /** A new access token of the same session, as verifying an email answers. */
  replaceAccess(accessToken: string): Promise<Session>
  /** Ends it here at once, and at the server as soon as that can be told; false, and nothing is done, when the one that is here is another's. */
  end(leaver: string | null): Promise<boolean>
  /** The next renewal need not wait for the backoff, and one that hangs is asked beside. */
  tryNow(): void
  /** Tells the server of sessions that ended here while it could not be reached. */
  sayFarewells(): Promise<void>
}

const refusals = new Set(['session_revoked', 'session_expired', 'reuse_detected', 'user_disabled', 'invalid_token'])
const triesEndAfterMs = 15_000
/** What hangs for longer is asked beside, by the next trigger: the network it began on may be another by now. */
const hangingMs = 1500

/** `pair`: null where the answer holds none. */
interface Heard {
  answer: Response
  pair: TokenState | null
}

export function createKeeper({
  apiOrigin,
  vault,
  wire,
  lock,
  announce,
  clock,
  random = Math.random,
}: KeeperParts): Keeper {
  const backoff = createBackoff(clock, random)
  let renewing: Promise<string | null> | null = null
  /** Another context, or an earlier life of this one, may have left some: looked up once, not at every call. */
  let mayHaveFarewells = true
  /** Came fresh and yet looked expired, so some clock lies: good until the server says otherwise (no refresh loop). */
  let goodDespiteClock = ''
  /** Asks once more where a renewal that is under way hangs. */
  let askBeside = () => {}

  /** An access token that the disk has no room for, with the state that it belongs to: the session itself is on the disk, so nothing is lost with it. */
  let unwritten: VaultState | null = null
  const read = async (): Promise<VaultState> => {
    const state = await vault.read()
    const isOfIt = unwritten?.epoch === state.epoch && unwritten.refreshToken === state.refreshToken
    return isOfIt && looksExpired(state.authToken) ? unwritten! : state
  }
  const looksExpired = (token: string) => isExpired(claimsOf(token), wire.now() / 1000)
  const looksGood = (token: string) => token === goodDespiteClock || !looksExpired(token)
  const minted = (token: string) => void (goodDespiteClock = looksExpired(token) ? token : '')

  /** One renewal at a time in this context; across contexts whoever comes second finds it done. */
  function renewOnce(isOld: (token: string) => boolean): Promise<string | null> {
    renewing ??= lock(async () => {
      const state = await read()
      if (!state.refreshToken) return null
      if (!isOld(state.authToken)) return state.authToken
      return renewNow(state)
    }).finally(() => (renewing = null))
    return renewing
  }

  /** A call that no page asked for, with a limit of its own: what has begun is seen through, whatever becomes of the page. */
  function ownCall(name: 'refreshToken' | 'logout', body: object): Call {
    return {
      method: 'POST',
      url: apiOrigin + pathOf(deviceEndpoints[name]),
      headers: new Headers({ 'content-type': 'application/json' }),
      body: new TextEncoder().encode(JSON.stringify(body)).buffer,
      signal: null,
    }
  }

  async function renewNow(state: VaultState): Promise<string | null> {
    if (!backoff.mayTry()) throw new Undeliverable()
    const { authToken, refreshToken } = state
    const call = ownCall('refreshToken', { accessToken: authToken, refreshToken })
    const { answer, pair: next } = await askAlsoBeside(call, await vault.deviceKey()).catch(() => {
      throw undelivered(null)
    })
    if (answer.ok) {
      if (!next || claimsOf(next.authToken).sub !== claimsOf(state.authToken).sub) throw undelivered(answer)
      // Persist, then use. Of the same session only the access token is new, and may be used where there is no room for it.
      const isWritten = await unlessFull(vault.writeIf(state, next), () => {
        if (next.refreshToken !== refreshToken) throw undelivered(answer)
        unwritten = { ...state, ...next }
        return true
      })
      backoff.succeeded()
      if (!isWritten) return (await vault.read()).authToken || null
      minted(next.authToken)
      if (claimsOf(next.authToken).status !== claimsOf(state.authToken).status) announce(sessionOf(next))
      return next.authToken
    }
    const problem = await problemOf(answer)
    const isRefused =
      answer.status === 401 &&
      problem !== null &&
      refusals.has(problem.code) &&
      problem.sid !== undefined &&
      problem.sid === claimsOf(state.authToken).sid
    if (!isRefused) throw undelivered(answer)
    backoff.succeeded()
    if (!(await vault.clear({ read: state, farewell: false }))) return (await vault.read()).authToken || null
    announce(anonymous)
    return null
  }

  /** The same call works as often as it is made, and its first answer counts. */
  async function askAlsoBeside(call: Call, key: CryptoKeyPair): Promise<Heard> {
    let underWay = 0
    let askedAtMs = 0
    const tryOnce = async (): Promise<Heard> => {
      const answer = await sendWithProof(call, key)
      // An answer that begins and does not end hangs as well, and one that is cut off is none: another that is under way may be whole.
      return { answer, pair: answer.ok ? pairOf(await answer.json()) : null }
    }
    return new Promise<Heard>((resolve, reject) => {
      const ask = () => {
        underWay += 1
        askedAtMs = clock()
        tryOnce().then(resolve, (error: unknown) => {
          underWay -= 1
          if (underWay === 0) reject(error as Error)
        })
      }
      askBeside = () => {
        if (clock() - askedAtMs > hangingMs) ask()
      }
      ask()
    }).finally(() => (askBeside = () => {}))
  }

  /** The session stays; the next try waits. */
  function undelivered(answer: Response | null): Undeliverable {
    backoff.failed(answer && retryAfterMs(answer, wire.now()))
    return new Undeliverable()
  }

  async function sendWithProof(
    call: Call,
    key: CryptoKeyPair,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const { origin, pathname } = new URL(call.url)
    const attempt = async () => {
      const nonce = wire.nonce()
      const proof = await makeProof(key, {
        method: call.method,
        url: origin + pathname,
        nonce,
        nowMs: wire.now(),
      })
      const limit = AbortSignal.timeout(triesEndAfterMs)
      const limited = { ...call, signal: call.signal ? AbortSignal.any([call.signal, limit]) : limit }
      return wire.send(limited, { ...headers, dpop: proof })
    }
    const first = await attempt()
    const problem = first.status === 400 ? await problemOf(first) : null
    return problem?.code === 'use_dpop_nonce' ? attempt() : first
  }

  return {
    sendWithProof,
    session: async () => sessionOf(await vault.read()),
    sayAgain: async () => announce(sessionOf(await vault.read())),
    async freshToken() {
      const { authToken, refreshToken } = await read()
      if (!refreshToken) return authToken && looksGood(authToken) ? authToken : null
      return looksGood(authToken) ? authToken : samePerson(authToken, await renewOnce((token) => !looksGood(token)))
    },
    async renew(refusedToken) {
      if (goodDespiteClock === refusedToken) goodDespiteClock = ''
      return samePerson(refusedToken, await renewOnce((token) => token === refusedToken))
    },
    deviceKey: () => vault.deviceKey(),
    async begin(pair, key) {
      await vault.write(pair, key)
      // The session it took the place of, if any.
      mayHaveFarewells = true
      backoff.succeeded()
      minted(pair.authToken)
      const session = sessionOf(pair)
      announce(session)
      return session
    },
    // After a renewal that is under way: its answer may be of before, and would come last.
    replaceAccess: (accessToken) =>
      lock(async () => {
        const state = await vault.read()
        const next = { ...state, authToken: accessToken }
        // Somebody else may have signed in here meanwhile: their session is not given this token.
        const isOurs = claimsOf(accessToken).sid === claimsOf(state.authToken).sid
        if (isOurs && (await vault.writeIf(state, next))) {
          minted(accessToken)
          announce(sessionOf(next))
        }
        return sessionOf(await vault.read())
      }),
    async end(leaver) {
      for (;;) {
        const read = await vault.read()
        const present = sessionOf(read)
        if (isSignedIn(present) && present.userId !== leaver) return false
        // A renewal that came between is theirs as well.
        if (await vault.clear({ read, farewell: true, leaver })) break
      }
      mayHaveFarewells = true
      goodDespiteClock = ''
      announce(left)
      return true
    },
    tryNow() {
      backoff.tryNow()
      askBeside()
    },
    async sayFarewells() {
      if (!mayHaveFarewells) return
      mayHaveFarewells = false
      const waiting = await vault.farewells()
      // Until the server has heard them all.
      mayHaveFarewells = waiting.length > 0
      for (const { refreshToken, key } of waiting) {
        const call = ownCall('logout', { refreshToken })
        const answer = await sendWithProof(call, key)
        if (answer.ok) await vault.farewellSaid(refreshToken)
      }
    },
  }
}

/** The pair in an answer's body; null when it holds none. */
export function pairOf(body: unknown): TokenState | null {
  if (typeof body !== 'object' || body === null) return null
  const { accessToken, refreshToken } = body as Record<string, unknown>
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string') return null
  return decodeJwt(accessToken).ok && refreshToken ? { authToken: accessToken, refreshToken } : null
}

/** What the page may know of this state. A session whose token cannot be read is none. */
function sessionOf({ authToken, refreshToken, isLeft }: TokenState & Partial<VaultState>): Session {
  if (!refreshToken) return isLeft ? left : anonymous
  const { sub, status, exp } = claimsOf(authToken)
  return sub && status ? { status, userId: sub, expiresAt: exp ?? 0 } : anonymous
}

/** Somebody else may have signed in meanwhile: what one person's call began with is not gone on with as another. */
function samePerson(began: string, renewed: string | null): string | null {
  return renewed !== null && claimsOf(renewed).sub === claimsOf(began).sub ? renewed : null
}

/** What a token says; nothing for what is no token. */
export function claimsOf(token: string): AccessTokenClaims {
  const decoded = decodeJwt(token)
  return decoded.ok ? decoded.value : {}
}
