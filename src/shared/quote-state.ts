// The states of a quote: what is stored, what may follow, and that it expires by itself.

/** As stored; `sent` lasts until it is answered. */
export const storedQuoteStatuses = ['draft', 'sent', 'accepted', 'declined'] as const
type StoredQuoteStatus = (typeof storedQuoteStatuses)[number]

export const quoteStatuses = [...storedQuoteStatuses, 'expired'] as const
export type QuoteStatus = (typeof quoteStatuses)[number]

type QuoteAction = 'edit' | 'delete' | 'send' | 'share' | 'revise' | 'answer' | 'invoice'

const allowedFrom: Record<QuoteAction, readonly QuoteStatus[]> = {
  edit: ['draft'],
  delete: ['draft'],
  send: ['draft', 'sent'],
  /** A link, the PDF: of what has gone out and stands. */
  share: ['sent', 'accepted', 'declined', 'expired'],
  revise: ['sent', 'declined', 'expired'],
  answer: ['sent'],
  invoice: ['accepted'],
}

/** Whether the action is possible in this state; else the server answers 409 `invalid_transition`. */
export function canQuote(action: QuoteAction, status: QuoteStatus): boolean {
  return allowedFrom[action].includes(status)
}

/** Sent, unanswered, and its last day before today in the organization's zone. Dates as `YYYY-MM-DD`. */
export function quoteStatusOn(status: StoredQuoteStatus, validUntil: string | null, today: string): QuoteStatus {
  return status === 'sent' && validUntil !== null && validUntil < today ? 'expired' : status
}
