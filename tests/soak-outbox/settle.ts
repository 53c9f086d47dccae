// The end of a run: the network gets well, everybody signs in where they wrote, and everything that must be true then is looked up.
import type { UnsentEntry } from '#shared/outbox.ts'
import type { Person as Account } from '#tests/soak/server.ts'
import { judgeContent } from './content.ts'
import { accountFor, compareCopy, compareServer } from './oracle.ts'
import type { Life } from './phone.ts'
import type { Scene, Used } from './scene.ts'

const minute = 60_000

export async function settle(scene: Scene): Promise<void> {
  const { network, watch, elsewhere, ledger } = scene
  for (const { phone } of scene.devices) {
    phone.weather = 'good'
    phone.immune = true
  }
  await scene.run(async () => network.release())
  await scene.pass(10 * minute)
  for (const { phone } of scene.devices) phone.restart()
  for (const device of scene.devices) {
    const { phone } = device
    const kept: UnsentEntry[] = []
    for (const account of [...device.users].toReversed()) {
      await becomes(scene, device, account)
      kept.push(...(await drained(scene, device)))
    }
    accountFor(phone.name, kept, ledger, watch)
    watch.check()
  }
  for (const device of scene.devices)
    for (const account of [...device.users].toReversed()) {
      await becomes(scene, device, account)
      for (let round = 0; (await drained(scene, device)).length > 0; round += 1) {
        if (round > 100) watch.broke('never-drains', 'what the person decides parks again and again')
        await scene.run(() => device.person.decide(device.phone.life(0)))
      }
    }
  const bases = await scene.bases()
  judgeContent(ledger, watch)
  watch.check()
  for (const base of bases) await scene.run(() => compareServer(base, elsewhere, ledger, watch))
  for (const { phone } of scene.devices) {
    for (let time = 0; time < 2; time += 1) await scene.run(async () => phone.life(0).trigger('tryNow'))
    for (const base of bases) await scene.run(() => compareCopy(phone.life(0), base, watch))
  }
}

/** This person is signed in on the device; whoever was before has lost their session without signing out. */
async function becomes(scene: Scene, { phone }: Used, account: Account): Promise<void> {
  const life = phone.life(0)
  const isSignedIn = async (): Promise<boolean> => {
    const session = await scene.sessionOf(life)
    return session.status !== 'anonymous' && session.userId === account.userId
  }
  const hearsOfTheEnd = () => scene.run(() => life.call('GET', '/account', { fresh: true }))
  await scene.pass(2000)
  await hearsOfTheEnd()
  await scene.run(async () => {
    if (await isSignedIn()) return
    await scene.endElsewhere(phone)
  })
  // Within a second a process may still trust what it has just read (callers.ts).
  await scene.pass(2000)
  await hearsOfTheEnd()
  await scene.run(async () => {
    if (!(await isSignedIn())) await scene.signIn(life, account)
  })
  await scene.run(async () => {
    if (!(await isSignedIn())) scene.watch.broke('never-drains', `${account.email} cannot sign in on ${phone.name}`)
  })
}

/** Everything that waits for nobody is sent; answers what waits for the person, or behind that. */
async function drained(scene: Scene, { phone, person }: Used): Promise<UnsentEntry[]> {
  let entries: UnsentEntry[] = []
  const life: Life = phone.life(0)
  for (let round = 0; round < 8; round += 1) {
    await scene.run(async () => life.trigger('tryNow'))
    await scene.pass(round === 0 ? 100 : minute)
    await scene.run(async () => {
      entries = await person.unsent(life)
      if ((await scene.sessionOf(life)).status === 'anonymous') scene.watch.broke('never-drains', 'nobody is signed in')
    })
    if (!entries.some(({ state }) => ['queued', 'sending', 'needs-sign-in'].includes(state))) {
      const isParked = entries.some(({ state }) => state === 'conflict' || state === 'rejected')
      if (entries.length > 0 && !isParked) break
      return entries
    }
  }
  scene.watch.broke('never-drains', JSON.stringify(entries))
  scene.watch.check()
  return entries
}
