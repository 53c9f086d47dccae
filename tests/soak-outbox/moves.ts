// What may happen next, and how often.
import type { Scene, Used } from './scene.ts'
import type { Life } from './phone.ts'

const second = 1000
const hour = 3_600_000

const writes: [number, string][] = [
  [12, 'create customer'],
  [14, 'save customer'],
  [3, 'delete customer'],
  [10, 'create invoice'],
  [12, 'save invoice'],
  [3, 'delete invoice'],
  [5, 'issue invoice'],
  [6, 'record payment'],
  [6, 'reverse payment'],
  [5, 'credit invoice'],
  [1, 'save organization'],
]

/** One step of the model, and what it was. */
export async function move(scene: Scene): Promise<string> {
  const { dice, watch, network, elsewhere } = scene
  watch.count('steps')
  const device = dice.pick(scene.devices)
  const { phone, person } = device
  const life = phone.life(dice.chance(0.75) ? 0 : 1)
  const bases = await scene.bases()
  const act = (name: string) => asUser(scene, device, life, name)

  const moves: [number, string, () => Promise<unknown>][] = [
    ...writes.map(([weight, name]): [number, string, () => Promise<unknown>] => [
      weight,
      name,
      () => scene.run(act(name)),
    ]),
    [
      6,
      'several at once',
      () => {
        // Of two contexts, and what was begun in one may still be under way as the other begins.
        const names = [weighted(dice.next(), writes), weighted(dice.next(), writes), weighted(dice.next(), writes)]
        return scene.run(...names.map((name, index) => asUser(scene, device, phone.life(index % 2), name)), async () =>
          life.trigger('sync'),
        )
      },
    ],
    [bases.length < 3 ? 0.6 : 0, 'found', () => scene.run(act('found'))],
    [4, 'repeat', () => scene.run(() => person.repeat(life))],
    [5, 'try now', () => scene.run(async () => life.trigger('tryNow'))],
    [5, 'sync', () => scene.run(async () => life.trigger('sync'))],
    [bases.length > 0 ? 8 : 0, 'elsewhere', () => scene.run(() => elsewhere.write(dice.pick(bases)))],
    [
      6,
      'decide',
      async () => {
        phone.immune = true
        await scene.run(() => person.decide(life))
        phone.immune = false
      },
    ],
    [
      4,
      'take back',
      async () => {
        phone.immune = true
        await scene.run(() => person.takeBack(life))
        phone.immune = false
      },
    ],
    [7, 'time', () => scene.pass(dice.below(12 * second))],
    [4, 'let go', () => scene.run(async () => network.release())],
    [0.4, 'a day', () => scene.pass(25 * hour)],
    [0.15, 'a week', () => scene.pass(8 * 24 * hour)],
    [
      6,
      'weather',
      async () => void (phone.weather = dice.pick(['good', 'good', 'bad', 'bad', 'bad', 'offline', 'portal'])),
    ],
    [3, 'kill', async () => life.kill()],
    [4, 'kill soon', async () => life.killAfter(1 + dice.below(12))],
    [
      0.7,
      'clock',
      async () => {
        watch.count('clock jumps')
        phone.clockOffMs = dice.chance(0.4) ? 0 : (dice.below(49) - 24) * hour
      },
    ],
    [0.3, 'session ended', () => scene.run(() => scene.endElsewhere(phone))],
  ]
  const [, name, work] = moves[indexOf(dice.next(), moves)]!
  await work()
  watch.check()
  return `${phone.name} ${name}`
}

/** As somebody who is signed in; when nobody is, somebody signs in. */
function asUser(scene: Scene, { phone, person }: Used, life: Life, name: string): () => Promise<void> {
  const { dice, ann, bob } = scene
  return async () => {
    const session = await scene.sessionOf(life)
    if (session.status !== 'ACTIVE') return scene.signIn(life, dice.chance(0.8) ? ann : bob)
    const organizations = await life.call('GET', '/organizations')
    const ids = organizations?.status === 200 ? (organizations.body as { data: { id: string }[] }).data : []
    if (name === 'found' || (ids.length === 0 && phone.weather === 'good')) await person.found(life, session.userId)
    else if (ids.length > 0) await person.work[name]!(life, `/organizations/${dice.pick(ids).id}`, session.userId)
  }
}

function indexOf(roll: number, from: readonly (readonly [number, ...unknown[]])[]): number {
  let left = roll * from.reduce((sum, [weight]) => sum + weight, 0)
  const found = from.findIndex(([weight]) => (left -= weight) < 0)
  return found < 0 ? from.length - 1 : found
}

function weighted(roll: number, from: readonly [number, string][]): string {
  return from[indexOf(roll, from)]![1]
}
