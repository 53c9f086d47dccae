import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { Building2, Check, ChevronDown, Layers, LogOut, Search, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { showAllOrganizations, showOnly, useShowsAll } from '#page/all-organizations.tsx'
import { useCurrentOrganization, useOrganizations } from '#page/current-organization.ts'
import { text } from '#page/words/app-text.ts'
import { Logo } from '#page/ui/logo.tsx'
import { Menu, MenuItem, MenuSeparator } from '#page/menu.tsx'
import { useOwnLogos } from './own-logos.ts'
import { SignOut } from './sign-out.tsx'
import { SyncChip } from './sync-chip.tsx'

/** Which organization is in view, and what is always at hand: search, account, sign-out. */
export function Header({ onSearch }: { onSearch: () => void }) {
  const { data: organizations = [] } = useOrganizations()
  const current = useCurrentOrganization()
  useOwnLogos()
  // The other screens are about one.
  const mayShowAll = useLocation({ select: ({ pathname }) => /^\/(dashboard|invoices)\/?$/.test(pathname) })
  const showsAll = useShowsAll() && mayShowAll
  const shown = showsAll ? text.organizations.all : current?.name
  const navigate = useNavigate()
  return (
    <header className="screen-only sticky top-0 z-30 flex items-center gap-1 border-b border-line bg-canvas px-2 py-1.5 sm:px-4">
      {current ? (
        <Menu
          label={`${shown}, ${text.frame.switch}`}
          className="min-w-0"
          trigger={
            <>
              <span className="truncate font-semibold">{shown}</span>
              <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
            </>
          }
        >
          {organizations.map((organization) => (
            <MenuItem
              key={organization.id}
              current={!showsAll && organization.id === current.id}
              icon={
                !showsAll && organization.id === current.id ? (
                  <Check className="size-4 text-accent" aria-hidden />
                ) : (
                  <span className="size-4" />
                )
              }
              onSelect={() => {
                showOnly(organization.id)
                void navigate({ to: '/dashboard' })
              }}
            >
              {organization.name}
            </MenuItem>
          ))}
          {organizations.length > 1 && (
            <MenuItem
              current={showsAll}
              icon={
                showsAll ? (
                  <Check className="size-4 text-accent" aria-hidden />
                ) : (
                  <Layers className="size-4 text-muted" aria-hidden />
                )
              }
              onSelect={() => {
                showAllOrganizations()
                if (!mayShowAll) void navigate({ to: '/dashboard' })
              }}
            >
              {text.organizations.all}
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem
            icon={<Building2 className="size-4 text-muted" aria-hidden />}
            onSelect={() =>
              void navigate({ to: '/organization/$organizationId', params: { organizationId: current.id } })
            }
          >
            {text.frame.organization}
          </MenuItem>
        </Menu>
      ) : (
        <Logo className="inline-flex px-2 lg:hidden" />
      )}
      <span className="grow" />
      <SyncChip />
      <IconButton
        label={text.frame.search}
        onPress={onSearch}
        icon={<Search className="size-5" aria-hidden />}
        keys="Control+K"
      />
      <SignOut>
        {(press) => (
          <>
            <Link to="/account" className={`${iconButton} text-ink max-sm:hidden`} aria-label={text.account.menu}>
              <UserRound className="size-5" aria-hidden />
            </Link>
            <span className="max-sm:hidden">
              <IconButton
                label={text.account.signOut}
                onPress={press}
                icon={<LogOut className="size-5" aria-hidden />}
              />
            </span>
            {/* On a phone the organization's name needs the room. */}
            <span className="shrink-0 sm:hidden">
              <Menu
                label={text.account.menu}
                className="w-11 justify-center"
                trigger={<UserRound className="size-5" aria-hidden />}
              >
                <MenuItem
                  icon={<UserRound className="size-4 text-muted" aria-hidden />}
                  onSelect={() => void navigate({ to: '/account' })}
                >
                  {text.account.menu}
                </MenuItem>
                <MenuItem icon={<LogOut className="size-4 text-muted" aria-hidden />} onSelect={press}>
                  {text.account.signOut}
                </MenuItem>
              </Menu>
            </span>
          </>
        )}
      </SignOut>
    </header>
  )
}

const iconButton = 'grid size-11 shrink-0 place-items-center rounded-lg hover:bg-raised'

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
      className={iconButton}
    >
      {icon}
    </button>
  )
}
