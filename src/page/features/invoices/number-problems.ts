// What is typed where a number belongs and is none that the contract takes: said at its field once that is left, and no total is shown as if it were 0. What
// is not typed yet is no problem, and counts as nothing.
import { parseDecimal, quantityLimits, unitPriceLimits, vatRateLimits } from '#shared/decimal.ts'
import { parseMoney } from '#shared/money.ts'
import type { Result } from '#shared/result.ts'
import { vatCategories, type VatCategory } from '#shared/vat.ts'
import { readPrice, readTyped } from '#page/forms/typed-number.ts'
import { said } from '#page/words/said.ts'
import type { AdjustmentValues, DraftValues, LineValues, VatValues } from './draft-values.ts'

/** In the place of what cannot be reckoned. */
export const unknownAmount = '–'

type Typing = Pick<DraftValues, 'locale' | 'currency'>

export function quantityProblem(typed: string, { locale }: Typing): string | null {
  return problemOf(typed, parseDecimal(readTyped(typed, locale), quantityLimits))
}

export function priceProblem(typed: string, { locale, currency }: Typing): string | null {
  return problemOf(typed, parseDecimal(readPrice(typed, locale, currency), unitPriceLimits))
}

/** Of the line without its discounts and charges, which its own amount is without too. */
export function isLineWrong(line: LineValues, typing: Typing): boolean {
  return quantityProblem(line.quantity, typing) !== null || priceProblem(line.unitPrice, typing) !== null
}

export function areTotalsWrong(values: DraftValues): boolean {
  const { lines } = values
  const adjustments = [values, ...lines].flatMap(({ allowances, charges }) => [...allowances, ...charges])
  const taxed = [...lines, ...values.allowances, ...values.charges]
  return (
    lines.some((line) => isLineWrong(line, values)) ||
    adjustments.some((each) => adjustmentProblem(each, values) !== null) ||
    taxed.some(({ vat }) => rateProblem(vat, values) !== null)
  )
}

function adjustmentProblem({ kind, amount, percent }: AdjustmentValues, { locale, currency }: Typing): string | null {
  if (kind === 'percent') return problemOf(percent, parseDecimal(readTyped(percent, locale), vatRateLimits))
  return problemOf(amount, parseMoney(readPrice(amount, locale, currency), currency))
}

function rateProblem({ category, rate }: VatValues, { locale }: Typing): string | null {
  if (!vatCategories[category as VatCategory].taxed) return null
  return problemOf(rate, parseDecimal(readTyped(rate, locale), vatRateLimits))
}

function problemOf(typed: string, read: Result<unknown>): string | null {
  return typed.trim() === '' || read.ok ? null : said(read.error)
}
