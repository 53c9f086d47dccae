import { Link } from '@tanstack/react-router'
import { Clock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { isDelete, needsPerson, type UnsentEntry } from '#shared/outbox.ts'
import { formatInstant } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { Badge } from '#page/ui/badge.tsx'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { changeText, isEditable, isFrozen, whatText, whyTexts } from './words.ts'

const t = text.unsent

interface Props {
  entry: UnsentEntry
  /** Its organization is on this device, so that its forms and records can be opened. */
  isHere: boolean
  busy: boolean
  onRetry: () => void
  onDiscard: () => void
}

/** One write that is not at the server: what, when, why, and what can be done. */
export function EntryCard({ entry, isHere, busy, onRetry, onDiscard }: Props) {
  const what = whatText(entry)
  const change = changeText(entry)
  const attention = needsPerson(entry.state)
  const named = (action: string) => ({ 'aria-label': `${action}: ${what}` })
  const decides = entry.state === 'conflict' || isFrozen(entry)
  return (
    <li className="grid gap-3 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="font-semibold wrap-anywhere">{isHere ? <Opens entry={entry}>{what}</Opens> : what}</h2>
          {change && <p>{change}</p>}
          <p className="text-sm text-muted">{t.savedAt(formatInstant(entry.createdAt))}</p>
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
          <Button busy={busy} onClick={onRetry} {...named(t.retry)}>
            {t.retry}
          </Button>
        )}
        <Button id={entry.key} look="danger" busy={busy} onClick={onDiscard} {...named(t.discard)}>
          {t.discard}
        </Button>
      </div>
    </li>
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
