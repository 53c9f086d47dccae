import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Activity } from '#shared/contract/activity.ts'
import type { Quote } from '#shared/contract/quotes.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { addDays, todayIn } from '#shared/dates.ts'
import { uuidv7 } from '#shared/ids.ts'
import { withMaintenanceClient } from '#server/db/database.ts'
import { rekeyQuotes } from '#server/db/rekey.ts'
import type { Attachment } from '#server/mail/queue.ts'
import { prepareMail } from '#server/outgoing/mail-attachments.ts'
import { quotePdf } from '#server/outgoing/quote-pdf.ts'
import { expectProblem, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { invoiceBody, websiteLine } from '#tests/support/bodies.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization, makeQuote, moveQuote } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { password } from '#tests/support/people.ts'

const words = { to: 'bob@example.com', subject: 'Quote', message: 'Here it is.' }
const dayMs = 86_400_000
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.each(engines)('quotes on %s', (engine) => {
  let database: Awaited<ReturnType<typeof openFresh>>
  let app: TestApp
  let ann: Actor
  let organization: Organization
  let customerId: string
  let base: string
  beforeAll(async () => {
    database = await openFresh(engine)
    app = await startTestApp(database)
    ann = await verifiedActor(app)
  })
  afterAll(() => app.db.close())
  beforeEach(async () => {
    organization = await makeOrganization(ann)
    customerId = (await makeCustomer(ann, organization.id, { email: 'bob@example.com' })).id
    base = `/organizations/${organization.id}`
  })

  const today = () => todayIn(organization.timeZone, app.nowMs())
  const pathOf = ({ id }: Pick<Quote, 'id'>) => `${base}/quotes/${id}`
  const version = (row: { version: number }) => ({ 'if-match': `"${row.version}"` })
  const make = (more?: object) => makeQuote(ann, organization.id, customerId, more)
  const read = async (quote: Quote): Promise<Quote> => (await ann.send('GET', pathOf(quote))).body
  const list = async (query = ''): Promise<Quote[]> => (await ann.send('GET', `${base}/quotes${query}`)).body.data
  const out = async (more?: object) => moveQuote(ann, await make(more), 'issue')
  const accept = (quote: Quote) => moveQuote(ann, quote, 'answer', { answer: 'accepted', name: 'Bob' })
  const put = (quote: Quote, body: object) => ann.send('PUT', pathOf(quote), { body, headers: version(quote) })
  const toInvoice = (quote: Quote, id = uuidv7()) =>
    ann.send('POST', `${pathOf(quote)}/invoices`, { body: { id }, headers: version(quote) })

  /** Two days on, signed in anew. */
  async function later(work: () => Promise<void>): Promise<void> {
    const { accessToken } = ann
    app.pass(2 * dayMs)
    const login = await app.send('POST', '/api/v1/auth/login', { body: { email: ann.email, password } })
    ann.accessToken = login.body.accessToken
    await work()
    app.pass(-2 * dayMs)
    ann.accessToken = accessToken
  }

  test('a draft says what an invoice’s would, with the same totals, and nothing of it is an invoice', async () => {
    const discount = { percent: '10', amount: '75.80', vat: { category: 'S', rate: '21' } }
    const more = { validUntil: addDays(today(), 30), allowances: [discount] }
    const quote = await make(more)
    const invoice = await makeInvoice(ann, organization.id, customerId, { allowances: [discount] })
    expect(quote).toMatchObject({ status: 'draft', number: null, edition: 0, history: [], validUntil: more.validUntil })
    for (const same of ['totals', 'vat', 'currency', 'taxMode', 'termsDays', 'notes'] as const)
      expect(quote[same]).toEqual(invoice[same])
    const { body: dashboard } = await ann.send('GET', `${base}/dashboard`)
    expect(JSON.stringify(dashboard)).not.toContain(quote.id)
    expect((await ann.send('GET', `${base}/invoices`)).body.data).toHaveLength(1)
  })

  test('bad input is named at its field, and nothing of a draft is lost by a stale save', async () => {
    const bad: [object, string][] = [
      [{ validUntil: 'soon' }, '/validUntil'],
      [{ lines: [{ ...websiteLine, unitPrice: 'x' }] }, '/lines/0/unitPrice'],
      [{ customerId: organization.id }, '/customerId'],
      [{ totals: { gross: { amount: '1.00', currency: 'EUR' } } }, '/totals/gross'],
    ]
    for (const [more, pointer] of bad) {
      const refused = await ann.send('POST', `${base}/quotes`, { body: invoiceBody(customerId, more) })
      expectProblem(refused, { status: 422 })
      expect(refused.body.errors.map((each: { pointer: string }) => each.pointer)).toContain(pointer)
    }
    const quote = await make()
    const saved = await put(quote, invoiceBody(customerId, { notes: 'New' }))
    expect(saved.body).toMatchObject({ notes: 'New', version: 2 })
    expectProblem(await put(quote, invoiceBody(customerId, { notes: 'Old' })), { status: 412, code: 'stale' })
    // What cannot be sent says at which field.
    const incomplete = await makeQuote(ann, organization.id, null, { lines: [] })
    const refused = await ann.send('POST', `${pathOf(incomplete)}/issue`, { headers: version(incomplete) })
    expect(refused.body.errors.map((each: { pointer: string }) => each.pointer)).toEqual(['/customerId', '/lines'])
    const past = await make({ validUntil: addDays(today(), -1) })
    const late = await ann.send('POST', `${pathOf(past)}/issue`, { headers: version(past) })
    expect(late.body.errors[0].pointer).toBe('/validUntil')
    expect((await read(past)).number).toBeNull()
  })

  test('numbers of a series of their own, each once, also of many at a time; invoices know nothing of them', async () => {
    const drafts = await Promise.all(Array.from({ length: 8 }, () => make()))
    const sent = await Promise.all(drafts.map((each) => moveQuote(ann, each, 'issue')))
    expect(new Set(sent.map(({ number }) => number))).toEqual(
      new Set(Array.from({ length: 8 }, (_, index) => `Q-${String(index + 1).padStart(4, '0')}`)),
    )
    const { body } = await ann.send('GET', base)
    const numbering = { quoteNumbering: { pattern: 'AN-{YYYY}-{SEQ:3}', reset: 'yearly' } }
    expect(body.quoteNumbering).toEqual({ pattern: 'Q-{SEQ:4}', reset: 'never' })
    await ann.send('PUT', base, { body: { ...body, ...numbering }, headers: version(body) })
    expect((await out()).number).toBe(`AN-${today().slice(0, 4)}-001`)
    // Back at the old pattern it goes on counting; left out it stays.
    const again = (await ann.send('GET', base)).body
    const back = { ...again, quoteNumbering: { pattern: 'Q-{SEQ:4}', reset: 'never' } }
    await ann.send('PUT', base, { body: back, headers: version(again) })
    expect((await out()).number).toBe('Q-0009')
    const { quoteNumbering: _, ...without } = (await ann.send('GET', base)).body
    await ann.send('PUT', base, { body: without, headers: version(without) })
    expect((await ann.send('GET', base)).body.quoteNumbering).toEqual(back.quoteNumbering)
    const invoice = await issue(ann, await makeInvoice(ann, organization.id, customerId))
    expect(invoice.number).toMatch(/^INV-\d{4}-0001$/)
    const { data } = (await ann.send('GET', `${base}/series`)).body
    expect(data.map(({ kind }: { kind: string }) => kind)).toEqual(['invoice'])
  })

  test('what is out stays as it went out, until it is taken back; the next edition keeps the number, and the history both', async () => {
    const first = await out({ notes: 'First' })
    await ann.send('PUT', `${base}/customers/${customerId}`, {
      body: { name: 'Bob & Sons', country: 'NL' },
      headers: { 'if-match': '"1"' },
    })
    expect(await read(first)).toMatchObject({ customerName: 'Bob the Baker', buyer: { name: 'Bob the Baker' } })
    expectProblem(await put(first, invoiceBody(customerId)), { status: 409, code: 'invalid_transition' })
    expectProblem(await ann.send('DELETE', pathOf(first), { headers: version(first) }), { status: 409 })
    const draft = await moveQuote(ann, first, 'revise')
    expect(draft).toMatchObject({ status: 'draft', number: first.number, notes: 'First', buyer: null })
    expectProblem(await ann.send('DELETE', pathOf(draft), { headers: version(draft) }), { status: 409 })
    const changed = (await put(draft, invoiceBody(customerId, { notes: 'Second' }))).body as Quote
    const second = await moveQuote(ann, changed, 'issue')
    expect(second).toMatchObject({ number: first.number, edition: 2, notes: 'Second', customerName: 'Bob & Sons' })
    expect(second.history.map(({ edition }) => edition)).toEqual([2, 1])
    const declined = await moveQuote(ann, second, 'answer', { answer: 'declined', name: 'Bob' })
    expect(declined.answer).toMatchObject({ answer: 'declined', name: 'Bob', notedBy: ann.userId })
    const third = await moveQuote(ann, await moveQuote(ann, declined, 'revise'), 'issue')
    expect(third.history.map(({ answer }) => answer?.answer ?? null)).toEqual([null, 'declined', null])
    const accepted = await accept(third)
    for (const action of ['revise', 'issue'])
      expectProblem(await ann.send('POST', `${pathOf(accepted)}/${action}`, { headers: version(accepted) }), {
        status: 409,
        code: 'invalid_transition',
      })
  })

  test('it expires after its last day in the organization’s zone, and is no longer answered', async () => {
    const quote = await out({ validUntil: today() })
    const open = await out()
    expect(quote.status).toBe('sent')
    // 25 hours lie between them: where it is tomorrow, or today where it was yesterday.
    const zone = async (timeZone: string) => {
      const { body } = await ann.send('GET', base)
      await ann.send('PUT', base, { body: { ...body, timeZone }, headers: version(body) })
      return { status: (await read(quote)).status, isPast: todayIn(timeZone, app.nowMs()) > quote.validUntil! }
    }
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const { status, isPast } = await zone(timeZone)
      expect(status).toBe(isPast ? 'expired' : 'sent')
    }
    await later(async () => {
      expect((await read(quote)).status).toBe('expired')
      expect(await list('?status=sent')).toMatchObject([{ id: open.id }])
      expect(await list('?status=expired')).toMatchObject([{ id: quote.id, status: 'expired' }])
      const answer = { body: { answer: 'accepted', name: 'Bob' }, headers: version(quote) }
      expectProblem(await ann.send('POST', `${pathOf(quote)}/answer`, answer), { status: 409 })
    })
  })

  test('it becomes a draft once: the second attempt names the draft, and both lead to each other', async () => {
    const sent = await out({ notes: 'As agreed', termsDays: 30 })
    expectProblem(await toInvoice(sent), { status: 409, code: 'invalid_transition' })
    const accepted = await accept(sent)
    const [one, two] = await Promise.all([toInvoice(accepted), toInvoice(accepted)])
    const [made, refused] = one.status === 201 ? [one, two] : [two, one]
    expect([made.status, refused.status]).toEqual([201, 409])
    expect(refused.body.detail).toContain(made.body.id)
    expect(made.body).toMatchObject({
      status: 'draft',
      notes: 'As agreed',
      termsDays: 30,
      customerId,
      quote: { id: sent.id, number: sent.number },
      totals: sent.totals,
    })
    const quote = await read(sent)
    expect(quote.invoice).toEqual({ id: made.body.id, number: null })
    // Asked for again under the same id it is the same draft.
    expect(await toInvoice(accepted, made.body.id)).toMatchObject({ status: 200, body: { id: made.body.id } })
    const invoice = await issue(ann, made.body)
    expect(invoice.quote).toEqual({ id: sent.id, number: sent.number })
    expect((await toInvoice(quote)).body.detail).toContain(invoice.number)
    expect((await ann.send('GET', `${base}/invoices`)).body.data).toHaveLength(1)
  })

  test('a draft that was deleted is none: another is made', async () => {
    const accepted = await accept(await out())
    const { body: draft } = await toInvoice(accepted)
    await ann.send('DELETE', `${base}/invoices/${draft.id}`, { headers: version(draft) })
    const quote = await read(accepted)
    expect(quote.invoice).toBeNull()
    // Among what needs a person until then.
    const waiting = async () => (await list('?status=accepted&invoiced=no')).map(({ id }) => id)
    expect(await waiting()).toContain(quote.id)
    expect((await toInvoice(quote)).status).toBe(201)
    expect(await waiting()).not.toContain(quote.id)
    expect((await list('?status=accepted&invoiced=yes')).map(({ id }) => id)).toContain(quote.id)
    expectProblem(await ann.send('GET', `${base}/quotes?invoiced=perhaps`), { status: 422 })
  })

  test('an invoice that is void is none: what was agreed is written again', async () => {
    const accepted = await accept(await out())
    const { body: draft } = await toInvoice(accepted)
    const invoice = await issue(ann, draft)
    const voided = await ann.send('POST', `${base}/invoices/${invoice.id}/void`, { headers: version(invoice) })
    expect(voided.status).toBe(200)
    const quote = await read(accepted)
    expect(quote.invoice).toBeNull()
    expect((await list('?status=accepted&invoiced=no')).map(({ id }) => id)).toContain(quote.id)
    const again = await toInvoice(quote)
    expect(again).toMatchObject({ status: 201, body: { quote: { id: quote.id } } })
  })

  test('the list: newest first, by state, by customer, searched by all that is written on one, page by page', async () => {
    const other = await makeCustomer(ann, organization.id, { name: 'Zoë' })
    const written = { notes: 'By the canal', lines: [{ ...websiteLine, name: 'Roof', unitPrice: '411.15' }] }
    const draft = await make(written)
    const sent = await out()
    const zoe = await makeQuote(ann, organization.id, other.id)
    expect((await list()).map(({ id }) => id)).toEqual([zoe.id, sent.id, draft.id])
    const found = async (query: string) => (await list(query)).map(({ id }) => id)
    expect(await found('?status=sent')).toEqual([sent.id])
    expect(await found(`?customerId=${other.id}`)).toEqual([zoe.id])
    for (const q of ['roof', 'canal', encodeURIComponent('€ 994,98')])
      expect(await found(`?q=${q}`)).toEqual([draft.id])
    await withMaintenanceClient(database, 'running', async (client) => {
      // As an earlier build left them.
      await client.query('alter table quotes no force row level security')
      await client.query(`update quotes set search_key = 'roof' where search_key like '%roof%'`)
      await client.query('alter table quotes force row level security')
      expect(await found('?q=canal')).toEqual([])
      await rekeyQuotes(client)
    })
    for (const q of ['canal', '994.98']) expect(await found(`?q=${q}`)).toEqual([draft.id])
    expect(await found(`?q=${sent.number}`)).toEqual([sent.id])
    await ann.send('PUT', `${base}/customers/${other.id}`, {
      body: { name: 'Quentin', country: 'NL' },
      headers: version(other),
    })
    expect(await found('?q=quentin')).toEqual([zoe.id])
    expect(await found('?q=zoe')).toEqual([])
    const first = (await ann.send('GET', `${base}/quotes?limit=2`)).body
    expect(await found(`?limit=2&cursor=${first.page.nextCursor}`)).toEqual([draft.id])
    // A customer that drafts name is not deleted.
    const refused = await ann.send('DELETE', `${base}/customers/${other.id}`, { headers: { 'if-match': '"2"' } })
    expectProblem(refused, { status: 409, code: 'in_use' })
  })

  test('a mail holds the PDF of its edition and a link, the number is given on the way', async () => {
    const draft = await make()
    const sent = await ann.send('POST', `${pathOf(draft)}/send`, { body: words, headers: version(draft) })
    expect(sent.body).toMatchObject({ status: 'sent', number: 'Q-0001', edition: 1, sentAt: expect.any(String) })
    const mail = await app.db.asJobs((tx) =>
      tx.selectFrom('mails').selectAll().where('kind', '=', 'quote').orderBy('id', 'desc').executeTakeFirstOrThrow(),
    )
    expect(mail.bodyText).toMatch(/\/api\/v1\/public\/quotes\/q_[\w-]{40,}/)
    // A later edition changes nothing of what was attached to the first.
    await moveQuote(ann, await moveQuote(ann, sent.body, 'revise'), 'issue')
    const attachments = mail.attachments as Attachment[]
    const [file] = (await prepareMail(app.db)(organization.id, { kind: 'quote', attachments })) ?? []
    expect(file).toMatchObject({ filename: 'Q-0001.pdf', contentType: 'application/pdf' })
    expect(file!.content.subarray(0, 5).toString()).toBe('%PDF-')
    const again = await read(sent.body)
    const second = await ann.send('POST', `${pathOf(again)}/send`, { body: words, headers: version(again) })
    expect(second.body).toMatchObject({ edition: 2, number: 'Q-0001' })
    const twice = await ann.send('POST', `${pathOf(again)}/send`, { body: words, headers: version(again) })
    expectProblem(twice, { status: 412, code: 'stale' })
  })

  describe('the public page', () => {
    const fresh = () => `q_${randomBytes(32).toString('base64url')}`
    const hash = (token: string) => createHash('sha256').update(token).digest('base64url')
    const page = (token: string, rest = '') => `/api/v1/public/quotes/${token}${rest}`
    async function linked(more?: object): Promise<{ quote: Quote; token: string }> {
      const quote = await out(more)
      const token = fresh()
      const made = await ann.send('POST', `${pathOf(quote)}/public-links`, { body: { tokenHash: hash(token) } })
      expect(made.status).toBe(201)
      return { quote, token }
    }
    const answer = (token: string, body: object) =>
      app.send('POST', page(token, '/answer'), { body: { answer: 'accepted', name: 'Bob Baker', edition: 1, ...body } })

    test('is readable without an account, by nobody’s search engine, and loads nothing', async () => {
      const { quote, token } = await linked({ validUntil: addDays(today(), 14) })
      const { status, headers, text } = await app.send('GET', page(token))
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('x-robots-tag')).toContain('noindex')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('content-security-policy')).not.toContain('unsafe-inline')
      for (const shown of [`Quote ${quote.number}`, 'Bob the Baker', '€917.18', 'Valid until', 'Accept quote'])
        expect(text).toContain(shown)
      expect(text).not.toContain('IBAN')
      const pdf = await app.send('GET', page(token, '/pdf'))
      // Whoever reads the log answers nothing in the customer's name.
      expect(app.logged()).not.toContain(token)
      expect(app.logged()).toContain('/public/quotes/…/pdf')
      expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-'])
      expect((await read(quote)).viewedAt).toBeNull()
      expect((await app.send('POST', page(token, '/viewed'))).status).toBe(204)
      expect(await read(quote)).toMatchObject({ viewedAt: expect.any(String), version: quote.version })
    })

    test('a long PDF keeps nobody from the database, and is drawn once for all who ask meanwhile', async () => {
      const lines = Array.from({ length: 400 }, (_, row) => ({
        ...websiteLine,
        id: uuidv7(),
        description: `第${row}項 網站設計與程式開發服務`,
      }))
      const { quote, token } = await linked({ lines })
      const done: string[] = []
      const asked = [1, 2, 3, 4].map(async () => {
        const pdf = await app.send('GET', page(token, '/pdf'))
        done.push('pdf')
        return pdf
      })
      const own = ann.send('GET', `${pathOf(quote)}/pdf`).then(({ status }) => (done.push('pdf'), status))
      await wait(100)
      expect((await ann.send('GET', `${base}/customers`)).status).toBe(200)
      expect(done).toEqual([])
      const [first, ...others] = await Promise.all(asked)
      expect([first!.status, first!.text.slice(0, 5)]).toEqual([200, '%PDF-'])
      for (const other of others) expect(other.text === first!.text).toBe(true)
      expect(await own).toBe(200)
      const { seller, ...sent } = (await read(quote)) as Quote & { seller: NonNullable<Quote['seller']> }
      const draw = await app.db.asApp({ organizationIds: [organization.id] }, (tx) =>
        quotePdf(tx, quote, { ...sent, seller }),
      )
      const drawing = draw()
      expect(draw()).toBe(drawing)
      await drawing
    })

    test('no address has PDFs drawn without end', async () => {
      const limited = await startTestApp(app.db, { limits: { publicPdfPerAddress: { most: 2, windowMs: 60_000 } } })
      const { token } = await linked()
      const headers = { 'x-forwarded-for': '192.0.2.29' }
      const ask = async () => (await limited.send('GET', page(token, '/pdf'), { headers })).status
      expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
      expect((await limited.send('GET', page(token), { headers })).status).toBe(200)
    })

    test('is answered once, with a name; who sent it is told', async () => {
      const { quote, token } = await linked()
      const nameless = await answer(token, { name: ' ' })
      expectProblem(nameless, { status: 422 })
      expect(nameless.body.errors).toEqual([{ pointer: '/name', detail: 'Enter your name' }])
      const both = await Promise.all([answer(token, {}), answer(token, { answer: 'declined', name: 'Eve' })])
      expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([204, 409]))
      const stored = await read(quote)
      expect(stored.answer).toMatchObject({ name: expect.any(String), notedBy: null })
      expect(stored.status).toBe(stored.answer!.answer)
      const { answer: said, name } = stored.answer!
      // Its answer may have been lost on the way.
      expect((await answer(token, { answer: said, name })).status).toBe(204)
      expectProblem(await answer(token, { name: 'Mallory' }), { status: 409, code: 'invalid_transition' })
      const { text } = await app.send('GET', page(token))
      expect(text).toContain(`by ${name} on`)
      expect(text).not.toContain('<form')
      const mails = await app.db.asJobs((tx) =>
        tx
          .selectFrom('mails')
          .selectAll()
          .where('kind', '=', 'quote-answered')
          .where('recipient', '=', ann.email)
          .execute(),
      )
      expect(mails).toHaveLength(1)
      expect(mails[0]!.bodyText).toContain(name)
      const { body } = await ann.send('GET', `${base}/activity?kind=quote`)
      const noted = (body.data as Activity[]).filter(({ subjectId, userId }) => subjectId === quote.id && !userId)
      expect(noted).toMatchObject([{ action: 'answerPublicQuote', label: quote.number }])
      expect(noted[0]!.changes.map(({ field }) => field)).toEqual(expect.arrayContaining(['status', 'answer']))
    })

    test('answers what was seen: not another edition, not what is being changed, not what has expired', async () => {
      const { quote, token } = await linked({ validUntil: today(), notes: 'First words' })
      const draft = await moveQuote(ann, quote, 'revise')
      expectProblem(await answer(token, {}), { status: 409 })
      const saved = (await put(draft, invoiceBody(customerId, { notes: 'Second words', validUntil: today() }))).body
      const meanwhile = (await app.send('GET', page(token))).text
      expect(meanwhile).toContain('First words')
      expect(meanwhile).toContain('being changed')
      expect(meanwhile).not.toContain('<form')
      const second = await moveQuote(ann, saved, 'issue')
      const stale = await answer(token, { edition: 1 })
      expectProblem(stale, { status: 409 })
      expect(stale.body.detail).toContain('Load the page again')
      expect((await app.send('GET', page(token))).text).toContain('Second words')
      await later(async () => {
        expect((await answer(token, { edition: 2 })).body.detail).toContain('expired')
        expect((await app.send('GET', page(token))).text).toContain('expired on')
      })
      expect((await read(second)).status).toBe('sent')
      expect((await answer(token, { edition: 2 })).status).toBe(204)
    })

    test('is gone when its links are revoked, the same as one that never was; an invoice’s link opens no quote', async () => {
      const { quote, token } = await linked()
      const never = await app.send('GET', page(fresh()))
      expect((await app.send('GET', `/api/v1/public/invoices/${token}`)).status).toBe(404)
      expect((await ann.send('DELETE', `${pathOf(quote)}/public-links`)).status).toBe(204)
      const gone = await app.send('GET', page(token))
      expect([gone.status, gone.text]).toEqual([404, never.text])
      for (const each of [await app.send('GET', page(token, '/pdf')), await answer(token, {})])
        expectProblem(each, { status: 404 })
      expect((await app.send('GET', page(hash(token)))).status).toBe(404)
      const draft = await make()
      const body = { tokenHash: hash(fresh()) }
      expectProblem(await ann.send('POST', `${pathOf(draft)}/public-links`, { body }), { status: 409 })
    })
  })
})
