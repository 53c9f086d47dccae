// How soon a save is known to be on the device's disk: from the page's call to the `stored` message, with the worker awake and stopped (OFFLINE.md).
import { uuidv7 } from '#shared/ids.ts'
import { apiPath } from '#shared/endpoint.ts'
import { broadcastChannelName } from '#shared/worker-messages.ts'
import { customerBody, invoiceBody } from '#tests/support/bodies.ts'
import { figure, percentile } from './numbers.ts'
import { emptyPage, openPhone, settled, type Books, type Phone } from './phone.ts'
import { undisturbed, type Rounds } from './undisturbed.ts'

const warmSaves = 100
const coldSaves = 40
const warmUps = 5
const invoicesOnPhone = 10_000

export async function measureSaves(folder: string) {
  const phone = await openPhone(folder)
  const books = await phone.makeBooks()
  await phone.fill(books, invoicesOnPhone)
  await settled(phone)
  await phone.relaunch(emptyPage)
  let turn = 0
  const warm = async (fault: 'none' | 'down') => {
    phone.network.fault = fault
    for (let each = 0; each < warmUps; each += 1) await save(phone, books, (turn += 1))
    return undisturbed(warmSaves, () => save(phone, books, (turn += 1)))
  }
  const [online, offline] = [await warm('none'), await warm('down')]
  phone.network.fault = 'none'
  await settled(phone)
  const workerStopped = await undisturbed(coldSaves, async () => {
    await phone.stopWorker()
    return save(phone, books, (turn += 1))
  })
  await phone.close()
  const summary = ({ results, said }: Rounds<number>) => ({
    ...figure(results),
    p95: percentile(results, 0.95),
    ...said,
  })
  return {
    storedMs: {
      warmOnline: summary(online),
      warmOffline: summary(offline),
      workerStopped: summary(workerStopped),
    },
    invoicesOnPhone,
  }
}

/** By turns a new customer and a new invoice. The answer is waited for, so that saves do not meet. */
function save(phone: Phone, { organizationId, customerId }: Books, turn: number): Promise<number> {
  const [resource, body] = turn % 2 === 0 ? ['customers', customerBody()] : ['invoices', invoiceBody(customerId)]
  return phone.page().evaluate(saveInPage, {
    url: `${apiPath}/organizations/${organizationId}/${resource}`,
    body: JSON.stringify(body),
    key: uuidv7(),
    channel: broadcastChannelName,
  })
}

async function saveInPage(call: { url: string; body: string; key: string; channel: string }): Promise<number> {
  const channel = new BroadcastChannel(call.channel)
  const stored = new Promise<number>((resolve) => {
    channel.addEventListener('message', ({ data }: MessageEvent<{ type: string; key?: string }>) => {
      if (data.type === 'stored' && data.key === call.key) resolve(performance.now())
    })
  })
  const began = performance.now()
  const answer = await fetch(call.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': call.key },
    body: call.body,
  })
  await answer.text()
  if (!answer.ok) throw new Error(`The bench got ${answer.status}`)
  const ms = (await stored) - began
  channel.close()
  return ms
}
