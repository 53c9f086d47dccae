// Page entry: query client, router, worker registration, mount.
import '#page/start/no-generated-code.ts'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { unstable_forceFrameRate as forceFrameRate } from 'scheduler'
import { openGateEarly, tryNow } from '#page/start/boot.ts'
import { followConnection } from '#page/device/follow-connection.ts'
import { followDevice } from '#page/device/device-news.ts'
import { followInstall } from '#page/start/install.ts'
import { openAppWords, openLanguage } from '#page/words/language.ts'
import { followPerson } from '#page/start/nobody.ts'
import { createPaintCache, createQueryClient } from '#page/query-client.ts'
import { registerWorker } from '#page/start/register-worker.ts'
import { createAppRouter } from '#page/router.tsx'
import { followSession, knownSession, rehydrate } from '#page/session.ts'
import { rememberPrerendered } from '#page/start/takeover.ts'
import { applyStoredTheme } from '#page/theme.ts'
import { offerUpdate } from '#page/start/update.ts'
import { leaveView } from '#page/ui/view.ts'
import '#page/ui/styles.css'

// Drawing in steps of 5 ms, as React would, a cheap phone spends a third of the time between the steps. 33 ms are no long task yet.
forceFrameRate(30)
applyStoredTheme()
rememberPrerendered()
const queryClient = createQueryClient()
const paintCache = createPaintCache(queryClient)
const router = createAppRouter({ queryClient, paintCache })

followPerson({
  paintCache,
  draw: () => router.invalidate(),
  goHome: () => router.navigate({ to: '/dashboard', replace: true }),
})
router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && leaveView())
followInstall()
followSession()
followConnection(queryClient)
followDevice(queryClient)
void mount()

/** No await outside a function here: screens import what this file is bundled with, and would wait for it for ever. */
async function mount(): Promise<void> {
  await openLanguage()
  // Their guard waits for them; begun here they come beside the first screen's files.
  if (knownSession()) void openAppWords().catch(() => {})
  // A public screen is there already: it stays until the app's own is ready to take its place.
  await router.load()
  const root = createRoot(document.querySelector('#root')!)
  // As a transition React draws in small steps: the whole first screen at once would hold a cheap phone up for half a second.
  startTransition(() => root.render(<RouterProvider router={router} />))
  registerWorker(offerUpdate)
  openGateEarly()
  if (knownSession()) await rehydrate()
  tryNow()
}
