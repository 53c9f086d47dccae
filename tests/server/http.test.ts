// What every request meets before a resource: sizes, types, unknown paths, headers, CORS, the document of the API, files.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointPath, endpoints, type EndpointName } from '#shared/endpoints.ts'
import { uuidv7 } from '#shared/ids.ts'
import { draftBytes, newInvoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { expectProblem, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { customerBody, invoiceBody, organizationBody } from '#tests/support/bodies.ts'
import { makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let organization: Organization
  let files: string
  beforeAll(async () => {
    files = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-files-'))
    fs.mkdirSync(path.join(files, 'assets'))
    for (const name of ['index', 'dashboard', 'landing', 'login', 'register'])
      fs.writeFileSync(path.join(files, `${name}.html`), name)
    fs.writeFileSync(path.join(files, 'assets/start-abc.js'), 'export {}'.repeat(100))
    fs.writeFileSync(path.join(files, 'sw.js'), '// worker')
    app = await startTestApp(await openFresh(engine), { files, corsOrigins: ['https://app.example'] })
    ann = await verifiedActor(app)
    organization = await makeOrganization(ann)
  })
  afterAll(async () => {
    await app.db.close()
    fs.rmSync(files, { recursive: true })
  })

  describe('bad input', () => {
    const login = (body: unknown, headers = {}) => app.send('POST', '/api/v1/auth/login', { body, headers })
    test('malformed JSON, bytes that are no text', async () => {
      expectProblem(await login('{"email":'), { status: 400, code: 'invalid_json' })
      expectProblem(await login(new Uint8Array([0x22, 0xff, 0x22])), { status: 400, code: 'invalid_json' })
    })
    test('another type, or none', async () => {
      expectProblem(await login('a=b', { 'content-type': 'application/x-www-form-urlencoded' }), {
        status: 415,
        code: 'unsupported_media_type',
      })
      expectProblem(await login('{}', { 'content-type': 'text/plain' }), { status: 415 })
      expect((await login('{}', { 'content-type': 'application/json; charset=utf-8' })).status).toBe(422)
    })
    test('over 1 MiB, said or not', async () => {
      expectProblem(await login(JSON.stringify({ email: 'x'.repeat(1024 * 1024) })), {
        status: 413,
        code: 'body_too_large',
      })
      const stream = new ReadableStream({
        start(controller) {
          for (let each = 0; each < 20; each += 1) controller.enqueue(new Uint8Array(64 * 1024).fill(0x20))
          controller.close()
        },
      })
      const request = new Request('http://localhost:8080/api/v1/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: stream,
        duplex: 'half',
      } as RequestInit)
      expect((await app.fetch(request)).status).toBe(413)
    })
    test('an invoice, a quote and a rule as large as the contract allows are taken, and none that is larger', async () => {
      const vat = { category: 'E', rate: '0', reason: '字'.repeat(200) }
      const adjustment = { amount: '0.01', reason: '字'.repeat(200) }
      const all = <Item>(count: number, item: Item) => Array<Item>(count).fill(item)
      const text = { name: '字'.repeat(200), description: '字'.repeat(2000), vat }
      const lines = all(500, { ...text, quantity: '-123456789.1234', unitPrice: '123456789.123456', unit: 'C62' })
      const adjusted = lines.map((each) => ({
        ...each,
        id: uuidv7(),
        allowances: all(20, adjustment),
        charges: all(20, { ...adjustment, amount: '123456789012.12' }),
      }))
      const ofDocument = all(50, { ...adjustment, vat })
      const largest = {
        id: uuidv7(),
        customerId: uuidv7(),
        notes: '字'.repeat(4000),
        buyerReference: '字'.repeat(200),
        lines: adjusted,
        allowances: ofDocument,
        charges: ofDocument,
      }
      expect(newInvoice.safeParse(largest).error).toBeUndefined()
      expect(Buffer.byteLength(JSON.stringify(largest))).toBeLessThan(draftBytes)

      const path = `/organizations/${organization.id}`
      const customer = await makeCustomer(ann, organization.id)
      const body = {
        customerId: customer.id,
        taxMode: 'net',
        lines: lines.map((each) => ({ ...each, quantity: '1', unitPrice: '1' })),
      }
      expect(Buffer.byteLength(JSON.stringify(body))).toBeGreaterThan(3 * 1024 * 1024)
      const rule = { id: uuidv7(), interval: 'month', every: 1, startsOn: '2030-01-31', action: 'draft', invoice: body }
      for (const [list, sent] of [
        ['invoices', { id: uuidv7(), ...body }],
        ['quotes', { id: uuidv7(), ...body }],
        ['recurring-invoices', rule],
      ] as const)
        expect([list, (await ann.send('POST', `${path}/${list}`, { body: sent })).status]).toEqual([list, 201])
      const longer = {
        id: uuidv7(),
        ...body,
        lines: body.lines.map((each) => ({ ...each, description: '字'.repeat(2001) })),
      }
      const named = await ann.send('POST', `${path}/invoices`, { body: longer })
      expectProblem(named, { status: 422 })
      expect(named.body.errors[0]).toEqual({ pointer: '/lines/0/description', detail: 'At most 2000 characters' })
      const tooLarge = await ann.send('POST', `${path}/invoices`, { body: { ...body, notes: 'x'.repeat(draftBytes) } })
      expectProblem(tooLarge, { status: 413, code: 'body_too_large' })
      expectProblem(await ann.send('POST', `${path}/customers`, { body }), { status: 413 })
    })
    test('values that are no object', async () => {
      for (const body of ['null', '[]', '7', '"text"']) expectProblem(await login(body), { status: 422 })
    })
    test('an unknown path is 404, a known one with another method 405, both as a problem', async () => {
      expectProblem(await app.send('GET', '/api/v1/nothing'), { status: 404, code: 'not_found' })
      expectProblem(await app.send('GET', '/api/other'), { status: 404 })
      const patched = await app.send('PATCH', '/api/v1/organizations')
      expectProblem(patched, { status: 405, code: 'method_not_allowed' })
      expect(patched.headers.get('allow')).toBe('GET, POST')
    })

    test('nothing that is sent makes a 5xx', async () => {
      const customer = await makeCustomer(ann, organization.id)
      const invoice = await makeInvoice(ann, organization.id, customer.id)
      const good = [
        organizationBody(),
        customerBody(),
        invoiceBody(customer.id),
        { name: 'A', email: 'a@b.org', password: '12345678' },
      ]
      // Text that databases, parsers and printers stumble over.
      const nasty = fc.constantFrom(
        '',
        '\0',
        '\ud800',
        '1e400',
        '-0',
        '९',
        '"',
        "';--",
        '%',
        '\\',
        '{}',
        '𝟙',
        '9'.repeat(400),
        '../..',
        'null',
      )
      const value: fc.Arbitrary<unknown> = fc.oneof(
        nasty,
        fc.jsonValue(),
        fc.constantFrom(1e308, -1, 0.1, true, null, [], {}),
      )
      const spoiled = fc
        .tuple(fc.constantFrom(...good), fc.array(fc.tuple(fc.nat(), value), { maxLength: 4 }))
        .map(([body, changes]) => {
          const copy = structuredClone(body) as Record<string, unknown>
          for (const [index, change] of changes) copy[Object.keys(copy)[index % Object.keys(copy).length]!] = change
          return copy
        })
      const names = Object.keys(endpoints).filter((name) => name !== 'logout') as EndpointName[]
      const idOf = (fallback: string) => fc.oneof({ weight: 3, arbitrary: fc.constant(fallback) }, nasty)
      const call = fc.record({
        name: fc.constantFrom(...names),
        params: fc.record({
          organizationId: idOf(organization.id),
          customerId: idOf(customer.id),
          invoiceId: idOf(invoice.id),
        }),
        body: fc.oneof(spoiled, value),
        query: fc.dictionary(fc.constantFrom('q', 'cursor', 'limit', 'sort', 'status', 'customerId', 'token'), nasty),
        ifMatch: fc.constantFrom('"1"', '"0"', '"999999999999"', 'x', '*'),
        key: fc.option(fc.uuid()),
      })
      const statuses = new Map<number, number>()
      await fc.assert(
        fc.asyncProperty(call, async ({ name, params, body, query, ifMatch, key }) => {
          const search = new URLSearchParams(query as Record<string, string>)
          let target: string
          try {
            target = `${endpointPath(name, params as Record<string, string>).replace('/api/v1', '')}?${search}`
          } catch {
            return // Half a character is no address.
          }
          const { method } = endpoints[name]
          const answer = await ann.send(method, target, {
            headers: { 'if-match': ifMatch, ...(key && { 'idempotency-key': key }) },
            ...(method === 'POST' || method === 'PUT' ? { body } : {}),
          })
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          expect(answer.status).toBeLessThan(500)
          if (answer.status >= 400) expectProblem(answer, {})
        }),
        { numRuns: 600, endOnFailure: true },
      )
      // It reached further than the first door.
      for (const status of [200, 404, 422]) expect(statuses.get(status)).toBeGreaterThan(0)
    })
  })

  describe('headers', () => {
    test('of every answer: the policy with Trusted Types, no sniffing, no referrer', async () => {
      for (const target of [
        '/',
        '/login',
        '/assets/start-abc.js',
        '/sw.js',
        '/api/v1/openapi.json',
        '/api/v1/nothing',
        '/none.js',
      ]) {
        const { headers } = await app.send('GET', target)
        const policy = headers.get('content-security-policy')!
        expect(policy).toContain("default-src 'none'")
        expect(policy).toContain("require-trusted-types-for 'script'; trusted-types sw-url")
        expect(policy).toContain("script-src 'self';")
        expect(policy).not.toContain('unsafe')
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        expect(headers.get('referrer-policy')).toBe('no-referrer')
        expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      }
    })
    test('only the worker’s file may become a worker', async () => {
      const asWorker = { headers: { 'service-worker': 'script' } }
      expect((await app.send('GET', '/sw.js', asWorker)).status).toBe(200)
      expectProblem(await app.send('GET', '/assets/start-abc.js', asWorker), { status: 403 })
      expectProblem(await app.send('GET', '/api/v1/openapi.json', asWorker), { status: 403 })
    })
    test('the answers of the API carry their mark, a nonce and the server’s date', async () => {
      for (const target of ['/api/v1/openapi.json', '/api/v1/nothing', '/api/v1/account']) {
        const { headers } = await app.send('GET', target)
        expect(headers.get('x-docket')).toBe('1')
        expect(headers.get('dpop-nonce')).toBeTruthy()
        expect(Math.abs(Date.parse(headers.get('date')!) - app.nowMs())).toBeLessThan(5000)
      }
    })
  })

  describe('CORS', () => {
    const preflight = (origin: string) =>
      app.send('OPTIONS', '/api/v1/organizations', {
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      })
    test('an origin of the settings is let in, with what the gateway reads exposed', async () => {
      const asked = await preflight('https://app.example')
      expect(asked.status).toBe(204)
      expect(asked.headers.get('access-control-allow-origin')).toBe('https://app.example')
      expect(asked.headers.get('access-control-allow-headers')).toMatch(/DPoP.*Idempotency-Key.*If-Match/)
      const answer = await app.send('GET', '/api/v1/account', { headers: { origin: 'https://app.example' } })
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      expect(answer.headers.get('access-control-expose-headers')).toMatch(
        /Date, ETag, DPoP-Nonce, Retry-After, X-Docket/,
      )
    })
    test('any other is not', async () => {
      expect((await preflight('https://evil.example')).headers.has('access-control-allow-origin')).toBe(false)
      const answer = await app.send('GET', '/api/v1/account', { headers: { origin: 'https://evil.example' } })
      expect(answer.headers.has('access-control-allow-origin')).toBe(false)
    })
  })

  test('the API describes itself: every call, every problem, no call that is not there', async () => {
    const { status, body } = await app.send('GET', '/api/v1/openapi.json')
    expect({ status, openapi: body.openapi }).toEqual({ status: 200, openapi: '3.1.0' })
    const described = Object.entries(body.paths as Record<string, object>)
      .flatMap(([target, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${target}`))
      .toSorted()
    const known = Object.values(endpoints).map((each) => `${each.method} /api/v1${each.path}`)
    expect(described.map((each) => each.replace(/ (?!\/api\/v1)/, ' /api/v1'))).toEqual(known.toSorted())
    expect(JSON.stringify(body)).toContain('application/problem+json')
    const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name!,
    )
    expect(references.length).toBeGreaterThan(20)
    for (const name of references) expect(Object.keys(body.components.schemas)).toContain(name)
  })

  describe('files', () => {
    test.each([
      ['/', 'landing'],
      ['/login', 'login'],
      ['/register', 'register'],
      ['/dashboard', 'dashboard'],
      ['/activity', 'index'],
      [`/organization/${uuidv7()}/invoices`, 'index'],
      ['/nowhere', 'index'],
    ])('%s is the document %s', async (target, document) => {
      const { status, text, headers } = await app.send('GET', target)
      expect({ status, text }).toEqual({ status: 200, text: document })
      expect(headers.get('cache-control')).toBe('no-cache')
    })
    test('hashed files last, a missing one is 404 and never a page', async () => {
      const asset = await app.send('GET', '/assets/start-abc.js', { headers: { 'accept-encoding': 'br' } })
      expect(asset.headers.get('cache-control')).toContain('immutable')
      expect(asset.headers.get('content-encoding')).toBe('br')
      const known = await app.send('GET', '/assets/start-abc.js', {
        headers: { 'if-none-match': asset.headers.get('etag')! },
      })
      expect(known.status).toBe(304)
      for (const target of ['/assets/gone-123.js', '/gone.png', '/../package.json', '/assets/', '/dev/mailbox.html']) {
        const { status, text } = await app.send('GET', target)
        expect(status).toBe(404)
        expect(text).not.toContain('index')
      }
    })
  })

  test('healthz and readyz', async () => {
    expect(await app.send('GET', '/healthz')).toMatchObject({ status: 200, text: 'ok' })
    expect(await app.send('GET', '/readyz')).toMatchObject({ status: 200, text: 'ok' })
  })
})
