// The gateway turns a call of the page into an answered one: Bearer, refresh, retry (SESSION.md). It runs in the worker, in the page when no
// worker controls it, and in Node under test; it takes its surroundings as arguments.
import { deviceEndpoints, type DeviceEndpointName } from '#shared/device-endpoints.ts'
import { apiPath, matchIn, sessionPath, type Endpoint } from '#shared/endpoint.ts'
import { outboxPath } from '#shared/outbox.ts'
import { isSignedIn, type Session } from '#shared/session.ts'
import type { Device, DeviceParts } from './device.ts'
import { isFull } from './full.ts'
import { createWriteSender, pause, sendRead } from './patience.ts'
import { claimsOf, createKeeper, pairOf, type Keeper } from './session/keeper.ts'
import type { Vault } from './session/vault.ts'
import {
  createWire,
  deviceAnswer,
  deviceProblem,
  problemOf,
  readCall,
  Undeliverable,
  type Call,
  type Wire,
} from './wire.ts'

export interface GatewayParts {
  /** Where the API is: its calls alone are answered, and get the Bearer. */
  apiOrigin: string
  fetch: typeof globalThis.fetch
  vault: Vault
  /** Milliseconds since 1970, as the device believes. */
  clock: () => number
  lock: <T>(work: () => Promise<T>) => Promise<T>
  /** Tells every tab what became of the session. */
  announce: (session: Session) => void
  /** From 0 to 1, for the jitter of the backoff. */
  random?: () => number
  /** What is kept on the device for the person; left out, every call goes to the network. */
  device?: (road: Road) => Device
}

/** How what is kept on the device reaches the server. */
export type Road = Pick<DeviceParts, 'now' | 'send' | 'isHere'>

export interface Gateway {
  /** Whether a request is one of ours; navigations never are. */
  owns(request: Request): boolean
  /** Never rejects but for the page's own abort: what cannot be delivered is a 503 problem. `waitUntil` keeps a worker alive for what must be seen through. */
  answer(request: Request, waitUntil?: (work: Promise<unknown>) => void): Promise<Response>
  /** Somebody is waiting, or the network came back: the next renewal is tried without waiting, and everything unsent. False: it was not there. */
  tryNow(): Promise<boolean>
  /** The same, asked for by the browser with no page there. False: something is left that could be sent. */
  wake(): Promise<boolean>
  /** Sends what is due, and brings the device's copy up to date. */
  sync(): Promise<void>
}

export function createGateway(parts: GatewayParts): Gateway {
  const wire = createWire(parts.fetch, parts.clock)
  const announce = (session: Session) => {
    parts.announce(session)
    void device?.seal(isSignedIn(session) ? session.userId : null).catch(() => {})
  }
  const keeper = createKeeper({ ...parts, announce, wire })
  const device = parts.device?.({
    now: () => wire.now(),
    send: (userId, call) => sendAs(userId, call, keeper, wire),
    isHere: (userId) => isHere(userId, keeper),
  })
  /** They are gone from here with everything of theirs; tried again until it is done. */
  async function takeAway(userId: string): Promise<void> {
    // Back already, by a context that had seen to it: what is there now is new.
    if (!(await isHere(userId, keeper))) await device?.forget(userId)
    await parts.vault.hasLeft(userId)
  }
  /** What a kill may have cut off: of who left nothing stays, of whose session ended nothing that they read. */
  async function finishLeaving(): Promise<void> {
    for (const userId of await parts.vault.leavers()) await takeAway(userId)
  }
  let tidying = finishLeaving()
    .then(async () => {
      if (!isSignedIn(await keeper.session())) await device?.seal(null)
    })
    .catch(() => {})
  const context: Context = {
    keeper,
    wire,
    device,
    sendWrite: createWriteSender(),
    takeAway,
    leavers: () => parts.vault.leavers(),
    async mayEnter(userId) {
      tidying = tidying.then(finishLeaving).catch(() => {})
      // A tab that is frozen may hold what is to go: that keeps nobody else out.
      await Promise.race([tidying, pause(tidyWithinMs)])
      return !(await parts.vault.leavers()).includes(userId)
    },
  }
  const now = async (by: (device: Device, userId: string) => Promise<boolean>) => {
    keeper.tryNow()
    await keeper.sayFarewells().catch(() => {})
    return bringUpToDate(context, by)
  }
  return {
    tryNow: () => now((of, userId) => of.sync(userId, true)),
    wake: () => now((of, userId) => of.wake(userId)),
    async sync() {
      // A page asks while something waits: an ended token is renewed as soon as it could be sent.
      keeper.tryNow()
      await bringUpToDate(context, (of, userId) => of.sync(userId, false))
    },
    owns: ({ url, mode, redirect }) => {
      const { origin, pathname } = new URL(url)
      // What the gateway in a page sends after this worker has taken that page over: it has its token and proof, or is a farewell. Answered
      // here once more, its refresh would wait for the lock that it holds, and a farewell would end the session that is there now.
      const isAnotherGateways = redirect === 'manual'
      return (
        mode !== 'navigate' && !isAnotherGateways && origin === parts.apiOrigin && pathname.startsWith(`${apiPath}/`)
      )
    },
    async answer(request, waitUntil = () => {}) {
      try {
        waitUntil(tidying)
        const work = answerCall(context, await readCall(request), waitUntil)
        waitUntil(work.catch(() => {}))
        return withSource(await work, wire.now())
      } catch (error) {
        if (request.signal.aborted) throw error
        if (isFull(error)) return deviceProblem('device_full')
        return deviceProblem('undeliverable', {
          detail: 'You can go on; this will work again once there is a connection.',
        })
      }
    },
  }
}

/** Every answer says where it is from, and of when where that is known: those of the device's copy do already. */
function withSource(answer: Response, nowMs: number): Response {
  if (answer.headers.get('x-docket-source') === 'device') return answer
  // What came by fetch cannot be written on; and Chromium gives a 204 a body, which none may have.
  const told = new Response(answer.status === 204 ? null : answer.body, answer)
  told.headers.set('x-docket-source', 'network')
  told.headers.set('x-docket-as-of', new Date(nowMs).toISOString())
  return told
}

const tidyWithinMs = 2000
/** How long what was done without the outbox waits for the copy to know it. */
const newsWithinMs = 1000
const somebodyElse = 'Somebody else is signed in on this device now.'

type WaitUntil = (work: Promise<unknown>) => void

/** What answers calls: the session, the road to the server, and what is kept on the device. */
interface Context {
  keeper: Keeper
  wire: Wire
  device: Device | undefined
  sendWrite: ReturnType<typeof createWriteSender>
  takeAway(userId: string): Promise<void>
  /** Who has signed out, and of whom something is left that is about to go. */
  leavers(): Promise<string[]>
  /** Once what was here before has gone; false: of this person something is left that they meant to be gone, and it must not be found as theirs. */
  mayEnter(userId: string): Promise<boolean>
}

async function answerCall(context: Context, call: Call, waitUntil: WaitUntil): Promise<Response> {
  const { keeper, wire } = context
  const url = new URL(call.url)
  const { pathname } = url
  if (pathname === apiPath + sessionPath) {
    waitUntil(keeper.sayFarewells().catch(() => {}))
    return deviceAnswer(await keeper.session())
  }
  const name = matchIn(deviceEndpoints, call.method, pathname)
  if (name === 'logout') {
    const session = await keeper.session()
    // A screen that still shows somebody else has nothing to sign out here.
    const isAnothers = call.person && isSignedIn(session) && session.userId !== call.person
    if (isAnothers || !(await leave(context, session))) return deviceProblem('invalid_token', { detail: somebodyElse })
    waitUntil(keeper.sayFarewells().catch(() => {}))
    return deviceAnswer(undefined, 204)
  }
  waitUntil(keeper.sayFarewells().catch(() => {}))
  if (name === 'refreshToken') return renewForPage(keeper)
  const endpoint: Pick<Endpoint, 'auth' | 'proof'> =
    name === null ? { auth: unnamedAuth(pathname) } : deviceEndpoints[name]
  const kept = await answerHere(context, call, name, url)
  if (kept) return kept
  if (endpoint.proof) return exchange(call, endpoint, context)
  if (endpoint.auth === 'public') return wire.send(call)
  const before = name === 'deleteAccount' ? await keeper.session() : null
  const answer = await withBearer(call, endpoint, keeper, (headers) => sendOn(context, call, headers))
  if (before && (answer.ok || (await problemOf(answer))?.code === 'user_disabled')) {
    // Nobody comes back for what they wrote, and the page's sign-out may find this session over already. Closed before, it was: that answer was lost.
    await leave(context, before)
    return deviceAnswer(undefined, 204)
  }
  // Done at the server without the outbox, as a credit note is: what the page asks next must not be older.
  if (answer.ok && call.method !== 'GET' && pathname.startsWith(`${apiPath}/organizations`)) {
    const upToDate = bringUpToDate(context, (of, userId) => of.catchUp(userId))
    waitUntil(upToDate)
    // But done it is, and whoever waits is told so: a network that stands still after it must not keep that back.
    await Promise.race([upToDate, pause(newsWithinMs)])
  }
  return answer
}

/** Neither a read nor a write waits for ever for a network that stands still. */
async function sendOn(context: Context, call: Call, headers: Record<string, string>): Promise<Response> {
  const { keeper, wire, device, sendWrite } = context
  const send = (limited: Call) => wire.send(limited, headers)
  if (call.method === 'GET' || !device) return sendRead(call, send)
  const session = await keeper.session()
  return isSignedIn(session) ? sendWrite(call, send, () => device.isThere(session.userId)) : send(call)
}

/** What is passed on without a name (shared/endpoints.ts) needs a session, but for what is everybody's: that takes one along where there is one. */
function unnamedAuth(pathname: string): Endpoint['auth'] {
  return /^\/api\/v1\/(public\/|openapi\.json$)/.test(pathname) ? 'optional' : 'session'
}

/** Ends their session here, and takes everything of theirs off the device. False when somebody else's has come in its place: that one stays. */
async function leave({ keeper, takeAway }: Context, session: Session): Promise<boolean> {
  const leaver = isSignedIn(session) ? session.userId : null
  const isLeft = await keeper.end(leaver)
  // What fails is noted, and done at the next start or sign-in.
  if (leaver !== null) await takeAway(leaver).catch(() => {})
  return isLeft
}

/** For whoever is here. False: the server was not reached; what failed is tried at the next trigger. */
async function bringUpToDate(
  { keeper, device }: Context,
  by: (device: Device, userId: string) => Promise<boolean>,
): Promise<boolean> {
  try {
    const session = await keeper.session()
    if (session.status !== 'ACTIVE' || !device) return true
    return await by(device, session.userId)
  } catch {
    // A storage that fails, or a person who has left.
    return false
  }
}

/** From the device, where it has what is asked for or may keep what is written; null: the network's to answer. */
async function answerHere(
  { keeper, device, leavers }: Context,
  call: Call,
  name: DeviceEndpointName | null,
  url: URL,
): Promise<Response | null> {
  const isOutbox = url.pathname.startsWith(apiPath + outboxPath)
  // It never leaves the device, whoever is signed in by now.
  const passedOn = isOutbox ? deviceProblem('not_found') : null
  if (!device || (name === null && !isOutbox)) return passedOn
  const session = await keeper.session()
  if (url.pathname === apiPath + outboxPath && call.method === 'GET' && !call.person && !isSignedIn(session))
    return device.sealedOutbox(await leavers())
  if (session.status !== 'ACTIVE' || (call.person && call.person !== session.userId)) return passedOn
  try {
    if (isOutbox) {
      // Somebody is waiting.
      if (call.method !== 'GET') keeper.tryNow()
      return await device.answerOutbox(session.userId, call)
    }
    if (call.method !== 'GET') return await device.write(session.userId, name!, call)
    return call.fresh ? null : await device.read(session.userId, name!, url)
  } catch (error) {
    if (!(error instanceof DOMException) || isFull(error) || isOutbox) throw error
    // A device that does not store (a private window) works as long as there is a network.
    return null
  }
}

/** A call of the device's own, as this person and no other; null when they are not signed in here. */
async function sendAs(userId: string, call: Call, keeper: Keeper, wire: Wire): Promise<Response | null> {
  const asThem = { ...call, person: userId }
  const answer = await withBearer(asThem, deviceEndpoints.listOrganizations, keeper, (headers) =>
    wire.send(asThem, headers),
  ).catch((error: unknown) => {
    throw call.signal?.aborted ? new Undeliverable() : error
  })
  return answer.status !== 401 || (await isHere(userId, keeper)) ? answer : null
}

/** Whether the session that is here by now is theirs. */
async function isHere(userId: string, keeper: Keeper): Promise<boolean> {
  const session = await keeper.session()
  return isSignedIn(session) && session.userId === userId
}

/** A call that answers with tokens: they are kept here, and the page gets the session in their place. */
async function exchange(call: Call, endpoint: Pick<Endpoint, 'auth'>, context: Context): Promise<Response> {
  const { keeper, mayEnter } = context
  const key = await keeper.deviceKey()
  const send = (headers: Record<string, string>) => keeper.sendWithProof(call, key, headers)
  const answer = await (endpoint.auth === 'public' ? send({}) : withBearer(call, endpoint, keeper, send))
  if (!answer.ok) return answer
  const body: unknown = await answer.json().catch(() => null)
  const pair = pairOf(body)
  if (pair) {
    if (!(await mayEnter(claimsOf(pair.authToken).sub ?? ''))) throw new Undeliverable()
    return deviceAnswer(await keeper.begin(pair, key), answer.status)
  }
  const { accessToken } = (body ?? {}) as { accessToken?: unknown }
  if (typeof accessToken !== 'string') throw new Undeliverable()
  return deviceAnswer(await keeper.replaceAccess(accessToken), answer.status)
}

/** Adds the Bearer; a 401 renews once and tries once more, then the 401 is the page's. */
async function withBearer(
  call: Call,
  endpoint: Pick<Endpoint, 'auth'>,
  keeper: Keeper,
  send: (headers: Record<string, string>) => Promise<Response>,
): Promise<Response> {
  const token = await keeper.freshToken()
  call.signal?.throwIfAborted()
  if (token === null) {
    // Nobody is signed in: a call that needs a session never leaves the device. A page that did not know has missed it: the browser cleared the session away.
    if (call.person) await keeper.sayAgain()
    return endpoint.auth === 'optional' ? send({}) : deviceProblem('invalid_token', { detail: 'No auth token' })
  }
  // Another tab signed somebody else in: what one person asked is not done as another.
  if (call.person && call.person !== claimsOf(token).sub)
    return deviceProblem('invalid_token', { detail: somebodyElse })
  const answer = await send({ authorization: `Bearer ${token}` })
  if (answer.status !== 401 || !(await problemOf(answer))) return answer
  const renewed = await keeper.renew(token)
  return renewed === null ? answer : send({ authorization: `Bearer ${renewed}` })
}

/** The seed's refresh call: the tokens in it are the gateway's own, whatever the page sent. */
async function renewForPage(keeper: Keeper): Promise<Response> {
  if ((await keeper.session()).status === 'anonymous')
    return deviceProblem('invalid_token', { detail: 'No refresh token' })
  const token = await keeper.freshToken()
  const renewed = token === null ? null : await keeper.renew(token)
  return renewed === null
    ? deviceProblem('invalid_token', { detail: 'No refresh token' })
    : deviceAnswer(await keeper.session())
}
