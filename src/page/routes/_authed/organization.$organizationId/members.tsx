import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { may } from '#shared/permissions.ts'
import { Invitations } from '#page/features/members/invitations.tsx'
import { InviteForm } from '#page/features/members/invite-form.tsx'
import { Leave, Transfer } from '#page/features/members/leaving.tsx'
import { MemberList } from '#page/features/members/member-list.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/words/app-text.ts'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/members')({
  component: MembersScreen,
})

function MembersScreen() {
  const { organizationId } = Route.useParams()
  const organization = useOrganization(organizationId)
  const navigate = useNavigate()
  return (
    <Screen title={text.members.title} lead={organization.name}>
      <MemberList organization={organization} />
      {may(organization, 'member.manage') && (
        <>
          <InviteForm organization={organization} />
          <Invitations organization={organization} />
        </>
      )}
      <Transfer organization={organization} />
      <Leave organization={organization} onLeft={() => navigate({ to: '/dashboard/organizations' })} />
    </Screen>
  )
}
