// What failed and nobody saw happen, each with its reason in words and what can be done about it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { FailedMail, FailedWork } from '#shared/contract/failures.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { now } from '#page/device/clock.ts'
import { text } from '#page/words/app-text.ts'
import { formatDate, formatInstant } from '#page/words/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { problemText } from '#page/words/problem-text.ts'
import { said } from '#page/words/said.ts'
import { Button } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { Empty, Section } from '#page/ui/screen.tsx'
import { dismissMail, failuresQuery, retryMail, retryWork } from './queries.ts'

const t = text.failures
const link = 'inline-flex min-h-11 items-center font-medium text-accent underline wrap-anywhere'

export function FailureList({ organization }: { organization: Organization }) {
  const { id: organizationId, locale } = organization
  // What is tried again by itself may have worked meanwhile.
  const query = useQuery({ ...failuresQuery(organizationId), refetchInterval: 5000 })
  return (
    <Loaded query={query} atServer="failures">
      {({ mails, unaddressed, recurring, work }) =>
        mails.length + unaddressed.length + recurring.length + work.length === 0 ? (
          <Empty title={t.emptyTitle}>{t.empty}</Empty>
        ) : (
          <>
            {mails.length > 0 && (
              <Section title={t.mails}>
                <List label={t.mails}>
                  {mails.map((mail) => (
                    <MailRow key={mail.id} mail={mail} organization={organization} />
                  ))}
                </List>
              </Section>
            )}
            {unaddressed.length > 0 && (
              <Section title={t.unaddressed}>
                <p className="text-muted">{t.unaddressedLead}</p>
                <List label={t.unaddressed}>
                  {unaddressed.map(({ invoiceId, invoiceNumber, customerId, customerName, dueDate }) => (
                    <li key={invoiceId} className="grid gap-1 py-3">
                      <p className="wrap-anywhere">
                        <strong className="font-medium">{customerName}</strong> ·{' '}
                        {t.dueSince(formatDate(dueDate, locale))}
                      </p>
                      <p className="flex flex-wrap gap-x-4">
                        <InvoiceLink {...{ organizationId, invoiceId, invoiceNumber }} />
                        {customerId !== null && (
                          <Link
                            to="/organization/$organizationId/customers/$customerId/edit"
                            params={{ organizationId, customerId }}
                            hash="email"
                            className={link}
                          >
                            {t.addEmail(customerName)}
                          </Link>
                        )}
                      </p>
                    </li>
                  ))}
                </List>
              </Section>
            )}
            {recurring.length > 0 && (
              <Section title={t.jobs.recurring}>
                <List label={t.jobs.recurring}>
                  {recurring.map(({ recurringId, customerName, problem, invoiceId, invoiceNumber }) => (
                    <li key={invoiceId ?? recurringId} className="grid gap-1 py-3">
                      <p className="text-danger">{said(problem)}</p>
                      <p className="flex flex-wrap gap-x-4">
                        {invoiceId !== null && (
                          <InvoiceLink
                            {...{ organizationId, invoiceId }}
                            invoiceNumber={invoiceNumber ?? text.invoices.draftNumber}
                          />
                        )}
                        <Link
                          to="/organization/$organizationId/recurring/$recurringId"
                          params={{ organizationId, recurringId }}
                          className={link}
                        >
                          {customerName}
                        </Link>
                      </p>
                    </li>
                  ))}
                </List>
              </Section>
            )}
            {work.length > 0 && (
              <Section title={t.work}>
                <List label={t.work}>
                  {work.map((each) => (
                    <WorkRow key={each.job} work={each} organization={organization} />
                  ))}
                </List>
              </Section>
            )}
          </>
        )
      }
    </Loaded>
  )
}

function List({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="divide-y divide-line" aria-label={label}>
      {children}
    </ul>
  )
}

function InvoiceLink(named: { organizationId: string; invoiceId: string; invoiceNumber: string }) {
  const { organizationId, invoiceId, invoiceNumber } = named
  return (
    <Link
      to="/organization/$organizationId/invoices/$invoiceId"
      params={{ organizationId, invoiceId }}
      className={link}
    >
      {invoiceNumber}
    </Link>
  )
}

function MailRow({ mail, organization }: { mail: FailedMail; organization: Organization }) {
  const organizationId = organization.id
  const queryClient = useQueryClient()
  const [busy, act] = usePress()
  const { recipient, subject, invoiceId, invoiceNumber, failure, answer, tries, nextTryAt } = mail
  return (
    <li className="grid gap-1 py-3">
      <p className="font-medium wrap-anywhere">{recipient}</p>
      <p className="wrap-anywhere">{subject}</p>
      <p className="text-danger">{t.reasons[failure]}</p>
      {answer !== null && <p className="text-sm text-muted wrap-anywhere">{t.answer(answer)}</p>}
      <p className="text-sm text-muted">
        {t.tried(tries)} {nextWords(nextTryAt, organization)}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          busy={busy}
          aria-label={t.retryMail(recipient)}
          onClick={() => void act(() => retryMail(queryClient, organizationId, mail), t.retried)}
        >
          {t.retry}
        </Button>
        <Button
          busy={busy}
          aria-label={t.dismissMail(recipient)}
          onClick={() => void act(() => dismissMail(queryClient, organizationId, mail), t.dismissed)}
        >
          {t.dismiss}
        </Button>
        {invoiceId !== null && invoiceNumber !== null && (
          <span className="px-2">
            <InvoiceLink {...{ organizationId, invoiceId, invoiceNumber }} />
          </span>
        )}
      </div>
    </li>
  )
}

function WorkRow({ work, organization }: { work: FailedWork; organization: Organization }) {
  const organizationId = organization.id
  const queryClient = useQueryClient()
  const [busy, act] = usePress()
  const { job, failures, failedAt, lastError, nextTryAt } = work
  return (
    <li className="grid gap-1 py-3">
      <p className="font-medium">{t.jobs[job]}</p>
      <p className="text-danger">{t.failedAt(formatInstant(failedAt, organization))}</p>
      <p className="text-sm text-muted wrap-anywhere">{t.noted(lastError)}</p>
      <p className="text-sm text-muted">
        {t.tried(failures)} {nextWords(nextTryAt, organization)}
      </p>
      <div>
        <Button
          busy={busy}
          aria-label={t.retryJob(t.jobs[job])}
          onClick={() => void act(() => retryWork(queryClient, organizationId, work), t.retried)}
        >
          {t.retry}
        </Button>
      </div>
    </li>
  )
}

/** Whether a press is under way, and what presses. */
function usePress() {
  const [busy, setBusy] = useState(false)
  async function act(work: () => Promise<void>, done: string): Promise<void> {
    setBusy(true)
    await work().then(
      () => notify('success', done),
      (error: unknown) => notify('error', problemText(error, 'action')),
    )
    setBusy(false)
  }
  return [busy, act] as const
}

function nextWords(nextTryAt: string | null, organization: Organization): string {
  if (nextTryAt === null) return t.noNext
  return Date.parse(nextTryAt) <= now() ? t.soon : t.next(formatInstant(nextTryAt, organization))
}
