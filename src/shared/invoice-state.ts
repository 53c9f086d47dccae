// The states of an invoice (DOMAIN.md "States"): what is stored, what may follow, what is only derived.

export const invoiceStatuses = ['draft', 'issued', 'void', 'uncollectible'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

export type InvoiceAction = 'edit' | 'delete' | 'issue' | 'pay'

const allowedFrom: Record<InvoiceAction, readonly InvoiceStatus[]> = {
  edit: ['draft'],
  delete: ['draft'],
  issue: ['draft'],
  pay: ['issued', 'uncollectible'],
}

/** Whether the action is possible in this state; else the server answers 409 `invalid_transition`. */
export function canInvoice(action: InvoiceAction, status: InvoiceStatus): boolean {
  return allowedFrom[action].includes(status)
}

/** Issued, something still due, and the due date before today in the organization's zone. Dates as `YYYY-MM-DD`. */
export function isOverdue(
  invoice: { status: InvoiceStatus; dueDate: string | null; amountDue: bigint },
  today: string,
): boolean {
  return invoice.status === 'issued' && invoice.amountDue > 0n && invoice.dueDate !== null && invoice.dueDate < today
}
