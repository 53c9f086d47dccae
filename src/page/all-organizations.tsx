// All organizations of the person at once, on the screens that can show them: the dashboard and the list of invoices (DOMAIN.md "REST"). Figures stay
// per organization.
import type { ReactNode } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { showOrganization, useOrganizations } from './current-organization.ts'
import { createTopic, useTopic } from './topic.ts'
import { text } from '#page/words/app-text.ts'

/** Kept per device; goes with everything else of the person at sign-out. */
const key = 'docket.paint.all-organizations'
const choices = createTopic()

export function showAllOrganizations(): void {
  localStorage.setItem(key, 'yes')
  choices.tell()
}

export function showOnly(organizationId: string): void {
  localStorage.removeItem(key)
  showOrganization(organizationId)
  choices.tell()
}

/** What the person chose, if there is anything to choose between. */
export function useShowsAll(): boolean {
  const chosen = useTopic(choices, () => localStorage.getItem(key) !== null, false)
  const { data: organizations = [] } = useOrganizations()
  return chosen && organizations.length > 1
}

/** One of several on a screen, under its name. */
export function OneOfAll({ organization, children }: { organization: Organization; children: ReactNode }) {
  return (
    <section className="grid gap-6 border-t border-line pt-4 first-of-type:border-t-0 first-of-type:pt-0">
      <h2 className="text-xl font-semibold">
        <button
          type="button"
          title={text.organizations.only(organization.name)}
          className="min-h-11 text-left hover:underline"
          onClick={() => showOnly(organization.id)}
        >
          {organization.name}
        </button>
      </h2>
      {children}
    </section>
  )
}
