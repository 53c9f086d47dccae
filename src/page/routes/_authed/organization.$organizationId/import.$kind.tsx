import { createFileRoute, Link } from '@tanstack/react-router'
import { may } from '#shared/permissions.ts'
import { NeedsServer } from '#page/loaded.tsx'
import { importKinds, type ImportKind } from '#page/features/imports/fields.ts'
import { ImportScreen } from '#page/features/imports/import-screen.tsx'
import { importPermissions } from '#page/features/imports/permissions.ts'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/words/app-text.ts'
import { importText } from '#page/words/import-words.ts'
import { buttonClass } from '#page/ui/button.tsx'
import { Notice, Screen } from '#page/ui/screen.tsx'
import { NotFoundView } from '#page/views.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/import/$kind')({
  component: ImportRoute,
})

const t = importText
const lists = { customers: '/customers', items: '/items', invoices: '/invoices' } as const

function ImportRoute() {
  const { kind: asked } = Route.useParams()
  const kind = importKinds.find((each) => each === asked)
  return kind ? <ImportOf key={kind} kind={kind} /> : <NotFoundView />
}

function ImportOf({ kind }: { kind: ImportKind }) {
  const organization = useOrganization(Route.useParams().organizationId)
  return (
    <Screen title={text.imports.titles[kind]} lead={organization.name}>
      {may(organization, importPermissions[kind]) ? (
        <>
          <NeedsServer>{text.atServer.importing}</NeedsServer>
          <ImportScreen
            kind={kind}
            organization={organization}
            after={
              <Link to={lists[kind]} className={buttonClass('primary')}>
                {t.goTo[kind]}
              </Link>
            }
          />
        </>
      ) : (
        <Notice>{text.imports.mayNot}</Notice>
      )}
    </Screen>
  )
}
