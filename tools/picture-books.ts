// The books that the pictures show: a year of a plumber's firm near a border, made over the API on a server whose clock goes through that year.
import { createHash, randomBytes } from 'node:crypto'
import { wordsOf } from '#documents/words.ts'
import { apiPath } from '#shared/endpoint.ts'
import { formatDate, formatMoney } from '#shared/format.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Money } from '#shared/money.ts'
import { signedInAccount } from '#tests/support/api-client.ts'
import { password, until } from '#tests/support/people.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'

export const owner = { name: 'Eva Vermeulen', email: 'eva@vermeulen-plumbing.example', password }
export const dayMs = 86_400_000
/** The first invoice is that old; the server's clock begins there. */
export const daysOfBooks = 330

const firm = {
  name: 'Vermeulen Plumbing & Heating',
  legalName: 'Vermeulen Installatietechniek B.V.',
  country: 'NL',
  currency: 'EUR',
  locale: 'en-GB',
  timeZone: 'Europe/Amsterdam',
  address: { line1: 'Boschstraat 41', postalCode: '6211 AT', city: 'Maastricht' },
  vatNumber: 'NL004495445B01',
  registrationNumber: '14061982',
  contact: { name: owner.name, email: 'office@vermeulen-plumbing.example', phone: '+31 43 555 01 42' },
  bank: { iban: 'NL91ABNA0417164300', bic: 'ABNANL2A', holder: 'Vermeulen Installatietechniek B.V.' },
  defaults: {
    termsDays: 14,
    vatRate: '21',
    notes: 'Thank you for your trust. We give two years of warranty on our work.',
  },
}

const place = (line1: string, postalCode: string, city: string) => ({ line1, postalCode, city })
const customers = {
  hotel: {
    name: 'Hotel De Maasoever',
    contactName: 'Marieke Janssen',
    email: 'm.janssen@maasoever.example',
    phone: '+31 43 555 01 88',
    address: place('Oeverwal 12', '6211 JE', 'Maastricht'),
    vatNumber: 'NL812345674B01',
    buyerReference: 'Works 2026',
  },
  cafe: { name: 'Café Lumière', contactName: 'Luc Moreau', address: place('Markt 7', '6211 CK', 'Maastricht') },
  bakery: { name: 'Bakkerij Smeets', contactName: 'Tom Smeets', address: place('Dorpsstraat 3', '6245 AL', 'Eijsden') },
  dentist: { name: 'Claes & Daughters Dental Practice', address: place('Akersteenweg 90', '6227 AD', 'Maastricht') },
  school: { name: 'Northside International School', address: place('Campusweg 1', '6229 XM', 'Maastricht') },
  architects: { name: 'Studio Brouwer Architects', address: place('Sphinxlunet 4', '6221 JJ', 'Maastricht') },
  family: {
    kind: 'person',
    name: 'Anna and Jeroen Peters',
    email: 'peters@mail.example',
    address: place('Lindelaan 26', '6241 BA', 'Bunde'),
  },
  brandt: { kind: 'person', name: 'Olga Brandt', address: place('Kapelstraat 18', '6235 AR', 'Ulestraten') },
  german: {
    name: 'Bäckerei Küpper GmbH',
    country: 'DE',
    language: 'de',
    contactName: 'Herr Küpper',
    email: 'kuepper@baeckerei-kuepper.example',
    address: place('Jakobstraße 55', '52064', 'Aachen'),
    vatNumber: 'DE123456789',
  },
  restaurant: {
    name: 'مطعم ياسمين الشام',
    contactName: 'سامر الحلبي',
    address: place('Stationsstraat 30', '6221 BR', 'Maastricht'),
  },
} satisfies Record<string, object>
type CustomerName = keyof typeof customers

const vat = { category: 'S', rate: '21' }
const line = (name: string, quantity: string, unitPrice: string, more: object = {}) => ({
  name,
  quantity,
  unitPrice,
  vat,
  ...more,
})
const hours = (quantity: string, name = 'Labour') => line(name, quantity, '62.50', { unit: 'HUR' })
const callOut = line('Call-out, Maastricht and surroundings', '1', '45.00')

const work = {
  service: [
    line('Boiler service, with flue gas measurement', '1', '148.00'),
    line('Expansion vessel, 18 l', '1', '64.50'),
  ],
  leak: [callOut, hours('2.5', 'Leak found and mended'), line('Copper pipe, 15 mm', '4', '9.80', { unit: 'MTR' })],
  radiators: [line('Panel radiator, 60 × 120 cm', '4', '286.00'), line('Thermostat valve', '4', '34.50'), hours('7')],
  bathroom: [
    line('Bathroom, first stage', '1', '4850.00', {
      description: 'Old installation removed, pipes laid, walls closed',
    }),
    line('Wall-hung toilet with frame', '1', '520.00'),
    hours('12'),
  ],
  underfloor: [
    line('Underfloor heating, laid', '64', '48.00', {
      unit: 'MTK',
      description: 'Ground floor, with manifold and control',
    }),
    hours('9', 'Connecting and balancing'),
  ],
  pump: [
    line('Heat pump, air to water, 7 kW', '1', '6480.00'),
    line('Buffer tank, 100 l', '1', '745.00'),
    hours('22', 'Installation and commissioning'),
  ],
  kitchen: [line('Sink and mixer tap, fitted', '1', '390.00'), line('Dishwasher connected', '1', '85.00')],
  grease: [line('Grease separator emptied and tested', '1', '315.00'), hours('3')],
} satisfies Record<string, object[]>

/** Days ago, for whom, what, and after how many days it was paid. */
const year: [daysAgo: number, customer: CustomerName, work: keyof typeof work, paidAfter: number | null][] = [
  [328, 'hotel', 'radiators', 12],
  [319, 'cafe', 'grease', 9],
  [311, 'family', 'service', 3],
  [296, 'school', 'underfloor', 21],
  [287, 'brandt', 'leak', 6],
  [270, 'architects', 'bathroom', 14],
  [262, 'dentist', 'service', 11],
  [248, 'bakery', 'leak', 8],
  [236, 'hotel', 'bathroom', 19],
  [221, 'school', 'radiators', 13],
  [208, 'family', 'kitchen', 2],
  [199, 'cafe', 'leak', 15],
  [187, 'hotel', 'pump', 16],
  [172, 'dentist', 'radiators', 10],
  [163, 'bakery', 'grease', 7],
  [149, 'architects', 'underfloor', 25],
  [138, 'brandt', 'service', 4],
  [124, 'school', 'bathroom', 18],
  [117, 'cafe', 'kitchen', 6],
  [101, 'dentist', 'leak', 12],
  [94, 'hotel', 'bathroom', 14],
  [83, 'family', 'pump', 9],
  [72, 'bakery', 'radiators', 11],
  [64, 'school', 'leak', 8],
  [52, 'architects', 'radiators', 17],
  [45, 'cafe', 'grease', null],
  [41, 'brandt', 'leak', 5],
  [33, 'dentist', 'bathroom', 20],
  [26, 'bakery', 'service', null],
  [19, 'school', 'underfloor', 15],
  [12, 'architects', 'kitchen', null],
  [9, 'family', 'service', 4],
  [4, 'dentist', 'service', null],
]

const floors = ['Ground floor', 'First floor', 'Second floor', 'Third floor']
/** A hotel's bathrooms one by one: more than a page holds. */
const longWork = floors.flatMap((floor, level) =>
  [1, 2, 3, 4].flatMap((room) => [
    line(`Shower and mixer, room ${level}0${room}`, '1', '412.00', {
      description: `${floor}: old tray removed, drain lowered, new tray sealed and tested for an hour`,
    }),
    line(`Basin with tap, room ${level}0${room}`, '1', '268.50'),
  ]),
)

/** What is read of an answer, whatever it is of. */
interface Row {
  id: string
  version: number
  number: string
  gross: Money
  dueDate: string
}

export interface PictureBooks {
  organizationId: string
  customerId: string
  draftId: string
  invoice: { id: string; link: string }
  quote: { id: string; link: string }
  /** By the names of their pictures. */
  pdfs: Record<string, Uint8Array>
}

/** `server` runs the clock of tests/support/server-clock.ts, a day at a signal. */
export async function makePictureBooks(server: ServerProcess, logo: Buffer): Promise<PictureBooks> {
  const { url } = server
  let daysAgo = daysOfBooks
  await verify(url)
  let account = await signedInAccount(url, owner.email)
  /** Its clock stands at this day; who was signed in before is so no more. */
  const goTo = async (day: number) => {
    if (day >= daysAgo) return
    for (; daysAgo > day; daysAgo -= 1) {
      const before = await clockOf(url)
      server.child.kill('SIGUSR2')
      await until(async () => (await clockOf(url)) - before > dayMs / 2)
    }
    account = await signedInAccount(url, owner.email)
  }
  const send = async (
    path: string,
    body?: object,
    { version }: { version?: number } = {},
    method = 'POST',
  ): Promise<Row> => {
    const headers = { 'idempotency-key': uuidv7(), ...(version !== undefined && { 'if-match': `"${version}"` }) }
    const answer = await account.call(method, path, body, headers)
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const { id: organizationId, version } = await send('/organizations', { id: uuidv7(), ...firm })
  const base = `/organizations/${organizationId}`
  await send(`${base}/logo`, { content: logo.toString('base64') }, { version }, 'PUT')
  const ids = {} as Record<CustomerName, string>
  for (const [name, body] of Object.entries(customers)) {
    ids[name as CustomerName] = uuidv7()
    await send(`${base}/customers`, { country: 'NL', ...body, id: ids[name as CustomerName] })
  }
  for (const each of [hours('1'), callOut, ...work.radiators.slice(0, 2)])
    await send(`${base}/items`, { id: uuidv7(), name: each.name, unitPrice: each.unitPrice, vat })

  const draft = (customer: CustomerName, lines: object[], more: object = {}) =>
    send(`${base}/invoices`, { id: uuidv7(), customerId: ids[customer], taxMode: 'net', lines, ...more })
  const issue = async (customer: CustomerName, lines: object[], more?: object) => {
    const made = await draft(customer, lines, more)
    return send(`${base}/invoices/${made.id}/issue`, undefined, made)
  }
  const pay = ({ id: invoiceId, gross }: { id: string; gross: Money }, date: string, amount = gross) =>
    send(`${base}/payments`, { id: uuidv7(), date, amount, allocations: [{ invoiceId, amount }] })
  const today = async () => new Date(await clockOf(url)).toISOString().slice(0, 10)

  const due: { daysAgo: number; invoice: { id: string; gross: Money } }[] = []
  const settle = async (day: number) => {
    for (const each of due.toSorted((a, b) => b.daysAgo - a.daysAgo).filter((one) => one.daysAgo >= day)) {
      await goTo(each.daysAgo)
      await pay(each.invoice, await today())
      due.splice(due.indexOf(each), 1)
    }
    await goTo(day)
  }
  for (const [day, customer, what, paidAfter] of year) {
    await settle(day)
    const invoice = await issue(customer, work[what])
    if (paidAfter !== null) due.push({ daysAgo: day - paidAfter, invoice })
  }
  await settle(3)
  const long = await issue('hotel', longWork, { orderReference: 'PO-2026-118' })
  const german = await issue(
    'german',
    [
      line('Kühlraum, Abfluss erneuert', '1', '640.00', {
        description: 'Alte Leitung ausgebaut, neue Leitung verlegt und geprüft',
      }),
      line('Arbeitszeit', '6', '62.50', { unit: 'HUR' }),
    ],
    { notes: 'Vielen Dank für Ihren Auftrag.' },
  )
  const arabic = await issue(
    'restaurant',
    [
      line('تركيب مغسلة مطبخ مع خلاط', '1', '390.00', { description: 'مع اختبار الضغط لمدة ساعة' }),
      line('إصلاح تسرب المياه', '2.5', '62.50', { unit: 'HUR' }),
      line('ניקוי מפריד שומן', '1', '315.00', { description: 'כולל בדיקה' }),
    ],
    { notes: 'شكراً لثقتكم. نضمن عملنا لمدة سنتين.' },
  )
  await goTo(2)
  const credited = await issue('school', work.leak)
  const credit = async ({ id, version: held }: { id: string; version: number }) => {
    const note = await send(`${base}/invoices/${id}/credit-notes`, { id: uuidv7() }, { version: held })
    return send(`${base}/invoices/${note.id}/issue`, undefined, note)
  }
  const note = await credit(credited)
  const germanNote = await credit(german)

  const quote = async (customer: CustomerName, lines: object[], more: object = {}) => {
    const validUntil = new Date((await clockOf(url)) + 30 * dayMs).toISOString().slice(0, 10)
    const made = await send(`${base}/quotes`, {
      id: uuidv7(),
      customerId: ids[customer],
      taxMode: 'net',
      lines,
      validUntil,
      ...more,
    })
    return send(`${base}/quotes/${made.id}/issue`, undefined, made)
  }
  const accepted = await quote('architects', work.underfloor)
  await send(`${base}/quotes/${accepted.id}/answer`, { answer: 'accepted', name: 'Sofie Brouwer' }, accepted)
  const open = await quote(
    'family',
    [...work.bathroom, line('Underfloor heating, bathroom', '6', '48.00', { unit: 'MTK' })],
    { notes: 'We can begin in the first week of January. The work takes about eight days.' },
  )
  const germanQuote = await quote(
    'german',
    [
      line('Wärmepumpe Luft/Wasser, 7 kW', '1', '6480.00', { description: 'Mit Inbetriebnahme und Einweisung' }),
      line('Pufferspeicher, 100 l', '1', '745.00'),
      line('Montage', '22', '62.50', { unit: 'HUR' }),
    ],
    { notes: 'Ausführung innerhalb von vier Wochen nach Auftrag.' },
  )

  await goTo(1)
  const invoice = await issue(
    'hotel',
    [
      ...work.radiators,
      line('Pipe insulation', '18', '6.40', {
        unit: 'MTR',
        allowances: [{ amount: '11.52', percent: '10', reason: 'Rest of the roll' }],
      }),
    ],
    { orderReference: 'PO-2026-131' },
  )
  const { mail } = wordsOf('en')
  const over = mail.invoiceOver(formatMoney(invoice.gross, firm.locale))
  const { message } = {
    message: mail.message(customers.hotel.contactName, over, formatDate(invoice.dueDate, firm.locale), firm.name),
  }
  const words = { to: customers.hotel.email, subject: mail.subject(invoice.number, firm.name), message }
  const sent = await send(`${base}/invoices/${invoice.id}/send`, words, invoice)
  const link = await publish(`${base}/invoices/${invoice.id}/public-links`, 'invoices', 'i')
  await fetch(`${link}/viewed`, { method: 'POST' })
  await pay(sent, await today(), { amount: '750.00', currency: 'EUR' })
  const draftOne = await draft('cafe', [...work.kitchen, hours('1.5')], { orderReference: 'Bar, back wall' })
  await draft('dentist', work.grease)
  await goTo(0)
  return {
    organizationId,
    customerId: ids.hotel,
    draftId: draftOne.id,
    invoice: { id: invoice.id, link },
    quote: { id: open.id, link: await publish(`${base}/quotes/${open.id}/public-links`, 'quotes', 'q') },
    pdfs: {
      invoice: await pdf('invoices', invoice),
      'invoice-german': await pdf('invoices', german),
      'invoice-long': await pdf('invoices', long),
      'invoice-right-to-left': await pdf('invoices', arabic),
      'credit-note': await pdf('invoices', note),
      'credit-note-german': await pdf('invoices', germanNote),
      quote: await pdf('quotes', open),
      'quote-german': await pdf('quotes', germanQuote),
    },
  }

  async function pdf(kind: string, { id }: Row): Promise<Uint8Array> {
    const address = `${url}${apiPath}${base}/${kind}/${id}/pdf`
    const answer = await fetch(address, { headers: { authorization: account.bearer } })
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
    return answer.bytes()
  }

  /** As a device does: the server is told the hash alone. */
  async function publish(path: string, kind: string, prefix: string): Promise<string> {
    const token = `${prefix}_${randomBytes(32).toString('base64url')}`
    await send(path, { tokenHash: createHash('sha256').update(token).digest('base64url') })
    return `${url}${apiPath}/public/${kind}/${token}`
  }
}

async function verify(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const registered = await fetch(`${url}${apiPath}/auth/register`, {
    method: 'POST',
    headers,
    body: JSON.stringify(owner),
  })
  const { accessToken } = (await registered.json()) as { accessToken: string }
  const token = await until(async () => {
    const mailbox = await (await fetch(`${url}/dev/mailbox`)).text()
    return /verificationToken=([\w-]+)/.exec(mailbox)?.[1]
  })
  await fetch(`${url}${apiPath}/auth/verify-email?token=${token}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
}

async function clockOf(url: string): Promise<number> {
  const { headers } = await fetch(`${url}${apiPath}/organizations`)
  return Date.parse(headers.get('date')!)
}
