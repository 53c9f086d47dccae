import type { Language } from './language.ts'

/**
 * VAT categories of EN 16931 (UNCL 5305) that Docket knows. `reason` says which need a text that explains why no VAT
 * is charged (rules BR-E-10, BR-AE-10, BR-IC-10, BR-G-10, BR-O-10); the text given is the usual wording, which `vatReason` has in each language.
 */
export const vatCategories = {
  S: { label: 'Standard', taxed: true, reason: null },
  Z: { label: 'Zero rated', taxed: false, reason: null },
  E: { label: 'Exempt', taxed: false, reason: 'Exempt from VAT' },
  AE: { label: 'Reverse charge', taxed: false, reason: 'Reverse charge' },
  K: { label: 'Intra-community supply', taxed: false, reason: 'Intra-community supply' },
  G: { label: 'Export outside the EU', taxed: false, reason: 'Export outside the EU' },
  O: { label: 'Not subject to VAT', taxed: false, reason: 'Not subject to VAT' },
} as const

/** Signs of a reason that a line, a discount or a charge gives. */
export const longestVatReason = 200

export type VatCategory = keyof typeof vatCategories

/** The wording of UStG § 14a for what is owed by the buyer, else what is usual. */
const germanReasons: Readonly<Partial<Record<VatCategory, string>>> = {
  E: 'Umsatzsteuerfreie Leistung',
  AE: 'Steuerschuldnerschaft des Leistungsempfängers',
  K: 'Steuerfreie innergemeinschaftliche Lieferung',
  G: 'Steuerfreie Ausfuhrlieferung',
  O: 'Nicht steuerbare Leistung',
}

/** Why no VAT is charged, as it stands on a document in this language where nobody wrote a reason; null where none is needed. */
export function vatReason(category: VatCategory, language: Language = 'en'): string | null {
  return (language === 'de' ? germanReasons[category] : vatCategories[category].reason) ?? null
}

export const vatCategoryCodes = Object.keys(vatCategories) as [VatCategory, ...VatCategory[]]

/** The category in which an organization of this regime sells. */
export function vatCategoryOf(regime: 'standard' | 'small-business' | 'none'): VatCategory {
  return ({ standard: 'S', 'small-business': 'E', none: 'O' } as const)[regime]
}

/** What the law of a country has a small business say of its exemption; elsewhere the usual reason serves. */
const smallBusinessReasons: Readonly<Record<string, string>> = {
  AT: 'Steuerbefreiung für Kleinunternehmer (§ 6 Abs. 1 Z 27 UStG)',
  DE: 'Steuerbefreiung für Kleinunternehmer (§ 19 UStG)',
}

/** What a new line says of its VAT. `rate`: the usual one of an organization that charges VAT. */
export function usualVat(
  { vatRegime, country }: { vatRegime: Parameters<typeof vatCategoryOf>[0]; country: string },
  rate: string,
): { category: VatCategory; rate: string; reason: string | null } {
  const category = vatCategoryOf(vatRegime)
  const reason = category === 'E' ? smallBusinessReasons[country] : undefined
  return { category, rate: category === 'S' ? rate : '0', reason: reason ?? null }
}

/** What a line, an allowance or a charge says of its VAT. `rate` is a decimal string in per cent. */
export interface Vat {
  category: VatCategory
  rate: string
  reason?: string | null | undefined
}

/** Whether any of it has a rate above zero: only then can prices include VAT. */
export function bearsVat(groups: readonly { rate: string }[]): boolean {
  return groups.some(({ rate }) => rate !== '0')
}

/**
 * The groups that the sums of a document name: the taxable amount per rate or exemption (VAT Directive art. 226 (8)). Where the one group bears no VAT the
 * subtotal is its amount.
 */
export function namedGroups<Group extends { rate: string }>(groups: readonly Group[]): readonly Group[] {
  return groups.length > 1 || bearsVat(groups) ? groups : []
}
