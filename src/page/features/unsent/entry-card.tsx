import { replaceEqualDeep } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Clock, TriangleAlert } from 'lucide-react'
import { memo, useEffect, type ReactNode } from 'react'
import { isDelete, needsPerson, type UnsentEntry } from '#shared/outbox.ts'
import { formatInstant } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { Badge } from '#page/ui/badge.tsx'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { changeText, isEditable, isFrozen, wholeText, whyTexts } from './words.ts'

const t = text.unsent

interface Props {
  entry: UnsentEntry
  /** Its organization is on this device, so that its forms and records can be opened. */
  isHere: boolean
  /** The name of its organization, where there are others; null where that goes without saying. */
  of: string | null
  locale: string
  busy: boolean
  does: {
    retry: (entry: UnsentEntry) => void
    discard: (entry: UnsentEntry) => void
    /** It has come into the document. */
    appear: () => void
  }
}

/**
 * One write that is not at the server: what, when, why, and what can be done. Each telling brings all of them anew, at other places once one has gone: drawn is
 * what has become another; what a card does stays the same.
 */
export const EntryCard = memo(
  Card,
  ({ does: _, ...before }, { does: __, ...now }) => replaceEqualDeep(before, now) === before,
)

function Card({ entry, isHere, of, locale, busy, does }: Props) {
  const { retry, discard, appear } = does
  useEffect(appear, [appear])
  const what = wholeText(entry, locale)
  const change = changeText(entry)
  const attention = needsPerson(entry.state)
  const named = (action: string) => ({ 'aria-label': `${action}: ${[what, of].filter(Boolean).join(' · ')}` })
  const decides = entry.state === 'conflict' || isFrozen(entry)
  return (
    <div className="grid gap-3 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="font-semibold wrap-anywhere">{isHere ? <Opens entry={entry}>{what}</Opens> : what}</h2>
          {change && <p>{change}</p>}
          <p className="text-sm wrap-anywhere text-muted">
            {[t.savedAt(formatInstant(entry.createdAt)), of].filter(Boolean).join(' · ')}
          </p>
        </div>
        <Badge
          tone={attention ? 'danger' : 'warn'}
          icon={attention ? <TriangleAlert className="size-4" aria-hidden /> : <Clock className="size-4" aria-hidden />}
        >
          {attention ? t.marks.attention : t.marks.waiting}
        </Badge>
      </div>
      <div>
        {whyTexts(entry).map((why) => (
          <p key={why}>{why}</p>
        ))}
        {!isHere && <p className="text-warn">{t.elsewhere}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        {isHere && attention && (decides || isEditable(entry)) && (
          <Link
            to="/unsent/$key"
            params={{ key: entry.key }}
            className={buttonClass('primary')}
            {...named(decides ? text.conflict.decide : text.edit)}
          >
            {decides ? text.conflict.decide : text.edit}
          </Link>
        )}
        {attention && !decides && (
          <Button busy={busy} onClick={() => retry(entry)} {...named(t.retry)}>
            {t.retry}
          </Button>
        )}
        <Button id={entry.key} look="danger" busy={busy} onClick={() => discard(entry)} {...named(t.discard)}>
          {t.discard}
        </Button>
      </div>
    </div>
  )
}

/** The way to the record itself, unless its deletion is what waits. */
function Opens({ entry: { kind, id, organizationId, name }, children }: { entry: UnsentEntry; children: ReactNode }) {
  if (isDelete(name)) return children
  const className =
    '-my-2.5 inline-block py-2.5 text-ink underline decoration-line underline-offset-4 hover:decoration-current'
  if (kind === 'organization')
    return (
      <Link to="/organization/$organizationId" params={{ organizationId: id }} className={className}>
        {children}
      </Link>
    )
  if (kind === 'customer')
    return (
      <Link
        to="/organization/$organizationId/customers/$customerId"
        params={{ organizationId, customerId: id }}
        className={className}
      >
        {children}
      </Link>
    )
  if (kind === 'item')
    return (
      <Link
        to="/organization/$organizationId/items/$itemId/edit"
        params={{ organizationId, itemId: id }}
        className={className}
      >
        {children}
      </Link>
    )
  return (
    <Link
      to="/organization/$organizationId/invoices/$invoiceId"
      params={{ organizationId, invoiceId: id }}
      className={className}
    >
      {children}
    </Link>
  )
}
