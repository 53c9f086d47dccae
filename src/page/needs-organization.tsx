import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { may, type Permission } from '#shared/permissions.ts'
import { useShowsAll } from './all-organizations.tsx'
import { useCurrentOrganization, useOrganizations } from './current-organization.ts'
import { Loaded } from './loaded.tsx'
import { text } from '#page/words/app-text.ts'
import { Permitted } from './permitted.tsx'
import { Button } from './ui/button.tsx'
import { Empty, Screen } from './ui/screen.tsx'

/** A screen of the organization in view; whoever has none yet is shown how to make one. */
export function NeedsOrganization({
  title,
  permission,
  invited,
  all,
  children,
}: {
  title: string
  /** What is done on it; whoever may not is told so in its place. */
  permission?: Permission
  /** Where whoever has none yet may be asked to join one. */
  invited?: ReactNode
  /** What it shows of all organizations, where it can and that is chosen. */
  all?: (organizations: readonly Organization[]) => ReactNode
  children: (organization: Organization) => ReactNode
}) {
  const organizations = useOrganizations()
  const current = useCurrentOrganization()
  const showsAll = useShowsAll()
  const navigate = useNavigate()
  if (current && permission && !may(current, permission))
    return (
      <Screen title={title} lead={current.name}>
        <Permitted organization={current} permission={permission}>
          {null}
        </Permitted>
      </Screen>
    )
  if (all && showsAll && organizations.data) return all(organizations.data)
  if (current) return children(current)
  return (
    <Screen title={title}>
      {invited}
      <Loaded query={organizations}>
        {() => (
          <Empty
            title={text.organizations.emptyTitle}
            action={
              <Button look="primary" onClick={() => void navigate({ to: '/dashboard/organizations/new' })}>
                {text.organizations.new}
              </Button>
            }
          >
            {text.organizations.empty}
          </Empty>
        )}
      </Loaded>
    </Screen>
  )
}
