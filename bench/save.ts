// How soon a save is known to be on the device's disk: from the page's call to the `stored` message, with the worker awake and stopped (OFFLINE.md).
import { uuidv7 } from '#shared/ids.ts'
import { apiPath } from '#shared/endpoint.ts'
import { broadcastChannelName } from '#shared/worker-messages.ts'
import { customerBody, invoiceBody } from '#tests/support/builders.ts'
import { figure, percentile } from './numbers.ts'
import { emptyPage, openPhone, settled, type Books, type Phone } from './phone.ts'

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
  const times = { warm: { online: [] as number[], offline: [] as number[] }, workerStopped: [] as number[] }
  for (const network of ['online', 'offline'] as const) {
    phone.network.fault = network === 'online' ? 'none' : 'down'
    for (let each = 0; each < warmUps + warmSaves; each += 1) {
      const ms = await save(phone, books, each)
      if (each >= warmUps) times.warm[network].push(ms)
    }
  }
  phone.network.fault = 'none'
  await settled(phone)
  for (let each = 0; each < coldSaves; each += 1) {
    await phone.stopWorker()
    times.workerStopped.push(await save(phone, books, each))
  }
  await phone.close()
  const summary = (ms: number[]) => ({ ...figure(ms), p95: percentile(ms, 0.95) })
  return {
    storedMs: {
      warmOnline: summary(times.warm.online),
      warmOffline: summary(times.warm.offline),
      workerStopped: summary(times.workerStopped),
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
