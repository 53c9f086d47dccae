// One run of the model: a device, its network, and what a person and the passing of time do to them.
import { apiPath, sessionPath } from '#shared/endpoint.ts'
import { endpointPath } from '#shared/endpoints.ts'
import type { Session } from '#shared/session.ts'
import { createDevice, type Device, type Purpose } from './device.ts'
import { createDice, type Dice } from './dice.ts'
import { asBody, origin, password, type Person, type SoakServer } from './server.ts'
import { createSteps, type Away, type Steps } from './steps.ts'
import { createTransport, type Parking } from './transport.ts'
import type { Watch } from './watch.ts'

const minute = 60_000

export interface Asked {
  method: string
  path: string
  body?: unknown
  purpose?: Purpose
}

export interface Answered {
  status: number
  body: unknown
}

export interface World {
  device: Device
  people: readonly Person[]
  steps: Steps
  pass(ms: number): Promise<void>
  /** One call of a page in a context, in bad weather with dice. Null when the worker was killed and the event not sent again. */
  call(context: number, asked: Asked, dice: Dice | null): Promise<Answered | null>
  /** Calls from several contexts at once, each as a person who tries again. */
  wake(contexts: readonly number[], tries: number, seed: number): Promise<void>
  askSession(context: number): Promise<void>
  signIn(context: number, person: Person, dice: Dice | null): Promise<void>
  signOut(context: number, dice: Dice | null): Promise<void>
  endRemotely(): Promise<void>
  /** Holds back one context's answer, does something else, and lets it arrive (or time out). */
  overlap(first: Overlap): Promise<void>
  /** The network gets well: whatever should work must. */
  settle(): Promise<void>
}

export interface Overlap {
  context: number
  asked: Asked
  /** The address whose answer is held back. */
  path: string
  /** False: it is never heard, the try has timed out. */
  arrives: boolean
  meanwhile: () => Promise<void>
}

export const account: Asked = { method: 'GET', path: endpointPath('getAccount') }
const organizations: Asked = { method: 'GET', path: endpointPath('listOrganizations') }
const signOut: Asked = { method: 'POST', path: endpointPath('logout'), body: {}, purpose: 'sign-out' }
export const signInAs = ({ email }: Person): Asked => ({
  method: 'POST',
  path: endpointPath('login'),
  body: { email, password },
  purpose: 'sign-in',
})

export function createWorld(server: SoakServer, watch: Watch): World {
  server.reset()
  watch.count('runs')
  const transport = createTransport(server, watch)
  const steps = createSteps()
  const device = createDevice(server, transport, steps, watch)
  const pass = (ms: number) => steps.take(() => transport.pass(ms))
  const userNow = () => server.userOf(device.sessionId() ?? '')

  async function call(
    context: number,
    { method, path, body, purpose = 'call' }: Asked,
    dice: Dice | null,
    parking: Parking | null = null,
  ): Promise<Answered | null> {
    watch.count('calls')
    for (;;) {
      const life = device.life(context)
      Object.assign(life, { dice, purpose, parking })
      const request = new Request(origin + path, {
        method,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        body: body === undefined ? null : asBody(body),
      })
      const answer = await life.answer(request)
      if (answer) {
        watch.count('calls answered')
        life.parking = null
        return { status: answer.status, body: answer.status === 204 ? null : await answer.json().catch(() => null) }
      }
      // Chromium sends the event of a killed worker to the next one (SESSION.md, fact 1).
      if (!dice?.chance(0.7)) return null
      watch.count('events sent again to a new worker')
    }
  }

  /** What the page may have been answered: this person's data, or nobody's. */
  async function callAccount(context: number, dice: Dice | null): Promise<Answered | null> {
    const before = userNow()
    const answered = await call(context, account, dice)
    const answeredUser = (answered?.body as { id?: string } | null)?.id
    if (answeredUser !== undefined && ![before, userNow()].includes(answeredUser))
      watch.broke('wrong-user', `the account of ${answeredUser} was answered to ${before}`)
    return answered
  }

  async function askSession(context: number): Promise<void> {
    const answered = await call(context, { method: 'GET', path: apiPath + sessionPath }, null)
    if (!answered) return
    const session = answered.body as Session
    const sessionUser = session.status === 'anonymous' ? undefined : session.userId
    if (sessionUser !== userNow()) watch.broke('wrong-user', `the page was told of ${sessionUser} and not ${userNow()}`)
  }

  /** A call must succeed soon, or be refused because the session is over. */
  async function recovers(context: number): Promise<void> {
    const sessionId = device.sessionId()
    if (sessionId === null) return
    const mustEnd = server.hasEnded(sessionId)
    const mayEnd = server.mayHaveExpired(sessionId)
    // Within a second a process may still trust what it has just read (callers.ts).
    if (mustEnd) await pass(1000)
    let answered: Answered | null = null
    for (let tries = 0; tries < 4 && answered?.status !== 200; tries += 1) {
      if (tries > 0) await pass(65_000)
      answered = await callAccount(context, null)
      if (device.sessionId() === null) break
    }
    if (mustEnd && device.sessionId() !== null) watch.broke('ghost-session', `answered ${JSON.stringify(answered)}`)
    if (!mustEnd && !mayEnd && answered?.status !== 200)
      watch.broke('never-recovers', `answered ${JSON.stringify(answered)}, the vault holds ${device.sessionId()}`)
  }

  return {
    device,
    people: server.people,
    pass,
    steps,
    call,
    askSession,
    async wake(contexts, tries, seed) {
      const dice = contexts.map((context) => createDice(seed + context * 7919))
      await Promise.all(
        contexts.map(async (context, index) => {
          for (let attempt = 0; attempt < tries; attempt += 1) {
            const answered = await (dice[index]!.chance(0.7)
              ? callAccount(context, dice[index]!)
              : call(context, organizations, dice[index]!))
            if (answered && answered.status !== 503) return
            await pass(1000 + dice[index]!.below(60_000))
            if (dice[index]!.chance(0.3)) device.life(context).tryNow()
          }
        }),
      )
    },
    async signIn(context, person, dice) {
      const before = device.sessionId()
      const answered = await call(context, signInAs(person), dice)
      if (answered?.status !== 200) return
      watch.count(before === null ? 'sign-ins' : 'sign-ins by another user')
      if (userNow() !== person.userId) watch.broke('wrong-user', 'the vault does not hold who has just signed in')
    },
    async signOut(context, dice) {
      const answered = await call(context, signOut, dice)
      if (answered?.status === 204 && device.sessionId() !== null)
        watch.broke('session-came-back', 'a session is in the vault although signing out was answered')
    },
    async endRemotely() {
      const sessionId = device.sessionId()
      if (sessionId === null || server.hasEnded(sessionId)) return
      watch.count('remote ends')
      await server.endRemotely(sessionId)
    },
    async overlap({ context, asked, path, arrives, meanwhile }) {
      let goOn = (_arrives: boolean) => {}
      const gate = new Promise<boolean>((resolve) => (goOn = resolve))
      let reached = () => {}
      const parked = new Promise<void>((resolve) => (reached = resolve))
      const park = (away: Away) => {
        reached()
        return away(gate)
      }
      const first = call(context, asked, null, { path, park })
      await Promise.race([parked, first])
      await meanwhile()
      goOn(arrives)
      await first
    },
    async settle() {
      device.portal = false
      device.lockIsStuck = false
      const sessionId = device.sessionId()
      if (sessionId !== null && !server.hasEnded(sessionId)) {
        const reason = await server.revokedFor(sessionId)
        if (reason !== null) watch.broke('honest-session-revoked', `the server says ${reason}`)
      }
      for (let context = 0; context < device.contexts; context += 1) await recovers(context)
      // The browser is started anew.
      for (let context = 0; context < device.contexts; context += 1) device.life(context).end()
      await recovers(0)
      await call(0, { method: 'GET', path: `${apiPath}/openapi.json` }, null)
      for (const each of device.signedOut)
        if (!server.hasEnded(each) && !server.mayHaveExpired(each)) watch.broke('farewell-untold', `of ${each}`)
      await askSession(0)
      watch.count('healthy ends of a run')
      await pass(20 * minute)
    },
  }
}
