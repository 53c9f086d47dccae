import { Link } from '@tanstack/react-router'
import { Clock, TriangleAlert } from 'lucide-react'
import { markOf } from './saved.ts'
import { text } from '#page/words/app-text.ts'
import { Badge } from '#page/ui/badge.tsx'

/** Says of a row that it holds something not yet at the server; nothing when it does not. */
export function UnsentBadge({ row }: { row: object }) {
  const mark = markOf(row)
  if (mark === null) return null
  const [tone, Icon] = mark === 'attention' ? (['danger', TriangleAlert] as const) : (['warn', Clock] as const)
  return (
    <Badge tone={tone} icon={<Icon className="size-4" aria-hidden />}>
      {text.unsent.marks[mark]}
    </Badge>
  )
}

/** The same at the head of its screen, where what needs the person leads to what they can do about it. `name`: where the title says something else. */
export function UnsentHead({ row, name }: { row: object; name?: string | null }) {
  return (
    <>
      {name && `${name} `}
      <UnsentBadge row={row} />
      {markOf(row) === 'attention' && (
        <p className="mt-1">
          <ToUnsent why={text.unsent.attentionLead} />
        </p>
      )}
    </>
  )
}

export function ToUnsent({ why }: { why: string }) {
  return (
    <>
      {why}{' '}
      <Link to="/unsent" className="font-medium text-accent underline">
        {text.unsent.title}
      </Link>
    </>
  )
}
