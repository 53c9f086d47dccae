// What a draft takes from its customer and organization, and what it still needs before it can be issued. Same on device and server.
import { addDays } from './dates.ts'
import { languageOf, type Language } from './language.ts'
import type { TaxMode } from './invoice-totals.ts'
import { minorUnitsOf, type Money } from './money.ts'
import type { FieldError } from './problem-form.ts'

export interface DraftDefaults {
  organization: {
    currency: string
    locale: string
    defaults: { termsDays: number; taxMode: TaxMode; notes: string | null }
  }
  customer: {
    currency: string | null
    termsDays: number | null
    buyerReference: string | null
    /** A copy that an older build made has none. */
    language?: Language | null
  } | null
}

export interface DraftChoices {
  currency?: string | undefined
  taxMode?: TaxMode | undefined
  language?: Language | undefined
  termsDays?: number | null | undefined
  buyerReference?: string | null | undefined
  notes?: string | null | undefined
}

/** A field left out comes from the customer, then from the organization; null means "none" and stays. */
export function withDefaults(draft: DraftChoices, { organization, customer }: DraftDefaults) {
  return {
    currency: draft.currency ?? customer?.currency ?? organization.currency,
    taxMode: draft.taxMode ?? organization.defaults.taxMode,
    language: draft.language ?? customer?.language ?? languageOf([organization.locale]),
    termsDays:
      draft.termsDays === undefined ? (customer?.termsDays ?? organization.defaults.termsDays) : draft.termsDays,
    buyerReference: draft.buyerReference === undefined ? (customer?.buyerReference ?? null) : draft.buyerReference,
    notes: draft.notes === undefined ? organization.defaults.notes : draft.notes,
  }
}

/** The due date that issuing on `issueDate` gives; null when neither date nor terms are set. Dates as `YYYY-MM-DD`. */
export function dueDateAt(
  issueDate: string,
  draft: { dueDate: string | null; termsDays: number | null },
): string | null {
  return draft.dueDate ?? (draft.termsDays === null ? null : addDays(issueDate, draft.termsDays))
}

/** Without an e-invoice profile, issuing needs only customer, one line and currency (DOMAIN.md "REST"). */
export function missingToIssue(draft: {
  type?: string
  customerId: string | null
  lines: readonly unknown[]
  totals: { gross: Money }
}): FieldError[] {
  const isBelow = draft.type === '380' && minorUnitsOf(draft.totals.gross) < 0n
  return [
    ...(draft.customerId === null ? [{ pointer: '/customerId', detail: 'Choose a customer' }] : []),
    ...(draft.lines.length === 0 ? [{ pointer: '/lines', detail: 'Add at least one line' }] : []),
    ...(isBelow
      ? [{ pointer: '/lines', detail: 'An invoice cannot be below 0: money is given back by a credit note' }]
      : []),
  ]
}
