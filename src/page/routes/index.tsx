import { createFileRoute, Link } from '@tanstack/react-router'
import { CloudOff, Fingerprint, ReceiptText } from 'lucide-react'
import { isSignedIn } from '#shared/session.ts'
import { LanguageChoice } from '#page/words/language-choice.tsx'
import { useSession } from '#page/session.ts'
import { text } from '#page/words/text.ts'
import { buttonClass } from '#page/ui/button.tsx'
import { Logo } from '#page/ui/logo.tsx'

export const Route = createFileRoute('/')({ component: Landing })

const icons = [CloudOff, Fingerprint, ReceiptText]

function Landing() {
  const signedIn = isSignedIn(useSession())
  return (
    <div className="mx-auto grid max-w-5xl gap-12 px-4 py-6 sm:px-6 sm:py-10">
      <header className="flex items-center justify-between gap-4">
        <Logo />
        {!signedIn && (
          <Link to="/login" className={buttonClass('quiet')}>
            {text.landing.signIn}
          </Link>
        )}
      </header>
      <main className="grid gap-14">
        <section className="grid max-w-3xl gap-6 pt-6 sm:pt-14">
          <h1 className="text-4xl font-semibold tracking-tight text-balance sm:text-6xl">{text.landing.title}</h1>
          <p className="max-w-2xl text-lg text-muted">{text.landing.lead}</p>
          <p>
            {signedIn ? (
              <Link to="/dashboard" className={buttonClass('primary')}>
                {text.landing.open}
              </Link>
            ) : (
              <Link to="/register" className={buttonClass('primary')}>
                {text.landing.start}
              </Link>
            )}
          </p>
        </section>
        <ul className="grid gap-4 sm:grid-cols-3">
          {text.landing.points.map(([title, lead], index) => {
            const Icon = icons[index]!
            return (
              <li key={title} className="grid content-start gap-2 rounded-xl border border-line bg-surface p-5">
                <Icon className="size-6 text-accent" aria-hidden />
                <h2 className="text-lg font-semibold">{title}</h2>
                <p className="text-muted">{lead}</p>
              </li>
            )
          })}
        </ul>
      </main>
      <footer>
        <LanguageChoice />
      </footer>
    </div>
  )
}
