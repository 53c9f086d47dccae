import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { changedFields } from '#shared/merge.ts'
import { isSave, type UnsentEntry } from '#shared/outbox.ts'
import { text } from '#page/words/app-text.ts'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { Notice, Section } from '#page/ui/screen.tsx'
import { fieldLines } from '#page/forms/field-lines.ts'
import { knownLabel } from '#page/words/field-text.ts'
import { isFrozen, isPress } from './words.ts'

const t = text.conflict

interface Props {
  entry: UnsentEntry
  locale: string
  busy: boolean
  /** Gives up this write. */
  onDiscard: () => void
  /** Does it all the same, upon what is at the server now. */
  onInsist: () => void
  /** Asks the server once more how it stands. */
  onRetry: () => void
  /** Begins a new one with what was saved; null where it cannot be had anew. */
  onCopy: (() => void) | null
  /** What both changed, field by field. */
  children: ReactNode
}

/** What there is to decide about a write that somebody else was faster than. */
export function Decision({ entry, locale, busy, onDiscard, onInsist, onRetry, onCopy, children }: Props) {
  const { name, theirs, body } = entry
  const number = theirs?.['number']
  const leave = (
    <Button busy={busy} onClick={onDiscard}>
      {t.keepRecord}
    </Button>
  )
  // Mailed by somebody else as well: once more does no harm, where it was not voided.
  if (name === 'sendInvoice' && theirs && theirs['status'] !== 'void')
    return (
      <Choice words={t.resent}>
        <Button look="primary" busy={busy} onClick={onInsist}>
          {t.sendAnyway}
        </Button>
        {leave}
      </Choice>
    )
  if (isFrozen(entry))
    return (
      <>
        <Choice words={isPress(name) ? t.overtaken : t.issued(typeof number === 'string' ? number : null)}>
          {onCopy && (
            <Button look="primary" busy={busy} onClick={onCopy}>
              {t.copy}
            </Button>
          )}
          {leave}
        </Choice>
        {isSave(name) && entry.base && body && (
          <Mine entry={entry} locale={locale} fields={changedFields(entry.base, body)} />
        )}
      </>
    )
  if (theirs === null)
    return (
      <>
        <Choice words={t.gone}>
          {onCopy && (
            <Button look="primary" busy={busy} onClick={onCopy}>
              {entry.kind === 'invoice' ? t.copy : t.copyRow}
            </Button>
          )}
          <Button busy={busy} onClick={onRetry}>
            {t.look}
          </Button>
          {leave}
        </Choice>
        <Mine entry={entry} locale={locale} />
      </>
    )
  if (body !== null) return children
  const isIssue = name === 'issueInvoice'
  return (
    <Choice words={isIssue ? t.issueLead : t.deleteLead}>
      <Button look={isIssue ? 'primary' : 'danger'} busy={busy} onClick={onInsist}>
        {isIssue ? t.issueAnyway : t.deleteAnyway}
      </Button>
      {entry.kind === 'invoice' && (
        <Link
          to="/organization/$organizationId/invoices/$invoiceId"
          params={{ organizationId: entry.organizationId, invoiceId: entry.id }}
          className={buttonClass()}
        >
          {t.openDraft}
        </Link>
      )}
      {leave}
    </Choice>
  )
}

/** What was saved, of all or of some fields: to be read where nothing is left to compare it with. */
function Mine({ entry, locale, fields }: Pick<Props, 'entry' | 'locale'> & { fields?: string[] }) {
  const body = entry.body ?? {}
  const known = { ...entry, currency: (body['currency'] ?? null) as string | null }
  const told = (fields ?? Object.keys(body)).flatMap((field) => {
    const value = body[field]
    const label = knownLabel(entry.kind, field)
    const lines = label === null ? [] : fieldLines(known, field, value, locale)
    return label !== null && lines.length > 0 ? [{ label, lines }] : []
  })
  if (told.length === 0) return null
  return (
    <Section title={t.saved}>
      <dl className="grid gap-3">
        {told.map(({ label, lines }) => (
          <div key={label}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd dir="auto" className="text-left wrap-anywhere whitespace-pre-line [unicode-bidi:plaintext]">
              {lines.join('\n')}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function Choice({ words, children }: { words: string; children?: ReactNode }) {
  return (
    <div className="grid gap-4">
      <Notice tone="warn">{words}</Notice>
      <div className="flex flex-wrap gap-3">{children}</div>
    </div>
  )
}
