import { describe, expect, test } from 'vitest'
import { asFieldErrors } from '#page/form-errors.ts'
import { inLanguage, liveAmounts, toBody, toValues } from '#page/features/invoices/draft-values.ts'
import { formatDate, formatMoney, formatPrice } from '#page/format.ts'
import { asTyped, readTyped } from '#page/typed-number.ts'
import { invoiceEdit } from '#shared/contract/invoices.ts'
import { organization as organizationContract, type Organization } from '#shared/contract/organizations.ts'
import { uuidv7 } from '#shared/ids.ts'

const organization: Organization = organizationContract.parse({
  id: uuidv7(),
  name: 'Ann Works',
  country: 'NL',
  currency: 'EUR',
  role: 'owner',
  version: 1,
  revision: 1,
  createdAt: '2026-11-21T00:00:00Z',
  updatedAt: '2026-11-21T00:00:00Z',
})

describe('a number as people type it', () => {
  test.each([
    ['19.99', 'en-GB', '19.99'],
    ['19,99', 'en-GB', '19.99'],
    ['1.234,50', 'en-GB', '1234.50'],
    ['1,234.50', 'de-DE', '1234.50'],
    ['1 234,5', 'fr-FR', '1234.5'],
    ['1’234.5', 'de-CH', '1234.5'],
    ['1.234.567', 'en-GB', '1234567'],
    ['1,234,567.8', 'de-DE', '1234567.8'],
    ['1,200', 'en-US', '1200'],
    ['1.200', 'de-AT', '1200'],
    ['1.200', 'fr-FR', '1200'],
    ['12,34,567.5', 'en-IN', '1234567.5'],
    ['12..50', 'en-US', '12..50'],
    ['12,,50', 'de-DE', '12,,50'],
    ['1.2.3', 'en-US', '1.2.3'],
    ['1,2.00', 'en-US', '1,2.00'],
    ['1.234,5.6', 'de-DE', '1.234,5.6'],
    ['1200.', 'en-US', '1200.'],
    ['1,200', 'de-DE', '1.200'],
    ['1.200', 'de-DE', '1200'],
    ['1.200', 'en-US', '1.200'],
    ['0.125', 'de-DE', '0.125'],
    ['-1,200', 'en-US', '-1200'],
    ['1200,5', 'en-US', '1200.5'],
    [',5', 'en-GB', '0.5'],
    ['-2', 'en-GB', '-2'],
    ['two', 'en-GB', 'two'],
    ['', 'en-GB', ''],
  ])('%j in %s is %j', (typed, locale, wire) => expect(readTyped(typed, locale)).toBe(wire))

  test('what was stored is shown so that reading it gives the same', () => {
    for (const locale of ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'de-AT', 'pt-PT', 'nl-NL', 'sv-SE', 'en-IN'])
      for (const wire of ['1200', '1.125', '0.5', '19.99', '-3.25', '1234.5678', ''])
        expect(readTyped(asTyped(wire, locale), locale)).toBe(wire)
  })
})

describe('from the form to the contract', () => {
  const values = toValues(null, organization)
  const line = {
    ...values.lines[0]!,
    name: 'Website',
    quantity: '2',
    unitPrice: '379,00',
    vat: { category: 'S', rate: '21' },
  }

  test('typed text becomes what the contract takes; the totals are the shared module’s', () => {
    const typed = { ...values, customerId: uuidv7(), lines: [line] }
    expect(asFieldErrors(invoiceEdit, toBody(typed, null))).toEqual([])
    const { totals } = liveAmounts(typed, null)
    expect([totals.net, totals.tax, totals.gross]).toEqual([75_800n, 15_918n, 91_718n])
  })

  test('a last line that nobody touched is no line; one in the middle is, and is named', () => {
    expect(toBody({ ...values, lines: [line, { ...line, name: '', unitPrice: '' }] }, null).lines).toHaveLength(1)
    const gap = { ...values, lines: [{ ...line, name: '' }, line] }
    expect(asFieldErrors(invoiceEdit, toBody(gap, null))).toEqual([
      { pointer: '/lines/0/name', detail: 'Say what this line is for' },
    ])
  })

  test('what cannot be reckoned yet counts as nothing, and is said at its field', () => {
    const unfinished = { ...values, lines: [line, { ...line, quantity: 'two' }] }
    expect(liveAmounts(unfinished, null).totals.net).toBe(75_800n)
    expect(asFieldErrors(invoiceEdit, toBody(unfinished, null)).map(({ pointer }) => pointer)).toEqual([
      '/lines/1/quantity',
    ])
  })

  test('a rate that is missing or too high is said where it is typed', () => {
    for (const rate of ['', '101', 'x']) {
      const body = toBody({ ...values, lines: [{ ...line, vat: { category: 'S', rate } }] }, null)
      expect(asFieldErrors(invoiceEdit, body).map(({ pointer }) => pointer)).toEqual(['/lines/0/vat/rate'])
    }
  })

  test('what was typed in one language means the same in another', () => {
    const typed = { ...values, locale: 'en-US', lines: [{ ...line, quantity: '1.500', unitPrice: '1,200' }] }
    const german = inLanguage(typed, 'de-DE')
    expect(german.lines[0]).toMatchObject({ quantity: '1,500', unitPrice: '1200' })
    expect(liveAmounts(german, null)).toEqual(liveAmounts(typed, null))
  })

  test('an untaxed category carries no rate, whatever the field still says', () => {
    const body = toBody({ ...values, lines: [{ ...line, vat: { category: 'AE', rate: '21' } }] }, null)
    expect(body.lines![0]!.vat).toEqual({ category: 'AE', rate: '0' })
  })
})

describe('printed', () => {
  test('with the places of ISO 4217, not of Intl', () => {
    expect(formatMoney({ amount: '1234.50', currency: 'EUR' }, 'en-GB')).toBe('€1,234.50')
    expect(formatMoney({ amount: '1234.50', currency: 'HUF' }, 'en-GB')).toMatch(/1,234\.50/)
    expect(formatMoney({ amount: '1234', currency: 'JPY' }, 'en-GB')).toBe('JP¥1,234')
    expect(formatMoney({ amount: '1.234', currency: 'BHD' }, 'en-GB')).toMatch(/1\.234/)
    // More digits than a floating-point number holds.
    expect(formatMoney({ amount: '90071992547409.93', currency: 'EUR' }, 'en-GB')).toBe('€90,071,992,547,409.93')
  })
  test('a price has its currency’s places, or its own where they are more', () => {
    expect(formatPrice('379', 'EUR', 'en-GB')).toBe('€379.00')
    expect(formatPrice('0.125', 'EUR', 'en-GB')).toBe('€0.125')
    expect(formatPrice('379', 'JPY', 'en-GB')).toBe('JP¥379')
  })
  test('a date is what it is, in every zone', () => {
    expect(formatDate('2026-11-21', 'en-GB')).toBe('21 Nov 2026')
    expect(formatDate(null, 'en-GB')).toBe('–')
  })
})
