// What is open in one organization, on its own screen: what the device has stays there without a connection.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileText, Package, ReceiptText, Users } from 'lucide-react'
import type { Organization } from '#shared/contract/organizations.ts'
import { showOnly } from '#page/all-organizations.tsx'
import { formatCount } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { buttonClass } from '#page/ui/button.tsx'
import { dashboardQuery } from './queries.ts'
import { Tiles } from './tiles.tsx'

const t = text.dashboard
const places = [
  { to: '/invoices', label: text.invoices.title, Icon: ReceiptText },
  { to: '/quotes', label: text.quotes.title, Icon: FileText },
  { to: '/customers', label: text.customers.title, Icon: Users },
  { to: '/items', label: text.items.title, Icon: Package },
] as const

export function Summary({ organization: { id, locale } }: { organization: Organization }) {
  const { data } = useQuery(dashboardQuery(id))
  return (
    <section className="grid gap-4" aria-label={t.title}>
      <div className="flex flex-wrap gap-2">
        {places.map(({ to, label, Icon }) => (
          // These screens are of the organization in view: it becomes this one.
          <Link key={to} to={to} className={buttonClass()} onClick={() => showOnly(id)}>
            <Icon className="size-5" aria-hidden />
            {label}
            {to === '/customers' && data && <span className="text-muted">{formatCount(data.customers)}</span>}
          </Link>
        ))}
      </div>
      {data?.currencies.map(({ currency, outstanding, overdue, drafts }) => (
        <Tiles
          key={currency}
          shown={[
            [t.outstanding, outstanding],
            [t.overdue, overdue],
            [t.drafts, drafts],
          ]}
          locale={locale}
        />
      ))}
    </section>
  )
}
