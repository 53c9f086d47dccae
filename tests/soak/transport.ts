// The network between device and server: it loses, repeats, delays and forges, and the worker may die at any point of it.
import { endpointPath, endpoints, matchEndpoint } from '#shared/endpoints.ts'
import { uuidv7 } from '#shared/ids.ts'
import { problem } from '#shared/problem.ts'
import type { Dice } from './dice.ts'
import { claimsOf, type Sent, type SoakServer } from './server.ts'
import type { Away, Mortal } from './steps.ts'
import type { Watch } from './watch.ts'

const minute = 60_000
/** Of each request: chances that add up to less than one; the rest is delivered. */
const lostRequest = 0.3
const lostResponse = 0.3
const kill = 0.1
const broken = 0.06
/** Besides: it is delivered once more, later. */
const duplicate = 0.1

/** The sender, as far as the network knows it. */
export interface Sender extends Mortal {
  /** Null in good weather. */
  dice: Dice | null
  readonly portal: boolean
  kill(): void
  /** Dies after this many more steps. */
  killAfter(steps: number): void
  /** When its answer to this address is to be held back. */
  parking: Parking | null
  /** Its answer is being held back. */
  parked: boolean
}

export interface Parking {
  path: string
  /** Called when an answer waits; resolves when it may go on, false when the try has timed out meanwhile. */
  park(away: Away): Promise<boolean>
}

export interface Transport {
  send(sender: Sender, url: string, init: RequestInit, away: Away): Promise<Response>
  /** Lets time pass at the server; what is still on its way arrives when it is due. */
  pass(ms: number): Promise<void>
  /** Access tokens that lie on the disk, or once did. */
  persisted: Set<string>
  /** What the device has sent, as a proxy's log would keep it. */
  log: Sent[]
}

const never = () => new Promise<never>(() => {})
const lost = () => new TypeError('Failed to fetch')
const refreshPath = endpointPath('refreshToken')

export function createTransport(server: SoakServer, watch: Watch): Transport {
  let late: { sent: Sent; dueMs: number }[] = []
  const persisted = new Set<string>()
  const log: Sent[] = []

  function delay(sent: Sent, dice: Dice): void {
    late.push({ sent, dueMs: server.nowMs() + dice.below(dice.chance(0.5) ? 20_000 : 8 * minute) })
  }

  async function pass(ms: number): Promise<void> {
    const endMs = server.nowMs() + ms
    for (;;) {
      const next = late.toSorted((a, b) => a.dueMs - b.dueMs)[0]
      if (!next || next.dueMs > endMs) break
      late = late.filter((each) => each !== next)
      server.pass(Math.max(0, next.dueMs - server.nowMs()))
      await server.fetch(next.sent)
    }
    server.pass(endMs - server.nowMs())
  }

  function inspect(sent: Sent): void {
    const { pathname } = new URL(sent.url)
    watch.count('requests')
    if (pathname === refreshPath) watch.count('refreshes sent')
    const name = matchEndpoint(sent.method, pathname)
    const bearer = sent.headers.get('authorization')
    const needsBearer = name !== null && ['session', 'verified'].includes(endpoints[name].auth)
    if (needsBearer && !/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/.test(bearer ?? ''))
      watch.broke('bare-call', `${sent.method} ${pathname} with Authorization ${bearer}`)
    if (bearer !== null && !persisted.has(bearer.slice('Bearer '.length)))
      watch.broke('used-before-persisted', `${sent.method} ${pathname}`)
  }

  async function send(sender: Sender, url: string, init: RequestInit, away: Away): Promise<Response> {
    const sent: Sent = {
      method: init.method!,
      url,
      headers: new Headers(init.headers),
      body: (init.body as ArrayBuffer | null) ?? null,
    }
    inspect(sent)
    log.push(sent)
    const { dice } = sender
    const { pathname } = new URL(url)
    const isRefresh = pathname === refreshPath
    const arrived = (answer: Response) => {
      if (isRefresh && answer.ok) watch.count('refreshes that arrived')
      if (pathname === endpointPath('logout') && answer.ok) watch.count('farewells told')
      return answer
    }
    if (sender.parking?.path === pathname) {
      const { park } = sender.parking
      sender.parking = null
      const answer = await server.fetch(sent)
      sender.parked = true
      const mayGoOn = await park(away)
      sender.parked = false
      if (!mayGoOn) throw lost()
      return arrived(answer)
    }
    if (!dice) {
      await pass(20)
      return arrived(await server.fetch(sent))
    }
    watch.count('requests in bad weather')
    await pass(dice.below(1500))
    if (sender.portal) return foreign(dice)
    if (dice.chance(duplicate)) {
      watch.count('delayed duplicates')
      delay(sent, dice)
    }
    let roll = dice.next()
    const is = (chance: number) => (roll -= chance) < 0
    if (is(lostRequest)) {
      watch.count('lost requests')
      if (dice.chance(0.3)) {
        // The device gives up on it, and yet it arrives.
        watch.count('of these delivered late')
        delay(sent, dice)
      }
      await pass(dice.below(15_000))
      throw lost()
    }
    if (is(lostResponse)) {
      watch.count('lost responses')
      await server.fetch(sent)
      await pass(dice.below(15_000))
      throw lost()
    }
    if (is(kill)) {
      if (isRefresh) watch.count('kills with a refresh under way')
      const point = dice.below(3)
      if (point === 0) {
        sender.kill()
        return never()
      }
      const answer = await server.fetch(sent)
      if (point === 1) {
        sender.kill()
        return never()
      }
      sender.killAfter(1 + dice.below(4))
      return arrived(answer)
    }
    if (is(broken)) {
      watch.count('foreign or broken answers')
      if (dice.chance(0.3)) return truncated(await server.fetch(sent))
      return isRefresh && dice.chance(0.7) ? marked(dice, sent) : foreign(dice)
    }
    return arrived(await server.fetch(sent))
  }

  return { send, pass, persisted, log }
}

/** A portal, a proxy: an answer that is not of Docket. */
export function foreign(dice: Dice): Response {
  const html = { 'content-type': 'text/html' }
  const status = dice.pick([200, 302, 401, 403, 407, 502, 511])
  if (status === 401)
    return Response.json(problem('session_revoked'), {
      status,
      headers: { 'content-type': 'application/problem+json' },
    })
  return new Response('<html>Sign in to HotelWiFi</html>', { status, headers: html })
}

/** What may come in Docket's own form and yet is no refusal of this session. */
function marked(dice: Dice, sent: Sent): Response {
  const headers = { 'content-type': 'application/problem+json', 'x-docket': '1' }
  const { accessToken } = JSON.parse(new TextDecoder().decode(sent.body!)) as { accessToken: string }
  const status = dice.pick([400, 401, 401.1, 401.2, 403, 404, 408, 409, 425, 429, 503])
  if (status === 401) return Response.json(problem('session_revoked', { sid: uuidv7() }), { status, headers })
  if (status === 401.1) return Response.json(problem('session_revoked'), { status: 401, headers })
  if (status === 401.2)
    return Response.json(problem('invalid_credentials', { sid: claimsOf(accessToken).sid ?? '' }), {
      status: 401,
      headers,
    })
  return Response.json(problem('too_many_requests'), {
    status,
    headers: { ...headers, ...(status === 429 && { 'retry-after': '30' }) },
  })
}

/** Cut off in the middle of its body. */
export async function truncated(answer: Response): Promise<Response> {
  const text = await answer.text()
  if (!text) throw lost()
  return new Response(text.slice(0, text.length / 2), { status: answer.status, headers: answer.headers })
}
