import { ageGroupOf } from '#shared/dashboard.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emailKey, emailProblem, nameProblem, passwordProblem } from '#shared/account-rules.ts'
import { addDays, isTimeZone, lastMonths, todayIn } from '#shared/dates.ts'
import { endpointPath, endpoints, matchEndpoint } from '#shared/endpoints.ts'
import { isUuid, uuidv7 } from '#shared/ids.ts'
import { formatNumber, givesTheSame, numberPeriod, parseNumberPattern } from '#shared/invoice-number.ts'
import { canInvoice, isOverdue } from '#shared/invoice-state.ts'
import { decodeJwt, isExpired } from '#shared/jwt.ts'
import { may, mayGive, mayRepeat, mayWrite, type Role, type Standing } from '#shared/permissions.ts'
import { asProblem } from '#shared/problem-form.ts'
import { problem, ProblemError } from '#shared/problem.ts'
import { invoiceSearchKey } from '#shared/invoice-keys.ts'
import { usualVat } from '#shared/vat.ts'
import { matchesSearch, searchKey } from '#shared/search-key.ts'

const base64url = (text: string) => Buffer.from(text).toString('base64url')

describe('access tokens (seed section 5)', () => {
  test('a payload that decodes and parses as an object', () => {
    const token = `h.${base64url('{"sub":"jürgen","exp":10}')}.s`
    expect(decodeJwt(token)).toEqual({ ok: true, value: { sub: 'jürgen', exp: 10 } })
  })
  test.each([
    '',
    'a.b',
    'a..c',
    'a.b.c.d',
    'a.!!!.c',
    `a.${base64url('[1]')}.c`,
    `a.${base64url('null')}.c`,
    `a.${base64url('7')}.c`,
    `a.${base64url('{')}.c`,
  ])('%j is Invalid JWT', (token) => expect(decodeJwt(token)).toEqual({ ok: false, error: 'Invalid JWT' }))
  test('expired within 15 seconds of exp, past it, and without it', () => {
    expect(isExpired({ exp: 1000 }, 984)).toBe(false)
    expect(isExpired({ exp: 1000 }, 985)).toBe(true)
    expect(isExpired({ exp: 1000 }, 2000)).toBe(true)
    expect(isExpired({}, 0)).toBe(true)
  })
})

describe('ids', () => {
  test('are UUIDv7 in the order they were made, even when the clock steps back', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => uuidv7(1_800_000_000_000 - index))
    expect(ids.every((id) => isUuid(id) && id[14] === '7')).toBe(true)
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })
  test('other text is none', () => {
    expect(['', 'x', '0190f0a0-0000-0000-0000-000000000000', `${uuidv7()} `].some(isUuid)).toBe(false)
  })
})

describe('endpoints', () => {
  test('a path is matched to the name it was made from', () => {
    const params = Object.fromEntries(
      [
        'organizationId',
        'customerId',
        'itemId',
        'invoiceId',
        'paymentId',
        'quoteId',
        'recurringId',
        'mailId',
        'exportId',
        'userId',
        'invitationId',
        'sessionId',
        'passkeyId',
        'token',
      ].map((name) => [name, uuidv7()]),
    )
    for (const [name, { method }] of Object.entries(endpoints)) {
      expect(matchEndpoint(method, endpointPath(name as keyof typeof endpoints, params))).toBe(name)
    }
  })
  test('anything else is none of ours', () => {
    expect(matchEndpoint('GET', '/api/v1/nothing')).toBeNull()
    expect(matchEndpoint('PATCH', '/api/v1/organizations')).toBeNull()
    expect(matchEndpoint('GET', '/api/v2/organizations')).toBeNull()
    expect(() => endpointPath('getInvoice', {})).toThrow(TypeError)
  })
  test('whatever is below an organization names its permission', () => {
    for (const [name, { path, permission }] of Object.entries(endpoints)) {
      expect({ name, hasPermission: permission !== undefined }).toEqual({
        name,
        hasPermission: path.includes('{organizationId}'),
      })
    }
  })
})

describe('permissions', () => {
  test('a viewer only reads; a member drafts and issues; only owner and admin edit the organization', () => {
    expect(may({ role: 'viewer' }, 'invoice.read')).toBe(true)
    expect(may({ role: 'viewer' }, 'invoice.draft')).toBe(false)
    expect(may({ role: 'member' }, 'invoice.issue')).toBe(true)
    expect(may({ role: 'accountant' }, 'organization.edit')).toBe(false)
    expect(may({ role: 'owner' }, 'organization.edit')).toBe(true)
  })
  test('an organization may keep issuing, sending and reminding from its members, and nothing else', () => {
    const member = { role: 'member', membersMayIssue: false } as const
    for (const permission of ['invoice.issue', 'invoice.send', 'invoice.remind'] as const) {
      expect(may({ ...member, membersMayIssue: true }, permission)).toBe(true)
      expect(may(member, permission)).toBe(false)
      expect(may({ ...member, role: 'accountant' }, permission)).toBe(true)
    }
    expect(may(member, 'invoice.draft')).toBe(true)
    const repeats = (standing: Standing) => ['draft', 'issue', 'send'].map((action) => mayRepeat(standing, { action }))
    expect(repeats(member)).toEqual([true, false, false])
    expect(repeats({ role: 'member' })).toEqual([true, true, true])
    expect(repeats({ role: 'viewer' })).toEqual([false, false, false])
  })
  test('a member writes invoices and no credit notes', () => {
    const writes = (role: Role) => ['380', '381'].map((type) => mayWrite({ role }, { type }))
    expect(writes('member')).toEqual([true, false])
    expect(writes('accountant')).toEqual([true, true])
  })
  test('nobody gives a role above their own', () => {
    expect(mayGive({ role: 'owner' }, 'owner')).toBe(true)
    expect(mayGive({ role: 'admin' }, 'owner')).toBe(false)
    expect(mayGive({ role: 'admin' }, 'admin')).toBe(true)
  })
})

describe('account rules', () => {
  test.each(['a@b', 'jürgen@exämple.de', 'a.b+c@sub.example.com'])('%s is an email', (email) =>
    expect(emailProblem(email)).toBeNull(),
  )
  test.each([
    '',
    'a',
    'a@',
    '@b',
    'a b@c.d',
    'a@b..c',
    'a@b@c',
    'a"@b.c',
    'a@b.c,d',
    'a@b.c>',
    'a@"b.c',
    'a@[1]',
    `${'a'.repeat(250)}@b.cd`,
  ])('%s is none', (email) => expect(emailProblem(email)).toMatch(/\w/))
  test('spelling of an address does not make a second account', () =>
    expect(emailKey(' Ann@Example.COM ')).toBe('ann@example.com'))
  test('names and passwords', () => {
    expect([nameProblem('Ann'), passwordProblem('12345678')]).toEqual([null, null])
    expect([nameProblem(' '), passwordProblem('1234567'), passwordProblem('x'.repeat(257))].every(Boolean)).toBe(true)
  })
})

describe('dates', () => {
  test('today depends on the zone', () => {
    const instant = Date.UTC(2026, 10, 21, 23, 30)
    expect(todayIn('Europe/Amsterdam', instant)).toBe('2026-11-22')
    expect(todayIn('America/New_York', instant)).toBe('2026-11-21')
  })
  test('days and months are counted by the calendar', () => {
    expect(addDays('2028-02-28', 2)).toBe('2028-03-01')
    expect(lastMonths('2026-02-15', 3)).toEqual(['2025-12', '2026-01', '2026-02'])
    expect(['Europe/Berlin', 'UTC', 'Japan', 'PST8PDT'].filter(isTimeZone)).toHaveLength(4)
    // The last two the browser takes: a database knows no AET, and another IST than it.
    expect(['Mars/Base', '+02:00', 'AET', 'IST'].filter(isTimeZone)).toEqual([])
  })
})

describe('invoice numbers and states', () => {
  test('a number from its pattern', () => {
    expect(formatNumber('INV-{YYYY}-{SEQ:4}', 7, '2026-11-21')).toBe('INV-2026-0007')
    expect(formatNumber('{YY}{MM}/{SEQ:2}', 12345, '2026-11-21')).toBe('2611/12345')
    expect([
      numberPeriod('never', '2026-11-21'),
      numberPeriod('yearly', '2026-11-21'),
      numberPeriod('monthly', '2026-11-21'),
    ]).toEqual(['', '2026', '2026-11'])
  })
  test.each([
    ['INV', 'never'],
    ['{SEQ}{SEQ}', 'never'],
    ['A-{SEQ:4}{SEQ:0}', 'never'],
    ['INV-{SEQ}', 'yearly'],
    ['{YYYY}-{SEQ}', 'monthly'],
    ['Nr {SEQ}', 'never'],
    [`${'X'.repeat(30)}{SEQ}`, 'never'],
  ] as const)('%s restarted %s is refused', (pattern, reset) =>
    expect(parseNumberPattern(pattern, reset).ok).toBe(false),
  )
  test('only drafts change, are deleted or issued', () => {
    expect(canInvoice('issue', 'draft')).toBe(true)
    expect((['edit', 'delete', 'issue'] as const).some((action) => canInvoice(action, 'issued'))).toBe(false)
  })
  test('overdue is issued, unpaid and past its date', () => {
    const invoice = { status: 'issued', dueDate: '2026-11-20', amountDue: 1n } as const
    expect(isOverdue(invoice, '2026-11-21')).toBe(true)
    expect(isOverdue(invoice, '2026-11-20')).toBe(false)
    expect(isOverdue({ ...invoice, amountDue: 0n }, '2026-11-21')).toBe(false)
    expect(isOverdue({ ...invoice, status: 'draft' }, '2026-11-21')).toBe(false)
  })
})

describe('two series of numbers', () => {
  test.each([
    ['INV-{SEQ}', 'INV-{SEQ:4}', true],
    ['INV-{YYYY}-{SEQ:4}', ' INV-{YYYY}-{SEQ:6} ', true],
    ['{YYYY}-{SEQ}', '20{YY}-{SEQ}', true],
    ['R{SEQ}', 'R1{SEQ}', true],
    ['{YYYY}{SEQ:4}', '{YYYY}{MM}{SEQ:4}', true],
    ['{SEQ}', '{YY}{SEQ:4}', true],
    ['INV-{YYYY}-{SEQ:4}', 'CN-{YYYY}-{SEQ:4}', false],
    ['{SEQ}', '{SEQ}-C', false],
    ['{YYYY}-{SEQ}', '19{YY}-{SEQ}', false],
    // A counter that has grown beyond its width begins with no 0.
    ['A{SEQ:4}', 'A0{SEQ:4}', false],
    ['A{SEQ:4}', 'A1{SEQ:4}', true],
    // Files of these names are one on Windows and macOS.
    ['INV-{YYYY}-{SEQ:4}', 'inv-{YYYY}-{SEQ:4}', true],
    ['Inv{SEQ}', 'iNV1{SEQ}', true],
  ])('%s and %s: the same is possible: %s', (pattern, other, isPossible) => {
    expect(givesTheSame(pattern, other)).toBe(isPossible)
    expect(givesTheSame(other, pattern)).toBe(isPossible)
  })
  test('any two that have given the same number are known to', () => {
    const part = fc.constantFrom('{YYYY}', '{YY}', '{MM}', '0', '1', '2', '20', 'R', '-')
    const pattern = fc
      .tuple(
        fc.array(part, { maxLength: 3 }),
        fc.constantFrom('{SEQ}', '{SEQ:2}', '{SEQ:4}'),
        fc.array(part, { maxLength: 2 }),
      )
      .map(([before, counter, after]) => [...before, counter, ...after].join(''))
    const counts = [1, 2, 7, 10, 11, 19, 20, 26, 99, 100, 101, 111, 202, 1001, 2026, 10_001, 20_261]
    const days = ['2020-01-01', '2026-11-20', '2101-12-31']
    const given = (each: string) =>
      new Set(days.flatMap((day) => counts.map((count) => formatNumber(each, count, day))))
    let met = 0
    fc.assert(
      fc.property(pattern, pattern, (one, other) => {
        const isMet = given(one).intersection(given(other)).size > 0
        met += Number(isMet)
        return !isMet || givesTheSame(one, other)
      }),
      { numRuns: 3000 },
    )
    expect(met).toBeGreaterThan(50)
  })
})

describe('search and problems', () => {
  test('accents, case and order of words do not matter', () => {
    const key = searchKey('Müller  Söhne GmbH', null, 'INV-0007')
    expect(key).toBe('muller sohne gmbh inv-0007')
    expect(matchesSearch(key, 'GMBH müller')).toBe(true)
    expect(matchesSearch(key, 'meier')).toBe(false)
  })
  test('a currency beside an amount says nothing, unless it is a word of its own', () => {
    const key = searchKey('Fence 10.00 EUR')
    for (const query of ['eur 10', '10.00 eur', 'TOP 10.00', 'bob 10.00']) expect(matchesSearch(key, query)).toBe(true)
    for (const query of ['top 10', 'all 10', 'fence top']) expect(matchesSearch(key, query)).toBe(false)
    expect(matchesSearch(searchKey('All inclusive 10'), 'all 10')).toBe(true)
    for (const query of ['TRY 1 234,50', '1 234,50 TRY', 'TRY 1.234,50'])
      expect([query, matchesSearch('fence 1 234.50 1234.50', query)]).toEqual([query, true])
  })
  test.each([
    '1493.82',
    '€1,493.82',
    '-€1,493.82',
    '1.493,82 €',
    '1 493,82\u202f€',
    '1493,82',
    '1.493,82',
    '1,493.82',
    "1'493.82",
    '1’493.82',
    'EUR 1,493.82',
    '1.493,82 eur',
    '1493',
    'website 1.493',
    '93,8',
  ])('an invoice is found by its amount as it is typed: %s', (query) => {
    const gross = { amount: '1493.82', currency: 'EUR' }
    const adjusted = (reason: string) => ({ allowances: [{ reason }], charges: [{ reason: null }] })
    const invoice = {
      ...adjusted('Loyalty'),
      number: null,
      customerName: 'Bob',
      gross,
      orderReference: 'PO-7',
      buyerReference: '04011000-12345-67',
      notes: 'Thank you',
      lines: [{ name: 'Website', description: 'Façade', ...adjusted('Second hand') }],
    }
    expect(matchesSearch(invoiceSearchKey(invoice), query)).toBe(true)
    expect(matchesSearch(invoiceSearchKey(invoice), `${query} 917`)).toBe(false)
    for (const other of ['facade', 'po-7', '12345-67', 'thank', 'bob', 'loyalty', 'second hand'])
      expect(matchesSearch(invoiceSearchKey(invoice), other)).toBe(true)
    expect(invoiceSearchKey({ ...invoice, notes: 'x'.repeat(40_000) })).toHaveLength(32_000)
  })
  test.each([
    [
      '1234.50',
      ['US$1,234.50', 'CA$1,234.50', '-CA$1,234.50', 'EC$1,234.50', '1.234,50 AU$', '1 234,50 $US', '£GB 1 234,50'],
    ],
    [
      '1234.50',
      ['1 234,50 kr', '1.234,50 kr.', '−1 234,50 kr', '1234,50 zł', '1 234,50 Kč', '-€ 1.234,50', '€ -1.234,50'],
    ],
    [
      '1234.50',
      [
        'Fr. 1’234.50',
        '-1.234,50 €',
        "€-1'234.50",
        '-SEK 1,234.50',
        "CHF-1'234.50",
        'R$ 1.234,50',
        '1\u202f234,50\u00a0$AU',
      ],
    ],
    ['1234', ['1 234 FCFA', 'F\u202fCFA 1,234', '1 234 CFPF', '1 234']],
    ['1100', ['JP¥1,100', '￥1,100', '1.100 ¥', '1,100']],
    ['1234.567', ['KWD 1,234.567', '1.234,567 KWD', '1,234.567', '1.234,567', "1'234.567", '1 234,567', '1234,567']],
    ['1.234', ['KWD 1.234', '1,234 KWD', '1,234']],
    ['1234567', ['1,234,567', '1.234.567']],
  ])('%s is found as it is shown in whatever currency and language', (amount, queries) => {
    for (const query of queries) {
      expect([query, matchesSearch(searchKey('INV-7 Bob', amount), `bob ${query}`)]).toEqual([query, true])
      expect([query, matchesSearch(searchKey('INV-7 Bob 999.99'), query)]).toEqual([query, false])
    }
  })
  test('what is no amount’s currency is searched', () => {
    const key = searchKey('Kr 7 Ltd, 12 mm')
    expect(matchesSearch(key, 'kr ltd')).toBe(true)
    expect(matchesSearch(key, '12 cm')).toBe(false)
    expect(matchesSearch(key, 'sek ltd')).toBe(false)
    expect(matchesSearch(searchKey('Kabel 1.234.567'), '1,234.567')).toBe(false)
  })
  test('an amount in lakhs is found as it is typed', () => {
    for (const query of ['₹12,34,567.50', '12,34,567', '1234567.5'])
      expect(matchesSearch(searchKey('INV-7 1234567.50'), query)).toBe(true)
  })
  test('a number with a comma is found as it stands as well', () => {
    expect(matchesSearch(searchKey('Kabel 1,5 mm'), '1,5')).toBe(true)
  })
  test('a problem carries its status and is recognised; other bodies are not', () => {
    const error = new ProblemError('stale', { detail: 'changed' })
    expect(error.problem).toMatchObject({ status: 412, code: 'stale', detail: 'changed' })
    expect(asProblem(JSON.parse(JSON.stringify(error.problem)))).toEqual(error.problem)
    expect([null, 'x', {}, { code: 'nonsense', status: 1 }].map(asProblem)).toEqual([null, null, null, null])
    const later = { type: 'urn:docket:problem:new', title: 'Of a later build', status: 409, code: 'new' }
    expect(asProblem(later)).toEqual(later)
    expect(problem('not_found')).toMatchObject({ type: 'urn:docket:problem:not_found', title: 'Not found' })
  })
})

test.each([
  [null, 0],
  ['2026-11-23', 0],
  ['2026-11-22', 0],
  ['2026-11-21', 1],
  ['2026-10-23', 1],
  ['2026-10-22', 2],
  ['2026-09-23', 2],
  ['2026-09-22', 3],
  ['2026-08-24', 3],
  ['2026-08-23', 4],
  ['2019-01-01', 4],
])('what is due on %s is in group %i of the ageing on 22 November 2026', (dueDate, group) =>
  expect(ageGroupOf(dueDate, '2026-11-22')).toBe(group),
)

test('a new line of a small business says by which law it is exempt, where the law wants that', () => {
  const line = (country: string, vatRegime: 'standard' | 'small-business' | 'none') =>
    usualVat({ country, vatRegime }, '19')
  expect(line('DE', 'small-business')).toEqual({
    category: 'E',
    rate: '0',
    reason: 'Steuerbefreiung für Kleinunternehmer (§ 19 UStG)',
  })
  expect(line('NL', 'small-business')).toEqual({ category: 'E', rate: '0', reason: null })
  expect(line('DE', 'standard')).toEqual({ category: 'S', rate: '19', reason: null })
  expect(line('DE', 'none')).toEqual({ category: 'O', rate: '0', reason: null })
})
