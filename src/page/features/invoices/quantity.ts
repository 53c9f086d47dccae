// A quantity with its unit as people write it: `3 hours`, `2 m²`; of pieces the number alone.
import { text } from '#page/app-text.ts'
import { asTyped } from '#page/typed-number.ts'

/** Units that Intl can say in every language. */
const spoken: Partial<Record<string, string>> = {
  HUR: 'hour',
  MIN: 'minute',
  DAY: 'day',
  WEE: 'week',
  MON: 'month',
  ANN: 'year',
  MTR: 'meter',
  CMT: 'centimeter',
  KMT: 'kilometer',
  KGM: 'kilogram',
  GRM: 'gram',
  LTR: 'liter',
}
const symbols: Partial<Record<string, string>> = { MTK: 'm²', MTQ: 'm³', TNE: 't', KWH: 'kWh' }

export function formatQuantity(quantity: string, code: string, locale: string): string {
  const unit = spoken[code]
  if (unit !== undefined)
    return new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay: 'long',
      maximumFractionDigits: 4,
    }).format(quantity as Intl.StringNumericLiteral)
  const typed = asTyped(quantity, locale)
  if (code === 'C62') return typed
  const names: Partial<Record<string, string>> = text.units
  return `${typed} ${symbols[code] ?? names[code] ?? code}`
}
