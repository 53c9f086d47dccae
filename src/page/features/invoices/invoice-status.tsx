import { Ban, CircleAlert, CircleCheck, CircleDashed, PencilLine } from 'lucide-react'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import { text } from '#page/text.ts'
import { Badge } from '#page/ui/badge.tsx'

const t = text.invoices.status
const size = 'size-4'

export function InvoiceStatus({
  invoice: { status, overdue },
}: {
  invoice: Pick<InvoiceSummary, 'status' | 'overdue'>
}) {
  if (overdue) {
    return (
      <Badge tone="danger" icon={<CircleAlert className={size} aria-hidden />}>
        {t.overdue}
      </Badge>
    )
  }
  const looks = {
    draft: ['neutral', PencilLine],
    issued: ['info', CircleCheck],
    void: ['neutral', Ban],
    uncollectible: ['warn', CircleDashed],
  } as const
  const [tone, Icon] = looks[status]
  return (
    <Badge tone={tone} icon={<Icon className={size} aria-hidden />}>
      {t[status]}
    </Badge>
  )
}
