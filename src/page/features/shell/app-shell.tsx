// The frame of every protected screen: organization, sign-out, where to go, and what the connection and the worker have to say.
import { Link, useNavigate } from '@tanstack/react-router'
import {
  Building2,
  Check,
  ChevronDown,
  CloudOff,
  LayoutDashboard,
  LogOut,
  ReceiptText,
  Search,
  UserRound,
  Users,
} from 'lucide-react'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { useReachable } from '#page/connection.ts'
import { showOrganization, useCurrentOrganization, useOrganizations } from '#page/current-organization.ts'
import { problemText } from '#page/problem-text.ts'
import { signOut } from '#page/session.ts'
import { text } from '#page/text.ts'
import { Button } from '#page/ui/button.tsx'
import { Logo } from '#page/ui/logo.tsx'
import { Menu, MenuItem, MenuSeparator } from '#page/ui/menu.tsx'
import { notify } from '#page/ui/notify.ts'
import { useUpdate } from '#page/update.ts'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })))

const places = [
  { to: '/dashboard', label: text.nav.dashboard, Icon: LayoutDashboard, exact: true },
  { to: '/invoices', label: text.nav.invoices, Icon: ReceiptText, exact: false },
  { to: '/customers', label: text.nav.customers, Icon: Users, exact: false },
  { to: '/dashboard/organizations', label: text.nav.organizations, Icon: Building2, exact: false },
] as const

export function AppShell({ children }: { children: ReactNode }) {
  const [paletteOpen, setPaletteOpen] = useState(false)
  useShortcuts(() => setPaletteOpen(true))
  // There when it is called for: who presses the keys goes on typing at once.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), 2000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <CSPProvider disableStyleElements>
      <div className="min-h-dvh pb-[calc(4.5rem+env(safe-area-inset-bottom))] lg:pb-0 lg:pl-60">
        <a
          href="#content"
          className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-accent focus:p-3 focus:text-on-accent"
        >
          {text.nav.skip}
        </a>
        <Header onSearch={() => setPaletteOpen(true)} />
        <Announcements />
        <main id="content" tabIndex={-1} className="outline-none">
          {children}
        </main>
        <Navigation />
        {paletteOpen && (
          <Suspense fallback={null}>
            <Palette onClose={() => setPaletteOpen(false)} />
          </Suspense>
        )}
      </div>
    </CSPProvider>
  )
}

function Header({ onSearch }: { onSearch: () => void }) {
  const { data: organizations = [] } = useOrganizations()
  const current = useCurrentOrganization()
  const navigate = useNavigate()
  return (
    <header className="screen-only sticky top-0 z-30 flex items-center gap-1 border-b border-line bg-canvas px-2 py-1.5 sm:px-4">
      {current ? (
        <Menu
          label={`${current.name}, ${text.organizations.switch}`}
          className="min-w-0"
          trigger={
            <>
              <span className="truncate font-semibold">{current.name}</span>
              <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
            </>
          }
        >
          {organizations.map((organization) => (
            <MenuItem
              key={organization.id}
              current={organization.id === current.id}
              icon={
                organization.id === current.id ? (
                  <Check className="size-4 text-accent" aria-hidden />
                ) : (
                  <span className="size-4" />
                )
              }
              onSelect={() => {
                showOrganization(organization.id)
                void navigate({ to: '/dashboard' })
              }}
            >
              {organization.name}
            </MenuItem>
          ))}
          <MenuSeparator />
          <MenuItem
            icon={<Building2 className="size-4 text-muted" aria-hidden />}
            onSelect={() =>
              void navigate({ to: '/organization/$organizationId', params: { organizationId: current.id } })
            }
          >
            {text.nav.organization}
          </MenuItem>
        </Menu>
      ) : (
        <Logo className="inline-flex px-2 lg:hidden" />
      )}
      <span className="grow" />
      <IconButton
        label={text.nav.search}
        onPress={onSearch}
        icon={<Search className="size-5" aria-hidden />}
        keys="Control+K"
      />
      <Link
        to="/account"
        className="grid size-11 place-items-center rounded-lg text-ink hover:bg-raised"
        aria-label={text.account.menu}
      >
        <UserRound className="size-5" aria-hidden />
      </Link>
      <IconButton
        label={text.account.signOut}
        onPress={() => void signOut().catch((error: unknown) => notify('error', problemText(error)))}
        icon={<LogOut className="size-5" aria-hidden />}
      />
    </header>
  )
}

function IconButton({
  label,
  onPress,
  icon,
  keys,
}: {
  label: string
  onPress: () => void
  icon: ReactNode
  keys?: string
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-keyshortcuts={keys}
      onClick={onPress}
      className="grid size-11 place-items-center rounded-lg hover:bg-raised"
    >
      {icon}
    </button>
  )
}

/** One list of places: a bar under the thumb on a phone, a sidebar from 1024 px. */
function Navigation() {
  return (
    <nav
      aria-label={text.nav.main}
      className="screen-only fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:inset-y-0 lg:right-auto lg:w-60 lg:border-t-0 lg:border-r lg:p-3"
    >
      <Logo className="hidden p-3 pb-6 lg:inline-flex" />
      <ul className="grid grid-cols-4 lg:grid-cols-1 lg:gap-1">
        {places.map(({ to, label, Icon, exact }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact }}
              className="grid min-h-14 content-center justify-items-center gap-0.5 text-[0.6875rem] text-muted sm:text-xs lg:flex lg:min-h-11 lg:items-center lg:justify-start lg:gap-3 lg:rounded-lg lg:px-3 lg:text-base"
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

function Announcements() {
  const reachable = useReachable()
  const update = useUpdate()
  return (
    <div className="screen-only">
      <output className="block">
        {!reachable && (
          <span className="flex items-center gap-2 bg-warn-soft px-4 py-2 text-sm text-warn">
            <CloudOff className="size-4 shrink-0" aria-hidden />
            {text.connection.offline}
          </span>
        )}
      </output>
      {update && (
        <div className="flex flex-wrap items-center justify-between gap-2 bg-info-soft px-4 py-1 text-info">
          <span>{text.connection.update}</span>
          <Button look="quiet" onClick={() => update.apply()}>
            {text.connection.updateNow}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Ctrl/Cmd+K goes anywhere, N writes an invoice, / searches; never while somebody types. */
function useShortcuts(openPalette: () => void): void {
  const navigate = useNavigate()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        return openPalette()
      }
      const typing =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]')
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'n') {
        event.preventDefault()
        void navigate({ to: '/invoices/new' })
      }
      if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('input[type="search"]')
        event.preventDefault()
        if (search) search.focus()
        else openPalette()
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}
