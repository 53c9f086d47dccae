// Whether a payment's parts can be recorded: each no more than is due, and together what was received. Said at the fields.
import { parseMoney, toMoney, type MinorUnits } from '#shared/money.ts'
import type { ContractLike } from '#page/forms/form-errors.ts'
import { formatMoney } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { stillDue, type ListedInvoice } from './still-due.ts'

const t = text.paymentForm

export interface TypedPayment {
  amount: string
  date: string
  /** One for each invoice that is shown; empty for nothing. */
  parts: readonly string[]
}

/** What is no number yet is nothing. */
export function partsOf(parts: readonly string[], currency: string): MinorUnits[] {
  return parts.map((part) => {
    const parsed = parseMoney(part, currency)
    return parsed.ok ? parsed.value : 0n
  })
}

export function checkPayment(open: readonly ListedInvoice[], currency: string, locale: string): ContractLike {
  return {
    safeParse(value) {
      const issues = problemsOf(value as TypedPayment, open, currency, locale)
      return issues.length === 0 ? { success: true } : { success: false, error: { issues } }
    },
  }
}

function problemsOf(
  { amount, date, parts }: TypedPayment,
  open: readonly ListedInvoice[],
  currency: string,
  locale: string,
) {
  const issues: { path: (string | number)[]; message: string }[] = []
  const issue = (path: (string | number)[], message: string) => void issues.push({ path, message })
  const received = parseMoney(amount, currency)
  if (amount.trim() === '') issue(['amount'], t.noAmount)
  else if (!received.ok) issue(['amount'], received.error)
  else if (received.value <= 0n) issue(['amount'], text.payments.nothing)
  if (date === '') issue(['date'], text.payments.noDate)
  parts.forEach((part, index) => {
    if (part.trim() === '') return
    const parsed = parseMoney(part, currency)
    const due = stillDue(open[index]!)
    if (!parsed.ok) issue(['parts', index], parsed.error)
    else if (parsed.value < 0n) issue(['parts', index], text.payments.nothing)
    else if (parsed.value > due)
      issue(['parts', index], text.payments.tooMuch(formatMoney(toMoney(due, currency), locale)))
  })
  if (issues.length > 0 || !received.ok) return issues
  const sum = partsOf(parts, currency).reduce((total, part) => total + part, 0n)
  if (sum !== received.value) issue(['amount'], t.mustMatch)
  return issues
}
