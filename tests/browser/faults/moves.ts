// What may happen next in a seed, and how often: writes, other people, weather and deaths.
import type { Dice } from '#tests/soak/dice.ts'
import { makeId } from '#tests/soak-outbox/person.ts'
import { personHeader } from '#shared/endpoint.ts'
import { toMoney } from '#shared/money.ts'
import { websiteLine } from '#tests/support/bodies.ts'
import { until } from '#tests/support/people.ts'
import { askAgain } from '#tests/support/session-faults.ts'
import { byForm } from './forms.ts'
import { callIn, invoiceIn, pathOf } from './hand.ts'
import { marked, websiteGross, type Act, type Kind } from './ledger.ts'
import {
  asked,
  free,
  freeRows,
  isIssued,
  made,
  newMark,
  paidOf,
  pause,
  settled,
  type Row,
  type Scene,
} from './scene.ts'
import { chipIsHonest } from './screens.ts'
import type { Sky } from './weather.ts'

const chooseBy = <T>(dice: Dice, from: readonly (readonly [number, T])[]): T => {
  let left = dice.next() * from.reduce((sum, [weight]) => sum + weight, 0)
  return (from.find(([weight]) => (left -= weight) < 0) ?? from.at(-1)!)[1]
}

const moves: readonly (readonly [number, (scene: Scene) => Promise<unknown>])[] = [
  [22, writeOne],
  [5, async (scene) => Promise.all([writeOne(scene), writeOne(scene), writeOne(scene)])],
  [3, byForm],
  [5, fromElsewhere],
  [4, fromOldForm],
  [2, readChip],
  [6, changeWeather],
  [3, (scene) => inTheMiddle(scene, 'worker kills', scene.device.killWorker)],
  [2, (scene) => inTheMiddle(scene, 'tab closes', scene.device.closeTab)],
  [3, ({ device }) => askAgain(device.page())],
  [2, ({ device }) => device.server.network.settle()],
  [3, ({ dice }) => pause(100 + dice.below(900))],
]

export function move(scene: Scene): Promise<unknown> {
  return chooseBy(scene.dice, moves)(scene)
}

/** Nothing gets through while it is read: what it says of what waits stays so. */
async function readChip(scene: Scene): Promise<void> {
  const { sky } = scene.weather
  scene.weather.sky = 'down'
  await writeOne(scene)
  await chipIsHonest(scene)
  scene.weather.sky = sky
}

async function changeWeather(scene: Scene): Promise<void> {
  const skies: readonly (readonly [number, Sky])[] = [
    [2, 'good'],
    [8, 'bad'],
    [2, 'down'],
    [1, 'portal'],
  ]
  scene.weather.sky = chooseBy(scene.dice, skies)
  scene.note(`sky: ${scene.weather.sky}`)
}

/** A write is begun, and a moment later this happens to the device. */
async function inTheMiddle(
  scene: Scene,
  what: 'worker kills' | 'tab closes' | 'SIGKILLs of the browser',
  happen: () => Promise<unknown>,
): Promise<void> {
  const begun = writeOne(scene)
  await pause(scene.dice.below(60))
  scene.note(what)
  scene.watch.count(what)
  await happen()
  await begun
}

export const killBrowser = (scene: Scene) =>
  inTheMiddle(scene, 'SIGKILLs of the browser', async () => {
    const isLost = await scene.device.killBrowser(scene.dice.chance(0.3))
    if (!isLost) return
    scene.note('databases that the browser lost')
    scene.watch.count('databases that the browser lost')
    const { sky } = scene.weather
    scene.weather.sky = 'good'
    await scene.device.signInAgain()
    scene.weather.sky = sky
  })

const works: readonly (readonly [number, (scene: Scene) => Promise<unknown> | undefined])[] = [
  [6, (scene) => settled(scene, made(scene, 'customer'), 'create', { country: 'NL' })],
  [7, (scene) => change(scene, 'customer', 'save')],
  [1, (scene) => change(scene, 'customer', 'delete', ({ isNamed }) => !isNamed)],
  [6, draft],
  [6, (scene) => change(scene, 'invoice', 'save')],
  [1, (scene) => change(scene, 'invoice', 'delete')],
  [4, (scene) => change(scene, 'invoice', 'issue')],
  [10, pay],
  [1, (scene) => change(scene, 'organization', 'save')],
]

async function writeOne(scene: Scene): Promise<void> {
  await chooseBy(scene.dice, works)(scene)
}

async function change(scene: Scene, kind: Kind, act: Act, fits?: (row: Row) => boolean): Promise<void> {
  const row = free(scene, kind, fits)
  if (!row) return
  if (act !== 'save') row.isOver = true
  await settled(scene, row, act)
}

async function draft(scene: Scene): Promise<void> {
  const customer = free(scene, 'customer')
  if (!customer) return
  customer.isNamed = true
  const body = { customerId: customer.id, taxMode: 'net', lines: [websiteLine] }
  const invoice = made(scene, 'invoice')
  invoice.customerId = customer.id
  await settled(scene, invoice, 'create', body)
}

/** A part of what is left of an invoice that the device shows as issued, or all of it; now and then with a part of another of the same customer. */
async function pay(scene: Scene): Promise<void> {
  const { device, dice, organizationId } = scene
  const issued = scene.rows.filter((row) => isIssued(scene, row) && paidOf(scene, row) < websiteGross)
  if (issued.length === 0) return
  const invoice = dice.pick(issued)
  const others = issued.filter((row) => row !== invoice && row.customerId && row.customerId === invoice.customerId)
  const other = others.length > 0 && dice.chance(0.6) ? dice.pick(others) : null
  const share = dice.chance(0.3) ? 1 : dice.next() / 2
  const payment = made(scene, 'payment')
  payment.isOver = true
  // The tab may close under it.
  const shownOf = ({ id }: Row) => invoiceIn(device.page(), device.userId, organizationId, id).catch(() => null)
  const shown = await shownOf(invoice)
  const isBesideIssued = other !== null && (await shownOf(other))?.status === 'issued'
  // Another may have been begun meanwhile.
  const left = websiteGross - paidOf(scene, invoice)
  if (shown?.status !== 'issued' || left === 0n) return
  const parts = [{ invoiceId: invoice.id, amount: BigInt(Math.ceil(Number(left) * share)) }]
  const beside = isBesideIssued ? (websiteGross - paidOf(scene, other)) / 2n : 0n
  if (other && beside > 0n) parts.push({ invoiceId: other.id, amount: beside })
  const money = (amount: bigint) => toMoney(amount, 'EUR')
  const allocations = parts.map(({ invoiceId, amount }) => ({ invoiceId, amount: money(amount) }))
  const whole = parts.reduce((sum, { amount }) => sum + amount, 0n)
  await settled(scene, payment, 'create', { date: '2026-01-31', amount: money(whole), allocations }, { parts })
}

/** An invoice to pay, or two of one customer, before anything goes wrong: in bad weather few are issued by the end of a seed. */
export async function issueFirst(scene: Scene): Promise<void> {
  await issueOne(scene)
  if (scene.dice.chance(0.5)) await issueOne(scene)
}

async function issueOne(scene: Scene): Promise<void> {
  const { device, organizationId } = scene
  // On a slow machine each is heard of later than it is waited for.
  await until(() => freeRows(scene, 'customer').length > 0)
  await draft(scene)
  await until(() => freeRows(scene, 'invoice').length > 0)
  const { id } = free(scene, 'invoice')!
  await change(scene, 'invoice', 'issue')
  await until(async () => (await invoiceIn(device.page(), device.userId, organizationId, id))?.status === 'issued')
}

/** A form is opened; another tab saves the row; then the form is saved, which knows nothing of that. */
async function fromOldForm(scene: Scene): Promise<void> {
  const { device, dice, organizationId, watch, note } = scene
  const row = free(scene, dice.chance(0.5) ? 'customer' : 'invoice')
  if (!row) return
  const headers = { [personHeader]: device.userId }
  // Where the device does not have the row, it may come from the network, or not.
  const form = await callIn(device.page(), 'GET', pathOf(organizationId, row), { headers }).catch(() => null)
  if (form?.status !== 200) return
  const opened = form.body
  await settled(scene, row, 'save')
  // Somebody's answer may still be on its way, or the row be gone.
  if (row.isBusy || row.isOver) return
  watch.count('saves of forms opened before another save')
  note('a form that was opened before that:')
  await settled(scene, row, 'save', {}, { opened })
}

async function fromElsewhere(scene: Scene): Promise<void> {
  const { device, dice, organizationId, note } = scene
  const row = free(scene, dice.chance(0.6) ? 'customer' : 'invoice')
  const field = row && marked[row.kind].elsewhere?.[1]
  if (!row || !field) return
  const path = pathOf(organizationId, row)
  const { status, body } = await device.elsewhere.call('GET', path)
  if (status !== 200 || (body.status ?? 'draft') !== 'draft') return
  const key = makeId(dice)
  const mark = newMark(scene, true)
  const headers = { 'idempotency-key': key, 'if-match': `"${body.version}"` }
  const saved = await device.elsewhere.call('PUT', path, { ...body, [field]: mark }, headers)
  note(`from elsewhere ${row.kind} ${row.id} as ${mark}: ${saved.status}`)
  if (saved.status === 200) asked(scene, { key, kind: row.kind, id: row.id, act: 'save', mark, isElsewhere: true })
}
