// What may happen to a device, as commands of fast-check: each is a value with its own seed, so that a run can be replayed and shrunk.
import fc from 'fast-check'
import { endpointPath } from '#shared/endpoints.ts'
import { createDice } from './dice.ts'
import type { Watch } from './watch.ts'
import { account, signInAs, type World } from './world.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** What decides whether a command makes sense; read from the device after every command. */
export interface Model {
  signedIn: boolean
}

type Command = fc.AsyncCommand<Model, World>

const meanwhiles = ['sign out', 'sign in', 'sign in as another', 'end remotely', 'call', 'kill'] as const

export function commands(watch: Watch): fc.Arbitrary<Iterable<Command>> {
  const command = (
    name: string,
    run: (world: World) => Promise<void> | void,
    check: (model: Readonly<Model>) => boolean = () => true,
  ): Command => ({
    check,
    async run(model, world) {
      watch.count('commands')
      await run(world)
      watch.check()
      model.signedIn = world.device.sessionId() !== null
    },
    toString: () => name,
  })
  const signedIn = (model: Readonly<Model>) => model.signedIn
  const signedOut = (model: Readonly<Model>) => !model.signedIn

  const seed = fc.nat({ max: 2 ** 31 })
  const context = fc.nat({ max: 2 })
  const contexts = fc.subarray([0, 1, 2], { minLength: 1 })
  const tries = fc.integer({ min: 1, max: 5 })
  /** The device's own dice for what a person does once. */
  const once = fc.record({ context, seed })

  const wake = fc.record({
    contexts,
    tries,
    seed,
    afterMs: fc.constantFrom(10 * minute, 10 * minute, 11 * minute, 4 * 60 * minute),
  })
  const overlap = fc.record({
    context,
    seed,
    endFirst: fc.constantFrom(true, false, false),
    signingIn: fc.constantFrom(true, false, false),
    arrives: fc.constantFrom(true, true, false),
    meanwhile: fc.constantFrom(...meanwhiles),
  })

  const weighted: [number, fc.Arbitrary<Command>][] = [
    [
      40,
      wake.map((of) =>
        command(
          `wake(${JSON.stringify(of)})`,
          async (world) => {
            await world.pass(of.afterMs)
            await world.wake(of.contexts, of.tries, of.seed)
          },
          signedIn,
        ),
      ),
    ],
    [8, once.map((of) => command(`call(${JSON.stringify(of)})`, (world) => world.wake([of.context], 1, of.seed)))],
    [3, context.map((of) => command(`askSession(${of})`, (world) => world.askSession(of)))],
    [
      8,
      fc
        .record({ context, seed, person: fc.nat({ max: 1 }) })
        .map((of) =>
          command(
            `signIn(${JSON.stringify(of)})`,
            (world) => world.signIn(of.context, world.people[of.person]!, createDice(of.seed)),
            signedOut,
          ),
        ),
    ],
    [
      1,
      fc
        .record({ context, seed, person: fc.nat({ max: 1 }) })
        .map((of) =>
          command(
            `signInAsAnother(${JSON.stringify(of)})`,
            (world) => world.signIn(of.context, world.people[of.person]!, createDice(of.seed)),
            signedIn,
          ),
        ),
    ],
    [
      2,
      once.map((of) =>
        command(`signOut(${JSON.stringify(of)})`, (world) => world.signOut(of.context, createDice(of.seed)), signedIn),
      ),
    ],
    [1, fc.constant(command('endRemotely', (world) => world.endRemotely(), signedIn))],
    [3, fc.constantFrom(20 * minute, day, 14 * day).map((ms) => command(`pass(${ms})`, (world) => world.pass(ms)))],
    // Past 70 % of the refresh token's life: the next renewal rotates it.
    [4, fc.constant(command('passUntilRotation', (world) => world.pass(64 * day), signedIn))],
    [
      4,
      fc.integer({ min: -48 * 60, max: 48 * 60 }).map((minutes) =>
        command(`jumpClock(${minutes} min)`, (world) => {
          watch.count('clock jumps')
          world.device.clockOffMs = minutes * minute
        }),
      ),
    ],
    [3, context.map((of) => command(`kill(${of})`, (world) => world.device.life(of).kill()))],
    [
      2,
      fc
        .constantFrom(true, false, false)
        .map((of) => command(`lockIsStuck(${of})`, (world) => void (world.device.lockIsStuck = of))),
    ],
    [
      1,
      once.map((of) =>
        command(`portal(${JSON.stringify(of)})`, async (world) => {
          world.device.portal = true
          await world.pass(10 * minute)
          await world.wake([of.context], 2, of.seed)
          world.device.portal = false
        }),
      ),
    ],
    [7, overlap.map((of) => command(`overlap(${JSON.stringify(of)})`, (world) => overlapped(world, of)))],
    [2, fc.constant(command('settle', (world) => world.settle()))],
  ]
  return fc.commands([fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })))], {
    maxCommands: 120,
    size: 'max',
  })
}

interface Overlapped {
  context: number
  seed: number
  endFirst: boolean
  signingIn: boolean
  arrives: boolean
  meanwhile: (typeof meanwhiles)[number]
}

/** A renewal (or a sign-in) is on its way in one tab while something else happens in another. */
async function overlapped(world: World, of: Overlapped): Promise<void> {
  const dice = createDice(of.seed)
  const other = (of.context + 1) % world.device.contexts
  const [first, second] = dice.chance(0.5) ? world.people : world.people.toReversed()
  const signsIn = of.signingIn || world.device.sessionId() === null
  if (!signsIn) await world.pass(10 * minute)
  if (of.endFirst) await world.endRemotely()
  const meanwhile = {
    'sign out': () => world.signOut(other, null),
    'sign in': () => world.signIn(other, first!, null),
    'sign in as another': () => world.signIn(other, second!, null),
    'end remotely': () => world.endRemotely(),
    call: () => world.wake([other], 2, of.seed),
    kill: () => world.device.life(of.context).kill(),
  }[of.meanwhile]
  await world.overlap({
    context: of.context,
    asked: signsIn ? signInAs(first!) : account,
    path: endpointPath(signsIn ? 'login' : 'refreshToken'),
    arrives: of.arrives,
    meanwhile: async () => meanwhile(),
  })
}
