// Quotes: written as an invoice is, sent, answered, and turned into a draft once. Their numbers and states are none of an invoice's (decision 029).
import {
  draftBytes,
  invoice,
  invoiceSending,
  newPublicLink,
  publicLink,
  type Invoice,
} from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import {
  newQuote,
  quote,
  quoteAnswer,
  quoteEdit,
  quoteInvoice,
  quotePage,
  quoteQuery,
  type Quote,
  type QuoteEdit,
} from '#shared/contract/quotes.ts'
import { canQuote } from '#shared/quote-state.ts'
import { ProblemError } from '#shared/problem.ts'
import { row, type Answer, type TenantCall } from '#server/context.ts'
import { findCustomer } from '#server/rows/customer-row.ts'
import { tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { organizationOf } from '#server/rows/organization-row.ts'
import { fieldProblem } from '#server/http/problems.ts'
import { answerQuote } from '#server/rows/quote-answer.ts'
import { namedRow } from '#server/rows/named-row.ts'
import { quotePdf } from '#server/outgoing/quote-pdf.ts'
import { findQuote } from '#server/rows/quote-row.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { findInvoice } from '#server/rows/whole-invoice.ts'
import { completeDraft } from './draft.ts'
import { endLinks, makeLink } from './links.ts'
import { issueQuote, mailQuote } from './quote-send.ts'
import { changeQuote, insertQuote, listQuotes, quoteColumns, type QuoteDraft } from './quote-store.ts'
import { insertDraft, invoiceIdExists } from './store.ts'

export const quoteRoutes: Route[] = [
  tenantEndpoint(
    'listQuotes',
    { summary: 'Quotes', query: quoteQuery, answers: { 200: quotePage } },
    async ({ tx, organizationId, query, today }) => ({
      status: 200,
      body: await listQuotes(tx, organizationId, query, today),
    }),
  ),

  tenantEndpoint(
    'createQuote',
    { summary: 'Create the draft of a quote', body: newQuote, bodyBytes: draftBytes, answers: { 201: quote } },
    async (call) => {
      const { tx, organizationId, body, now, today } = call
      const draft = await reckoned(call, body)
      if (!(await insertQuote(tx, { organizationId, id: body.id }, draft, now))) throw new ProblemError('id_taken')
      return row((await findQuote(tx, organizationId, body.id, today))!, 201)
    },
  ),

  tenantEndpoint('getQuote', { summary: 'A quote', answers: { 200: quote } }, async (call) =>
    row(await existing(call)),
  ),

  tenantEndpoint(
    'saveQuote',
    { summary: 'Change the draft of a quote', body: quoteEdit, bodyBytes: draftBytes, answers: { 200: quote } },
    async (call) => {
      const stored = namedRow(call, 'quote')
      if (!canQuote('edit', stored.status)) throw new ProblemError('invalid_transition')
      return moved(call, stored, quoteColumns(await reckoned(call, call.body), stored.number))
    },
  ),

  tenantEndpoint(
    'deleteQuote',
    { summary: 'Delete a quote that was never sent', answers: { 204: null } },
    async (call) => {
      const stored = namedRow(call, 'quote')
      if (!canQuote('delete', stored.status) || stored.edition > 0) throw new ProblemError('invalid_transition')
      if (!(await changeQuote(call.tx, stored, call.ifMatch!, { deletedAt: call.now }, call.now)))
        throw new ProblemError('stale')
      return { status: 204 }
    },
  ),

  tenantEndpoint(
    'issueQuote',
    { summary: 'Give a quote its number without mailing it', answers: { 200: quote } },
    async (call) => {
      await issueQuote(call, namedRow(call, 'quote'), await organizationOf(call))
      return row(await existing(call))
    },
  ),

  tenantEndpoint(
    'sendQuote',
    { summary: 'Mail a quote', body: invoiceSending, answers: { 200: quote } },
    async (call) => {
      const stored = namedRow(call, 'quote')
      const organization = await organizationOf(call)
      if (stored.status === 'draft') await issueQuote(call, stored, organization)
      // Once more moves it on too: pressed twice it is sent once.
      else if (!(await changeQuote(call.tx, stored, call.ifMatch!, { sentAt: call.now }, call.now)))
        throw new ProblemError('stale')
      await mailQuote(call, await existing(call), organization)
      call.afterCommit(call.services.mailQueued)
      return row(await existing(call))
    },
  ),

  tenantEndpoint(
    'reviseQuote',
    { summary: 'Take a quote back to change it', answers: { 200: quote } },
    async (call) => {
      const stored = namedRow(call, 'quote')
      if (!canQuote('revise', stored.status)) throw new ProblemError('invalid_transition')
      return moved(call, stored, { status: 'draft' })
    },
  ),

  tenantEndpoint(
    'answerQuote',
    { summary: 'Note what the customer said', body: quoteAnswer, answers: { 200: quote } },
    async (call) => {
      const { tx, body, ifMatch, caller, now } = call
      const stored = namedRow(call, 'quote')
      if (!canQuote('answer', stored.status)) throw new ProblemError('invalid_transition')
      if (stored.version !== ifMatch) throw new ProblemError('stale')
      await answerQuote(tx, {
        quote: stored,
        asked: { ...body, edition: stored.edition },
        notedBy: caller.userId,
        now,
      })
      return row(await existing(call))
    },
  ),

  tenantEndpoint(
    'createQuoteLink',
    { summary: 'Let whoever has a link see and answer the quote', body: newPublicLink, answers: { 201: publicLink } },
    async (call) => {
      const stored = await existing(call)
      if (!canQuote('share', stored.status)) throw new ProblemError('invalid_transition')
      const linked = { ...stored, kind: 'quote' } as const
      return { status: 201, body: await makeLink(call, 'createQuoteLink', linked, call.body.tokenHash) }
    },
  ),

  tenantEndpoint(
    'revokeQuoteLinks',
    { summary: 'No link shows the quote any more', answers: { 204: null } },
    async (call) => {
      await endLinks(call, 'revokeQuoteLinks', { ...namedRow(call, 'quote'), kind: 'quote' })
      return { status: 204 }
    },
  ),

  tenantEndpoint(
    'getQuotePdf',
    { summary: 'The PDF of a quote as it went out', answers: {}, file: 'application/pdf' },
    async (call) => {
      const stored = await existing(call)
      if (!canQuote('share', stored.status)) throw new ProblemError('invalid_transition')
      const content = await quotePdf(call.tx, stored, stored)
      return { status: 200, file: { type: 'application/pdf', name: `${stored.number}.pdf`, content } }
    },
  ),

  tenantEndpoint(
    'createInvoiceOfQuote',
    {
      summary: 'Turn an accepted quote into the draft of an invoice',
      body: quoteInvoice,
      answers: { 201: invoice, 200: invoice },
    },
    async (call) => {
      const { tx, organizationId, body, ifMatch, now, today } = call
      await existing(call)
      const organization = await organizationOf(call)
      // The organization's counter row first: of two at once the second finds the draft of the first.
      const revision = await nextRevision(tx, organizationId)
      const stored = await existing(call)
      if (stored.invoice) return made(call, stored.invoice, body.id)
      if (!canQuote('invoice', stored.status)) throw new ProblemError('invalid_transition')
      if (stored.version !== ifMatch) throw new ProblemError('stale')
      if (await invoiceIdExists(tx, organizationId, body.id)) throw new ProblemError('id_taken')
      const draft = await draftOf(call, stored, organization)
      await insertDraft(tx, organizationId, body.id, draft, revision, now, { quoteId: stored.id })
      if (!(await changeQuote(tx, stored, stored.version, { invoiceId: body.id }, now))) throw new ProblemError('stale')
      return row((await findInvoice(tx, organizationId, body.id, today))!, 201)
    },
  ),
]

type AnyCall = TenantCall<unknown, unknown>

async function existing({ tx, organizationId, params, today }: AnyCall): Promise<Quote> {
  const stored = await findQuote(tx, organizationId, params['quoteId']!, today)
  if (!stored) throw new ProblemError('not_found')
  return stored
}

async function moved(call: AnyCall, stored: Quote, columns: object): Promise<Answer> {
  if (!(await changeQuote(call.tx, stored, call.ifMatch!, columns, call.now))) throw new ProblemError('stale')
  return row(await existing(call))
}

async function reckoned(call: AnyCall, { validUntil, ...asked }: QuoteEdit): Promise<QuoteDraft> {
  const { customerId } = asked
  const customer = customerId === null ? null : await findCustomer(call.tx, call.organizationId, customerId)
  if (customerId !== null && !customer) throw fieldProblem('/customerId', 'This customer does not exist')
  return {
    draft: completeDraft(
      { ...asked, dueDate: null, supplyDate: null, exchange: null },
      await organizationOf(call),
      customer,
    ),
    validUntil,
  }
}

/** What was agreed, word for word; a customer that was deleted since is left out, and has to be chosen anew. */
async function draftOf({ tx, organizationId }: AnyCall, stored: Quote, organization: Organization) {
  const customer = await findCustomer(tx, organizationId, stored.customerId!)
  const { currency, taxMode, language, termsDays, buyerReference, orderReference, notes, allowances, charges } = stored
  const asked = {
    customerId: customer?.id ?? null,
    currency,
    taxMode,
    // Of what went out before there were languages.
    language: language ?? 'en',
    termsDays,
    buyerReference,
    orderReference,
    notes,
    lines: stored.lines.map(({ id: _, net: __, ...line }) => line),
    allowances,
    charges,
    dueDate: null,
    supplyDate: null,
    // Of a day: whoever supplies enters that of theirs.
    exchange: null,
  }
  return completeDraft(asked, organization, customer)
}

/** Asked for again it is the same one; another is refused, and the one there is named. */
async function made(
  { tx, organizationId, today }: AnyCall,
  { id, number }: NonNullable<Quote['invoice']>,
  askedId: string,
): Promise<Answer> {
  if (id === askedId) return row((await findInvoice(tx, organizationId, id, today)) as Invoice)
  const which = number === null ? `a draft already (${id})` : `the invoice ${number} already`
  throw new ProblemError('invalid_transition', { detail: `This quote became ${which}.` })
}
