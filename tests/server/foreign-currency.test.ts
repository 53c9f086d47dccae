// Invoices in another currency than the organization's: the exchange rate, the VAT in the accounting currency, and where both go (DOMAIN.md "Money" 5).
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Activity } from '#shared/contract/activity.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { uuidv7 } from '#shared/ids.ts'
import { repeatInvoices } from '#server/invoices/repeat.ts'
import { invoiceColumns, lineColumns, partsOf } from '#documents/tables/columns.ts'
import { expectProblem, origin, verifiedActor } from '#tests/support/app.ts'
import { startBooks } from '#tests/support/books.ts'
import { invoiceBody, websiteLine } from '#tests/support/bodies.ts'
import { issue, join, makeCustomer, makeInvoice, makeQuote, makeRecurring, moveQuote } from '#tests/support/builders.ts'
import { engines } from '#tests/support/database.ts'
import { brokenRules } from '#tests/support/e-invoice-rules.ts'
import { buyer, seller } from '#tests/support/issued-documents.ts'
import { pdfTexts } from '#tests/support/pdf-text.ts'

const exchange = { from: 'USD', to: 'EUR', rate: '0.92', date: '2026-11-21', source: 'ECB' }
const inDollars = { currency: 'USD', exchange }
const eur = (amount: string) => ({ amount, currency: 'EUR' })

describe.each(engines)('on %s', (engine) => {
  const { books, issued, now } = startBooks(engine)

  const make = (more: object = inDollars) => makeInvoice(books.ann, books.buyer.organizationId, books.buyer.id, more)
  const put = (invoice: Pick<Invoice, 'id' | 'version'>, change: object) =>
    books.ann.send('PUT', `${books.base}/invoices/${invoice.id}`, {
      body: { ...invoice, totals: undefined, ...change },
      headers: { 'if-match': `"${invoice.version}"` },
    })
  const credit = async ({ id, version }: Invoice): Promise<Invoice> => {
    const answer = await books.ann.send('POST', `${books.base}/invoices/${id}/credit-notes`, {
      body: { id: uuidv7() },
      headers: { 'if-match': `"${version}"` },
    })
    expect(answer.status).toBe(201)
    return answer.body
  }
  const settings = async (change: object): Promise<Organization> => {
    const before = (await books.ann.send('GET', books.base)).body
    const headers = { 'if-match': `"${before.version}"` }
    const answer = await books.ann.send('PUT', books.base, { body: { ...before, ...change }, headers })
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 })
    return answer.body
  }

  test.each([
    ['whole', inDollars, null],
    ['none', { currency: 'USD' }, null],
    ['none, in so many words', { currency: 'USD', exchange: null }, null],
    ['in the own currency', { currency: 'EUR', exchange }, '/exchange/rate'],
    ['in the own currency by default', { exchange }, '/exchange/rate'],
    ['into another currency than the own', { currency: 'USD', exchange: { ...exchange, to: 'GBP' } }, '/exchange/rate'],
    ['from another currency than the invoice’s', { currency: 'CHF', exchange }, '/exchange/rate'],
    ['of no currencies', { currency: 'USD', exchange: { ...exchange, from: undefined } }, '/exchange/from'],
    ['a rate of zero', { currency: 'USD', exchange: { ...exchange, rate: '0.000' } }, '/exchange/rate'],
    ['a rate below zero', { currency: 'USD', exchange: { ...exchange, rate: '-0.92' } }, '/exchange/rate'],
    ['a rate as a number', { currency: 'USD', exchange: { ...exchange, rate: 0.92 } }, '/exchange/rate'],
    ['eleven places', { currency: 'USD', exchange: { ...exchange, rate: '0.12345678901' } }, '/exchange/rate'],
    ['no date', { currency: 'USD', exchange: { ...exchange, date: null } }, '/exchange/date'],
    [
      'no source',
      { currency: 'USD', exchange: { from: 'USD', to: 'EUR', rate: '0.92', date: '2026-11-21' } },
      '/exchange/source',
    ],
    ['a long source', { currency: 'USD', exchange: { ...exchange, source: 'x'.repeat(101) } }, '/exchange/source'],
  ])('a draft with an exchange rate: %s', async (_, more, pointer) => {
    const body = invoiceBody(books.buyer.id, more)
    const created = await books.ann.send('POST', `${books.base}/invoices`, { body })
    const draft = await make({ currency: 'USD' })
    const saved = await put(draft, { currency: undefined, ...more })
    for (const answer of [created, saved]) {
      if (pointer === null) {
        const has = 'exchange' in more && more.exchange !== null
        expect({ status: answer.status < 300, body: answer.body }).toMatchObject({
          status: true,
          body: has
            ? { exchange, accountingCurrency: 'EUR', accountingTax: eur('146.45') }
            : { exchange: null, accountingCurrency: null, accountingTax: null },
        })
      } else {
        expectProblem(answer, { status: 422, code: 'validation_failed' })
        expect(answer.body.errors.map((each: { pointer: string }) => each.pointer)).toEqual([pointer])
        expect(answer.body.errors[0].detail).toMatch(/^[A-Z].{8,}/)
      }
    }
  })

  test('who may not draft does not enter one, and who is outside sees none', async () => {
    const draft = await make()
    const [viewer, eve] = [await verifiedActor(books.app), await verifiedActor(books.app)]
    await join(books.app.db, books.buyer.organizationId, viewer, 'viewer')
    const path = `${books.base}/invoices/${draft.id}`
    const request = { body: { ...draft, exchange: { ...exchange, rate: '1' } }, headers: { 'if-match': '"1"' } }
    expectProblem(await viewer.send('PUT', path, request), { status: 403, code: 'forbidden' })
    expectProblem(await eve.send('PUT', path, request), { status: 404, code: 'not_found' })
    expect((await viewer.send('GET', path)).body).toMatchObject({ exchange, accountingTax: eur('146.45') })
    expect((await eve.send('GET', path)).text).not.toContain('0.92')
  })

  test('a rate has one spelling, is told by the feed, changed, taken away, and each is in the activity', async () => {
    const draft = await make({ currency: 'USD', exchange: { ...exchange, rate: '00.9200', source: ' ECB ' } })
    expect(draft.exchange).toEqual(exchange)
    const { body: told } = await books.ann.send('GET', `${books.base}/changes?since=`)
    const fed = (told.data as { id: string; row: Invoice }[]).find(({ id }) => id === draft.id)
    expect(fed?.row).toMatchObject({ exchange, accountingCurrency: 'EUR', accountingTax: eur('146.45') })
    const other = { ...exchange, rate: '0.9350000001' }
    const { body: changed } = await put(draft, { exchange: other })
    expect(changed).toMatchObject({ exchange: other, accountingTax: eur('148.83') })
    const { body: taken } = await put(changed, { exchange: null })
    expect(taken).toMatchObject({ exchange: null, accountingCurrency: null, accountingTax: null })
    const { data } = (await books.ann.send('GET', `${books.base}/activity?limit=50`)).body as { data: Activity[] }
    const changes = data
      .filter(({ subjectId }) => subjectId === draft.id)
      .flatMap((each) => each.changes.filter(({ field }) => field === 'exchange'))
    expect(changes.map(({ before, after }) => [before, after])).toEqual([
      [other, null],
      [exchange, other],
      [null, exchange],
    ])
  })

  test('issuing freezes the rate and the accounting currency; the own currency changed later changes nothing issued', async () => {
    const [foreign, own, waiting] = [await issued(inDollars), await issued(), await make()]
    const frozen = { exchange, accountingCurrency: 'EUR', accountingTax: eur('146.45') }
    expect(foreign).toMatchObject(frozen)
    expect(own).toMatchObject({ exchange: null, accountingCurrency: 'EUR', accountingTax: null })
    const note = await credit(foreign)
    await settings({ currency: 'GBP' })
    expect(await now(foreign)).toEqual(foreign)
    expect(await now(own)).toEqual(own)
    // A rate into euros is none into pounds: whoever has a copy is told, and who issues what they saw before is asked first.
    const dropped = await now(waiting)
    expect(dropped).toMatchObject({ exchange: null, accountingCurrency: null, accountingTax: null, version: 2 })
    expect(dropped.revision).toBeGreaterThan(waiting.revision)
    const queued = { headers: { 'if-match': '"1"' } }
    expectProblem(await books.ann.send('POST', `${books.base}/invoices/${waiting.id}/issue`, queued), {
      status: 412,
      code: 'stale',
    })
    expect(await issue(books.ann, dropped)).toMatchObject({ exchange: null, accountingCurrency: 'GBP' })
    // What corrects it is at its rate, in its accounting currency.
    expect(await issue(books.ann, note)).toMatchObject(frozen)
    // The draft of an offline device, which does not know yet.
    const late = invoiceBody(books.buyer.id, inDollars)
    const refused = await books.ann.send('POST', `${books.base}/invoices`, { body: late })
    expectProblem(refused, { status: 422, code: 'validation_failed' })
    expect(refused.body.errors).toEqual([
      { pointer: '/exchange/rate', detail: 'Your currency is GBP now: enter the exchange rate into it' },
    ])
  })

  test('a rate that came into the draft as the currency changed is named when it is issued', async () => {
    const draft = await make()
    const organizationId = draft.organizationId
    await books.app.db.asApp({ organizationIds: [organizationId] }, (tx) =>
      tx.updateTable('organizations').set({ currency: 'GBP' }).where('id', '=', organizationId).execute(),
    )
    const path = `${books.base}/invoices/${draft.id}/issue`
    const refused = await books.ann.send('POST', path, { headers: { 'if-match': '"1"' } })
    expectProblem(refused, { status: 422, code: 'validation_failed' })
    expect(refused.body.errors.map((each: { pointer: string }) => each.pointer)).toEqual(['/exchange/rate'])
  })

  test('the database itself takes no half rate, and none changes once it is issued', async () => {
    const [foreign, draft] = [await issued(inDollars), await make()]
    const as = async (id: string, change: string) => {
      const { organizationId } = foreign
      try {
        await books.app.db.asApp({ organizationIds: [organizationId] }, (tx) =>
          sql`update invoices set ${sql.raw(change)} where organization_id = ${organizationId} and id = ${id}`.execute(
            tx,
          ),
        )
        return null
      } catch (error) {
        return (error as { code: string }).code
      }
    }
    for (const change of [
      'exchange_rate = 0.93',
      `exchange_date = '2026-11-20'`,
      `exchange_source = 'FED'`,
      `accounting_currency = 'GBP'`,
      'exchange_rate = null, exchange_date = null, exchange_source = null',
    ])
      expect([change, await as(foreign.id, change)]).toEqual([change, '42501'])
    for (const change of [
      'exchange_rate = null',
      'exchange_date = null',
      'exchange_source = null',
      'accounting_currency = null',
      'exchange_rate = 0',
      'exchange_rate = -1',
      `currency = 'EUR'`,
    ])
      expect([change, await as(draft.id, change)]).toEqual([change, '23514'])
    expect(await as(draft.id, 'exchange_rate = 0.93')).toBeNull()
    expect((await now(foreign)).exchange).toEqual(exchange)
  })

  test('credit notes are at the rate of their invoice, of the whole and of parts', async () => {
    const lines = [{ ...websiteLine, quantity: '3', unitPrice: '33.33' }]
    const invoice = await issued({ ...inDollars, lines })
    // 21 % of 99.99 is 21.00 USD.
    expect(invoice.accountingTax).toEqual(eur('19.32'))
    const whole = await credit(await issued({ ...inDollars, lines }))
    expect(whole).toMatchObject({ exchange, accountingCurrency: 'EUR', accountingTax: eur('19.32') })
    const draft = await credit(invoice)
    // Another rate than the invoice's is not taken, nor that it has none.
    for (const other of [{ ...exchange, rate: '2' }, null]) {
      const { status, body } = await put(await now(draft), { exchange: other })
      expect({ status, body }).toMatchObject({ status: 200, body: { exchange, accountingTax: eur('19.32') } })
    }
    // Another currency is for nobody to issue, and back in its own it has its rate again.
    const { body: inEuros } = await put(await now(draft), { currency: 'EUR' })
    expect(inEuros).toMatchObject({ currency: 'EUR', exchange: null, accountingTax: null })
    expect((await put(inEuros, { currency: 'USD' })).body).toMatchObject({ exchange, accountingTax: eur('19.32') })
    const one = await put(await now(draft), { lines: [{ ...draft.lines[0], quantity: '1' }] })
    const parts = [await issue(books.ann, one.body), await issue(books.ann, await credit(invoice))]
    expect(parts.map(({ accountingTax }) => accountingTax?.amount)).toEqual(['6.44', '12.88'])
    expect(parts.map((part) => part.exchange)).toEqual([exchange, exchange])
    expect(await now(invoice)).toMatchObject({ paymentStatus: 'credited' })
  })

  test('quotes and recurring invoices carry none, and work in a foreign currency as before', async () => {
    const { ann, buyer: customer } = books
    const { organizationId } = customer
    const quote = await makeQuote(ann, organizationId, customer.id, inDollars)
    expect(quote).toMatchObject({ currency: 'USD' })
    expect(quote).not.toHaveProperty('exchange')
    const accepted = await moveQuote(ann, await moveQuote(ann, quote, 'issue'), 'answer', {
      answer: 'accepted',
      name: 'Bob',
    })
    const made = await ann.send('POST', `${books.base}/quotes/${quote.id}/invoices`, {
      body: { id: uuidv7() },
      headers: { 'if-match': `"${accepted.version}"` },
    })
    expect(made.body).toMatchObject({ status: 'draft', currency: 'USD', exchange: null, accountingTax: null })

    const today = new Date(books.app.nowMs()).toISOString().slice(0, 10)
    const rule = await makeRecurring(ann, organizationId, customer.id, {
      startsOn: today,
      action: 'issue',
      invoice: { ...invoiceBody(customer.id), ...inDollars },
    })
    expect(rule.invoice).toMatchObject({ currency: 'USD', exchange: null })
    await repeatInvoices({ apiPublicUrl: origin, mailQueued: () => {} })(
      books.app.db,
      organizationId,
      books.app.nowMs(),
    )
    const after = (await ann.send('GET', `${books.base}/recurring-invoices/${rule.id}`)).body
    const written = (await ann.send('GET', `${books.base}/invoices/${after.lastInvoiceId}`)).body
    expect(written).toMatchObject({ status: 'issued', currency: 'USD', exchange: null, accountingCurrency: 'EUR' })
  })

  test.each([
    ['en', 'VAT in EUR at 1 USD = 0.92 EUR (ECB, 21 Nov 2026)', '€146.45'],
    ['de', 'MwSt. in EUR zum Kurs 1 USD = 0,92 EUR (ECB, 21.11.2026)', '146,45 €'],
  ])('PDF, public page and XML say it, in %s', async (language, label, amount) => {
    const { logo: _, ...full } = seller
    await settings({ ...full, locale: language === 'de' ? 'de-DE' : 'en-GB' })
    const { id: __, ...them } = buyer
    const customer = await makeCustomer(books.ann, books.buyer.organizationId, them)
    const more = { ...inDollars, language, buyerReference: 'PO 7', termsDays: 14 }
    const invoice = await issue(books.ann, await makeInvoice(books.ann, customer.organizationId, customer.id, more))
    const path = `${books.base}/invoices/${invoice.id}`
    const request = new Request(`${origin}/api/v1${path}/pdf`, {
      headers: { authorization: `Bearer ${books.ann.accessToken}` },
    })
    const drawn = pdfTexts(new Uint8Array(await (await books.app.fetch(request)).arrayBuffer())).join(' ')
    const plain = (text: string) => text.replaceAll(/\s+/g, ' ')
    expect(plain(drawn)).toContain(label)
    expect(plain(drawn)).toContain(amount)
    const token = `link-${invoice.id}`
    const body = { tokenHash: createHash('sha256').update(token).digest('base64url') }
    expect((await books.ann.send('POST', `${path}/public-links`, { body })).status).toBe(201)
    const page = (await books.app.send('GET', `/api/v1/public/invoices/${token}`)).text
    expect(plain(page)).toContain(`<dt dir="auto">${label}</dt><dd dir="auto">${amount}</dd>`)
    for (const profile of ['en16931', 'peppol', 'xrechnung', 'facturx']) {
      const { status, text } = await books.ann.send('GET', `${path}/ubl.xml?profile=${profile}`)
      expect({ status, text }).toMatchObject({ status: 200 })
      expect(brokenRules(text)).toEqual([])
      expect(text).toMatch(/TaxCurrencyCode>EUR</)
      expect(text).toMatch(/currencyID="EUR">146\.45</)
    }
  })

  test('VAT in a currency of three decimals stands on the paper, and in no e-invoice', async () => {
    await settings({ currency: 'KWD' })
    const invoice = await issued({ currency: 'USD', exchange: { ...exchange, to: 'KWD', rate: '0.3073' } })
    expect(invoice.accountingTax).toEqual({ amount: '48.916', currency: 'KWD' })
    const answer = await books.ann.send('GET', `${books.base}/invoices/${invoice.id}/ubl.xml`)
    expectProblem(answer, { status: 422, code: 'validation_failed' })
    expect(answer.body.errors).toMatchObject([{ pointer: '/exchange/rate' }])
  })

  test('exported and imported again it is the same; bad rows are named', async () => {
    const invoice = await issued(inDollars)
    const cell = <Row>(columns: readonly { name: string; value: (row: Row) => unknown }[], row: Row, name: string) =>
      columns.find((column) => column.name === name)!.value(row)
    const heads = [
      ['Accounting currency', 'EUR'],
      ['VAT in accounting currency', '146.45'],
      ['Exchange rate', '0.92'],
      ['Exchange rate date', '2026-11-21'],
      ['Exchange rate source', 'ECB'],
    ] as const
    for (const [name, value] of heads) expect([name, cell(invoiceColumns, invoice, name)]).toEqual([name, value])
    const [line] = partsOf([invoice], ({ lines }) => lines)
    for (const [name, value] of heads.toSpliced(1, 1))
      expect([name, cell(lineColumns, line!, name)]).toEqual([name, value])

    const row = (number: string, more: object) => ({
      number,
      customer: { name: books.buyer.name },
      lines: [websiteLine],
      ...more,
    })
    const rows = [
      row('OLD-1', inDollars),
      row('OLD-2', { currency: 'USD' }),
      row('OLD-3', { exchange }),
      row('OLD-4', { currency: 'USD', exchange: { rate: '0', source: 'ECB' } }),
      row('OLD-5', { currency: 'USD', exchange: { ...exchange, rate: 'x', date: 'soon' } }),
      // As other programs write it: a 1 beside the own currency, a rate of no day beside another.
      row('OLD-6', { exchange: { rate: '1.0000' } }),
      row('OLD-7', { currency: 'USD', exchange: { rate: '0.92' } }),
      row('OLD-8', { currency: 'USD', exchange: { ...exchange, to: 'GBP' } }),
    ].map((values, index) => ({ row: index + 2, values }))
    const bring = async (write: boolean, given = rows) =>
      (await books.ann.send('POST', `${books.base}/invoices/import`, { body: { write, rows: given } })).body.rows as {
        outcome: string
        id: string | null
        errors: { pointer: string }[]
      }[]
    const seen = await bring(false)
    expect(seen.map(({ outcome, errors }) => [outcome, [...new Set(errors.map(({ pointer }) => pointer))]])).toEqual([
      ['new', []],
      ['new', []],
      ['bad', ['/exchange/rate']],
      ['bad', ['/exchange/rate', '/exchange/date']],
      ['bad', ['/exchange/rate', '/exchange/date']],
      ['new', []],
      ['new', []],
      ['bad', ['/exchange/rate']],
    ])
    const [first, second] = await bring(true)
    expect(await now({ id: first!.id! })).toMatchObject({ exchange, accountingTax: eur('146.45') })
    expect(await now({ id: second!.id! })).toMatchObject({ exchange: null })
    expect((await bring(true)).slice(0, 2).map(({ outcome }) => outcome)).toEqual(['same', 'same'])
    // A later file names the rate alone: the rest of it stays.
    const later = [{ row: 2, values: row('OLD-1', { currency: 'USD', exchange: { rate: '0.93' } }) }]
    expect((await bring(true, later)).map(({ outcome }) => outcome)).toEqual(['changed'])
    expect((await now({ id: first!.id! })).exchange).toEqual({ ...exchange, rate: '0.93' })
    const cleared = [{ row: 2, values: row('OLD-1', { currency: 'USD', exchange: null }) }]
    expect((await bring(true, cleared)).map(({ outcome }) => outcome)).toEqual(['changed'])
    expect(await now({ id: first!.id! })).toMatchObject({ currency: 'USD', exchange: null })
    expect((await bring(true, rows.slice(0, 1))).map(({ outcome }) => outcome)).toEqual(['changed'])
    const inFrancs = [{ row: 2, values: row('OLD-1', { currency: 'CHF' }) }]
    expect((await bring(true, inFrancs)).map(({ outcome }) => outcome)).toEqual(['changed'])
    expect(await now({ id: first!.id! })).toMatchObject({ currency: 'CHF', exchange: null })
    const inEuros = [{ row: 2, values: row('OLD-1', { currency: 'EUR' }) }]
    expect((await bring(true, inEuros)).map(({ outcome }) => outcome)).toEqual(['changed'])
    expect(await now({ id: first!.id! })).toMatchObject({ currency: 'EUR', exchange: null })
  })
})
