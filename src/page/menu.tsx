// A button with a menu below it. What makes menus weighs more than the screens that have them, and most are never opened: it is loaded when one is asked for.
import { Suspense, useState } from 'react'
import { Late } from './late.tsx'
import { lazily } from './lazily.ts'
import type { MenuParts } from './ui/opened-menu.tsx'

const load = () => import('./ui/opened-menu.tsx')
const OpenedMenu = lazily(async () => (await load()).OpenedMenu)
export const MenuItem = lazily(async () => (await load()).MenuItem)
export const MenuSeparator = lazily(async () => (await load()).MenuSeparator)

export function Menu({ trigger, label, className = '', children }: MenuParts) {
  const [asked, setAsked] = useState<'pointer' | 'keyboard' | null>(null)
  const look = `flex min-h-11 items-center gap-2 rounded-lg px-2 hover:bg-raised ${className}`
  const button = (
    <button
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      className={look}
      // A press of Enter or Space is a click without a pointer.
      onClick={({ detail }) => setAsked(detail === 0 ? 'keyboard' : 'pointer')}
      onKeyDown={({ key }) => {
        if (key === 'ArrowDown' || key === 'ArrowUp') setAsked('keyboard')
      }}
    >
      {trigger}
    </button>
  )
  if (!asked) return button
  const early = (
    <>
      {button}
      <Late onClose={() => setAsked(null)} />
    </>
  )
  return (
    <Suspense fallback={early}>
      <OpenedMenu trigger={trigger} label={label} className={look} toFirst={asked === 'keyboard'}>
        {children}
      </OpenedMenu>
    </Suspense>
  )
}
