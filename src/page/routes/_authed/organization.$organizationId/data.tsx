import { createFileRoute, Link } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { may } from '#shared/permissions.ts'
import { OrganizationExports } from '#page/features/exports/organization-export.tsx'
import { importKinds } from '#page/features/imports/fields.ts'
import { importPermissions } from '#page/features/imports/permissions.ts'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/words/app-text.ts'
import { buttonClass } from '#page/ui/button.tsx'
import { Screen, Section } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/data')({ component: DataScreen })

const t = text.imports

function DataScreen() {
  const { organizationId } = Route.useParams()
  const organization = useOrganization(organizationId)
  const kinds = importKinds.filter((kind) => may(organization, importPermissions[kind]))
  return (
    <Screen title={text.exports.title} lead={organization.name}>
      <OrganizationExports organization={organization} />
      {kinds.length > 0 && (
        <Section title={t.sectionTitle}>
          <p className="text-muted">{t.sectionLead}</p>
          <div className="flex flex-wrap gap-2">
            {kinds.map((kind) => (
              <Link
                key={kind}
                to="/organization/$organizationId/import/$kind"
                params={{ organizationId, kind }}
                className={buttonClass()}
              >
                <FileUp className="size-5" aria-hidden />
                {t.titles[kind]}
              </Link>
            ))}
          </div>
        </Section>
      )}
    </Screen>
  )
}
