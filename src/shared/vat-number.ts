import { isCountry } from './country.ts'

/** A VAT number as registers and e-invoices write it: `BE 0123.456.749` -> `BE0123456749`. */
export function vatNumberAsWritten(typed: string): string {
  return typed.replace(/[\s.-]/g, '').toUpperCase()
}

/** BR-CO-09: a VAT number begins with its country; Greece writes EL, Northern Ireland XI. */
export function isVatNumber(typed: string): boolean {
  const prefix = vatNumberAsWritten(typed).slice(0, 2)
  return isCountry(prefix) || prefix === 'EL' || prefix === 'XI'
}
