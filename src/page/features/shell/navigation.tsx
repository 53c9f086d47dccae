import { Link } from '@tanstack/react-router'
import { Building2, LayoutDashboard, Package, ReceiptText, Users } from 'lucide-react'
import { text } from '#page/words/app-text.ts'
import { Logo } from '#page/ui/logo.tsx'

const places = [
  { to: '/dashboard', label: text.nav.dashboard, Icon: LayoutDashboard, exact: true },
  { to: '/invoices', label: text.frame.invoices, Icon: ReceiptText, exact: false },
  { to: '/customers', label: text.frame.customers, Icon: Users, exact: false },
  { to: '/items', label: text.frame.items, Icon: Package, exact: false },
  { to: '/dashboard/organizations', label: text.frame.organizations, Icon: Building2, exact: false },
] as const

/** One list of places: a bar under the thumb on a phone, a sidebar from 1024 px. */
export function Navigation() {
  return (
    <nav
      aria-label={text.frame.main}
      className="screen-only fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:inset-y-0 lg:right-auto lg:w-60 lg:border-t-0 lg:border-r lg:p-3"
    >
      <Logo className="hidden p-3 pb-6 lg:inline-flex" />
      {/* As wide as their words: German ones are longer than a fifth of a small phone. */}
      <ul className="flex lg:grid lg:grid-cols-1 lg:gap-1">
        {places.map(({ to, label, Icon, exact }) => (
          <li key={to} className="min-w-11 flex-auto">
            <Link
              to={to}
              activeOptions={{ exact }}
              className="grid min-h-14 content-center justify-items-center gap-0.5 text-[0.6875rem] tracking-tight whitespace-nowrap text-muted sm:text-xs lg:flex lg:min-h-11 lg:items-center lg:justify-start lg:gap-3 lg:rounded-lg lg:px-3 lg:text-base lg:tracking-normal"
              activeProps={{ className: 'text-accent! lg:bg-accent-soft' }}
            >
              <Icon className="size-5" aria-hidden />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
