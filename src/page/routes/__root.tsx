import type { QueryClient } from '@tanstack/react-query'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet, useRouteContext } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { lazily } from '#page/lazily.ts'
import type { RouterContext } from '#page/router.tsx'
import { text } from '#page/words/text.ts'
import { useTheme } from '#page/theme.ts'
import { GenericErrorView } from '#page/views.tsx'

const LossNotice = lazily(() => import('#page/device/loss-notice.tsx').then((module) => module.LossNotice))
const Toaster = lazily(() => import('#page/ui/toaster.tsx').then((module) => module.Toaster))

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Root,
  errorComponent: ({ error }) => <GenericErrorView error={error} />,
})

/** Provides the data cache and the toast area to every screen. */
function Root() {
  const { queryClient }: { queryClient: QueryClient } = useRouteContext({ from: '__root__' })
  const theme = useTheme()
  const idle = useIdle()
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
      {idle && (
        <Suspense>
          <LossNotice />
          <Toaster theme={theme} label={text.notifications} />
        </Suspense>
      )}
    </QueryClientProvider>
  )
}

/** True once the first screen is painted: what nobody sees yet can wait until then. */
function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), 500)
    return () => clearTimeout(timer)
  }, [])
  return idle
}
