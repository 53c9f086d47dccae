// What a seed's moves share: the device, the dice, the rows they made and the writes they asked for.
import type { Dice } from '#tests/soak/dice.ts'
import { makeId } from '#tests/soak-outbox/person.ts'
import { write, type Answered } from './hand.ts'
import type { Act, Kind, Write } from './ledger.ts'
import type { Watch } from './watch.ts'
import type { Weather } from './weather.ts'
import type { Device } from './world.ts'

/** How long a person waits for the first word on a save before they do something else. */
const heardWithinMs = 600

/** Between two looks at a device that is waited for: each is a call through its worker, and asked all the time they take the processor from what is tested. */
export const lookEveryMs = 200

export interface Row {
  kind: Kind
  id: string
  /** Deleted or issued: nobody writes to it any more. */
  isOver: boolean
  /** An invoice names it. */
  isNamed: boolean
  /** Of an invoice, where it is known. */
  customerId?: string
  /** A write of it of which nothing was heard yet: another at the same time would be a race that nobody could judge. */
  isBusy: boolean
}

export interface Scene {
  device: Device
  watch: Watch
  dice: Dice
  weather: Weather
  organizationId: string
  writes: Write[]
  /** Called when a write is acknowledged. */
  onStored: Map<Write, () => void>
  /** Calls of the page that nothing was heard of yet. */
  underWay: Set<Promise<void>>
  rows: Row[]
  marks: number
  note(what: string): void
}

export function made(scene: Scene, kind: Kind, id = makeId(scene.dice)): Row {
  const row = { kind, id, isOver: false, isNamed: false, isBusy: false }
  scene.rows.push(row)
  return row
}

export function isMade({ writes }: Scene, row: Row): boolean {
  return writes.some(({ id, act, isAcknowledged }) => id === row.id && act === 'create' && isAcknowledged)
}

/** A row that is there, and that nothing is under way for. */
export function free(scene: Scene, kind: Kind, fits: (row: Row) => boolean = () => true): Row | null {
  const rows = freeRows(scene, kind).filter(fits)
  return rows.length > 0 ? scene.dice.pick(rows) : null
}

/** Without a throw of the dice. */
export function freeRows(scene: Scene, kind: Kind): Row[] {
  return scene.rows.filter((row) => row.kind === kind && !row.isOver && !row.isBusy && isMade(scene, row))
}

/** Said to be, or to be to be. */
export function isIssued({ writes }: Scene, row: Row): boolean {
  return writes.some(({ id, act, isAcknowledged }) => id === row.id && act === 'issue' && isAcknowledged)
}

/** By everything that was asked for, also where nothing was heard of it: it may have arrived. Minor units. */
export function paidOf({ writes }: Scene, { id }: Row): bigint {
  const parts = writes.flatMap((write) => write.parts ?? []).filter(({ invoiceId }) => invoiceId === id)
  return parts.reduce((sum, { amount }) => sum + amount, 0n)
}

/** A name that nothing else has, and that no other is the beginning of. */
export function newMark(scene: Scene, isElsewhere = false): string {
  return `${isElsewhere ? 'E' : 'M'}${String((scene.marks += 1)).padStart(3, '0')}`
}

export function asked(scene: Scene, each: Omit<Write, 'isAcknowledged'>): Write {
  const asked = { ...each, isAcknowledged: false }
  scene.writes.push(asked)
  scene.watch.count(each.isElsewhere ? 'writes from elsewhere' : 'writes asked for')
  return asked
}

/** Begins the write and waits until something is heard of it, or for as long as a person has patience; what comes later is noted all the same. */
export async function settled(
  scene: Scene,
  row: Row,
  act: Act,
  body: object = {},
  { parts, opened }: Pick<Write, 'parts' | 'opened'> = {},
): Promise<void> {
  const { device, dice, organizationId, note } = scene
  const mark = act === 'create' || act === 'save' ? newMark(scene) : null
  const { kind, id } = row
  const each = asked(scene, { key: makeId(dice), kind, id, act, mark, isElsewhere: false, parts, opened })
  note(`asks to ${act} ${row.kind} ${row.id} as ${each.mark} under ${each.key}`)
  row.isBusy = true
  const answered = write(device.page(), device.userId, organizationId, each, body).then(
    (answer) => hear(scene, each, answer),
    // The tab, the worker or the browser ended before it had answered.
    () => note(`no answer to ${each.key}`),
  )
  const heard = new Promise<void>((resolve) => scene.onStored.set(each, resolve))
  const free = () => void (row.isBusy = false)
  scene.underWay.add(answered)
  void answered.then(() => scene.underWay.delete(answered)).then(free)
  void heard.then(free)
  await Promise.race([answered, heard, pause(heardWithinMs)])
}

export function acknowledge({ onStored, note }: Scene, each: Write, how: string): void {
  if (each.isAcknowledged) return
  note(`${how}: ${each.key}`)
  each.isAcknowledged = true
  onStored.get(each)?.()
}

function hear(scene: Scene, each: Write, answer: Answered | null): void {
  const { watch, note } = scene
  note(`${answer === null ? 'the device does not show the row' : `answer ${answer.status}`} to ${each.key}`)
  if (!answer) return
  if (answer.status < 300) acknowledge(scene, each, 'answered')
  // What is stored is judged when the network is well.
  else if (!each.isAcknowledged && answer.status !== 503)
    watch.broke('refused', `${each.act} ${each.kind} ${each.id}: ${answer.status} ${JSON.stringify(answer.body)}`)
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
