// That something failed, where an organization is shown; nothing where nothing did.
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { text } from '#page/words/app-text.ts'
import { useFailureCount } from './queries.ts'

const t = text.failures

/** With the way to the screen that names it. */
export function FailureNotice({ organizationId }: { organizationId: string }) {
  const count = useFailureCount(organizationId)
  if (count === 0) return null
  return (
    <Link
      to="/organization/$organizationId/failures"
      params={{ organizationId }}
      className="flex min-h-11 items-center gap-2 rounded-lg bg-warn-soft px-4 py-3 font-medium text-warn underline"
    >
      <TriangleAlert className="size-5 shrink-0" aria-hidden />
      {t.count(count)}
    </Link>
  )
}

/** In a row that is a link itself. */
export function FailureCount({ organizationId }: { organizationId: string }) {
  const count = useFailureCount(organizationId)
  return count > 0 && <span className="block text-sm text-warn">{t.count(count)}</span>
}
