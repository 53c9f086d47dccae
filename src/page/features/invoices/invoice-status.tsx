import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleMinus,
  FileMinus,
  PencilLine,
} from 'lucide-react'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import { text } from '#page/words/app-text.ts'
import { Badge } from '#page/ui/badge.tsx'

const t = text.invoices.status

const looks = {
  draft: ['neutral', PencilLine],
  issued: ['info', CircleDot],
  overdue: ['danger', CircleAlert],
  'partly-paid': ['info', CircleDashed],
  paid: ['good', CircleCheck],
  credited: ['neutral', CircleMinus],
  void: ['neutral', Ban],
  uncollectible: ['warn', CircleDashed],
} as const

type Shown = Pick<InvoiceSummary, 'status' | 'paymentStatus' | 'overdue'>

export function InvoiceStatus({ invoice }: { invoice: Shown }) {
  const shown = shownOf(invoice)
  const [tone, Icon] = looks[shown]
  return (
    <Badge tone={tone} icon={<Icon className="size-4" aria-hidden />}>
      {t[shown]}
    </Badge>
  )
}

/** What it is, where that is no invoice. */
export function InvoiceType({ type }: Pick<InvoiceSummary, 'type'>) {
  if (type === '380') return null
  return (
    <Badge tone="warn" icon={<FileMinus className="size-4" aria-hidden />}>
      {text.invoices.creditNote}
    </Badge>
  )
}

/** What a person wants to know first: that it is late, else how it was paid, else what it is. */
function shownOf({ status, paymentStatus, overdue }: Shown): keyof typeof looks {
  if (overdue) return 'overdue'
  if (paymentStatus === 'paid' || paymentStatus === 'credited') return paymentStatus
  return status === 'issued' && paymentStatus === 'partly-paid' ? paymentStatus : status
}
