import { Link } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { text } from '#page/words/app-text.ts'
import { Screen } from '#page/ui/screen.tsx'

const { parts } = text.accountScreens
const places = [
  { to: '/account', part: 'profile' },
  { to: '/account/security', part: 'security' },
  { to: '/account/data', part: 'data' },
] as const

/** One of the three screens of the account, with the way to the others. */
export function AccountScreen({ part, children }: { part: keyof typeof parts; children: ReactNode }) {
  useEffect(() => {
    document.title = `${parts[part]} · ${text.account.title} · Docket`
  }, [part])
  return (
    <Screen title={text.account.title}>
      <nav aria-label={text.accountScreens.partsLabel}>
        <ul className="grid grid-cols-3 gap-1 rounded-xl border border-line bg-surface p-1">
          {places.map(({ to, part: each }) => (
            <li key={to}>
              <Link
                to={to}
                activeOptions={{ exact: true }}
                className="grid min-h-11 place-items-center rounded-lg px-2 text-center text-muted no-underline hover:bg-raised"
                activeProps={{ className: 'bg-accent-soft text-accent! font-medium' }}
              >
                {parts[each]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </Screen>
  )
}
