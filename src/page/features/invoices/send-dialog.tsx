// The mail and links of an invoice that is issued, or waits to be: what is said first is the invoice's, the rest is page/mail-dialog.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { firstWords } from '#documents/mail-words.ts'
import type { Buyer, Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { MailDialog } from '#page/mail-dialog.tsx'
import { markOf } from '#page/device/saved.ts'
import { text } from '#page/words/app-text.ts'
import { said } from '#page/words/said.ts'
import { notify } from '#page/ui/notify.ts'
import { buyerNow, createPublicLink, revokePublicLinks, sendInvoice } from './sending.ts'

const t = text.sending

interface Props {
  invoice: Invoice
  /** Whom a draft that waits to be issued goes to; one that is issued says it itself. */
  customer?: Pick<Buyer, 'name' | 'email' | 'contactName'> | null
  organization: Organization
  /** Why no XML goes along, where somebody would expect one. */
  withoutXml?: readonly string[]
  onClose: () => void
}

export function SendDialog({ invoice, customer = null, organization, withoutXml = [], onClose }: Props) {
  const queryClient = useQueryClient()
  const { data: buyer } = useQuery({
    queryKey: ['buyer', invoice.organizationId, invoice.id],
    queryFn: () => buyerNow(invoice),
    gcTime: 0,
  })
  // What is typed stays: the form begins with the address that is right.
  if (buyer === undefined) return null
  const links = {
    lead: t.linkLead,
    revoked: t.revoked,
    make: () => createPublicLink(invoice),
    revoke: () => revokePublicLinks(invoice),
  }
  return (
    <MailDialog
      title={t.title(invoice.number)}
      lead={withoutXml.length === 0 ? t.lead : `${t.leadPlain} ${t.withoutXml(withoutXml.map(said).join('; '))}`}
      keptName={`mail.${invoice.id}.${invoice.version}`}
      first={firstWords(invoice, buyer ?? customer, organization)}
      send={async (words, writer) => {
        const sent = await sendInvoice(queryClient, invoice, words, writer)
        notify('success', (markOf(sent) ? t.waits : t.queued)(words.to))
      }}
      links={invoice.number === null ? t.unnumbered : links}
      onClose={onClose}
    />
  )
}
