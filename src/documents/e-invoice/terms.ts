// What both syntaxes of an e-invoice say alike: in which words and by which means to pay, and why there is no VAT.
import { addDays } from '#shared/dates.ts'
import type { Language } from '#shared/language.ts'
import type { VatCategory } from '#shared/vat.ts'
import type { IssuedDocument } from '#documents/content.ts'
import { wordsOf } from '#documents/words.ts'

/** BT-20; BR-CO-25, which for a credit note only terms answer. A due date of its own goes before the days, which would be another day. */
export function paymentTermsNote(document: IssuedDocument): string | null {
  const { type, issueDate, dueDate, termsDays, language } = document
  const { terms } = wordsOf(language)
  if (type === '381') return terms.credit
  if (termsDays !== null && (dueDate === null || dueDate === addDays(issueDate!, termsDays)))
    return termsDays === 0 ? terms.atOnce : terms.within(termsDays)
  return dueDate === null ? null : terms.until(dueDate)
}

/** BT-81 (UNCL 4461): a credit transfer; within Denmark only the SEPA one may be said (DK-R-005). */
export function paymentMeansCode({ seller, buyer }: IssuedDocument): '30' | '58' {
  return seller!.country === 'DK' && buyer!.country === 'DK' ? '58' : '30'
}

/** BR-33, BR-38, BR-42, BR-44: each discount and charge says what it is for. */
export function adjustmentReason(isCharge: boolean, reason: string | null, language: Language | undefined): string {
  const { charge, discount } = wordsOf(language)
  return reason ?? (isCharge ? charge : discount)
}

/** VATEX codes of the categories that have one; an exemption says why in words (BR-E-10). */
const reasonCodes: Readonly<Partial<Record<VatCategory, string>>> = {
  AE: 'VATEX-EU-AE',
  K: 'VATEX-EU-IC',
  G: 'VATEX-EU-G',
  O: 'VATEX-EU-O',
}

/** Why a group of the VAT breakdown has no VAT; null for S and Z, which may not say so (BR-S-10, BR-Z-10). */
export function exemptionOf(group: { category: VatCategory; reason: string | null }) {
  const { category, reason } = group
  return category === 'S' || category === 'Z' ? null : { code: reasonCodes[category], reason }
}
