// A modal question: focus is kept inside and given back; on a phone it rises from the bottom edge.
import { Dialog as Base } from '@base-ui/react/dialog'
import { useEffect, type ReactNode } from 'react'
import { goOnAt } from './go-on-at.ts'
import { leaveView } from './view.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  /** Of a form of two columns. */
  wide?: boolean
  children: ReactNode
}

/** What opened it may be gone when it closes, as "Send" is while a mail waits: whoever goes on by keyboard, or listens, goes on at the heading of the screen. */
function useHeadingAfter(open: boolean): void {
  useEffect(() => {
    if (!open) return
    return () => void setTimeout(() => goOnAt(document.querySelector('h1')))
  }, [open])
}

export function Dialog({ open, onOpenChange, title, description, wide = false, children }: Props) {
  useHeadingAfter(open)
  const change = (isOpen: boolean) => {
    // By the person: what closes itself with the press goes on being shown where it stood.
    if (!isOpen) leaveView()
    onOpenChange(isOpen)
  }
  return (
    <Base.Root open={open} onOpenChange={change}>
      <Base.Portal>
        <Base.Backdrop className="fade fixed inset-0 z-40 bg-black/60" />
        <Base.Popup
          className={`fade fixed inset-x-0 bottom-0 z-50 grid max-h-[90dvh] gap-4 overflow-auto rounded-t-2xl border border-line bg-surface p-5 pb-[calc(1.25rem+env(safe-area-inset-bottom))] sm:inset-auto sm:top-1/2 sm:left-1/2 ${wide ? 'sm:w-[min(48rem,calc(100vw-2rem))]' : 'sm:w-md'} sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl sm:pb-5`}
        >
          <Base.Title className="text-lg font-semibold">{title}</Base.Title>
          {description && <Base.Description className="text-muted">{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Its answers, in a row; where that is too narrow for their words, in two. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-3">{children}</div>
}
