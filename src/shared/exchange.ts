// VAT in the accounting currency of an invoice in another one (DOMAIN.md "Money" 5; EN 16931 BT-6 and BT-111). The one place that converts.
import { minorUnitDigits } from './currency.ts'
import { decimal, divideRounded, type DecimalLimits } from './decimal.ts'
import { minorUnitsOf, toMoney, type MinorUnits, type Money } from './money.ts'
import type { FieldError } from './problem-form.ts'

/**
 * What one unit of the invoice's currency is worth: 1 `from` = `rate` `to`, on `date` (`YYYY-MM-DD`), as `source` says ("ECB"). It names its currencies:
 * the invoice's and the organization's may change under it, and a rate for others is none.
 */
export interface Exchange {
  /** The invoice's currency when the rate was entered. */
  from: string
  /** The accounting currency then. */
  to: string
  /** A decimal above 0, in whole units of `to` for one of `from`. */
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

/** The rate that there is for this currency; null for one of another. A credit note has its invoice's, as long as it is in its currency. */
export function rateFor(exchange: Exchange | null, currency: string): Exchange | null {
  return exchange?.from === currency ? exchange : null
}

/** BT-111: the whole VAT in the accounting currency, the sum converted and not its parts; null where no rate is given, or one for another currency. */
export function accountingTaxOf(exchange: Exchange | null, tax: Money): Money | null {
  const known = rateFor(exchange, tax.currency)
  return known && toMoney(exchanged(minorUnitsOf(tax), known.from, known.to, known.rate), known.to)
}

/** Whether the rate of a draft in `currency` is one into `own`, the organization's currency now. */
export function exchangeErrors(
  { exchange, currency }: { exchange: Exchange | null; currency: string },
  own: string,
): FieldError[] {
  const refuse = (detail: string) => [{ pointer: '/exchange/rate', detail }]
  if (!exchange) return []
  if (currency === own) return refuse(`${own} is your own currency: there is no exchange rate to give`)
  if (exchange.from !== currency) return refuse(`This rate is for ${exchange.from}: enter the one for ${currency}`)
  return exchange.to === own ? [] : refuse(`Your currency is ${own} now: enter the exchange rate into it`)
}
