// The floor: an app of the same packages that shows one heading.
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { QueryClient } from '@tanstack/react-query'
import { PersistQueryClientProvider } from '@tanstack/react-query-persist-client'
import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { Toaster } from 'sonner'

const queryClient = new QueryClient()
const persister = createSyncStoragePersister({ storage: localStorage })
const rootRoute = createRootRoute({
  component: () => (
    <PersistQueryClientProvider client={queryClient} persistOptions={{ persister }}>
      <Outlet />
      <Toaster />
    </PersistQueryClientProvider>
  ),
})
const index = createRoute({ getParentRoute: () => rootRoute, path: '$', component: () => <h1>Empty</h1> })
const router = createRouter({ routeTree: rootRoute.addChildren([index]) })
createRoot(document.querySelector('#root')!).render(<RouterProvider router={router} />)
