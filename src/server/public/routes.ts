// What somebody with a link sees, without an account: docket_auth finds which invoice it is, then it is read behind the tenant wall.
import type { Invoice } from '#shared/contract/invoices.ts'
import { todayIn } from '#shared/dates.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Call } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { endpoint, type Route } from '#server/http/endpoint.ts'
import { logoOf } from '#server/outgoing/logo-file.ts'
import { handedOutPdf } from '#server/outgoing/handed-out-pdf.ts'
import { readerOf } from '#server/http/request.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { tokenHash } from '#server/http/tokens.ts'
import { findInvoice } from '#server/rows/whole-invoice.ts'
import { takePublicPdf } from './limit.ts'
import { missingPage, pageHeaders, publicPage } from './page.ts'

type AnyCall = Call<unknown, unknown>

export const publicRoutes: Route[] = [
  endpoint(
    'getPublicInvoice',
    { summary: 'An invoice as its customer sees it, as a page', answers: {}, file: 'text/html' },
    async (call) => {
      const html = { type: 'text/html; charset=utf-8', name: 'invoice.html', inline: pageHeaders }
      try {
        const path = new URL(call.request.url).pathname
        const content = await withInvoice(call, async (tx, invoice) => {
          const logo = await logoOf(tx, invoice.organizationId, invoice.seller!)
          return publicPage(invoice, path, logo)
        })
        return { status: 200, file: { ...html, content } }
      } catch (error) {
        // A person reads this, and a link that was revoked says no more than one that never was.
        if (!(error instanceof ProblemError) || error.code !== 'not_found') throw error
        return {
          status: 404,
          file: { ...html, content: missingPage(readerOf(call)) },
        }
      }
    },
  ),

  endpoint(
    'getPublicPdf',
    { summary: 'The PDF of an invoice that a link shows', answers: {}, file: 'application/pdf' },
    async (call) => {
      await takePublicPdf(call)
      return withInvoice(call, async (tx, invoice) => {
        const content = await handedOutPdf(call.services.db, tx, invoice, call.now)
        // Whoever has the paper has the invoice, be it without the page and its script: from now on it is credited, not voided. Not so who asks for its
        // head alone, nor the organization's own people (page.ts).
        const { method, url } = call.request
        if (method !== 'HEAD' && !new URL(url).searchParams.has('own')) await noteView(tx, invoice, call.now)
        return { status: 200, file: { type: 'application/pdf', name: `${invoice.number}.pdf`, content } }
      })
    },
  ),

  endpoint('notePublicView', { summary: 'The page was seen by a person', answers: { 204: null } }, (call) =>
    withInvoice(call, async (tx, invoice) => {
      await noteView(tx, invoice, call.now)
      return { status: 204 }
    }),
  ),
]

/** The first time alone. Its version stays: nothing that somebody has open becomes stale. */
async function noteView(tx: Tx, { organizationId, id, viewedAt }: Invoice, now: string): Promise<void> {
  if (viewedAt !== null) return
  const revision = await nextRevision(tx, organizationId)
  await tx
    .updateTable('invoices')
    .set({ viewedAt: now, revision })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

async function withInvoice<Result>(
  { params, services, now }: AnyCall,
  work: (tx: Tx, invoice: Invoice) => Promise<Result> | Result,
): Promise<Result> {
  const link = await services.db.asAuth((tx) =>
    tx
      .selectFrom('publicLinks')
      .select(['organizationId', 'invoiceId'])
      .where('tokenHash', '=', tokenHash(params['token'] ?? ''))
      .where('revokedAt', 'is', null)
      .executeTakeFirst(),
  )
  if (!link) throw new ProblemError('not_found')
  const { organizationId, invoiceId } = link
  return services.db.asApp({ organizationIds: [organizationId] }, async (tx) => {
    const open = await tx
      .selectFrom('organizations')
      .select('timeZone')
      .where('id', '=', organizationId)
      .where('deletedAt', 'is', null)
      .executeTakeFirst()
    if (!open) throw new ProblemError('not_found')
    const today = todayIn(open.timeZone, Date.parse(now))
    const invoice = await findInvoice(tx, organizationId, invoiceId, today)
    if (!invoice) throw new ProblemError('not_found')
    return work(tx, invoice)
  })
}
