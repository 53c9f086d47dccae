// An invoice's mail and links: what is said first is the invoice's, the rest is page/mail-dialog.
import { useQueryClient } from '@tanstack/react-query'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { formatDate, formatMoney } from '#page/format.ts'
import { MailDialog } from '#page/mail-dialog.tsx'
import { text } from '#page/app-text.ts'
import { notify } from '#page/ui/notify.ts'
import { createPublicLink, revokePublicLinks, sendInvoice } from './sending.ts'

const t = text.sending

interface Props {
  invoice: Invoice
  organization: Organization
  onClose: () => void
}

export function SendDialog({ invoice, organization, onClose }: Props) {
  const queryClient = useQueryClient()
  return (
    <MailDialog
      title={t.title(invoice.number!)}
      lead={t.lead}
      first={firstWords(invoice, organization)}
      send={async (words) => {
        await sendInvoice(queryClient, invoice, words)
        notify('success', t.queued(words.to))
      }}
      links={{
        lead: t.linkLead,
        revoked: t.revoked,
        make: () => createPublicLink(invoice),
        revoke: () => revokePublicLinks(invoice),
      }}
      onClose={onClose}
    />
  )
}

function firstWords({ number, buyer, amountDue, dueDate }: Invoice, { name, locale }: Organization) {
  const amount = formatMoney(amountDue, locale)
  return {
    to: buyer?.email ?? '',
    subject: t.firstSubject(number!, name),
    message: t.firstMessage(
      buyer?.contactName ?? buyer?.name ?? '',
      amount,
      dueDate && formatDate(dueDate, locale),
      name,
    ),
  }
}
