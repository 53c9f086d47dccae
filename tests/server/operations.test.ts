// The first wall, for every operation that the server's own document lists: who gets what, and that a foreign id is a missing one.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import { queueMail } from '#server/mail/queue.ts'
import { uuidv7 } from '#shared/ids.ts'
import { makeExports } from '#server/exports/make.ts'
import { drawIssued } from '#server/outgoing/draw-issued.ts'
import {
  claims,
  expectProblem,
  register,
  startTestApp,
  verifiedActor,
  type Actor,
  type TestApp,
} from '#tests/support/app.ts'
import {
  issue,
  join,
  makeCustomer,
  makeInvoice,
  makeItem,
  makeOrganization,
  makeQuote,
  makeRecurring,
  moveQuote,
  recordPayment,
  saveLogo,
} from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import {
  bodyIn,
  call,
  comparable,
  describedOperations,
  pathIn,
  resourceOf,
  statementsOf,
  type Operation,
  type Place,
} from '#tests/support/operations.ts'
import { password } from '#tests/support/people.ts'

const roles = ['owner', 'admin', 'accountant', 'member', 'viewer'] as const

/** DOMAIN.md's table of who may do what, in its own words and on purpose not from shared/permissions: the first row that fits counts. */
const domain: [row: string, operations: RegExp, may: readonly string[]][] = [
  ['delete or transfer the organization', /^DELETE \/[^/]+$|\/(delete|transfer)$/, ['owner']],
  ['activity log', /\/activity$/, ['owner', 'admin', 'accountant']],
  [
    'settings, series, members, invitations',
    /^PUT \/[^/]+\/reminders$|\/(failures|mails\/[^/]+)\b/,
    ['owner', 'admin'],
  ],
  // DOMAIN.md says nothing of it: who sees who did what may take everything away.
  ['export of everything', /\/exports\b/, ['owner', 'admin', 'accountant']],
  // Nor of this: who keeps the books shows that no number is left out; how they are made is a setting (decision 023).
  ['numbers given: read', /^GET \/[^/]+\/series$/, ['owner', 'admin', 'accountant']],
  ['members: read', /^GET \/[^/]+\/members\b/, roles],
  ['settings, series, members, invitations', /^(PUT|PATCH) \/[^/]+$/, ['owner', 'admin']],
  ['settings, series, members, invitations', /^PUT \/[^/]+\/logo$/, ['owner', 'admin']],
  ['settings, series, members, invitations', /\/(series|members|invitations)\b/, ['owner', 'admin']],
  [
    'payments, credit notes, uncollectible',
    /^POST .*\/(payments|credit-notes|uncollectible)\b/,
    ['owner', 'admin', 'accountant'],
  ],
  ['void', /\/void$/, ['owner', 'admin']],
  [
    'issue, send, remind',
    /^(POST .*\/(issue|send|remind|revise|answer)|PUT .*\/reminders|(POST|DELETE) .*\/public-links)$/,
    ['owner', 'admin', 'accountant', 'member'],
  ],
  [
    'customers, items, drafts',
    /^(POST|PUT|DELETE) \/[^/]+\/(customers|items|invoices|quotes|recurring-invoices)\b/,
    ['owner', 'admin', 'accountant', 'member'],
  ],
  [
    'customers, items, drafts: read',
    /^GET \/[^/]+(\/(customers|items|invoices|quotes|recurring-invoices|reminders|payments|dashboard|changes|logo)\b.*)?$/,
    roles,
  ],
]

function mayCall({ method, path, id }: Operation, membersMayIssue = true): readonly string[] {
  const asked = `${method} ${path.replace('/organizations', '')}`
  const row = domain.find(([, operations]) => operations.test(asked))
  if (!row) throw new Error(`${id}: say in this test which row of DOMAIN.md's table ${asked} belongs to`)
  const [name, , may] = row
  // The one cell of the table that an organization chooses itself.
  return name === 'issue, send, remind' && !membersMayIssue ? may.filter((role) => role !== 'member') : may
}
const isChosen = (operation: Operation) => mayCall(operation).length > mayCall(operation, false).length

const inOrganization = ({ path }: Operation) => path.startsWith('/organizations/{organizationId}')
const ofAccount = ({ path }: Operation) => /^\/(auth|account)(\/|$)/.test(path)

/** A word that no answer to anybody else may hold. */
const secret = 'Zilverreiger'

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  let operations: Operation[]
  let ann: Actor
  /** One of each role in an organization of their own; strangers to Ann's. */
  let outsiders: Actor[]
  /** One of each role in what `freshPlace` makes for them. */
  let insiders: Actor[]
  let waiting: Actor
  /** One in every place of theirs, and one in Ann's; never who calls. */
  let colleague: Actor
  let colleagueOfAnn: Actor
  let foreign: Place
  let own: Place

  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    operations = await describedOperations(app)
    ann = await verifiedActor(app, `${secret}-${uuidv7()}@example.com`, `${secret} Ann`)
    outsiders = await Promise.all(roles.map(() => verifiedActor(app)))
    insiders = await Promise.all(roles.map(() => verifiedActor(app)))
    waiting = await register(app)
    colleague = await verifiedActor(app)
    colleagueOfAnn = await verifiedActor(app)
    foreign = await freshPlace([ann], secret)
    own = await freshPlace(outsiders, 'Own')
  })
  afterAll(() => app.db.close())

  /** An organization with a row for each path parameter, every text of it marked. Members come in the order of the roles, the owner first.
   * What costs more than a row is made where the path that is `wanted` names it. */
  async function freshPlace(
    members: Actor[],
    mark: string,
    { wanted, membersMayIssue = true }: { wanted?: string; membersMayIssue?: boolean } = {},
  ): Promise<Place> {
    // Of what the path does not name one operation more or less makes no difference, and issuing is work.
    const needs = (...parts: string[]) => wanted === undefined || parts.some((part) => wanted.includes(part))
    const none = { id: uuidv7() }
    const [owner, ...others] = members as [Actor, ...Actor[]]
    const text = (what: string) => `${mark} ${what}`
    const { id: organizationId } = await makeOrganization(owner, {
      name: text('Works'),
      legalName: text('Works Ltd'),
      vatNumber: 'NL001234567B01',
      address: { city: text('City') },
      bank: { holder: text('Holder') },
      numbering: { pattern: `${mark}-{YYYY}-{SEQ:4}`, reset: 'yearly' },
      membersMayIssue,
    })
    for (const [index, each] of others.entries()) await join(app.db, organizationId, each, roles[index + 1]!)
    const other = owner === ann ? colleagueOfAnn : colleague
    await join(app.db, organizationId, other, 'member')
    const buyer = await makeCustomer(owner, organizationId, { name: text('Buyer'), notes: text('notes') })
    const draft = () =>
      makeInvoice(owner, organizationId, buyer.id, { notes: text('draft'), orderReference: text('7') })
    const issued = needs('/invoices', '/payments') ? await issueWhole(owner, await draft()) : none
    if ('number' in issued) expect(issued.number).toContain(mark)
    // No draft names this one, so that it may be deleted.
    const customer = await makeCustomer(owner, organizationId, { name: text('Bakery') })
    const item = needs('/items') ? await makeItem(owner, organizationId, { name: text('Hour') }) : none
    const payment = needs('paymentId')
      ? await recordPayment(owner, await issueWhole(owner, await draft()), '1.00', { reference: text('bank') })
      : none
    const email = `${mark}-${uuidv7()}@example.com`
    const invited = needs('invitationId')
      ? await owner.send('POST', `/organizations/${organizationId}/invitations`, { body: { email, role: 'viewer' } })
      : { body: none }
    const mailId = needs('mailId') ? await failedMail(organizationId, text('mail')) : none.id
    if (needs('/logo')) await saveLogo(owner, organizationId)
    const recurring = needs('recurringId') ? await makeRecurring(owner, organizationId, buyer.id) : none
    const quotes = needs('quoteId') ? await quotesOf(owner, organizationId, buyer.id, text('quote')) : {}
    const exported = needs('exportId') ? await makeExport(owner, organizationId) : none
    return {
      ...quotes,
      organizationId,
      userId: other.userId,
      invitationId: invited.body.id,
      customerId: customer.id,
      // What the activity tells of.
      subjectId: customer.id,
      itemId: item.id,
      recurringId: recurring.id,
      mailId,
      exportId: exported.id,
      invoiceId: needs('invoiceId') ? (await draft()).id : none.id,
      issuedId: issued.id,
      paymentId: payment.id,
    }
  }

  /** As the sender leaves one that a mail server refused. */
  async function failedMail(organizationId: string, subject: string): Promise<string> {
    const id = uuidv7()
    const now = new Date(app.nowMs()).toISOString()
    const mail = { id, organizationId, to: 'gone@example.com', kind: 'invoice', subject, text: 'x', html: 'x' }
    await app.db.asApp({ organizationIds: [organizationId] }, (tx) => queueMail(tx, mail, now))
    const failed = { failure: 'address', lastError: '550 Nobody here', givenUpAt: now, attempts: 1 }
    await app.db.asJobs((tx) => tx.updateTable('mails').set(failed).where('id', '=', id).execute())
    return id
  }

  /** One in each of the states that operations want. */
  async function quotesOf(owner: Actor, organizationId: string, buyerId: string, notes: string) {
    const draft = () => makeQuote(owner, organizationId, buyerId, { notes })
    const sent = async () => moveQuote(owner, await draft(), 'issue')
    const accepted = await moveQuote(owner, await sent(), 'answer', { answer: 'accepted', name: 'Bob' })
    return { quoteId: (await draft()).id, sentQuoteId: (await sent()).id, acceptedQuoteId: accepted.id }
  }

  async function makeExport(owner: Actor, organizationId: string): Promise<{ id: string }> {
    const asked = await owner.send('POST', `/organizations/${organizationId}/exports`, { body: { id: uuidv7() } })
    await makeExports({ publicUrl: '', mailQueued: () => {} })(app.db, organizationId, app.nowMs())
    return asked.body
  }

  /** With its PDF, which a job draws. */
  async function issueWhole(owner: Actor, draft: Invoice): Promise<Invoice> {
    const issued = await issue(owner, draft)
    await drawIssued(app.db, issued.organizationId, app.nowMs())
    return issued
  }

  const nowhere = (): Place => Object.fromEntries(Object.keys(foreign).map((name) => [name, uuidv7()]))

  /** No word and no id of Ann's. */
  function expectNothingOfAnn({ text, headers }: { text: string; headers: Headers }) {
    const told = text + JSON.stringify([...headers])
    expect(told.toLowerCase()).not.toContain(secret.toLowerCase())
    for (const each of [...Object.values(foreign), ann.userId, claims(ann.accessToken).sid])
      expect(told).not.toContain(each)
  }

  /** The version that the owner sees of the row an operation is about. */
  async function versionOf(owner: Actor, operation: Operation, place: Place): Promise<string | undefined> {
    if (!operation.wantsIfMatch) return undefined
    const { headers } = await owner.send('GET', pathIn({ ...operation, path: resourceOf(operation.path) }, place))
    return headers.get('etag')!
  }

  const version = (value: string | undefined) => (value === undefined ? {} : { version: value })

  test('the document lists operations of every kind, and DOMAIN.md’s table has a row for each inside an organization', () => {
    const tenant = operations.filter(inOrganization)
    expect(tenant.length).toBeGreaterThanOrEqual(14)
    expect(operations.filter(({ params }) => params.length > 1).length).toBeGreaterThanOrEqual(7)
    for (const operation of tenant) {
      expect(mayCall(operation).length).toBeGreaterThan(0)
      expect(operation).toMatchObject({ needsBearer: true })
      expect(() => [pathIn(operation, own), bodyIn(operation, own)]).not.toThrow()
    }
  })

  test.each([true, false])(
    'each role inside may do what DOMAIN.md says, and gets 403 for the rest; members may issue: %s',
    async (membersMayIssue) => {
      // Who only reads, or is refused, leaves it as it was.
      const untouched = await freshPlace(insiders, 'Inside', { membersMayIssue })
      const refusedByChoice: string[] = []
      for (const operation of operations.filter(inOrganization)) {
        for (const [index, role] of roles.entries()) {
          // What an organization chooses is about a member: of the others only where it is chosen, to see that it is not about them.
          if (!membersMayIssue && role !== 'member' && !isChosen(operation)) continue
          const may = mayCall(operation, membersMayIssue).includes(role)
          const place =
            may && operation.method !== 'GET'
              ? await freshPlace(insiders, 'Inside', { wanted: operation.path, membersMayIssue })
              : untouched
          const body = bodyIn(operation, place)
          const current = version(await versionOf(insiders[0]!, operation, place))
          const more = { key: uuidv7(), ...current, ...(body && { body }) }
          const answer = await call(insiders[index]!, operation, place, more)
          if (!may) expectProblem(answer, { status: 403, code: 'forbidden' })
          expect({ operation: operation.id, role, ok: answer.status < 300, text: may ? '' : answer.text }).toEqual({
            operation: operation.id,
            role,
            ok: may,
            text: may ? '' : answer.text,
          })
          // Its answer may have been lost, and what it closed may be closed now.
          if (may && index === 0 && operation.takesKey)
            expect((await call(insiders[index]!, operation, place, more)).status).toBe(answer.status)
          if (!may && mayCall(operation).includes(role)) refusedByChoice.push(operation.id)
        }
      }
      const chosen = operations.filter((each) => inOrganization(each) && isChosen(each)).map(({ id }) => id)
      expect(chosen).toEqual(expect.arrayContaining(['issueInvoice', 'sendInvoice', 'remindInvoice']))
      expect(refusedByChoice).toEqual(membersMayIssue ? [] : chosen)
    },
  )

  test('whoever is nobody there gets 404, the same as for what is not there, and changes nothing', async () => {
    const everything = async () => {
      const reads = operations.filter((each) => inOrganization(each) && each.method === 'GET')
      return Promise.all(reads.map(async (each) => (await call(ann, each, foreign)).text))
    }
    const before = await everything()
    expect(before.join('')).toContain(secret)
    for (const operation of operations.filter(inOrganization)) {
      const current = version(await versionOf(ann, operation, foreign))
      for (const outsider of outsiders) {
        // A body of their own rows and one of the foreign ones.
        for (const body of [bodyIn(operation, own), bodyIn(operation, foreign)]) {
          const more = { key: uuidv7(), ...current, ...(body && { body }) }
          const there = await call(outsider, operation, foreign, more)
          expectProblem(there, { status: 404, code: 'not_found' })
          expectNothingOfAnn(there)
          expect(comparable(there)).toEqual(comparable(await call(outsider, operation, nowhere(), more)))
        }
      }
    }
    expect(await everything()).toEqual(before)
  })

  test('one’s own organization with another’s rows: 404, the same as for what is not there', async () => {
    const mixed = operations.filter((each) => inOrganization(each) && each.params.length > 1)
    for (const operation of mixed) {
      for (const [index, insider] of outsiders.entries()) {
        const { organizationId } = own
        const current = version(await versionOf(ann, operation, foreign))
        const body = bodyIn(operation, own)
        const more = { ...current, ...(body && { body }) }
        const there = await call(insider, operation, { ...foreign, organizationId: organizationId! }, more)
        const may = mayCall(operation).includes(roles[index]!)
        expectProblem(there, may ? { status: 404, code: 'not_found' } : { status: 403, code: 'forbidden' })
        expectNothingOfAnn(there)
        const missing = await call(insider, operation, { ...nowhere(), organizationId: organizationId! }, more)
        expect(comparable(there)).toEqual(comparable(missing))
      }
    }
  })

  test('another’s row named in a query or a body is a missing one', async () => {
    let named = 0
    for (const operation of operations.filter(inOrganization)) {
      const queries = operation.query
        .filter(({ name }) => name.endsWith('Id'))
        .map(({ name }) => ({ name, place: 'query' }))
      const fields = (operation.body ?? [])
        .filter(({ name }) => name.endsWith('Id'))
        .map(({ name }) => ({ name, place: 'body' }))
      for (const { name, place } of [...queries, ...fields]) {
        expect(Object.keys(foreign)).toContain(name)
        const answers = []
        for (const value of [foreign[name]!, uuidv7()]) {
          const target = await freshPlace(outsiders, 'Own', { wanted: operation.path })
          const more =
            place === 'query' ? { query: { [name]: value } } : { body: { ...bodyIn(operation, target), [name]: value } }
          let answer
          // Who calls is looked up anew each second: here, each time.
          app.pass(1001)
          const statements = await statementsOf(async () => {
            answer = await call(outsiders[0]!, operation, target, more)
          })
          answers.push({ ...comparable(answer!), statements })
          expectNothingOfAnn(answer!)
          named += 1
        }
        expect(answers[0]).toEqual(answers[1])
      }
    }
    expect(named).toBeGreaterThanOrEqual(6)
  })

  test('a new row may have the id of another organization’s row: neither knows of the other', async () => {
    const before = await call(
      ann,
      operations.find(({ id }) => id === 'getCustomer')!,
      foreign,
    )
    for (const operation of operations.filter(inOrganization)) {
      if (operation.method !== 'POST' || !operation.body?.some(({ name }) => name === 'id')) continue
      for (const id of [foreign['customerId']!, foreign['invoiceId']!]) {
        // One of its own for each: two kinds may share a table, and a quote becomes one invoice.
        const place = await freshPlace(outsiders, 'Own', { wanted: operation.path })
        const current = version(await versionOf(outsiders[0]!, operation, place))
        const body = { ...bodyIn(operation, place), id }
        const answer = await call(outsiders[0]!, operation, place, { ...current, body })
        expect({ operation: operation.id, status: answer.status }).toEqual({ operation: operation.id, status: 201 })
        expect(answer.text.toLowerCase()).not.toContain(secret.toLowerCase())
      }
    }
    const after = await call(
      ann,
      operations.find(({ id }) => id === 'getCustomer')!,
      foreign,
    )
    expect(after.text).toBe(before.text)
  })

  test('who has left gets 404, for what they were once answered too', async () => {
    for (const operation of operations.filter(inOrganization)) {
      const place = await freshPlace(insiders, 'Left', { wanted: operation.path })
      const [owner, leaver] = insiders as [Actor, Actor]
      const body = bodyIn(operation, place)
      const more = { key: uuidv7(), ...version(await versionOf(owner, operation, place)), ...(body && { body }) }
      const first = await call(leaver, operation, place, more)
      if (operation.takesKey && first.status < 300) {
        const again = await call(leaver, operation, place, more)
        expect([again.status, again.body]).toEqual([first.status, first.body])
      }
      await app.db.asApp({ organizationIds: [place['organizationId']!] }, (tx) =>
        tx.updateTable('memberships').set({ userId: uuidv7() }).where('userId', '=', leaver.userId).execute(),
      )
      const later = await call(leaver, operation, place, more)
      expectProblem(later, { status: 404, code: 'not_found' })
      expect(comparable(later)).toEqual(comparable(await call(leaver, operation, nowhere(), more)))
    }
  })

  test('signed out: 401, wherever the document wants a Bearer', async () => {
    const guarded = operations.filter(({ needsBearer }) => needsBearer)
    expect(guarded.length).toBeGreaterThan(operations.length / 2)
    for (const operation of guarded) {
      const place = { ...foreign, ...(await idsOfAnn()) }
      for (const authorization of [undefined, 'Bearer none', `Bearer ${ann.accessToken.slice(0, -4)}AAAA`]) {
        const stranger = {
          send: (method: string, path: string, { headers, ...sent }: { headers?: Record<string, string> } = {}) =>
            app.send(method, `/api/v1${path}`, {
              ...sent,
              headers: { ...headers, ...(authorization && { authorization }) },
            }),
        }
        const answer = await call(stranger, operation, place, operation.body ? { body: {} } : {})
        expectProblem(answer, { status: 401, code: 'invalid_token' })
        expectNothingOfAnn(answer)
      }
    }
  })

  test('signed in, but the email not verified: 403 outside auth and account, for a member too', async () => {
    await join(app.db, own['organizationId']!, waiting, 'owner')
    const guarded = operations.filter((each) => each.needsBearer && !ofAccount(each))
    for (const operation of guarded) {
      for (const place of [own, foreign]) {
        const answer = await call(waiting, operation, place)
        expectProblem(answer, { status: 403, code: 'email_not_verified' })
        expectNothingOfAnn(answer)
      }
    }
  })

  test('lists outside organizations show one’s own alone', async () => {
    const lists = operations.filter(
      (each) => each.method === 'GET' && each.needsBearer && !inOrganization(each) && each.params.length === 0,
    )
    expect(lists.map(({ id }) => id)).toEqual(expect.arrayContaining(['getAccount', 'listOrganizations']))
    // Whoever has made nothing under Ann's ids, as the outsiders have: a row's id is its organization's own.
    const strangers = await Promise.all(roles.map(() => verifiedActor(app)))
    await freshPlace(strangers, 'Own')
    for (const operation of lists) {
      expect(operation.query.filter(({ required }) => required)).toEqual([])
      expect((await call(ann, operation, {})).status).toBeLessThan(300)
      for (const outsider of strangers) {
        const answer = await call(outsider, operation, {})
        expect({ operation: operation.id, ok: answer.status < 300 }).toEqual({ operation: operation.id, ok: true })
        expectNothingOfAnn(answer)
      }
    }
  })

  /** Things of an account that have an id; made anew, because calls may use them up. */
  async function idsOfAnn(owner = ann): Promise<Place> {
    const signedIn = await app.send('POST', '/api/v1/auth/login', { body: { email: owner.email, password } })
    const ids: Record<string, string> = { sessionId: claims(signedIn.body.accessToken).sid }
    if (operations.some(({ params }) => params.includes('passkeyId'))) {
      ids['passkeyId'] = Buffer.from(uuidv7()).toString('base64url')
      await app.db.asAuth((tx) =>
        sql`insert into passkeys (id, user_id, public_key, counter, transports, name, created_at)
          values (${ids['passkeyId']}, ${owner.userId}, '', 0, '[]', ${`${secret} key`}, now())`.execute(tx),
      )
    }
    return ids
  }

  test('the sessions and keys of another account are missing ones', async () => {
    for (const operation of operations.filter((each) => ofAccount(each) && each.params.length > 0)) {
      const [outsider] = outsiders as [Actor]
      const theirs = await idsOfAnn()
      const missing = { sessionId: uuidv7(), passkeyId: Buffer.from(uuidv7()).toString('base64url') }
      const there = await call(outsider, operation, theirs)
      expectProblem(there, { status: 404, code: 'not_found' })
      expectNothingOfAnn(there)
      expect(comparable(there)).toEqual(comparable(await call(outsider, operation, missing)))
      // The same call is good for something: with an id of one's own.
      expect((await call(outsider, operation, await idsOfAnn(outsider))).status).toBeLessThan(300)
      expect((await ann.send('GET', '/account')).status).toBe(200)
    }
  })

  test('a foreign id and a missing one go the same way: the same statements in the same order', async () => {
    const counted: Record<string, number> = {}
    const outsider = outsiders[0]!
    let signedInAtMs = app.nowMs()
    for (const operation of operations.filter(({ params, needsBearer }) => params.length > 0 && needsBearer)) {
      // The clock goes on by a second each time, and a token is good for a quarter of an hour.
      if (app.nowMs() - signedInAtMs > 5 * 60_000) {
        const credentials = { email: outsider.email, password }
        const { body } = await app.send('POST', '/api/v1/auth/login', { body: credentials })
        outsider.accessToken = body.accessToken
        signedInAtMs = app.nowMs()
      }
      const { organizationId } = own
      const pairs: [Place, Place][] = inOrganization(operation)
        ? [
            [foreign, nowhere()],
            ...(operation.params.length > 1
              ? ([
                  [
                    { ...foreign, organizationId: organizationId! },
                    { ...nowhere(), organizationId: organizationId! },
                  ],
                ] as [Place, Place][])
              : []),
          ]
        : [
            [
              { ...foreign, ...(await idsOfAnn()) },
              { ...nowhere(), sessionId: uuidv7(), passkeyId: Buffer.from(uuidv7()).toString('base64url') },
            ],
          ]
      for (const [there, missing] of pairs) {
        const body = bodyIn(operation, own)
        const current = inOrganization(operation) ? version(await versionOf(ann, operation, foreign)) : {}
        const roads = []
        for (const place of [there, missing]) {
          for (const key of [undefined, uuidv7()]) {
            app.pass(1001)
            const more = { ...current, ...(body && { body }), ...(key !== undefined && { key }) }
            roads.push(
              await statementsOf(async () => {
                expect((await call(outsider, operation, place, more)).status).toBe(404)
              }),
            )
          }
        }
        const [plain, keyed, missingPlain, missingKeyed] = roads
        expect(plain!.filter((statement) => statement.startsWith('begin')).length).toBeGreaterThan(0)
        expect(missingPlain).toEqual(plain)
        expect(missingKeyed).toEqual(keyed)
        counted[`${operation.id} ${pairs.length > 1 && there === pairs[1]![0] ? 'mixed' : 'foreign'}`] = plain!.length
      }
    }
    expect(Object.keys(counted).length).toBeGreaterThanOrEqual(20)
  })
})
