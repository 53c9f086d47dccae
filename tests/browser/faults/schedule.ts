// One seed: an organization of its own, moves of a person in a weather, deaths; then the network gets well and everything is looked up.
import { createDiceFor } from '#tests/soak/dice.ts'
import { Violation } from '#tests/soak/watch.ts'
import { makeId } from '#tests/soak-outbox/person.ts'
import { until } from '#tests/support/people.ts'
import { issueFirst, killBrowser, move } from './moves.ts'
import { acknowledge, isMade, made, settled, type Scene } from './scene.ts'
import { end, getWell } from './settle.ts'
import type { Watch } from './watch.ts'
import { createWeather } from './weather.ts'
import { quietScreen, type Device } from './world.ts'

const movesPerSeed = 16

/** Runs one seed to its end. Throws a Violation; `log` holds what happened until then. */
export async function runSeed(device: Device, seed: number, watch: Watch, log: string[]): Promise<void> {
  watch.count('seeds')
  watch.forget()
  const dice = createDiceFor(seed)
  const { network, database } = device.server
  const beganAt = performance.now()
  const note = (what: string) => void log.push(`${((performance.now() - beganAt) / 1000).toFixed(2)} ${what}`)
  network.passed.length = 0
  network.arrived.length = 0
  // What a person may do in ten minutes, a run does in one.
  await database.query('delete from limited_events')
  const scene: Scene = {
    device,
    watch,
    dice,
    weather: createWeather(network, seed, watch, note),
    organizationId: makeId(dice),
    writes: [],
    onStored: new Map(),
    underWay: new Set(),
    rows: [],
    marks: 0,
    note,
  }
  device.onBroadcast = (broadcast) => {
    if (broadcast.type === 'stored') {
      const each = scene.writes.find(({ key }) => key === broadcast.key)
      if (each) acknowledge(scene, each, 'stored')
    }
    if (broadcast.type === 'session-changed' && broadcast.session.status === 'anonymous' && !device.mayBeLost)
      watch.broke('honest-sign-out', 'a page was told that nobody is signed in any more')
  }
  try {
    await begin(scene)
    const killAt = dice.chance(0.35) ? 2 + dice.below(movesPerSeed - 3) : -1
    for (let step = 0; step < movesPerSeed; step += 1) {
      watch.count('moves')
      // Of its own: how long the last move took shifts nothing in this one.
      scene.dice = createDiceFor(seed, step)
      await (step === killAt ? killBrowser(scene) : move(scene))
      watch.check()
    }
    scene.dice = createDiceFor(seed, 'end')
    await getWell(scene)
    await end(scene)
  } catch (error) {
    if (error instanceof Violation) throw error
    note(String(error))
    note(`stands at ${await standing(scene)}`)
    // What is missing in the end says more than the screen that did not go on for its lack.
    const looked = getWell(scene).then(() => end(scene))
    const found: unknown = await looked.catch((later: unknown) => later)
    if (found instanceof Violation) throw found
    throw new Violation('stuck', error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

/** Where a screen that does not go on is, and what it says. */
async function standing({ device }: Scene): Promise<string> {
  const page = device.page()
  const says = page.locator('body').innerText({ timeout: 5000 })
  return `${page.url()}: ${await says.catch(String)}`
}

async function begin(scene: Scene): Promise<void> {
  const { device, dice, organizationId } = scene
  await device.page().goto(quietScreen)
  scene.weather.sky = dice.chance(0.7) ? 'good' : 'bad'
  scene.note(`sky: ${scene.weather.sky}`)
  const organization = made(scene, 'organization', organizationId)
  await settled(scene, organization, 'create', { country: 'NL', currency: 'EUR' })
  await until(() => isMade(scene, organization))
  await settled(scene, made(scene, 'customer'), 'create', { country: 'NL' })
  if (scene.weather.sky === 'good') await issueFirst(scene)
  scene.weather.sky = 'bad'
  scene.note('sky: bad')
}
