// Invoices that are written again and again: what they say, how often, and what becomes of each.
import * as z from 'zod'
import { recurrenceIntervals } from '#shared/recurrence.ts'
import { date, id, instant, money, oneOf, page, pageQuery } from './common.ts'
import { invoiceEdit } from './invoices.ts'

export const recurringActions = ['draft', 'issue', 'send'] as const

/** The date of supply of each: the day that it is for, whenever the job came to write it, or none. */
export const recurringSupplies = ['day', 'none'] as const

/** What each one says. Its dates (that of supply too, `supplyOn`) and totals are reckoned when it is written; an exchange rate is of a day, and nobody knows those to come. */
export const repeatedInvoice = invoiceEdit
  .transform(({ totals: _, ...content }) => ({
    ...content,
    dueDate: null,
    supplyDate: null,
    exchange: null,
  }))
  .superRefine(({ customerId, lines }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (customerId === null) issue('customerId', 'Choose a customer')
    if (lines.length === 0) issue('lines', 'Add at least one line')
  })

const editable = {
  interval: oneOf(recurrenceIntervals),
  every: z.int('Enter a whole number').min(1, 'Enter 1 or more').max(99, 'At most 99'),
  startsOn: date,
  /** The last day that counts. */
  endsOn: date.nullable().default(null),
  /** What becomes of each: a draft that waits for somebody, an invoice with a number, or one that goes out to the customer by mail as well. */
  action: oneOf(recurringActions),
  supplyOn: oneOf(recurringSupplies).default('none'),
  paused: z.boolean().default(false),
  invoice: repeatedInvoice,
}

function checkEnd({ startsOn, endsOn }: { startsOn: string; endsOn: string | null }, context: z.RefinementCtx): void {
  if (endsOn !== null && endsOn < startsOn)
    context.addIssue({ code: 'custom', path: ['endsOn'], message: 'Ends before it starts' })
}

export const newRecurring = z
  .object({ id, ...editable })
  .superRefine(checkEnd)
  .meta({ id: 'NewRecurringInvoice' })
export type NewRecurringInput = z.input<typeof newRecurring>

export const recurringEdit = z.object(editable).superRefine(checkEnd).meta({ id: 'RecurringInvoiceEdit' })
export type RecurringEdit = z.infer<typeof recurringEdit>
export type RecurringEditInput = z.input<typeof recurringEdit>

export const recurring = z
  .object({
    ...editable,
    invoice: invoiceEdit,
    id,
    organizationId: id,
    customerId: id,
    customerName: z.string(),
    /** Of one of them, as it stands now. */
    gross: money,
    /** Null: it is over, or paused. */
    nextOn: date.nullable(),
    lastOn: date.nullable(),
    lastInvoiceId: id.nullable(),
    /** Why the last one is not as it was to be, in words; null when it is. */
    lastProblem: z.string().nullable(),
    version: z.int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'RecurringInvoice' })
export type Recurring = z.infer<typeof recurring>

export const recurringQuery = pageQuery.omit({ q: true })
export type RecurringQuery = z.infer<typeof recurringQuery>

export const recurringPage = page(recurring).meta({ id: 'RecurringInvoicePage' })
export type RecurringPage = z.infer<typeof recurringPage>
