// The frame of every protected screen: organization, sign-out, where to go, and what the connection and the worker have to say.
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { Late } from '#page/late.tsx'
import { lazily } from '#page/lazily.ts'
import { text } from '#page/words/app-text.ts'
import { Announcements } from './announcements.tsx'
import { Header } from './header.tsx'
import { Navigation } from './navigation.tsx'
import { useShortcuts } from './shortcuts.ts'

const loadPalette = () => import('./palette.tsx')
const Palette = lazily(() => loadPalette().then((module) => module.Palette))

export function AppShell({ children }: { children: ReactNode }) {
  const [paletteOpen, setPaletteOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const open = () => {
    setTyped('')
    setPaletteOpen(true)
  }
  const close = () => setPaletteOpen(false)
  useShortcuts(paletteOpen, open)
  // There when it is called for: who presses the keys goes on typing at once.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), 2000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <CSPProvider disableStyleElements>
      <div className="min-h-dvh pb-[calc(8rem+env(safe-area-inset-bottom))] lg:pb-12 lg:pl-60">
        <a
          href="#content"
          className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-accent focus:p-3 focus:text-on-accent"
        >
          {text.frame.skip}
        </a>
        <Header onSearch={open} />
        <Announcements />
        <main id="content" tabIndex={-1} className="outline-none">
          {children}
        </main>
        <Navigation />
        {paletteOpen && (
          <Suspense fallback={<Early typed={typed} onType={setTyped} onClose={close} />}>
            <Palette first={typed} onClose={close} />
          </Suspense>
        )}
      </div>
    </CSPProvider>
  )
}

/** Takes what is typed before the palette is there: whoever presses the keys does not wait. */
function Early({ typed, onType, onClose }: { typed: string; onType: (typed: string) => void; onClose: () => void }) {
  return (
    <>
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- The person asked for it by a key.
        autoFocus
        className="sr-only"
        aria-label={text.frame.search}
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <Late onClose={onClose} />
    </>
  )
}
