// What stands where a screen cannot (seed section 2): the error view, the generic view, the not-found view.
import { Link, useRouter, type AsyncRouteComponent, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { isReachable, reach } from './device/connection.ts'
import { Button, buttonClass } from './ui/button.tsx'
import { usePageTitle } from './ui/page-title.ts'
import { isUndelivered } from './undelivered.ts'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/text.ts'

/** Since this page was loaded. */
let triedByItself = 0
const mostByItself = 5

/** The default of a route whose loading failed. */
export function ErrorView({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  async function tryAgain(): Promise<void> {
    // Of a file that did not come the router goes on saying so until it is asked for outright.
    if (isUndelivered(error))
      for (const { routeId } of router.state.matches)
        await (
          router.routesById[routeId].options.component as Partial<AsyncRouteComponent<object>> | undefined
        )?.preload?.()
    reset()
    void router.invalidate()
  }
  // By itself as well once the server answers, as every other screen: but a file that is gone for good does not come.
  useEffect(() =>
    reach.listen(() => {
      if (isReachable() && (triedByItself += 1) <= mostByItself) void tryAgain()
    }),
  )
  return (
    <Centred title={text.errors.title}>
      <p className="text-muted">{problemText(error, 'action')}</p>
      <Button look="primary" onClick={() => void tryAgain()}>
        {text.tryAgain}
      </Button>
    </Centred>
  )
}

/** For what nobody foresaw: says so, and shows the message to whoever asks. */
export function GenericErrorView({ error }: { error: unknown }) {
  const [shown, setShown] = useState(false)
  return (
    <Centred title={text.errors.generic}>
      <Button onClick={() => setShown(!shown)} aria-expanded={shown}>
        {shown ? text.errors.hide : text.errors.show}
      </Button>
      {shown && (
        <pre className="max-w-full overflow-auto rounded-lg bg-raised p-4 text-left text-sm">
          {error instanceof Error ? error.message : String(error)}
        </pre>
      )}
      <a className={buttonClass('primary')} href="/dashboard">
        {text.nav.dashboard}
      </a>
    </Centred>
  )
}

export function NotFoundView() {
  return (
    <Centred title={text.errors.notFound}>
      <p className="max-w-md text-muted">{text.errors.notFoundLead}</p>
      <Link to="/dashboard" className={buttonClass('primary')}>
        {text.nav.dashboard}
      </Link>
    </Centred>
  )
}

function Centred({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title)
  return (
    <div className="grid min-h-[60dvh] content-center justify-items-center gap-4 p-6 text-center">
      <h1 className="text-2xl font-semibold">{title}</h1>
      {children}
    </div>
  )
}
