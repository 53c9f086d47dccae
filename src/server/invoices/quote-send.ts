// Sending a quote: what it says is frozen as an edition that can never be changed, and goes out with its PDF and a link to its public page.
import type { InvoiceSending } from '#shared/contract/invoices.ts'
import { buyerFields, sellerFields } from '#shared/contract/invoices.ts'
import type { Quote } from '#shared/contract/quotes.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { apiPath } from '#shared/endpoint.ts'
import { uuidv7 } from '#shared/ids.ts'
import { missingToIssue } from '#shared/invoice-draft.ts'
import { invoiceSearchKey } from '#shared/invoice-keys.ts'
import { canQuote } from '#shared/quote-state.ts'
import { ProblemError } from '#shared/problem.ts'
import type { TenantCall } from '#server/context.ts'
import { findCustomer } from '#server/rows/customer-row.ts'
import { queueMail } from '#server/mail/queue.ts'
import { quoteMail } from '#server/mail/templates.ts'
import { insertPublicLink } from '#server/rows/public-links.ts'
import { quoteSeries } from '#server/rows/organization-row.ts'
import { fieldProblem } from '#server/http/problems.ts'
import type { SentContent } from '#server/rows/quote-row.ts'
import { randomToken, tokenHash } from '#server/http/tokens.ts'
import { only } from './frozen.ts'
import { refuseTooManyMails } from '#server/mail/limit.ts'
import { takeNumber } from './numbering.ts'
import { changeQuote } from './quote-store.ts'

type AnyCall = TenantCall<unknown, unknown>

/** From a draft to what is out: with its number, as the next edition. */
export async function issueQuote(call: AnyCall, quote: Quote, organization: Organization): Promise<void> {
  const { tx, organizationId, ifMatch, caller, today, now } = call
  if (quote.status !== 'draft') throw new ProblemError('invalid_transition')
  if (quote.version !== ifMatch) throw new ProblemError('stale')
  const missing = missingToIssue(quote)
  if (missing.length > 0) throw new ProblemError('validation_failed', { errors: missing })
  if (quote.validUntil !== null && quote.validUntil < today)
    throw fieldProblem('/validUntil', 'The day until which it is good has passed already')
  const customer = await findCustomer(tx, organizationId, quote.customerId!)
  if (!customer) throw fieldProblem('/customerId', 'This customer does not exist any more')
  const number = quote.number ?? (await takeNumber(tx, organizationId, quoteSeries, today)).number
  const edition = quote.edition + 1
  const { validUntil, language, currency, gross, taxMode, termsDays, buyerReference, orderReference, notes } = quote
  const { lines, allowances, charges, vat, totals } = quote
  const content: SentContent = {
    number,
    issueDate: today,
    validUntil,
    customerName: customer.name,
    gross,
    language,
    currency,
    taxMode,
    termsDays,
    buyerReference,
    orderReference,
    notes,
    lines,
    allowances,
    charges,
    vat,
    totals,
    seller: only(organization, sellerFields),
    buyer: only(customer, buyerFields),
  }
  const columns = {
    status: 'sent',
    number,
    edition,
    sentAt: now,
    viewedAt: null,
    customerName: customer.name,
    searchKey: invoiceSearchKey(content),
  }
  // Somebody sent or changed it while this one waited for the counter.
  if (!(await changeQuote(tx, quote, quote.version, columns, now))) throw new ProblemError('stale')
  await tx
    .insertInto('quoteEditions')
    .values({
      organizationId,
      quoteId: quote.id,
      edition,
      sentAt: now,
      sentBy: caller.userId,
      content: JSON.stringify(content),
    })
    .execute()
}

/** Of what is out: once more is the same edition. */
export async function mailQuote(
  call: TenantCall<InvoiceSending, unknown>,
  quote: Quote,
  organization: Organization,
): Promise<void> {
  const { tx, organizationId, body, caller, now, services } = call
  if (!canQuote('send', quote.status) || quote.status === 'draft') throw new ProblemError('invalid_transition')
  await refuseTooManyMails(tx, organizationId, now)
  const token = randomToken('q')
  await insertPublicLink(call, caller.userId, { kind: 'quote', id: quote.id }, tokenHash(token))
  // The same id for both: what became of the one is asked of the other.
  const id = uuidv7(Date.parse(now))
  await queueMail(
    tx,
    {
      id,
      to: body.to,
      kind: 'quote',
      organizationId,
      replyTo: organization.contact.email,
      senderName: organization.name,
      attachments: [{ quoteId: quote.id, edition: quote.edition, kind: 'pdf' }],
      ...quoteMail(quote.language, body.message, `${services.apiPublicUrl}${apiPath}/public/quotes/${token}`),
      subject: body.subject,
    },
    now,
  )
  const sent = { organizationId, id, quoteId: quote.id, recipient: body.to }
  await tx
    .insertInto('quoteMails')
    .values({ ...sent, sentBy: caller.userId, sentAt: now })
    .execute()
}
