// To whom an issued invoice went and what became of it, and the reminders still to come.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, BellOff, BellRing, Check, CircleQuestionMark, Clock, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { InvoiceMail, InvoiceMails as Mails } from '#shared/contract/reminders.ts'
import { mayRemind } from '#shared/invoice-balance.ts'
import { may } from '#shared/permissions.ts'
import { text } from '#page/words/app-text.ts'
import { formatDate, formatInstant, type Zoned } from '#page/words/format.ts'
import { problemText } from '#page/words/problem-text.ts'
import { said } from '#page/words/said.ts'
import { Badge } from '#page/ui/badge.tsx'
import { Button } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { Section } from '#page/ui/screen.tsx'
import { invoiceMailsQuery, pauseReminders } from './queries.ts'
import { RemindDialog } from './remind-dialog.tsx'

const t = text.reminders

const looks = {
  waiting: { tone: 'info', Icon: Clock },
  sent: { tone: 'good', Icon: Check },
  failing: { tone: 'warn', Icon: TriangleAlert },
  unknown: { tone: 'warn', Icon: CircleQuestionMark },
  'given-up': { tone: 'danger', Icon: TriangleAlert },
  ended: { tone: 'neutral', Icon: Ban },
} as const

export function InvoiceMails({ invoice, organization }: { invoice: Invoice; organization: Organization }) {
  const { data } = useQuery(invoiceMailsQuery(invoice))
  const [reminding, setReminding] = useState(false)
  // Without a connection nobody knows; the invoice can be read all the same.
  if (!data) return null
  const canRemind = may(organization, 'invoice.remind') && mayRemind(invoice)
  const isAwaited = canRemind && (invoice.overdue || data.reminders.next !== null || data.reminders.paused)
  if (data.data.length === 0 && !isAwaited) return null
  return (
    <Section
      title={t.mails}
      actions={
        canRemind &&
        invoice.overdue && (
          <Button icon={<BellRing className="size-5" aria-hidden />} onClick={() => setReminding(true)}>
            {t.remind}
          </Button>
        )
      }
    >
      {data.data.length > 0 && (
        <ul className="divide-y divide-line" aria-label={t.mails}>
          {data.data.map((mail) => (
            <Row key={mail.id} mail={mail} withoutXml={data.withoutXml} organization={organization} />
          ))}
        </ul>
      )}
      {canRemind && <Coming invoice={invoice} reminders={data.reminders} locale={organization.locale} />}
      {reminding && (
        <RemindDialog
          invoice={invoice}
          organization={organization}
          recipient={data.reminders.recipient}
          sent={data.reminders.sent}
          onClose={() => setReminding(false)}
        />
      )}
    </Section>
  )
}

interface RowProps {
  mail: InvoiceMail
  withoutXml: readonly string[]
  organization: Zoned
}

function Row({ mail: { kind, recipient, at, sentBy, days, hasXml, state }, withoutXml, organization }: RowProps) {
  const look = state && looks[state]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="wrap-anywhere">{t.went(t.kinds[kind], recipient)}</p>
        <p className="text-sm text-muted">
          {formatInstant(at, organization)}
          {sentBy === null && ` · ${t.byRule}`}
          {days !== null && `, ${t.offset(days)}`}
        </p>
        {kind === 'invoice' && hasXml === false && withoutXml.length > 0 && (
          <p className="text-sm text-warn">{text.sending.withoutXml(withoutXml.map(said).join('; '))}</p>
        )}
      </div>
      {look && (
        <Badge tone={look.tone} icon={<look.Icon className="size-4" aria-hidden />}>
          {t.mailStates[state]}
        </Badge>
      )}
    </li>
  )
}

function Coming({
  invoice,
  reminders: { paused, next, recipient },
  locale,
}: {
  invoice: Invoice
  reminders: Mails['reminders']
  locale: string
}) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  if (!paused && next === null) return null
  async function press(): Promise<void> {
    setBusy(true)
    await pauseReminders(queryClient, invoice, !paused).then(
      () => notify('success', paused ? t.resumed : t.pausedNow),
      (error: unknown) => notify('error', problemText(error, 'action')),
    )
    setBusy(false)
  }
  const Icon = paused ? BellRing : BellOff
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className={!paused && recipient === null ? 'text-warn' : 'text-muted'}>
        {paused ? t.isPaused : recipient === null ? t.nobody : t.next(formatDate(next!.on, locale), recipient)}
      </p>
      <Button icon={<Icon className="size-5" aria-hidden />} busy={busy} onClick={() => void press()}>
        {paused ? t.resume : t.pause}
      </Button>
    </div>
  )
}
