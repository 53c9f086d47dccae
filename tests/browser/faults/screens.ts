// What the device's answers and its screens say, held against the server: while faults last, and when everything is sent.
import { isDeepStrictEqual } from 'node:util'
import type { Invoice } from '#shared/contract/invoices.ts'
import { countsOf } from '#shared/outbox.ts'
import { Violation } from '#tests/soak/watch.ts'
import { until } from '#tests/support/people.ts'
import { callIn, unsentIn } from './hand.ts'
import { readBooks } from './ledger.ts'
import { lostOf } from './oracle.ts'
import { lookEveryMs, type Scene } from './scene.ts'

/** A word may come a moment after what it says; what stands there longer is said. */
const staysSaidMs = 20_000

/** Waits until what is said is so; what is said until then is the violation. `look`: null when it is. */
async function comesTrue(scene: Scene, look: () => Promise<string | null>): Promise<void> {
  let said: string | null = null
  await until(async () => (said = await look()) === null, staysSaidMs, lookEveryMs).catch((error: unknown) => {
    throw new Violation('false-screen', said ?? String(error))
  })
  scene.watch.count('screens held against the server')
}

/** The chip's number is that of what is unsent; and where it says that all is synced, everything that was acknowledged is at the server. */
export async function chipIsHonest(scene: Scene): Promise<void> {
  const { device, writes, organizationId, note } = scene
  await comesTrue(scene, async () => {
    const chip = device
      .page()
      .getByRole('banner')
      .getByRole('link', { name: /synced|waiting|need|loaded/ })
    const said = (await chip.count()) === 0 ? null : (await chip.innerText()).trim()
    const { waiting, attention } = countsOf(await unsentIn(device.page()))
    note(`the chip says: ${said}; ${waiting} wait, ${attention} need attention`)
    if (said === null) return null
    const known = attention > 0 ? attention : waiting
    if (known !== (/synced|loaded/.test(said) ? 0 : parseInt(said)))
      return `the chip says "${said}", ${waiting} wait and ${attention} need attention`
    if (!said.includes('synced')) return null
    const lost = lostOf(writes, await readBooks(device.server.database, organizationId))
    return lost && `the chip says "${said}": ${lost}`
  })
}

/** With nothing unsent: the device answers as the server does, and the screens say it. */
export async function screensAreTrue(scene: Scene): Promise<void> {
  const { device, organizationId, note } = scene
  const base = `/organizations/${organizationId}`
  const page = device.page()
  await page.evaluate(() => navigator.serviceWorker.controller!.postMessage({ type: 'sync' }))
  const same = async (path: string): Promise<unknown> => {
    let theirs: unknown = null
    await comesTrue(scene, async () => {
      theirs = (await device.elsewhere.call('GET', path)).body
      const ours = (await callIn(page, 'GET', path)).body as unknown
      return isDeepStrictEqual(ours, theirs)
        ? null
        : `${path}: ${JSON.stringify(ours)} here, ${JSON.stringify(theirs)} at the server`
    })
    return theirs
  }
  for (const path of ['', '/customers?limit=200', '/payments?limit=200', '/dashboard']) await same(base + path)
  const { data: invoices } = (await same(`${base}/invoices?limit=200`)) as { data: Invoice[] }
  const details: Invoice[] = []
  for (const { id } of invoices) details.push((await same(`${base}/invoices/${id}`)) as Invoice)
  note('the device answers as the server does')
  // One of them, read as a person reads it: it costs a second.
  const paid = details.find(({ payments }) => payments.length > 0)
  if (paid) await invoiceIsTrue(scene, paid)
  await chipIsHonest(scene)
}

/** The screen of an invoice that was paid: its number, each payment once, what is due, and what that makes of it. */
async function invoiceIsTrue(scene: Scene, invoice: Invoice): Promise<void> {
  const { number, payments, amountDue, paymentStatus } = invoice
  const page = scene.device.page()
  await page.goto(`/organization/${scene.organizationId}/invoices/${invoice.id}`)
  const wanted = {
    payments: payments.map(({ amount, reference }) => `${amount.amount} ${reference}`),
    due: amountDue.amount,
    isPartlyPaid: paymentStatus === 'partly-paid',
    isOpen: paymentStatus !== 'paid',
    waits: false,
  }
  await comesTrue(scene, async () => {
    if ((await page.getByRole('heading', { name: number!, exact: true }).count()) === 0)
      return `${page.url()}: no ${number}`
    const main = await page.getByRole('main').innerText()
    const rows = await page.getByRole('list', { name: 'Payments' }).getByRole('listitem').allInnerTexts()
    const shown = {
      payments: rows.map((text) => `${/[\d.]+/.exec(text)?.[0]} ${/M\d{3}/.exec(text)?.[0]}`),
      due: /Still due\s+\S?([\d.]+)/.exec(main)?.[1],
      isPartlyPaid: main.includes('Partly paid'),
      isOpen: main.includes('Record payment'),
      waits: /Waits for a connection|Payment waits/.test(main),
    }
    return isDeepStrictEqual(shown, wanted)
      ? null
      : `the screen of ${number} says ${JSON.stringify(shown)}, the server ${JSON.stringify(wanted)}`
  })
}
