// A menu that was asked for, and the button that it hangs on (ui/menu.tsx).
import { Menu as Base } from '@base-ui/react/menu'
import { useRef, type FocusEvent, type ReactNode } from 'react'

export interface MenuParts {
  trigger: ReactNode
  label: string
  className?: string
  children: ReactNode
}

export function OpenedMenu({ trigger, label, className, children, toFirst }: MenuParts & { toFirst: boolean }) {
  const isPlaced = useRef(false)
  /** Asked for by keyboard: the library gives its popup the focus, and where it opens one itself, the first item. */
  function place({ target, currentTarget }: FocusEvent<HTMLElement>): void {
    if (!toFirst || isPlaced.current || target !== currentTarget) return
    isPlaced.current = true
    currentTarget.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }
  return (
    <Base.Root defaultOpen>
      <Base.Trigger className={className} aria-label={label}>
        {trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-50 print:hidden" sideOffset={6} align="end">
          <Base.Popup onFocus={place} className="fade min-w-56 rounded-xl border border-line bg-surface p-1 shadow-lg">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export function MenuItem({
  onSelect,
  icon,
  current = false,
  children,
}: {
  onSelect: () => void
  icon?: ReactNode
  current?: boolean
  children: ReactNode
}) {
  return (
    <Base.Item
      onClick={onSelect}
      aria-current={current || undefined}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 data-highlighted:bg-raised"
    >
      {icon}
      {children}
    </Base.Item>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />
}
