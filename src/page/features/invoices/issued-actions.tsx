// What can be done with an invoice that has a number: what one comes for stands there, the rest is in the menu; what cannot be undone is asked once.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Ban,
  CircleDashed,
  Copy,
  Download,
  EllipsisVertical,
  FileCode,
  FileMinus,
  Printer,
  Repeat,
  Send,
} from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { canCredit, canVoid, canWriteOff, sumsOf } from '#shared/invoice-balance.ts'
import { uuidv7 } from '#shared/ids.ts'
import { may } from '#shared/permissions.ts'
import { Late } from '#page/late.tsx'
import { lazily } from '#page/lazily.ts'
import { useCommands } from '#page/commands.ts'
import { markOf } from '#page/device/saved.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog, DialogButtons } from '#page/ui/dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '#page/menu.tsx'
import { notify } from '#page/ui/notify.ts'
import { useAction } from './action.tsx'
import { useDuplicate } from './duplicate.ts'
import { createCreditNote, pressInvoice, type Press } from './queries.ts'

const SendDialog = lazily(() => import('./send-dialog.tsx').then((module) => module.SendDialog))

const t = text.invoices
const size = 'size-5'
const pressIcons = {
  voidInvoice: <Ban className={size} aria-hidden />,
  markUncollectible: <CircleDashed className={size} aria-hidden />,
}

/** What is to be closed, or needs a decision first, is not credited. */
const closing: readonly string[] = ['void', 'uncollectible', 'attention']

interface Props {
  invoice: Invoice
  organization: Organization
  /** Each of its mails came back: nobody has it. */
  isLost: boolean
  /** Why no XML goes out with it, where somebody would expect one. */
  withoutXml: readonly string[] | undefined
}

export function IssuedActions({ invoice, organization, isLost, withoutXml }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { busy, run, trouble } = useAction(invoice)
  const duplicate = useDuplicate()
  const [isSending, setSending] = useState(false)
  const [asked, setAsked] = useState<Press | null>(null)
  // Asked for again it is the same one.
  const [noteId] = useState(uuidv7)
  const { organizationId, id: invoiceId, type, status, sentAt, viewedAt } = invoice
  const sums = sumsOf(invoice)
  const mark = markOf(invoice)
  const canWriteAnother = type === '380' && may(organization, 'invoice.draft')
  // A mail that waits already, or was refused, is looked at under Unsent; so is what closes it, after which nothing goes out.
  const canSend =
    status !== 'void' && (!mark || !['send', 'void', 'attention'].includes(mark)) && may(organization, 'invoice.send')
  // What waits already would be refused a second time, or what it waits for.
  const mayCredit = !(mark && closing.includes(mark)) && canCredit(sums) && may(organization, 'creditNote.write')
  const mayVoid = !mark && canVoid(sums, isLost ? null : (sentAt ?? viewedAt)) && may(organization, 'invoice.void')
  const mayWriteOff = !mark && canWriteOff(sums) && may(organization, 'invoice.uncollectible')
  const presses: Press[] = [
    ...(mayVoid ? ['voidInvoice' as const] : []),
    ...(mayWriteOff ? ['markUncollectible' as const] : []),
  ]
  useCommands(canWriteAnother ? [{ id: 'duplicate', label: t.duplicateThis, run: () => void duplicate(invoice) }] : [])

  const pdf = () =>
    run(async () => {
      const { downloadPdf } = await import('./download.ts')
      await downloadPdf({ invoice, organization, customer: null })
    })
  const xml = () =>
    run(async () => {
      const { downloadXml } = await import('./download.ts')
      await downloadXml(invoice)
    })
  const press = (name: Press) =>
    run(async () => {
      setAsked(null)
      const answer = await pressInvoice(queryClient, name, invoice)
      notify('success', markOf(answer) ? t.presses[name].waits : t.presses[name].done)
    })
  const credit = () =>
    run(async () => {
      const note = await createCreditNote(queryClient, invoice, noteId)
      const params = { organizationId, invoiceId: note.id }
      await navigate({ to: '/organization/$organizationId/invoices/$invoiceId', params })
    })
  const repeat = () =>
    navigate({
      to: '/organization/$organizationId/recurring/new',
      params: { organizationId },
      search: { from: invoiceId },
    })

  return (
    <>
      <Button icon={<Download className={size} aria-hidden />} busy={busy} onClick={() => void pdf()}>
        {t.pdf}
      </Button>
      {(canSend || isSending) && (
        <Button
          look={sentAt ? 'plain' : 'primary'}
          icon={<Send className={size} aria-hidden />}
          onClick={() => setSending(true)}
        >
          {text.sending.open}
        </Button>
      )}
      <Menu
        label={t.presses.more}
        trigger={<EllipsisVertical className={size} aria-hidden />}
        className="min-w-11 justify-center border border-line"
      >
        {canWriteAnother && (
          <MenuItem icon={<Copy className={size} aria-hidden />} onSelect={() => void duplicate(invoice)}>
            {t.duplicate}
          </MenuItem>
        )}
        {canWriteAnother && (
          <MenuItem icon={<Repeat className={size} aria-hidden />} onSelect={() => void repeat()}>
            {text.recurring.repeat}
          </MenuItem>
        )}
        <MenuItem icon={<Printer className={size} aria-hidden />} onSelect={() => window.print()}>
          {t.print}
        </MenuItem>
        {status !== 'void' && (
          <MenuItem icon={<FileCode className={size} aria-hidden />} onSelect={() => void xml()}>
            {t.xml}
          </MenuItem>
        )}
        {(mayCredit || presses.length > 0) && <MenuSeparator />}
        {mayCredit && (
          <MenuItem icon={<FileMinus className={size} aria-hidden />} onSelect={() => void credit()}>
            {t.presses.creditNote}
          </MenuItem>
        )}
        {presses.map((name) => (
          <MenuItem key={name} icon={pressIcons[name]} onSelect={() => setAsked(name)}>
            {t.presses[name].label}
          </MenuItem>
        ))}
      </Menu>
      {isSending && (
        <Suspense fallback={<Late onClose={() => setSending(false)} />}>
          <SendDialog
            invoice={invoice}
            organization={organization}
            withoutXml={withoutXml ?? []}
            onClose={() => setSending(false)}
          />
        </Suspense>
      )}
      <Dialog
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title={asked ? t.presses[asked].ask(invoice.number ?? '') : ''}
        description={asked && t.presses[asked].lead}
      >
        <DialogButtons>
          <Button onClick={() => setAsked(null)}>{text.cancel}</Button>
          {asked && (
            <Button look="danger" onClick={() => void press(asked)}>
              {t.presses[asked].label}
            </Button>
          )}
        </DialogButtons>
      </Dialog>
      {trouble}
    </>
  )
}
