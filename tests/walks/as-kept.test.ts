// What a save shows on the device before it is sent is what the server makes of it, however untidily it was typed.
import { expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { customerBody, invoiceBody, itemBody, organizationBody, websiteLine } from '#tests/support/bodies.ts'
import { offline, startWalk, version } from '#tests/support/walk.ts'

const { walk, online, send, get, atServer, isSynced, ready } = startWalk()

/** As forms send it: fields left empty, spaces around, line ends of a file from Windows. */
const address = { line1: ' Main street 1 ', line2: '', city: '  ', postalCode: '', region: null }
const organization = organizationBody({
  name: ' Ann Works ',
  legalName: '',
  address,
  vatNumber: ' ',
  contact: { name: ' Ann ', email: '', phone: '' },
  bank: { iban: '', bic: '', holder: '' },
  defaults: { termsDays: 14, taxMode: 'net', notes: '', vatRate: null },
})
const customer = customerBody({
  name: 'Bob the Baker ',
  email: '',
  phone: ' 020 1234567',
  address,
  vatNumber: '',
  buyerReference: ' PO-7 ',
  notes: ' first line\r\nsecond line ',
})
const item = itemBody({
  name: ' Hour ',
  sku: '',
  description: '',
  unitPrice: '085.50',
  vat: { category: 'S', rate: '21.0', reason: '' },
})
const invoice = invoiceBody(customer.id, {
  buyerReference: '',
  orderReference: ' ',
  notes: '',
  lines: [
    {
      ...websiteLine,
      id: uuidv7(),
      name: ' Website',
      description: ' ',
      allowances: [{ amount: '1.00', reason: ' first order ' }],
      charges: [{ amount: '2', reason: '' }],
    },
  ],
})

const another = (more: object = {}) => invoiceBody(customer.id, { lines: [{ ...websiteLine, id: uuidv7() }], ...more })

test('blank fields and spaces are shown as they will be kept', async () => {
  await ready()
  walk.network = offline
  const base = `/organizations/${organization.id}`
  const made: [string, object][] = [
    ['', organization],
    ['/customers', customer],
    ['/items', item],
    ['/invoices', invoice],
    // The customer's reference; none; its own.
    ['/invoices', another()],
    ['/invoices', another({ buyerReference: null })],
    ['/invoices', another({ buyerReference: ' PO-8 ' })],
  ]
  const paths: string[] = []
  for (const [list, body] of made) {
    const { status } = await send('POST', list === '' ? '/organizations' : base + list, body)
    expect({ list, status }).toEqual({ list, status: 202 })
    paths.push(list === '' ? base : `${base}${list}/${(body as { id: string }).id}`)
  }
  const before = (await get(paths[1]!)).body
  await send('PUT', paths[1]!, { ...customer, phone: '', contactName: ' Bob ' }, version(before))
  const references = async () => (await Promise.all(paths.slice(3).map(get))).map(({ body }) => body.buyerReference)
  expect(await references()).toEqual(['PO-7', 'PO-7', null, 'PO-8'])
  const shown = await Promise.all(paths.map(async (path) => (await get(path)).body))
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  for (const [index, path] of paths.entries())
    expect({ path, row: content(shown[index]) }).toEqual({ path, row: content((await atServer(path)).body) })
})

/** Without what a row says of itself. */
function content(row: Record<string, unknown>): object {
  const { version: _, revision, createdAt, updatedAt, unsent, ...rest } = row
  return rest
}
