import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { may, type Permission } from '#shared/permissions.ts'
import { useShowsAll } from './all-organizations.tsx'
import { useCurrentOrganization, useOrganizations } from './current-organization.ts'
import { Loaded } from './loaded.tsx'
import { NotYours } from './not-yours.tsx'
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
  /**
   * What is done on it; whoever may not is told so in its place. It stays with the organization that it was opened for: nobody goes on typing for another
   * business because they left that one, or another tab shows another.
   */
  permission?: Permission
  /** Where whoever has none yet may be asked to join one. */
  invited?: ReactNode
  /** What it shows of all organizations, where it can and that is chosen. */
  all?: (organizations: readonly Organization[]) => ReactNode
  children: (organization: Organization) => ReactNode
}) {
  const organizations = useOrganizations()
  const inView = useCurrentOrganization()
  const [opened, setOpened] = useState(inView?.id)
  if (opened === undefined && inView) setOpened(inView.id)
  const showsAll = useShowsAll()
  const navigate = useNavigate()
  const current = permission ? organizations.data?.find(({ id }) => id === opened) : inView
  if (permission && opened !== undefined && !current) return <NotYours />
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
