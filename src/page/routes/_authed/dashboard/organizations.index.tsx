import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { organizationsQuery, useOrganizations } from '#page/current-organization.ts'
import { Attention } from '#page/features/dashboard/attention.tsx'
import { FailureCount } from '#page/features/failures/failure-note.tsx'
import { OwnInvitations } from '#page/features/members/own-invitations.tsx'
import { regionName } from '#page/words/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Empty, Screen } from '#page/ui/screen.tsx'
import { UnsentBadge } from '#page/device/unsent-badge.tsx'

const t = text.organizations

export const Route = createFileRoute('/_authed/dashboard/organizations/')({
  loader: ({ context }) => void context.queryClient.prefetchQuery(organizationsQuery),
  component: OrganizationsScreen,
})

function OrganizationsScreen() {
  const organizations = useOrganizations()
  const navigate = useNavigate()
  const create = (
    <Button look="primary" onClick={() => void navigate({ to: '/dashboard/organizations/new' })}>
      {t.new}
    </Button>
  )
  return (
    <Screen title={t.title} lead={t.lead} actions={organizations.data?.length ? create : null}>
      <OwnInvitations />
      <Loaded query={organizations}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t.emptyTitle} action={create}>
              {t.empty}
            </Empty>
          ) : (
            <ul className="overflow-hidden rounded-xl border border-line bg-surface">
              {list.map((organization) => (
                <li key={organization.id} className="border-b border-line last:border-b-0">
                  <Link
                    to="/organization/$organizationId"
                    params={{ organizationId: organization.id }}
                    className="flex min-h-16 items-center justify-between gap-4 px-4 py-2 text-ink no-underline hover:bg-raised"
                  >
                    <span className="min-w-0">
                      <span className="block truncate font-semibold">{organization.name}</span>
                      <span className="block text-sm text-muted">
                        {regionName(organization.country)} · {organization.currency} · {t.roles[organization.role]}
                      </span>
                      <Attention organizationId={organization.id} />
                      <FailureCount organizationId={organization.id} />
                    </span>
                    <span className="flex shrink-0 items-center gap-2">
                      <UnsentBadge row={organization} />
                      <ChevronRight className="size-5 text-muted" aria-hidden />
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Screen>
  )
}
