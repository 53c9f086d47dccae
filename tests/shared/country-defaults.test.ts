import { expect, test } from 'vitest'
import { countryCodes } from '#shared/country.ts'
import { currencyOf, paperSizeOf } from '#shared/country-defaults.ts'
import { currencyCodes } from '#shared/currency.ts'

test.each([
  ['NL', 'EUR', 'A4'],
  ['US', 'USD', 'letter'],
  ['CA', 'CAD', 'letter'],
  ['GB', 'GBP', 'A4'],
  ['LI', 'CHF', 'A4'],
  ['VE', 'VES', 'letter'],
  ['PL', 'PLN', 'A4'],
  ['SV', 'USD', 'letter'],
  ['ME', 'EUR', 'A4'],
  ['AQ', 'EUR', 'A4'],
  ['', 'EUR', 'A4'],
])('%s begins with %s on %s', (country, currency, paper) => {
  expect([currencyOf(country), paperSizeOf(country)]).toEqual([currency, paper])
})

test('every country has a currency of its own or shares one that is ours', () => {
  const without = countryCodes.filter((country) => currencyOf(country) === 'EUR')
  // Those of the euro, and the one that nobody lives in.
  expect(without).toHaveLength(37)
  for (const country of countryCodes) expect(currencyCodes).toContain(currencyOf(country))
})
