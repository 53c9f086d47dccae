import { createFileRoute, Outlet, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { showOrganization, useOrganizations } from '#page/current-organization.ts'
import { Loaded } from '#page/loaded.tsx'
import { NotYours } from '#page/not-yours.tsx'
import { text } from '#page/words/app-text.ts'
import { Skeleton } from '#page/ui/screen.tsx'

/** Everything below is of this organization, which becomes the one in view. */
export const Route = createFileRoute('/_authed/organization/$organizationId')({ component: OrganizationFrame })

function OrganizationFrame() {
  const { organizationId } = useParams({ from: Route.id })
  const organizations = useOrganizations()
  const known = organizations.data?.some(({ id }) => id === organizationId) ?? false
  useEffect(() => {
    if (known) showOrganization(organizationId)
  }, [known, organizationId])
  if (known) return <Outlet />
  // A list from the last visit may not know what was made a moment ago.
  if (organizations.isFetching) return <Skeleton label={text.loading} />
  return <Loaded query={organizations}>{() => <NotYours />}</Loaded>
}
