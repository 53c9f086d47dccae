// What can be done to several invoices at once: to which of them, by whom, and the ordinary call that does it to each.
import type { QueryClient } from '@tanstack/react-query'
import { firstWords } from '#documents/mail-words.ts'
import type { Invoice, InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { mayRemind } from '#shared/invoice-balance.ts'
import { mayWrite, type Permission, type Standing } from '#shared/permissions.ts'
import { markOf, waitsForIssue } from '#page/device/saved.ts'
import { text } from '#page/words/app-text.ts'
import type { ButtonLook } from '#page/ui/button.tsx'
import { fileNameOf, issuedPdf } from './download.ts'
import { deleteInvoice, invoiceQuery, issueInvoice } from './queries.ts'
import { buyerNow, sendInvoice } from './sending.ts'

const t = text.invoices.bulk

/** Answers with the words why it was left as it is, if it was. */
export type Remind = (queryClient: QueryClient, invoice: Invoice, organization: Organization) => Promise<string | null>

export interface Place {
  queryClient: QueryClient
  organization: Organization
  remind: Remind
  /** Where the files of a run are gathered. */
  files: { name: string; file: Blob }[]
  /** Some of them were drawn here, because that of record was not to be had. */
  hasCopies: boolean
}

interface Work {
  permission: Permission
  look: ButtonLook
  fits: (invoice: InvoiceSummary, standing: Standing) => boolean
  /** The call's answer; words: why it was left as it is. */
  run: (place: Place, invoice: InvoiceSummary) => Promise<object | string | null | undefined>
}

export type WorkName = 'delete' | 'pdf' | 'remind' | 'send' | 'issue'

/** What waits to be issued already is no draft that anything can be done to. */
export function isChoosable(invoice: InvoiceSummary): boolean {
  return !waitsForIssue(invoice)
}

const isDraft = ({ status }: InvoiceSummary) => status === 'draft'
/** That of a credit note is not everybody's. */
const isOwnDraft: Work['fits'] = (invoice, standing) => isDraft(invoice) && mayWrite(standing, invoice)

/** In the order in which they stand: first what one mostly comes for, last what takes away. */
export const works: Readonly<Record<WorkName, Work>> = {
  issue: {
    permission: 'invoice.issue',
    look: 'primary',
    fits: isOwnDraft,
    run: ({ queryClient }, invoice) => issueInvoice(queryClient, invoice),
  },
  send: {
    permission: 'invoice.send',
    look: 'plain',
    // A mail that waits already, or was refused, is looked at under Unsent.
    fits: (invoice) =>
      (invoice.status === 'issued' || invoice.status === 'uncollectible') &&
      markOf(invoice) !== 'send' &&
      markOf(invoice) !== 'attention',
    async run({ queryClient, organization }, summary) {
      const invoice = await whole(queryClient, summary)
      const words = firstWords(invoice, await buyerNow(invoice), organization)
      return words.to === '' ? t.noEmail : sendInvoice(queryClient, invoice, words)
    },
  },
  remind: {
    permission: 'invoice.remind',
    look: 'plain',
    // As on its own screen: nobody is reminded of what is not late.
    fits: (invoice) => invoice.overdue && mayRemind(invoice),
    run: async ({ queryClient, organization, remind }, summary) =>
      remind(queryClient, await whole(queryClient, summary), organization),
  },
  pdf: {
    permission: 'invoice.read',
    look: 'plain',
    fits: (invoice) => !isDraft(invoice),
    async run(place, summary) {
      const { queryClient, organization } = place
      const invoice = await whole(queryClient, summary)
      const { file, isCopy } = await issuedPdf({ invoice, organization, customer: null })
      place.hasCopies ||= isCopy
      place.files.push({ name: `${fileNameOf(invoice)}.pdf`, file })
    },
  },
  delete: {
    permission: 'invoice.draft',
    look: 'danger',
    fits: isOwnDraft,
    run: ({ queryClient }, invoice) => deleteInvoice(queryClient, invoice),
  },
}

function whole(queryClient: QueryClient, { organizationId, id }: InvoiceSummary): Promise<Invoice> {
  return queryClient.fetchQuery({ ...invoiceQuery(organizationId, id), staleTime: 0 })
}
