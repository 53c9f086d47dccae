// Page entry: query client, router, worker registration, mount.
import '#page/no-generated-code.ts'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { isSignedIn } from '#shared/session.ts'
import { openGateEarly, tryNow } from '#page/boot.ts'
import { followConnection } from '#page/connection.ts'
import { followDevice } from '#page/device-news.ts'
import { followInstall } from '#page/install.ts'
import { createPaintCache, createQueryClient } from '#page/query-client.ts'
import { registerWorker } from '#page/register-worker.ts'
import { createAppRouter } from '#page/router.tsx'
import { followSession, knownSession, onSessionChange, rehydrate } from '#page/session.ts'
import { rememberPrerendered } from '#page/takeover.ts'
import { applyStoredTheme } from '#page/ui/theme.ts'
import { offerUpdate } from '#page/update.ts'
import '#page/ui/styles.css'

const tellingTakesMs = 150

applyStoredTheme()
rememberPrerendered()
const queryClient = createQueryClient()
const paintCache = createPaintCache(queryClient)
const router = createAppRouter({ queryClient, paintCache })

onSessionChange((session) => {
  if (isSignedIn(session)) void router.invalidate()
  else void showNobody()
})
followInstall()
followSession()
followConnection(queryClient)
followDevice(queryClient)
void mount()

/** Whoever leaves takes their data with them, in every tab: it is out of sight and off the device at once; the guards then decide anew. */
async function showNobody(): Promise<void> {
  const root = document.querySelector<HTMLElement>('#root')!
  root.hidden = true
  paintCache.seal()
  // Twenty tabs that draw at once on a small device would keep one another from hearing it: the telling first, then the drawing.
  await new Promise((resolve) => setTimeout(resolve, tellingTakesMs))
  await router.invalidate()
  root.hidden = false
}

/** No await outside a function here: screens import what this file is bundled with, and would wait for it for ever. */
async function mount(): Promise<void> {
  // A public screen is there already: it stays until the app's own is ready to take its place.
  await router.load()
  createRoot(document.querySelector('#root')!).render(<RouterProvider router={router} />)
  registerWorker(offerUpdate)
  openGateEarly()
  if (knownSession()) await rehydrate()
  tryNow()
}
