import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { useCurrentOrganization, useOrganizations } from './current-organization.ts'
import { Loaded } from './loaded.tsx'
import { text } from './app-text.ts'
import { Button } from './ui/button.tsx'
import { Empty, Screen } from './ui/screen.tsx'

/** A screen of the organization in view; whoever has none yet is shown how to make one. */
export function NeedsOrganization({
  title,
  invited,
  children,
}: {
  title: string
  /** Where whoever has none yet may be asked to join one. */
  invited?: ReactNode
  children: (organization: Organization) => ReactNode
}) {
  const organizations = useOrganizations()
  const current = useCurrentOrganization()
  const navigate = useNavigate()
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
