import * as z from 'zod'
import { date, id, money } from './common.ts'
import { invoiceSummary } from './invoices.ts'

const figure = z.object({ count: z.int(), amount: money })

/** Figures of one currency; currencies are never added together (DOMAIN.md "Money" 5). */
const currencyFigures = z
  .object({
    currency: z.string(),
    /** How many, and what those of invoices come to: the draft of a credit note takes nothing away yet. */
    drafts: figure,
    /** Everything issued and not void in the last 12 months, this one included. */
    invoiced: figure,
    /** What was paid of those, of each at most what credit notes leave of it. */
    paid: figure,
    /** What is due of everything issued; of what is overdue, likewise. */
    outstanding: figure,
    overdue: figure,
    /** What was paid above what credit notes leave. */
    toGiveBack: figure,
    /** What is still due, by how many days past its date it is at least; 0: not late. */
    ageing: z.array(figure.extend({ days: z.int() })),
    /** To whom most was invoiced in those 12 months, largest first; at most 5. The name is that of the latest of those invoices. */
    topCustomers: z.array(z.object({ customerId: id, name: z.string(), invoiced: money })),
    /** The last 12 months, oldest first; `month` is `2026-11`. */
    months: z.array(z.object({ month: z.string(), invoiced: money })),
  })
  .meta({ id: 'CurrencyFigures' })
export type CurrencyFigures = z.infer<typeof currencyFigures>

export const dashboard = z
  .object({
    /** Today in the organization's time zone. */
    today: date,
    currencies: z.array(currencyFigures),
    customers: z.int(),
    /** What needs the person today: two to give back first, then overdue, the oldest due date first, then what else is to give back, then drafts longest untouched; at most 6. */
    attention: z.array(invoiceSummary),
  })
  .meta({ id: 'Dashboard' })
export type Dashboard = z.infer<typeof dashboard>
