// The mail and links of an invoice that is issued, or waits to be: what is said first is the invoice's, the rest is page/mail-dialog.
import { useQueryClient } from '@tanstack/react-query'
import { firstWords } from '#documents/mail-words.ts'
import type { Buyer, Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { MailDialog } from '#page/mail-dialog.tsx'
import { markOf } from '#page/device/saved.ts'
import { text } from '#page/words/app-text.ts'
import { said } from '#page/words/said.ts'
import { notify } from '#page/ui/notify.ts'
import { createPublicLink, revokePublicLinks, sendInvoice } from './sending.ts'

const t = text.sending

interface Props {
  invoice: Invoice
  /** Whom it goes to: frozen with the invoice, or of the draft that waits to be issued. */
  buyer: Pick<Buyer, 'name' | 'email' | 'contactName'> | null
  organization: Organization
  /** Why no XML goes along, where somebody would expect one. */
  withoutXml?: readonly string[]
  onClose: () => void
}

export function SendDialog({ invoice, buyer, organization, withoutXml = [], onClose }: Props) {
  const queryClient = useQueryClient()
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
      first={firstWords(invoice, buyer, organization)}
      send={async (words, writer) => {
        const sent = await sendInvoice(queryClient, invoice, words, writer)
        notify('success', (markOf(sent) ? t.waits : t.queued)(words.to))
      }}
      links={invoice.number === null ? t.unnumbered : links}
      onClose={onClose}
    />
  )
}
