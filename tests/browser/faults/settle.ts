// The end of a seed: the network gets well, everything is sent, and what must be true then is looked up.
import type { UnsentEntry } from '#shared/outbox.ts'
import { Violation } from '#tests/soak/watch.ts'
import { until } from '#tests/support/people.ts'
import { askAgain } from '#tests/support/session-faults.ts'
import { callIn, keepMine, sessionIn, unsentIn } from './hand.ts'
import { readBooks } from './ledger.ts'
import { judge } from './oracle.ts'
import { lookEveryMs, type Scene } from './scene.ts'
import { screensAreTrue } from './screens.ts'
import type { Rule } from './watch.ts'

const drainedWithinMs = 60_000

/** The network is well, what was held back is let go, and everything is sent. */
export async function getWell(scene: Scene): Promise<void> {
  const { device, watch, weather, dice, note } = scene
  note('the network is well')
  weather.sky = 'good'
  // Now and then what stalled stalls on, until the device gives it up.
  if (!dice.chance(0.05)) await device.server.network.settle()
  const page = device.page()
  await askAgain(page)
  let entries: UnsentEntry[] = []
  const isDrained = async () => {
    entries = await unsentIn(page)
    for (const entry of entries) {
      if (entry.state === 'needs-sign-in') watch.broke('honest-sign-out', JSON.stringify(entry))
      if (entry.state === 'rejected') watch.broke(await ruleOf(scene, entry), JSON.stringify(entry))
      if (entry.state === 'conflict') await decide(scene, entry)
    }
    watch.check()
    // What the page has asked for may not be stored yet.
    return entries.length === 0 && scene.underWay.size === 0
  }
  await until(isDrained, drainedWithinMs, lookEveryMs).catch((error: unknown) => {
    if (error instanceof Violation) throw error
    throw new Violation('never-drains', `${String(error)}: ${JSON.stringify(entries)}`)
  })
  note('nothing is unsent')
  await device.server.network.settle()
}

/** Why a write was refused, in an organization where nobody else makes, issues or deletes anything. */
async function ruleOf({ device, organizationId }: Scene, { key, lastProblem, theirs }: UnsentEntry): Promise<Rule> {
  const { commits } = await readBooks(device.server.database, organizationId)
  if (commits.some((commit) => commit.key === key) || (theirs?.['status'] ?? 'draft') !== 'draft') return 'done-twice'
  const isNotThere = lastProblem?.errors?.some(({ pointer }) => pointer === '/customerId')
  return isNotThere || lastProblem?.code === 'not_found' ? 'child-before-parent' : 'refused'
}

async function decide(scene: Scene, entry: UnsentEntry): Promise<void> {
  const { device, watch, note } = scene
  const rule = await ruleOf(scene, entry)
  if (rule !== 'refused') return watch.broke(rule, `shown as a conflict: ${JSON.stringify(entry)}`)
  watch.count('decided by the person')
  note(`keeps theirs and mine of ${entry.key}`)
  await keepMine(device.page(), entry)
}

export async function end(scene: Scene): Promise<void> {
  const { device, watch, writes, organizationId } = scene
  const session = await sessionIn(device.page())
  if (session.status !== 'ACTIVE' || session.userId !== device.userId)
    watch.broke('honest-sign-out', JSON.stringify(session))
  for (const { method, path, status } of device.server.network.passed)
    if (status >= 500) watch.broke('server-error', `${status} to ${method} ${path}`)
  judge(writes, await readBooks(device.server.database, organizationId), watch)
  watch.check()
  await screensAreTrue(scene)
  const path = `/organizations/${organizationId}`
  const { body } = await device.elsewhere.call('GET', path)
  await device.elsewhere.call('DELETE', path, undefined, { 'if-match': `"${body.version}"` })
  const isGone = async () => {
    await device.page().evaluate(() => navigator.serviceWorker.controller!.postMessage({ type: 'sync' }))
    const { body: mine } = await callIn(device.page(), 'GET', '/organizations')
    return mine.data.length === 0
  }
  await until(isGone, undefined, lookEveryMs)
}
