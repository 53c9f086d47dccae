// A line's price, discounts and charges without VAT, so that quantity x price / base quantity - discounts + charges is the line's net to the cent
// (PEPPOL-EN16931-R120), also where prices were entered with VAT.
import type { Invoice } from '#shared/contract/invoices.ts'
import { minorUnitDigits } from '#shared/currency.ts'
import { decimal, divideRounded, formatDecimal } from '#shared/decimal.ts'
import { formatAmount, minorUnitsOf, type MinorUnits } from '#shared/money.ts'
import type { IssuedDocument } from '#documents/content.ts'
import { wordsOf } from '#documents/words.ts'

type Line = Invoice['lines'][number]

export interface NetAdjustment {
  /** Minor units, not negative. */
  amount: MinorUnits
  reason: string | null
}

export interface NetPrice {
  /** Of `baseQuantity` units; a decimal string, not negative. */
  price: string
  baseQuantity: string
  allowances: NetAdjustment[]
  charges: NetAdjustment[]
}

export function netPrice(
  line: Line,
  { currency, taxMode, language }: Pick<IssuedDocument, 'currency' | 'taxMode' | 'language'>,
): NetPrice {
  const entered = ({ amount, reason }: Line['charges'][number]) => ({
    amount: minorUnitsOf({ amount, currency }),
    reason,
  })
  const allowances = line.allowances.map(entered)
  const charges = line.charges.map(entered)
  if (taxMode === 'net' && isExact(line, currency))
    return { price: line.unitPrice, baseQuantity: line.baseQuantity, allowances, charges }

  // With VAT included the line's net is rounded together with those of its VAT group and may be a cent off what its own gross gives. So the price
  // is told for the line's whole quantity: base quantity = quantity, price = what is left of the net. Nothing is rounded, whatever the quantity.
  const rate = taxMode === 'net' ? decimal('0') : decimal(line.vat.rate)
  const hundred = 100n * 10n ** BigInt(rate.scale)
  const withoutVat = ({ amount, reason }: NetAdjustment) => ({
    amount: divideRounded(amount * hundred, hundred + rate.digits),
    reason,
  })
  const nets = { allowances: allowances.map(withoutVat), charges: charges.map(withoutVat) }
  const left = minorUnitsOf(line.net) + sum(nets.allowances) - sum(nets.charges)
  const quantity = decimal(line.quantity)
  const isBackwards = quantity.digits < 0n
  const price = isBackwards ? -left : left
  // A price is not negative (BR-27): a cent that rounding left on the wrong side, or a line without a quantity, stands as what it is.
  if (price < 0n || quantity.digits === 0n) {
    const rest = { amount: left < 0n ? -left : left, reason: wordsOf(language).rounding }
    if (left < 0n) nets.allowances.push(rest)
    else if (left > 0n) nets.charges.push(rest)
    return { price: '0', baseQuantity: '1', ...nets }
  }
  const baseQuantity = formatDecimal({ ...quantity, digits: isBackwards ? -quantity.digits : quantity.digits })
  return { price: formatAmount(price, currency), baseQuantity, ...nets }
}

/** The rule forgives two hundredths of any currency's unit: half a yen is more. */
function isExact({ quantity, unitPrice, baseQuantity }: Line, currency: string): boolean {
  const places = minorUnitDigits(currency)
  if (places >= 2) return true
  const [count, price, base] = [decimal(quantity), decimal(unitPrice), decimal(baseQuantity)]
  const numerator = count.digits * price.digits * 10n ** BigInt(base.scale + places)
  return numerator % (base.digits * 10n ** BigInt(count.scale + price.scale)) === 0n
}

function sum(adjustments: readonly NetAdjustment[]): MinorUnits {
  return adjustments.reduce((total, { amount }) => total + amount, 0n)
}
