// Quotes: what an invoice would say, until when it is offered, and what was answered.
import * as z from 'zod'
import { quoteStatuses } from '#shared/quote-state.ts'
import { date, id, instant, line, money, oneOf, page, pageQuery } from './common.ts'
import { checkWhole, draftFields, invoice } from './invoices.ts'

const { dueDate: _, supplyDate: __, exchange: ___, ...said } = draftFields
/** As a draft of an invoice, but for the dates, since a quote is good until one, and for the exchange rate, which is of the day of supply. */
const editable = { ...said, validUntil: date.nullable().default(null) }

export const newQuote = z
  .object({ id, ...editable })
  .superRefine(checkWhole)
  .meta({ id: 'NewQuote' })
export type NewQuoteInput = z.input<typeof newQuote>

export const quoteEdit = z.object(editable).superRefine(checkWhole).meta({ id: 'QuoteEdit' })
export type QuoteEdit = z.infer<typeof quoteEdit>
export type QuoteEditInput = z.input<typeof quoteEdit>

const answerWord = oneOf(['accepted', 'declined'])
const answererName = line(200, 'Enter your name')

/** What a member was told, by telephone for instance. */
export const quoteAnswer = z
  .object({ answer: answerWord, name: line(200, 'Enter who said so') })
  .meta({ id: 'QuoteAnswer' })
export type QuoteAnswer = z.infer<typeof quoteAnswer>

/** What whoever has the link says to what they see: another edition is another quote. */
export const publicQuoteAnswer = z
  .object({ answer: answerWord, name: answererName, edition: z.int() })
  .meta({ id: 'PublicQuoteAnswer' })
export type PublicQuoteAnswer = z.infer<typeof publicQuoteAnswer>

export const notedAnswer = z
  .object({ answer: answerWord, name: z.string(), at: instant, notedBy: id.nullable() })
  .meta({ id: 'NotedQuoteAnswer' })

const summaryFields = {
  id,
  organizationId: id,
  /** `expired` is derived: sent, unanswered, and past its last day in the organization's zone. */
  status: oneOf(quoteStatuses),
  /** Null until it is sent for the first time. */
  number: z.string().nullable(),
  /** How often what it says has gone out. */
  edition: z.int(),
  /** The last day on which it can be accepted; null: it does not end. */
  validUntil: date.nullable(),
  currency: invoice.shape.currency,
  customerId: id.nullable(),
  customerName: z.string().nullable(),
  net: money,
  tax: money,
  gross: money,
  sentAt: instant.nullable(),
  viewedAt: instant.nullable(),
  /** What it was turned into; a draft has no number. */
  invoice: z.object({ id, number: z.string().nullable() }).nullable(),
  version: z.int(),
  createdAt: instant,
  updatedAt: instant,
}

/** One row of a list. */
export const quoteSummary = z.object(summaryFields).meta({ id: 'QuoteSummary' })
export type QuoteSummary = z.infer<typeof quoteSummary>

export const quote = z
  .object({
    ...summaryFields,
    /** The day on which this edition went out; null while it is a draft. */
    issueDate: date.nullable(),
    ...invoice.pick({
      taxMode: true,
      termsDays: true,
      buyerReference: true,
      orderReference: true,
      notes: true,
      lines: true,
      allowances: true,
      charges: true,
      vat: true,
      totals: true,
      seller: true,
      buyer: true,
    }).shape,
    /** Of its paper, PDF, public page and mail; one that went out before languages were has none: it was in English. */
    language: invoice.shape.language.optional(),
    /** To the edition that stands. */
    answer: notedAnswer.nullable(),
    /** What has gone out, the last first. */
    history: z.array(z.object({ edition: z.int(), sentAt: instant, gross: money, answer: notedAnswer.nullable() })),
  })
  .meta({ id: 'Quote' })
export type Quote = z.infer<typeof quote>

export const quoteQuery = pageQuery.extend({
  status: oneOf(quoteStatuses).optional(),
  customerId: id.optional(),
  /** Whether it was turned into an invoice, or its draft. */
  invoiced: oneOf(['yes', 'no']).optional(),
})
export type QuoteQuery = z.infer<typeof quoteQuery>

export const quotePage = page(quoteSummary).meta({ id: 'QuotePage' })
export type QuotePage = z.infer<typeof quotePage>

/** The draft that is made of it. */
export const quoteInvoice = z.object({ id }).meta({ id: 'NewInvoiceOfQuote' })
