// VAT in the accounting currency of an invoice in another one (DOMAIN.md "Money" 5; EN 16931 BT-6 and BT-111). The one place that converts.
import { minorUnitDigits } from './currency.ts'
import { decimal, divideRounded, type DecimalLimits } from './decimal.ts'
import { minorUnitsOf, toMoney, type MinorUnits, type Money } from './money.ts'
import type { FieldError } from './problem-form.ts'

/** What one unit of the invoice's currency is worth: 1 USD = `rate` EUR, on `date` (`YYYY-MM-DD`), as `source` says ("ECB"). */
export interface Exchange {
  /** A decimal above 0, in whole units of the accounting currency for one of the invoice's. */
  rate: string
  date: string
  source: string
}

/** Ten places, so that what is worth little (1 LAK = 0.0000409213 EUR) still has its figures. */
export const exchangeRateLimits: DecimalLimits = { integerDigits: 10, decimalPlaces: 10 }

/** Minor units of `from` as minor units of `to`, rounded half away from zero; `rate` as in {@link Exchange}. */
export function exchanged(minor: MinorUnits, from: string, to: string, rate: string): MinorUnits {
  const { digits, scale } = decimal(rate)
  const places = minorUnitDigits(to) - minorUnitDigits(from) - scale
  return places >= 0 ? minor * digits * 10n ** BigInt(places) : divideRounded(minor * digits, 10n ** BigInt(-places))
}

/** BT-111: the whole VAT in the accounting currency, the sum converted and not its parts; null where no rate is given. */
export function accountingTaxOf(
  { exchange, accountingCurrency }: { exchange: Exchange | null; accountingCurrency: string | null },
  tax: Money,
): Money | null {
  if (!exchange || accountingCurrency === null) return null
  const minor = exchanged(minorUnitsOf(tax), tax.currency, accountingCurrency, exchange.rate)
  return toMoney(minor, accountingCurrency)
}

/** Whether a draft's rate can be one into `own`, the organization's currency now. `accountingCurrency`: what it was entered for, where that is said. */
export function exchangeErrors(
  {
    exchange,
    currency,
    accountingCurrency,
  }: { exchange: Exchange | null; currency: string; accountingCurrency?: string | null | undefined },
  own: string,
): FieldError[] {
  const pointer = '/exchange/rate'
  if (!exchange) return []
  if (currency === own) return [{ pointer, detail: `${own} is your own currency: there is no exchange rate to give` }]
  const isOther = Boolean(accountingCurrency) && accountingCurrency !== own
  return isOther ? [{ pointer, detail: `Your currency is ${own} now: enter the exchange rate into it` }] : []
}
