import { useEffect, type ReactNode } from 'react'
import { LanguageChoice } from '#page/words/language-choice.tsx'
import { Logo } from '#page/ui/logo.tsx'

/** What every screen of somebody who is not signed in looks like. */
export function PublicFrame({
  icon,
  title,
  lead,
  children,
}: {
  icon?: ReactNode
  title: string
  lead?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Docket`
  }, [title])
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-md content-start gap-8 px-4 py-8 sm:content-center">
      <a href="/" className="justify-self-start rounded-lg text-ink no-underline">
        <Logo />
      </a>
      <main className="grid gap-6">
        <div>
          {icon && <div className="mb-5">{icon}</div>}
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {lead && <p className="text-muted">{lead}</p>}
        </div>
        {children}
      </main>
      <footer>
        <LanguageChoice />
      </footer>
    </div>
  )
}
