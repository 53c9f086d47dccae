import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { BellRing, TriangleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { may } from '#shared/permissions.ts'
import { organizationsQuery } from '#page/current-organization.ts'
import { DeleteOrganization } from '#page/features/organizations/delete-organization.tsx'
import { LogoForm, type ChosenLogo } from '#page/features/organizations/logo-form.tsx'
import { SettingsForm } from '#page/features/organizations/settings-form.tsx'
import { flushOpenForms } from '#page/forms/typed.ts'
import { useOnward } from '#page/onward.ts'
import { useOrganization } from '#page/organization-of.ts'
import { markOf, tellSaved } from '#page/device/saved.ts'
import { UnsentHead } from '#page/device/unsent-badge.tsx'
import { text } from '#page/words/app-text.ts'
import { buttonClass } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { Screen, Section } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/settings')({ component: SettingsScreen })

function SettingsScreen() {
  const { organizationId } = Route.useParams()
  const organization = useOrganization(organizationId)
  // What the form was opened with: a refresh in the background must not change what is being edited. Saving brings both together.
  const [opened, setOpened] = useState(organization)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const onward = useOnward()
  const chosenLogo = useRef<ChosenLogo>(null)
  async function reload(): Promise<void> {
    const list = await queryClient.fetchQuery({ ...organizationsQuery, staleTime: 0 })
    flushOpenForms()
    setOpened(list.find(({ id }) => id === organizationId) ?? organization)
  }
  return (
    <Screen title={text.frame.settings} lead={<UnsentHead row={organization} name={organization.name} />}>
      {may(organization, 'organization.edit') && <LogoForm ref={chosenLogo} organization={organization} />}
      <SettingsForm
        key={opened.version}
        keptName={`settings.${organizationId}.${opened.version}`}
        organization={opened}
        onReload={() => void reload()}
        onSaved={(saved) => {
          tellSaved(text.saved.what.settings, saved)
          // Away from here the picture would be lost without a word.
          if (chosenLogo.current?.isLeft()) setOpened(saved)
          else void onward({ to: '/organization/$organizationId', params: { organizationId } })
        }}
      />
      <Section title={text.reminders.title}>
        <p className="text-muted">{text.reminders.settingsLead}</p>
        <div className="flex flex-wrap gap-3">
          <Link to="/organization/$organizationId/reminders" params={{ organizationId }} className={buttonClass()}>
            <BellRing className="size-5" aria-hidden />
            {text.reminders.rule}
          </Link>
          {may(organization, 'failure.manage') && (
            <Link to="/organization/$organizationId/failures" params={{ organizationId }} className={buttonClass()}>
              <TriangleAlert className="size-5" aria-hidden />
              {text.failures.title}
            </Link>
          )}
        </div>
      </Section>
      {may(organization, 'organization.delete') && (
        <DeleteOrganization
          organization={organization}
          onReload={() => void reload()}
          onDeleted={async (answer) => {
            notify('success', markOf(answer) ? text.saved.willBeClosed : text.organizations.closed)
            await navigate({ to: '/dashboard/organizations' })
          }}
        />
      )}
    </Screen>
  )
}
