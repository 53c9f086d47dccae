// A line filled in from an item. Its price is put over into the invoice's way of pricing; what cannot be put over is said, not guessed.
import type { Item } from '#shared/contract/items.ts'
import { decimal, divideRounded, formatDecimal, unitPriceLimits } from '#shared/decimal.ts'
import { vatCategories } from '#shared/vat.ts'
import { text } from '#page/words/app-text.ts'
import { asTyped } from '#page/forms/typed-number.ts'
import type { LineValues } from './draft-values.ts'

const t = text.invoices

interface Into {
  /** Of the invoice. */
  currency: string
  taxMode: string
  locale: string
  /** The organization's: that of items that name none. */
  ownCurrency: string
}

/** `say`: what the person should know of the price; null where it is simply the item's. */
export function fromItem(line: LineValues, item: Item, into: Into): { line: LineValues; say: string | null } {
  const { currency, taxMode, locale } = into
  const own = item.currency ?? into.ownCurrency
  const filled = {
    ...line,
    name: item.name,
    description: item.description ?? '',
    unit: item.unit,
    baseQuantity: '1',
    vat: { category: item.vat.category, rate: asTyped(item.vat.rate, locale), reason: item.vat.reason ?? '' },
  }
  if (own !== currency) {
    const price = `${asTyped(item.unitPrice, locale)} ${own}`
    return { line: { ...filled, unitPrice: '' }, say: t.otherCurrency(price, currency) }
  }
  const rate = vatCategories[item.vat.category].taxed ? item.vat.rate : '0'
  const isConverted = item.taxMode !== taxMode && !isZero(rate)
  const price = isConverted ? inMode(item.unitPrice, rate, taxMode) : item.unitPrice
  const said = taxMode === 'gross' ? t.priceWithVat : t.priceWithoutVat
  return {
    line: { ...filled, unitPrice: asTyped(price, locale) },
    say: isConverted ? said(asTyped(item.unitPrice, locale)) : null,
  }
}

/** A price without VAT as one with it, or the other way, to as many places as a price has. */
export function inMode(price: string, rate: string, taxMode: string): string {
  const from = decimal(price)
  const percent = decimal(rate)
  const hundred = 100n * 10n ** BigInt(percent.scale)
  const places = unitPriceLimits.decimalPlaces
  const digits = from.digits * 10n ** BigInt(places)
  const scale = 10n ** BigInt(from.scale)
  return formatDecimal({
    digits:
      taxMode === 'gross'
        ? divideRounded(digits * (hundred + percent.digits), scale * hundred)
        : divideRounded(digits * hundred, scale * (hundred + percent.digits)),
    scale: places,
  })
}

function isZero(rate: string): boolean {
  return decimal(rate).digits === 0n
}
