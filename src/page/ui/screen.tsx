// The parts every screen is made of: its heading, sections, what stands there while or when there is nothing.
import { useEffect, useRef, type ReactNode } from 'react'
import { goOnAt } from './go-on-at.ts'
import { usePageTitle } from './page-title.ts'

/** The page as it was loaded begins at its top, with the link that skips the frame. */
let isFirst = true

/** What was pressed to come here is gone with its screen: who goes on by keyboard, or listens, goes on at the heading of this one. */
function useHeading() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirst) goOnAt(heading.current)
    isFirst = false
  }, [])
  return heading
}

export function Screen({
  title,
  ways,
  actions,
  lead,
  children,
  wide = false,
}: {
  title: string
  /** Links and quiet buttons that lead on from here. A phone has them in one row that moves sideways: what the screen is for comes first. */
  ways?: ReactNode
  actions?: ReactNode
  lead?: ReactNode
  children: ReactNode
  wide?: boolean
}) {
  usePageTitle(title)
  const heading = useHeading()
  return (
    <div
      className={`mx-auto grid w-full grid-cols-[minmax(0,1fr)] gap-6 px-4 py-6 sm:px-6 ${wide ? 'max-w-6xl' : 'max-w-3xl'}`}
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 print:hidden">
        <div className="min-w-0 sm:grow sm:basis-64">
          <h1
            ref={heading}
            tabIndex={-1}
            dir="auto"
            className="text-left text-2xl font-semibold tracking-tight wrap-anywhere outline-none"
          >
            {title}
          </h1>
          {lead && <div className="mt-1 text-muted empty:hidden">{lead}</div>}
        </div>
        {actions && <div className="screen-only flex flex-wrap gap-2">{actions}</div>}
        {ways && (
          <div className="screen-only -mx-4 -my-1 flex basis-[calc(100%+2rem)] gap-2 overflow-x-auto px-4 py-1 *:shrink-0 sm:mx-0 sm:basis-full sm:flex-wrap sm:px-0">
            {ways}
          </div>
        )}
      </header>
      {children}
    </div>
  )
}

export function Section({
  title,
  children,
  actions,
  danger = false,
}: {
  title?: string
  children: ReactNode
  actions?: ReactNode
  /** What is done here cannot be undone. */
  danger?: boolean
}) {
  return (
    <section
      className={`grid gap-4 rounded-xl border bg-surface p-4 sm:p-5 ${danger ? 'border-danger/50' : 'border-line'}`}
    >
      {(title || actions) && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          {title && <h2 className="text-lg font-semibold">{title}</h2>}
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}

/** What this is, and one button to make the first. */
export function Empty({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-3 rounded-xl border border-dashed border-line px-6 py-12 text-center">
      <p className="text-lg font-semibold">{title}</p>
      <p className="max-w-md text-muted">{children}</p>
      {action}
    </div>
  )
}

export function Skeleton({ rows = 4, label }: { rows?: number; label: string }) {
  return (
    <output className="grid gap-3" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className="skeleton h-14" />
      ))}
    </output>
  )
}

export function Notice({ tone = 'info', children }: { tone?: 'info' | 'danger' | 'warn'; children: ReactNode }) {
  const look = { info: 'bg-info-soft text-info', danger: 'bg-danger-soft text-danger', warn: 'bg-warn-soft text-warn' }[
    tone
  ]
  return (
    <div role={tone === 'danger' ? 'alert' : 'status'} className={`rounded-lg px-4 py-3 ${look}`}>
      {children}
    </div>
  )
}
