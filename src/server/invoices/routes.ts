import {
  draftBytes,
  invoice,
  invoiceEdit,
  invoicePage,
  invoiceQuery,
  newCreditNote,
  newDuplicate,
  invoiceSending,
  newInvoice,
  newPublicLink,
  publicLink,
  xmlQuery,
  type Invoice,
  type InvoiceEdit,
} from '#shared/contract/invoices.ts'
import { canCredit, canVoid, canWriteOff, sumsOf, type Sums } from '#shared/invoice-balance.ts'
import { todayIn } from '#shared/dates.ts'
import { canInvoice, type InvoiceStatus } from '#shared/invoice-state.ts'
import { likeInvoice } from '#shared/like-invoice.ts'
import { mayWrite } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import { row, type Answer, type TenantCall } from '#server/context.ts'
import { findCustomer, findFormerCustomer } from '#server/rows/customer-row.ts'
import { endpoint, tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { findOrganizations, membershipsOf, organizationOf } from '#server/rows/organization-row.ts'
import { fieldErrors, fieldProblem } from '#server/http/problems.ts'
import { deliveredAt } from '#server/outgoing/delivered.ts'
import { handedOutPdf } from '#server/outgoing/handed-out-pdf.ts'
import { namedRow } from '#server/rows/named-row.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { findInvoice } from '#server/rows/whole-invoice.ts'
import { draftOfCredit } from './credit.ts'
import { asksForTheSame, completeCredit, completeDraft } from './draft.ts'
import { issueInvoice } from './issue.ts'
import { eInvoice } from './e-invoice.ts'
import { importInvoices } from './import.ts'
import { sendInvoice } from './send.ts'
import { endLinks, makeLink } from './links.ts'
import { listInvoices } from './list.ts'
import { insertDraft, invoiceIdExists, updateDraft, updateStatus } from './store.ts'

export const invoiceRoutes: Route[] = [
  importInvoices,

  tenantEndpoint(
    'listInvoices',
    { summary: 'Invoices', query: invoiceQuery, answers: { 200: invoicePage } },
    async ({ tx, organizationId, query, today }) => ({
      status: 200,
      body: await listInvoices(tx, new Map([[organizationId, today]]), query),
    }),
  ),

  endpoint(
    'listAllInvoices',
    { summary: 'Invoices of all my organizations', query: invoiceQuery, answers: { 200: invoicePage } },
    async ({ services: { db }, caller, query, now }) => {
      const { userId } = caller!
      const organizationIds = await db.asApp({ userId }, (tx) => membershipsOf(tx, userId))
      const none = { data: [], page: { nextCursor: null, limit: query.limit } }
      if (organizationIds.length === 0) return { status: 200, body: none }
      const body = await db.asApp({ userId, organizationIds }, async (tx) => {
        const mine = await findOrganizations(tx, userId)
        if (mine.length === 0) return none
        return listInvoices(
          tx,
          new Map(mine.map(({ id, timeZone }) => [id, todayIn(timeZone, Date.parse(now))])),
          query,
        )
      })
      return { status: 200, body }
    },
  ),

  tenantEndpoint(
    'createInvoice',
    {
      summary: 'Create a draft',
      body: newInvoice,
      bodyBytes: draftBytes,
      wholeOrganization: true,
      answers: { 201: invoice, 200: invoice },
    },
    async (call) => {
      const { tx, organizationId, body, now, today } = call
      const organization = await organizationOf(call)
      // The organization's counter row first: whoever deletes or renames the customer meanwhile comes before or after, never between.
      const revision = await nextRevision(tx, organizationId)
      const draft = completeDraft(body, organization, await namedCustomer(call, '380', body))
      const fresh = await insertDraft(tx, organizationId, body.id, draft, revision, now)
      const stored = await findInvoice(tx, organizationId, body.id, today)
      if (!stored || (!fresh && !asksForTheSame(body, draft.content, stored))) throw new ProblemError('id_taken')
      return row(stored, fresh ? 201 : 200)
    },
  ),

  tenantEndpoint('getInvoice', { summary: 'An invoice', answers: { 200: invoice } }, async (call) =>
    row(await existing(call)),
  ),

  tenantEndpoint(
    'saveInvoice',
    {
      summary: 'Change a draft',
      body: invoiceEdit,
      bodyBytes: draftBytes,
      wholeOrganization: true,
      answers: { 200: invoice },
    },
    async (call) => {
      const { tx, organizationId, params, body, ifMatch, now, today } = call
      const organization = await organizationOf(call)
      const stored = namedRow(call, 'invoice')
      refuseCreditNote(call, stored)
      if (!canInvoice('edit', stored.status)) throw new ProblemError('invalid_transition')
      const revision = await nextRevision(tx, organizationId)
      const customer = await namedCustomer(call, stored.type, body)
      const draft =
        stored.type === '381'
          ? completeCredit(body, await creditedBy(call, stored), organization, customer)
          : completeDraft(body, organization, customer)
      if (!(await updateDraft(tx, organizationId, stored.id, draft, ifMatch!, revision, now)))
        throw new ProblemError('stale')
      return row((await findInvoice(tx, organizationId, params['invoiceId']!, today))!)
    },
  ),

  tenantEndpoint('deleteInvoice', { summary: 'Delete a draft', answers: { 204: null } }, async (call) => {
    const { tx, organizationId, ifMatch, now } = call
    const stored = namedRow(call, 'invoice')
    refuseCreditNote(call, stored)
    if (!canInvoice('delete', stored.status)) throw new ProblemError('invalid_transition')
    const revision = await nextRevision(tx, organizationId)
    if (!(await updateDraft(tx, organizationId, stored.id, 'delete', ifMatch!, revision, now)))
      throw new ProblemError('stale')
    return { status: 204 }
  }),

  tenantEndpoint(
    'issueInvoice',
    { summary: 'Issue a draft', wholeOrganization: true, answers: { 200: invoice } },
    async (call) => {
      const { tx, organizationId, ifMatch, caller, services, now, today } = call
      const organization = await organizationOf(call)
      const draft = namedRow(call, 'invoice')
      refuseCreditNote(call, draft)
      const customer = await buyerOf(call, draft.type, draft)
      call.afterCommit(() => services.workDue('documents', organizationId))
      await issueInvoice(tx, { draft, organization, customer, version: ifMatch!, today, userId: caller.userId, now })
      return row((await findInvoice(tx, organizationId, draft.id, today))!)
    },
  ),

  tenantEndpoint(
    'duplicateInvoice',
    { summary: 'Create a draft like this invoice', body: newDuplicate, answers: { 201: invoice, 200: invoice } },
    async (call) => {
      const { tx, organizationId, body, now, today } = call
      namedRow(call, 'invoice')
      const organization = await organizationOf(call)
      const revision = await nextRevision(tx, organizationId)
      const source = await existing(call)
      // A credit note is about the invoice that it credits: another is made from that.
      if (source.type === '381') throw new ProblemError('invalid_transition')
      const customer = await buyerOf(call, '380', source)
      const like = newInvoice.safeParse(likeInvoice(source, body.id, customer?.id ?? null))
      // An earlier build took it, and this one would not.
      if (!like.success)
        throw new ProblemError('validation_failed', {
          detail: 'What this invoice says cannot be used for a new one',
          errors: fieldErrors(like.error.issues),
        })
      const draft = completeDraft(like.data, organization, customer)
      const fresh = await insertDraft(tx, organizationId, body.id, draft, revision, now)
      const stored = await findInvoice(tx, organizationId, body.id, today)
      if (!stored || (!fresh && !asksForTheSame(like.data, draft.content, stored))) throw new ProblemError('id_taken')
      return row(stored, fresh ? 201 : 200)
    },
  ),

  tenantEndpoint(
    'createCreditNote',
    {
      summary: 'Create the draft of a credit note',
      body: newCreditNote,
      bodyBytes: draftBytes,
      wholeOrganization: true,
      answers: { 201: invoice, 200: invoice },
    },
    async (call) => {
      const { tx, organizationId, body, now, today } = call
      await existing(call)
      const organization = await organizationOf(call)
      const revision = await nextRevision(tx, organizationId)
      const credited = await existing(call)
      const { lines } = body
      const asked = lines && { ...body, lines }
      const said = asked && completeCredit(asked, credited, organization, await namedCustomer(call, '381', asked))
      const known = await findInvoice(tx, organizationId, body.id, today)
      const isSame = known?.creditedInvoice?.id === credited.id && (!said || asksForTheSame(asked, said.content, known))
      if (known && isSame) return row(known)
      if (await invoiceIdExists(tx, organizationId, body.id)) throw new ProblemError('id_taken')
      if (!canCredit(sumsOf(credited))) throw new ProblemError('invalid_transition')
      const draft = said ?? (await draftOfCredit(tx, credited, await buyerOf(call, '381', credited), today))
      await insertDraft(tx, organizationId, body.id, draft, revision, now, { creditedInvoiceId: credited.id })
      return row((await findInvoice(tx, organizationId, body.id, today))!, 201)
    },
  ),

  tenantEndpoint('voidInvoice', { summary: 'Void an invoice', answers: { 200: invoice } }, (call) =>
    moveOn(call, 'void', canVoid),
  ),

  tenantEndpoint(
    'markUncollectible',
    { summary: 'Mark an invoice as uncollectible', answers: { 200: invoice } },
    (call) => moveOn(call, 'uncollectible', canWriteOff),
  ),

  tenantEndpoint(
    'sendInvoice',
    { summary: 'Mail an issued invoice', body: invoiceSending, answers: { 200: invoice } },
    async (call) => {
      const stored = namedRow(call, 'invoice')
      await sendInvoice(call, stored, await organizationOf(call))
      call.afterCommit(call.services.mailQueued)
      return row(await existing(call))
    },
  ),

  tenantEndpoint(
    'createPublicLink',
    { summary: 'Let whoever has a link see the invoice', body: newPublicLink, answers: { 201: publicLink } },
    async (call) => {
      const stored = await existing(call)
      if (stored.status === 'draft') throw new ProblemError('invalid_transition')
      const linked = { ...stored, kind: 'invoice' } as const
      return { status: 201, body: await makeLink(call, 'createPublicLink', linked, call.body.tokenHash) }
    },
  ),

  tenantEndpoint(
    'revokePublicLinks',
    { summary: 'No link shows the invoice any more', answers: { 204: null } },
    async (call) => {
      await endLinks(call, 'revokePublicLinks', { ...namedRow(call, 'invoice'), kind: 'invoice' })
      return { status: 204 }
    },
  ),

  tenantEndpoint(
    'getInvoicePdf',
    {
      summary: 'The PDF of record of an issued invoice; of a void one a copy that says so',
      answers: {},
      file: 'application/pdf',
    },
    async (call) => {
      const invoice = await existing(call)
      if (invoice.status === 'draft') throw new ProblemError('invalid_transition')
      const content = await handedOutPdf(call.services.db, call.tx, invoice, call.now)
      return { status: 200, file: { type: 'application/pdf', name: `${invoice.number}.pdf`, content } }
    },
  ),

  tenantEndpoint(
    'getInvoiceXml',
    { summary: 'An issued invoice as an e-invoice (UBL 2.1)', query: xmlQuery, answers: {}, file: 'application/xml' },
    async (call) => ({ status: 200, file: await eInvoice(call.tx, await existing(call), call.query.profile) }),
  ),
]

/** From issued to another state, where what is paid and credited allows it. */
async function moveOn(
  call: AnyCall,
  status: InvoiceStatus,
  isAllowed: (sums: Sums, deliveredAt: string | null) => boolean,
): Promise<Answer> {
  const { tx, organizationId, params, ifMatch, now } = call
  namedRow(call, 'invoice')
  // The organization's counter row first: a payment comes before or after, never between.
  const revision = await nextRevision(tx, organizationId)
  const stored = await existing(call)
  if (!isAllowed(sumsOf(stored), await deliveredAt(tx, stored, now, true))) throw new ProblemError('invalid_transition')
  if (stored.version !== ifMatch) throw new ProblemError('stale')
  await updateStatus(tx, organizationId, params['invoiceId']!, status, revision, now)
  return row(await existing(call))
}

type AnyCall = TenantCall<unknown, unknown>

function refuseCreditNote({ standing }: AnyCall, invoice: Invoice): void {
  if (!mayWrite(standing, invoice)) throw new ProblemError('forbidden')
}

async function creditedBy({ tx, organizationId, today }: AnyCall, { creditedInvoice }: Invoice): Promise<Invoice> {
  return (await findInvoice(tx, organizationId, creditedInvoice!.id, today))!
}

async function existing({ tx, organizationId, params, today }: AnyCall): Promise<Invoice> {
  const stored = await findInvoice(tx, organizationId, params['invoiceId']!, today)
  if (!stored) throw new ProblemError('not_found')
  return stored
}

type Named = Pick<InvoiceEdit, 'customerId'>

async function buyerOf({ tx, organizationId }: AnyCall, type: Invoice['type'], { customerId }: Named) {
  if (customerId === null) return null
  return (type === '381' ? findFormerCustomer : findCustomer)(tx, organizationId, customerId)
}

async function namedCustomer(call: AnyCall, type: Invoice['type'], named: Named) {
  const customer = await buyerOf(call, type, named)
  if (!customer && named.customerId !== null) throw fieldProblem('/customerId', 'This customer does not exist')
  return customer
}
