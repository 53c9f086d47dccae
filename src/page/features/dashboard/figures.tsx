import type { CurrencyFigures } from '#shared/contract/dashboard.ts'
import { text } from '#page/words/app-text.ts'
import { Tiles } from './tiles.tsx'
import { Ageing } from './ageing.tsx'
import { MonthChart } from './month-chart.tsx'
import { TopCustomers } from './top-customers.tsx'

const t = text.dashboard

interface Props {
  organizationId: string
  figures: CurrencyFigures
  locale: string
}

/** The sums of one currency; currencies are never added together. */
export function Figures({ organizationId, figures, locale }: Props) {
  const shown = [
    [t.outstanding, figures.outstanding],
    [t.overdue, figures.overdue, 'overdue'],
    // A rare one: it has a place when there is something.
    ...(figures.toGiveBack.count > 0 ? [[text.payments.giveBack, figures.toGiveBack, 'to-give-back'] as const] : []),
    [t.invoiced, figures.invoiced],
    [t.paid, figures.paid],
    [t.drafts, figures.drafts, 'draft'],
  ] as const
  return (
    <section className="grid gap-4" aria-label={figures.currency}>
      <Tiles shown={shown} locale={locale} />
      <Ageing figures={figures} locale={locale} />
      <TopCustomers organizationId={organizationId} figures={figures} locale={locale} />
      <MonthChart figures={figures} locale={locale} />
    </section>
  )
}
