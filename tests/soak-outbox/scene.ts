// Where a run happens: two devices of one person, their network, somebody who writes from elsewhere, and time.
import { sessionPath } from '#shared/endpoint.ts'
import type { Session } from '#shared/session.ts'
import type { Database } from '#server/db/database.ts'
import { createDice, type Dice } from '#tests/soak/dice.ts'
import { password, type Person as Account, type SoakServer } from '#tests/soak/server.ts'
import { createSteps } from '#tests/soak/steps.ts'
import { createElsewhere, type Elsewhere } from './elsewhere.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createNetwork, type Network } from './network.ts'
import { createPerson, type Person } from './person.ts'
import { createPhone, type Life, type Phone } from './phone.ts'
import type { Watch } from './watch.ts'

export interface Used {
  phone: Phone
  person: Person
  /** Who has signed in here: what they left unsent is theirs to send. */
  users: Set<Account>
}

export interface Scene {
  dice: Dice
  watch: Watch
  server: SoakServer
  ledger: Ledger
  network: Network
  elsewhere: Elsewhere
  devices: Used[]
  /** Whose devices they are, and who shares their organizations. */
  ann: Account
  bob: Account
  /** Begins it all at once, and waits until everything is done or waits for time. */
  run(...work: (() => Promise<unknown>)[]): Promise<void>
  /** Time goes on, and with it what waited for it. */
  pass(ms: number): Promise<void>
  sessionOf(life: Life): Promise<Session>
  signIn(life: Life, account: Account): Promise<void>
  endElsewhere(phone: Phone): Promise<void>
  /** Organizations at the server, below `/organizations`; all of them belong to both. */
  bases(): Promise<string[]>
}

export function createScene(server: SoakServer, db: Database, watch: Watch, seed: number): Scene {
  watch.count('runs')
  const dice = createDice(seed)
  const steps = createSteps()
  steps.choose(dice.next)
  const ledger = createLedger(watch)
  const network = createNetwork(server, ledger, steps, dice, watch)
  const [ann, bob] = server.people as [Account, Account]
  const shared = new Set<string>()
  // Some browsers have no locks.
  const hasLocks = dice.chance(0.8)

  function createUsed(name: string): Used {
    const phone = createPhone({
      name,
      server,
      watch,
      dice,
      hasLocks,
      send: network.send,
      tell: (message) => message.type === 'stored' && ledger.stored(message.key),
    })
    return { phone, person: createPerson(phone, ledger, dice, watch), users: new Set([ann]) }
  }

  const scene: Scene = {
    dice,
    watch,
    server,
    ledger,
    network,
    ann,
    bob,
    elsewhere: createElsewhere(bob, network, dice, watch),
    devices: [createUsed('first'), createUsed('second')],
    async run(...work) {
      for (const each of work)
        void each().catch((error: unknown) =>
          watch.broke('crash', error instanceof Error ? error.stack! : JSON.stringify(error)),
        )
      await steps.rest()
      watch.check()
    },
    async pass(ms) {
      const endMs = server.nowMs() + ms
      for (;;) {
        const nextMs = Math.min(network.nextMs(), ...scene.devices.map(({ phone }) => phone.nextMs()))
        if (nextMs > endMs) break
        server.pass(Math.max(0, nextMs - server.nowMs()))
        await scene.run(network.tick)
        for (const { phone } of scene.devices) phone.tick()
        await scene.run()
      }
      server.pass(Math.max(0, endMs - server.nowMs()))
    },
    async sessionOf(life) {
      const answered = await life.call('GET', sessionPath)
      return (answered?.body as Session | undefined) ?? { status: 'anonymous' }
    },
    async signIn(life, account) {
      watch.count('sign-ins')
      for (const device of scene.devices) if (device.phone === life.phone) device.users.add(account)
      await life.call('POST', '/auth/login', { body: { email: account.email, password } })
    },
    async endElsewhere(phone) {
      const sessionId = await phone.sessionId()
      if (sessionId === null) return
      watch.count('sessions ended elsewhere')
      await steps.take(() => server.endRemotely(sessionId))
    },
    async bases() {
      const ids = [...ledger.byLane.keys()]
        .filter((lane) => lane.startsWith('organization:'))
        .map((lane) => lane.slice(13))
      for (const id of ids) {
        if (shared.has(id)) continue
        shared.add(id)
        const { userId } = ledger.writes.get(ledger.byLane.get(`organization:${id}`)![0]!)!
        const other = { organizationId: id, userId: userId === ann.userId ? bob.userId : ann.userId }
        const row = { ...other, role: 'admin', createdAt: new Date(server.nowMs()).toISOString() }
        await db.asApp({ userId, organizationIds: [id] }, (tx) => tx.insertInto('memberships').values(row).execute())
      }
      return ids.map((id) => `/organizations/${id}`)
    },
  }
  return scene
}
