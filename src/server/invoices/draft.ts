// From what a person sent to a draft that can be stored: defaults filled in, numbers in one spelling, amounts computed and compared.
import { isDeepStrictEqual } from 'node:util'
import { invoiceEdit, type Invoice, type InvoiceEdit } from '#shared/contract/invoices.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { exchangeErrors, rateFor } from '#shared/exchange.ts'
import { completeContent, type DraftContent } from '#shared/invoice-content.ts'
import { amountErrors, invoiceAmounts, wireTotals, type InvoiceAmounts } from '#shared/invoice-totals.ts'
import { parseMoney } from '#shared/money.ts'
import type { FieldError } from '#shared/problem-form.ts'
import { ProblemError } from '#shared/problem.ts'
import { fieldErrors } from '#server/http/problems.ts'

export interface Draft {
  content: DraftContent
  amounts: InvoiceAmounts
  customerName: string | null
}

/** Throws 422 with pointers for what the contract alone could not judge. */
export function completeDraft(asked: InvoiceEdit, organization: Organization, customer: Customer | null): Draft {
  const content = completeContent(asked, organization, customer)
  if (asked.currency === undefined) checkPlaces({ ...asked, currency: content.currency })
  const amounts = invoiceAmounts(content)
  refuse(amountErrors(amounts))
  refuse(exchangeErrors({ ...asked, currency: content.currency }, organization.currency))
  refuse(differences(asked.totals, amounts, content.currency))
  return { content, amounts, customerName: customer?.name ?? null }
}

/** A credit note is at the exchange rate of what it corrects, whatever was sent; in another currency it is never issued. */
export function completeCredit(
  asked: InvoiceEdit,
  invoice: Invoice,
  organization: Organization,
  customer: Customer | null,
): Draft {
  const draft = completeDraft({ ...asked, exchange: null }, organization, customer)
  const { accountingCurrency } = invoice
  const exchange = rateFor(invoice.exchange, draft.content.currency)
  return { ...draft, content: { ...draft.content, exchange, accountingCurrency } }
}

/** Whether a repeated create asks for what is stored already; ids that the server gave to lines don't count. */
export function asksForTheSame(asked: InvoiceEdit, draft: DraftContent, stored: Invoice): boolean {
  const bare = (content: DraftContent) => ({
    ...content,
    lines: content.lines.map((line, index) => ({ ...line, id: asked.lines[index]?.id ?? null, net: null })),
  })
  const known = Object.fromEntries(Object.keys(draft).map((key) => [key, stored[key as keyof Invoice]]))
  return isDeepStrictEqual(bare(draft), bare(known as unknown as DraftContent))
}

/** The currency came from a default: whether the amounts have its places could not be told before. */
function checkPlaces(asked: InvoiceEdit): void {
  const parsed = invoiceEdit.safeParse(asked)
  if (!parsed.success) refuse(fieldErrors(parsed.error.issues))
}

function differences(totals: InvoiceEdit['totals'], amounts: InvoiceAmounts, currency: string): FieldError[] {
  const own = wireTotals(amounts.totals, currency)
  return Object.entries(totals ?? {}).flatMap(([name, sent]) => {
    if (sent === undefined) return []
    const key = name as keyof typeof own
    const parsed = sent.currency === currency ? parseMoney(sent.amount, currency) : null
    if (parsed?.ok && parsed.value === amounts.totals[key]) return []
    return [{ pointer: `/totals/${name}`, detail: `Computed here as ${own[key].amount} ${currency}` }]
  })
}

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw new ProblemError('validation_failed', { errors })
}
