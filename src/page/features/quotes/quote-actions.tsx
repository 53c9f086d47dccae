// What can be done with a quote: the next step as a button, the rest in a menu; offered where role and state allow it.
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  CheckCheck,
  Copy,
  Download,
  EllipsisVertical,
  PencilLine,
  Printer,
  ReceiptText,
  Send,
  Trash2,
} from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Customer } from '#shared/contract/customers.ts'
import type { Quote } from '#shared/contract/quotes.ts'
import { documentFileName } from '#documents/file-name.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { uuidv7 } from '#shared/ids.ts'
import { may } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import { canQuote } from '#shared/quote-state.ts'
import { Late } from '#page/late.tsx'
import { lazily } from '#page/lazily.ts'
import { offerFile } from '#page/offer-file.ts'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { Dialog, DialogButtons } from '#page/ui/dialog.tsx'
import { Menu, MenuItem } from '#page/menu.tsx'
import { notify } from '#page/ui/notify.ts'
import { Notice } from '#page/ui/screen.tsx'
import { createInvoiceOfQuote, deleteQuote, duplicateQuote, forget, pressQuote, quotePdf } from './queries.ts'

const t = text.quotes
const size = 'size-5'

const QuoteMail = lazily(() => import('./quote-mail.tsx').then((module) => module.QuoteMail))
const AnswerDialog = lazily(() => import('./answer-dialog.tsx').then((module) => module.AnswerDialog))

interface Props {
  quote: Quote
  organization: Organization
  /** As they are by now; undefined while that is looked up. */
  customer: Customer | null | undefined
  /** Draws a draft; given by the route, because a feature knows no other feature. */
  drawn: () => Promise<Blob>
}

export function QuoteActions({ quote, organization, customer, drawn }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [shown, setShown] = useState<'mail' | 'answer' | 'revise' | 'delete' | null>(null)
  const [problems, setProblems] = useState<string[]>([])
  // Asked for again it is the same draft.
  const [invoiceId] = useState(uuidv7)
  const { organizationId, id: quoteId, status, number } = quote
  const mayDraft = may(organization, 'invoice.draft')
  const maySend = may(organization, 'invoice.send')
  const close = () => setShown(null)

  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setProblems([])
    try {
      await work()
    } catch (error) {
      const fields = error instanceof ProblemError ? (error.problem.errors ?? []) : []
      setProblems(fields.length > 0 ? fields.map(({ detail }) => detail) : [problemText(error, 'action')])
      // Somebody else may have been faster: what stands here must be true.
      forget(queryClient, quote)
    } finally {
      setBusy(false)
    }
  }
  const openQuote = (id: string) =>
    navigate({
      to: '/organization/$organizationId/quotes/$quoteId/edit',
      params: { organizationId, quoteId: id },
    })
  const pdf = () =>
    run(async () =>
      status === 'draft'
        ? offerFile(`${text.invoices.draftNumber}.pdf`, await drawn())
        : offerFile(`${documentFileName({ number: number!, id: quote.id })}.pdf`, await quotePdf(quote)),
    )
  const markSent = () =>
    run(async () => notify('success', t.markedSent((await pressQuote(queryClient, 'issueQuote', quote)).number!)))
  const revise = () =>
    run(async () => {
      close()
      await pressQuote(queryClient, 'reviseQuote', quote)
      notify('success', t.revised)
      await openQuote(quoteId)
    })
  const duplicate = () =>
    run(async () => {
      const copy = await duplicateQuote(queryClient, quote)
      notify('success', t.duplicated)
      await openQuote(copy.id)
    })
  const toInvoice = () =>
    run(async () => {
      const draft = await createInvoiceOfQuote(queryClient, quote, invoiceId)
      notify('success', t.becameInvoice)
      const params = { organizationId, invoiceId: draft.id }
      await navigate({ to: '/organization/$organizationId/invoices/$invoiceId', params })
    })
  const remove = () =>
    run(async () => {
      close()
      await deleteQuote(queryClient, quote)
      notify('success', t.deleted)
      await navigate({ to: '/quotes' })
    })

  const items = [
    ...(status === 'draft' && maySend ? [{ label: t.markSent, icon: CheckCheck, run: () => void markSent() }] : []),
    ...(canQuote('revise', status) && maySend
      ? [{ label: t.revise, icon: PencilLine, run: () => setShown('revise') }]
      : []),
    ...(mayDraft ? [{ label: text.invoices.duplicate, icon: Copy, run: () => void duplicate() }] : []),
    { label: text.invoices.print, icon: Printer, run: () => window.print() },
    ...(canQuote('delete', status) && quote.edition === 0 && mayDraft
      ? [{ label: text.delete, icon: Trash2, run: () => setShown('delete') }]
      : []),
  ]
  return (
    <>
      <Button icon={<Download className={size} aria-hidden />} busy={busy} onClick={() => void pdf()}>
        {text.invoices.pdf}
      </Button>
      {canQuote('edit', status) && mayDraft && (
        <Link
          to="/organization/$organizationId/quotes/$quoteId/edit"
          params={{ organizationId, quoteId }}
          className={buttonClass()}
        >
          {t.edit}
        </Link>
      )}
      {canQuote('answer', status) && maySend && <Button onClick={() => setShown('answer')}>{t.noteAnswer}</Button>}
      {canQuote('send', status) && maySend && (
        <Button look="primary" icon={<Send className={size} aria-hidden />} onClick={() => setShown('mail')}>
          {t.open}
        </Button>
      )}
      {canQuote('invoice', status) && mayDraft && !quote.invoice && (
        <Button
          look="primary"
          busy={busy}
          icon={<ReceiptText className={size} aria-hidden />}
          onClick={() => void toInvoice()}
        >
          {t.toInvoice}
        </Button>
      )}
      <Menu
        label={text.invoices.presses.more}
        trigger={<EllipsisVertical className={size} aria-hidden />}
        className="min-w-11 justify-center border border-line"
      >
        {items.map(({ label, icon: Icon, run: select }) => (
          <MenuItem key={label} icon={<Icon className={size} aria-hidden />} onSelect={select}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      <Suspense fallback={<Late onClose={close} />}>
        {shown === 'mail' && customer !== undefined && (
          <QuoteMail quote={quote} organization={organization} customer={customer} onClose={close} />
        )}
        {shown === 'answer' && <AnswerDialog quote={quote} onClose={close} />}
      </Suspense>
      <Ask
        open={shown === 'revise'}
        title={t.reviseTitle(number ?? '')}
        lead={t.reviseLead}
        label={t.revise}
        onClose={close}
        onYes={() => void revise()}
      />
      <Ask
        open={shown === 'delete'}
        title={t.deleteTitle}
        lead={t.deleteLead}
        label={text.delete}
        danger
        onClose={close}
        onYes={() => void remove()}
      />
      {problems.length > 0 && (
        <div className="basis-full">
          <Notice tone="danger">
            {problems.map((problem) => (
              <p key={problem}>{problem}</p>
            ))}
          </Notice>
        </div>
      )}
    </>
  )
}

interface AskProps {
  open: boolean
  title: string
  lead: string
  label: string
  danger?: boolean
  onClose: () => void
  onYes: () => void
}

function Ask({ open, title, lead, label, danger = false, onClose, onYes }: AskProps) {
  return (
    <Dialog open={open} onOpenChange={onClose} title={title} description={lead}>
      <DialogButtons>
        <Button onClick={onClose}>{text.cancel}</Button>
        <Button look={danger ? 'danger' : 'primary'} onClick={onYes}>
          {label}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
