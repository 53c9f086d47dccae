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

/** `names`: of units that neither Intl nor a symbol says, in the language of where it stands. */
export function formatQuantity(
  quantity: string,
  code: string,
  locale: string,
  names: Partial<Record<string, string>> = text.units,
): string {
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
  return `${typed} ${symbols[code] ?? names[code] ?? code}`
}
