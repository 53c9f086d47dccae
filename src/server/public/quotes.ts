// What somebody with a quote's link sees and answers, without an account: docket_auth finds which quote it is, then it is read behind the tenant wall.
import { publicQuoteAnswer, type Quote } from '#shared/contract/quotes.ts'
import { todayIn } from '#shared/dates.ts'
import { languageOf } from '#shared/language.ts'
import { ProblemError } from '#shared/problem.ts'
import { changesBetween, recordActivity } from '#server/rows/activity-log.ts'
import type { Call } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { endpoint, type Route } from '#server/http/endpoint.ts'
import { queueMail } from '#server/mail/queue.ts'
import { quoteAnsweredMail } from '#server/mail/templates.ts'
import { logoOf } from '#server/outgoing/logo-file.ts'
import { findMembers } from '#server/rows/member-row.ts'
import { answerQuote } from '#server/rows/quote-answer.ts'
import { quotePdf } from '#server/outgoing/quote-pdf.ts'
import { editionsOf, findQuote } from '#server/rows/quote-row.ts'
import { readerOf } from '#server/http/request.ts'
import { tokenHash } from '#server/http/tokens.ts'
import { takePublicPdf } from './limit.ts'
import { missingPage } from './page.ts'
import { quotePage, quotePageHeaders } from './quote-page.ts'

export const publicQuoteRoutes: Route[] = [
  endpoint(
    'getPublicQuote',
    { summary: 'A quote as its customer sees it, as a page', answers: {}, file: 'text/html' },
    async (call) => {
      const html = { type: 'text/html; charset=utf-8', name: 'quote.html', inline: quotePageHeaders }
      try {
        const path = new URL(call.request.url).pathname
        const content = await withQuote(call, async (tx, { quote, sent: { content: sent }, timeZone }) =>
          quotePage({ quote, sent, timeZone, path, logo: await logoOf(tx, quote.organizationId, sent.seller!) }),
        )
        return { status: 200, file: { ...html, content } }
      } catch (error) {
        // A person reads this, and a link that was revoked says no more than one that never was.
        if (!(error instanceof ProblemError) || error.code !== 'not_found') throw error
        return { status: 404, file: { ...html, content: missingPage(readerOf(call)) } }
      }
    },
  ),

  endpoint(
    'getPublicQuotePdf',
    { summary: 'The PDF of a quote that a link shows', answers: {}, file: 'application/pdf' },
    async (call) => {
      await takePublicPdf(call)
      return withQuote(call, async (tx, { quote: { organizationId, id }, sent }) => {
        const content = await quotePdf(tx, { organizationId, id, edition: sent.edition }, sent.content)
        return { status: 200, file: { type: 'application/pdf', name: `${sent.content.number}.pdf`, content } }
      })
    },
  ),

  endpoint('notePublicQuoteView', { summary: 'The page was seen by a person', answers: { 204: null } }, (call) =>
    withQuote(call, async (tx, { quote: { organizationId, id } }) => {
      // Its version stays: nothing that somebody has open becomes stale.
      await tx
        .updateTable('quotes')
        .set({ viewedAt: call.now })
        .where('organizationId', '=', organizationId)
        .where('id', '=', id)
        .where('viewedAt', 'is', null)
        .execute()
      return { status: 204 }
    }),
  ),

  endpoint(
    'answerPublicQuote',
    { summary: 'Accept or decline a quote, once', body: publicQuoteAnswer, answers: { 204: null } },
    async (call) => {
      const { body: asked, now, services } = call
      await withQuote(call, async (tx, { quote, sent, locale, today }) => {
        if (!(await answerQuote(tx, { quote, asked, notedBy: null, now }))) return
        const { organizationId, id } = quote
        const answered = await findQuote(tx, organizationId, id, today)
        const { label, changes } = changesBetween('quote', quote, answered!)
        const place = { tx, organizationId, userId: null, now }
        await recordActivity(place, 'answerPublicQuote', { kind: 'quote', id }, label, changes)
        const [sender] = await findMembers(tx, organizationId, [sent.sentBy])
        if (!sender) return
        const link = `${services.publicUrl}/organization/${organizationId}/quotes/${id}`
        const mail = quoteAnsweredMail(languageOf([locale]), quote, asked, link)
        await queueMail(tx, { to: sender.email, kind: 'quote-answered', organizationId, ...mail }, now)
      })
      services.mailQueued()
      return { status: 204 }
    },
  ),
]

interface Found {
  quote: Quote
  sent: Awaited<ReturnType<typeof editionsOf>>[number]
  /** The organization's. */
  locale: string
  timeZone: string
  today: string
}

async function withQuote<Result>(
  { params, services, now }: Call<unknown, unknown>,
  work: (tx: Tx, found: Found) => Promise<Result> | Result,
): Promise<Result> {
  const link = await services.db.asAuth((tx) =>
    tx
      .selectFrom('quoteLinks')
      .select(['organizationId', 'quoteId'])
      .where('tokenHash', '=', tokenHash(params['token'] ?? ''))
      .where('revokedAt', 'is', null)
      .executeTakeFirst(),
  )
  if (!link) throw new ProblemError('not_found')
  const { organizationId, quoteId } = link
  return services.db.asApp({ organizationIds: [organizationId] }, async (tx) => {
    const open = await tx
      .selectFrom('organizations')
      .select(['timeZone', 'locale'])
      .where('id', '=', organizationId)
      .where('deletedAt', 'is', null)
      .executeTakeFirst()
    if (!open) throw new ProblemError('not_found')
    const today = todayIn(open.timeZone, Date.parse(now))
    const quote = await findQuote(tx, organizationId, quoteId, today)
    const [sent] = quote ? await editionsOf(tx, organizationId, quoteId) : []
    if (!quote || !sent) throw new ProblemError('not_found')
    return work(tx, { quote, sent, locale: open.locale, timeZone: open.timeZone, today })
  })
}
