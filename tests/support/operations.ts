// The API as its own document lists it, so that a test can call every operation, those it was never told of included.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { vi } from 'vitest'
import { beginsConnection } from '#server/db/preparing-client.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Answered, Sent, TestApp } from './app.ts'
import { remindersBody, websiteLine } from './bodies.ts'
import { anyPicture } from './builders.ts'
import { password } from './people.ts'

export interface Operation {
  id: string
  method: string
  /** Below `/api/v1`; parameters in braces. */
  path: string
  /** In the order of the path. */
  params: string[]
  /** Whether the document wants a Bearer in any case. */
  needsBearer: boolean
  wantsIfMatch: boolean
  takesKey: boolean
  query: { name: string; required: boolean }[]
  /** Properties of the body; null without a body. */
  body: { name: string; required: boolean }[] | null
}

interface Schema {
  $ref?: string
  properties?: Record<string, unknown>
  required?: string[]
}
interface Described {
  operationId: string
  security: object[]
  parameters?: { name: string; in: string; required: boolean }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Every operation of the document that the server serves. */
export async function describedOperations(app: TestApp): Promise<Operation[]> {
  const { body: document } = await app.send('GET', '/api/v1/openapi.json')
  const resolve = (schema: Schema): Schema =>
    schema.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)!]) : schema
  const paths = document.paths as Record<string, Record<string, Described>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const parameters = described.parameters ?? []
      const named = (place: string) => parameters.filter((each) => each.in === place)
      const schema = described.requestBody && resolve(described.requestBody.content['application/json']!.schema)
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path: path.replace('/api/v1', ''),
        params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
        needsBearer: described.security.length > 0 && described.security.every((way) => 'bearer' in way),
        wantsIfMatch: named('header').some(({ name, required }) => name === 'If-Match' && required),
        takesKey: named('header').some(({ name }) => name === 'Idempotency-Key'),
        query: named('query').map(({ name, required }) => ({ name, required })),
        body: schema
          ? Object.keys(schema.properties ?? {}).map((name) => ({ name, required: !!schema.required?.includes(name) }))
          : null,
      }
    }),
  )
}

/** Name of a path parameter -> the id of a row. */
export type Place = Readonly<Record<string, string>>

/** Operations on what was issued: of a draft they know nothing. */
const ofIssued = new Set([
  'getInvoicePdf',
  'getInvoiceXml',
  'sendInvoice',
  'remindInvoice',
  'pauseReminders',
  'listInvoiceMails',
  'createPublicLink',
  'revokePublicLinks',
])

/** Operations on a quote that is out, and the one on what was accepted: drafts know nothing of them. */
const ofSentQuote = ['getQuotePdf', 'createQuoteLink', 'revokeQuoteLinks', 'reviseQuote', 'answerQuote']

/** The path with the place's ids in it. An operation that names something unheard of fails the test: tell it what that is. */
export function pathIn({ id, path }: Operation, given: Place): string {
  // A draft is what most operations on an invoice are about.
  const isOfIssued = ['voidInvoice', 'markUncollectible', 'createCreditNote'].includes(id)
  const quoteId = ofSentQuote.includes(id)
    ? 'sentQuoteId'
    : id === 'createInvoiceOfQuote'
      ? 'acceptedQuoteId'
      : 'quoteId'
  const place: Place = {
    ...given,
    ...(isOfIssued && { invoiceId: given['issuedId']! }),
    ...(quoteId in given && { quoteId: given[quoteId]! }),
  }
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = place[name === 'invoiceId' && ofIssued.has(id) && 'issuedId' in place ? 'issuedId' : name]
    if (value === undefined) throw new Error(`${id}: no row is made for {${name}}; make one in the test`)
    return encodeURIComponent(value)
  })
}

/** What a field of this name may hold anywhere in the API. */
const fields: Record<string, (place: Place) => unknown> = {
  id: () => uuidv7(),
  name: () => 'A new name',
  country: () => 'NL',
  currency: () => 'EUR',
  email: () => `${uuidv7()}@example.com`,
  password: () => password,
  unitPrice: () => '85',
  role: () => 'member',
  userId: (place) => place['userId'],
  customerId: (place) => place['customerId'],
  lines: () => [websiteLine],
  date: () => '2026-11-20',
  amount: () => ({ amount: '1.00', currency: 'EUR' }),
  allocations: (place) => [{ invoiceId: place['issuedId'], amount: { amount: '1.00', currency: 'EUR' } }],
  reason: () => 'Entered twice',
  to: () => 'bob@example.com',
  subject: () => 'Invoice',
  message: () => 'Here it is.',
  tokenHash: () => createHash('sha256').update(uuidv7()).digest('base64url'),
  answer: () => 'accepted',
  edition: () => 1,
  content: () => anyPicture(),
  interval: () => 'month',
  every: () => 1,
  startsOn: () => '2026-01-31',
  action: () => 'draft',
  enabled: () => true,
  steps: () => remindersBody().steps,
  paused: () => true,
  job: () => 'recurring',
  write: () => true,
  // For each kind what it needs: what a kind does not know it leaves out.
  rows: (place) => [
    {
      row: 2,
      values: {
        name: 'From a file',
        unitPrice: '85',
        number: 'OLD-1',
        customer: { id: place['customerId'] },
        lines: [websiteLine],
      },
    },
  ],
  invoice: (place) => ({ customerId: place['customerId'], lines: [websiteLine] }),
}

/** A body that the contract takes: what is required, and whatever refers to a row of the place. */
export function bodyIn(operation: Operation, place: Place): Record<string, unknown> | undefined {
  if (operation.body === null) return undefined
  const named = operation.body.filter(({ name, required }) => required || name in fields)
  return Object.fromEntries(
    named.map(({ name }) => {
      const make = fields[name]
      if (!make)
        throw new Error(`${operation.id}: no value is known for "${name}"; add it to tests/support/operations.ts`)
      return [name, make(place)]
    }),
  )
}

/** The path up to its last id: the row that If-Match is about. */
export function resourceOf(path: string): string {
  return /^(.*\/[^/]*\{\w+\})[^{]*$/.exec(path)?.[1] ?? path
}

/** The whole answer but for what differs from one request to the next. */
export function comparable({ status, headers, text }: Answered) {
  const kept = [...headers].filter(([name]) => !['date', 'dpop-nonce'].includes(name))
  return { status, headers: Object.fromEntries(kept), text: text.replace(/"instance":"[^"]+"/, '') }
}

/** The statements that the work sends to the database, in order, with ids as question marks. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  // Taken from the class itself: the method is called on each client as before.
  const query = pg.Client.prototype.query
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args as [string | { text: string }]
    seen.push((typeof asked === 'string' ? asked : asked.text).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '?'))
    return Reflect.apply(query, this, args) as never
  })
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  // A connection may end between two of them, by its age; what the next one begins with is not the work's.
  return seen.filter((statement) => statement !== beginsConnection)
}

/** One call of an operation in a place. */
export function call(
  actor: { send(method: string, path: string, sent?: Sent): Promise<Answered> },
  operation: Operation,
  place: Place,
  more: { body?: unknown; query?: Record<string, string>; version?: string; key?: string } = {},
): Promise<Answered> {
  const query = new URLSearchParams(more.query)
  const body = more.body ?? bodyIn(operation, place)
  return actor.send(operation.method, `${pathIn(operation, place)}${query.size > 0 ? `?${query}` : ''}`, {
    ...(body !== undefined && { body }),
    headers: {
      ...(operation.wantsIfMatch && { 'if-match': more.version ?? '"1"' }),
      ...(operation.takesKey && more.key !== undefined && { 'idempotency-key': more.key }),
    },
  })
}
