// What can be done with a draft: it lies here as the paper it becomes, and who has read it issues it with one press.
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Copy, Download, EllipsisVertical, Repeat, Send, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { todayIn } from '#shared/dates.ts'
import { may, mayWrite } from '#shared/permissions.ts'
import { Late } from '#page/late.tsx'
import { lazily } from '#page/lazily.ts'
import { useCommands } from '#page/commands.ts'
import { now } from '#page/device/clock.ts'
import { deleteWithUndo } from '#page/device/deletion.ts'
import { markOf, waitsForIssue } from '#page/device/saved.ts'
import { text } from '#page/words/app-text.ts'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { Menu, MenuItem } from '#page/menu.tsx'
import { notify } from '#page/ui/notify.ts'
import { useAction } from './action.tsx'
import { useDuplicate } from './duplicate.ts'
import { deleteInvoice, issueInvoice } from './queries.ts'

const SendDialog = lazily(() => import('./send-dialog.tsx').then((module) => module.SendDialog))

const t = text.invoices
const size = 'size-5'

interface Props {
  invoice: Invoice
  organization: Organization
  customer: Customer | null
  /** Of a credit note its invoice; null for none, or while it loads. */
  corrected: Invoice | null
  /** It cannot be issued yet; what it lacks is in the list of findings. */
  onIncomplete: () => void
}

export function DraftActions({ invoice, organization, customer, corrected, onIncomplete }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { busy, run, trouble } = useAction(invoice)
  const [isSending, setSending] = useState(false)
  const duplicate = useDuplicate()
  const { organizationId, id: invoiceId, type } = invoice
  const params = { organizationId, invoiceId }
  const mayDraft = mayWrite(organization, invoice) && may(organization, 'invoice.draft')
  const canDuplicate = type === '380' && may(organization, 'invoice.draft')
  useCommands(canDuplicate ? [{ id: 'duplicate', label: t.duplicateThis, run: () => void duplicate(invoice) }] : [])

  const pdf = () =>
    run(async () => {
      const { downloadPdf } = await import('./download.ts')
      await downloadPdf({ invoice, organization, customer })
    })
  const issue = () =>
    run(async () => {
      // Said at once, also where it would wait for a connection only to be refused.
      const { issueFindings } = await import('./issue-check.ts')
      const today = todayIn(organization.timeZone, now())
      const findings = issueFindings(invoice, organization, customer, today, corrected)
      const needed = findings.filter(({ weight }) => weight === 'needed').length
      if (needed > 0) {
        // In words too: a focus that comes of a press by pointer is not shown.
        notify('error', t.findings.incomplete(needed))
        return onIncomplete()
      }
      const { number } = await issueInvoice(queryClient, invoice)
      const done = type === '381' ? t.creditIssued : t.issued
      notify('success', number === null ? text.saved.willBeIssued : done(number))
    })
  const remove = () =>
    run(async () => {
      const comeBack = () => navigate({ to: '/organization/$organizationId/invoices/$invoiceId', params })
      await deleteWithUndo(text.saved.what.draft, (removal) => deleteInvoice(queryClient, invoice, removal), comeBack)
      await navigate({ to: '/invoices' })
    })
  // What nobody gets, or says nothing, is not sent again and again.
  const isWhole = invoice.customerId !== null && invoice.lines.length > 0
  const canRepeat = type === '380' && isWhole && may(organization, 'invoice.draft')
  const repeat = () =>
    navigate({
      to: '/organization/$organizationId/recurring/new',
      params: { organizationId },
      search: { from: invoiceId },
    })
  const download = (
    <Button icon={<Download className={size} aria-hidden />} busy={busy} onClick={() => void pdf()}>
      {t.pdf}
    </Button>
  )
  if (waitsForIssue(invoice))
    return (
      <>
        {download}
        {markOf(invoice) === 'issue' && may(organization, 'invoice.send') && (
          <Button look="primary" icon={<Send className={size} aria-hidden />} onClick={() => setSending(true)}>
            {text.sending.open}
          </Button>
        )}
        {isSending && (
          <Suspense fallback={<Late onClose={() => setSending(false)} />}>
            <SendDialog
              invoice={invoice}
              customer={customer}
              organization={organization}
              onClose={() => setSending(false)}
            />
          </Suspense>
        )}
        {trouble}
      </>
    )
  if (!mayDraft) return [download, trouble]
  return (
    <>
      <Link to="/organization/$organizationId/invoices/$invoiceId/edit" params={params} className={buttonClass()}>
        {text.edit}
      </Link>
      {/* What came back is decided first. */}
      {may(organization, 'invoice.issue') && markOf(invoice) !== 'attention' && (
        <Button look="primary" busy={busy} onClick={() => void issue()}>
          {type === '381' ? t.issueCredit : t.issue}
        </Button>
      )}
      <Menu
        label={t.presses.more}
        trigger={<EllipsisVertical className={size} aria-hidden />}
        className="min-w-11 justify-center border border-line"
      >
        <MenuItem icon={<Download className={size} aria-hidden />} onSelect={() => void pdf()}>
          {t.pdf}
        </MenuItem>
        {canDuplicate && (
          <MenuItem icon={<Copy className={size} aria-hidden />} onSelect={() => void duplicate(invoice)}>
            {t.duplicate}
          </MenuItem>
        )}
        {canRepeat && (
          <MenuItem icon={<Repeat className={size} aria-hidden />} onSelect={() => void repeat()}>
            {text.recurring.repeat}
          </MenuItem>
        )}
        <MenuItem icon={<Trash2 className={size} aria-hidden />} onSelect={() => void remove()}>
          {text.delete}
        </MenuItem>
      </Menu>
      {trouble}
    </>
  )
}
