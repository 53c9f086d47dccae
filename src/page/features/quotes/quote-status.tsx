import { CircleCheck, CircleDot, CircleX, Hourglass, PencilLine } from 'lucide-react'
import type { QuoteSummary } from '#shared/contract/quotes.ts'
import { text } from '#page/words/app-text.ts'
import { Badge } from '#page/ui/badge.tsx'

const looks = {
  draft: ['neutral', PencilLine],
  sent: ['info', CircleDot],
  accepted: ['good', CircleCheck],
  declined: ['danger', CircleX],
  expired: ['warn', Hourglass],
} as const

export function QuoteStatus({ status }: Pick<QuoteSummary, 'status'>) {
  const [tone, Icon] = looks[status]
  return (
    <Badge tone={tone} icon={<Icon className="size-4" aria-hidden />}>
      {text.quotes.status[status]}
    </Badge>
  )
}
