import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { NewOrganizationInput, Organization, OrganizationEditInput } from '#shared/contract/organizations.ts'
import type { SeriesReportList } from '#shared/contract/series.ts'
import { ProblemError } from '#shared/problem.ts'
import { call } from '#page/api.ts'
import { forgetOrganization, organizationsQuery } from '#page/current-organization.ts'
import { saveForm } from '#page/device/decide.ts'
import type { Writer } from '#page/device/stored.ts'

export async function createOrganization(
  queryClient: QueryClient,
  body: NewOrganizationInput,
  writer?: Writer,
): Promise<Organization> {
  const created = await call<Organization>('createOrganization', { body, writer })
  keep(queryClient, created)
  return created
}

export async function saveOrganization(
  queryClient: QueryClient,
  organization: Organization,
  body: OrganizationEditInput,
  writer?: Writer,
): Promise<Organization> {
  const params = { organizationId: organization.id }
  const all = queryClient.getQueryData(organizationsQuery.queryKey) ?? []
  const shown = all.find(({ id }) => id === organization.id)
  const saved = await saveForm(
    queryClient,
    { opened: organization, shown, body, version: organization.version },
    (now, ifMatch, key) =>
      call<Organization>('saveOrganization', { params, ifMatch, body: now, writer, key, decides: true }),
    () => call<Organization>('getOrganization', { params }),
  )
  keep(queryClient, saved)
  return saved
}

/**
 * `content`: a picture in base64; null takes the logo away. Needs a connection. Whoever saved something else of the organization is in nobody's way. Where the
 * logo is another one by now than the one `shown` nothing is saved; `now` has it.
 */
export async function saveLogo(
  queryClient: QueryClient,
  organization: Organization,
  shown: Organization['logo'],
  content: string | null,
): Promise<{ isSaved: boolean; now: Organization }> {
  const params = { organizationId: organization.id }
  const save = async (now: Organization) => {
    if (now.logo?.hash !== shown?.hash) return { isSaved: false, now }
    const saved = await call<Organization>('saveLogo', { params, ifMatch: now.version, body: { content } })
    keep(queryClient, saved)
    return { isSaved: true, now: saved }
  }
  try {
    return await save(organization)
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'stale') throw error
    // This device has not heard of it.
    return save(await call<Organization>('getOrganization', { params, isFresh: true }))
  }
}

/** The server's own answer is what the screens show at once; the list is asked again besides. */
function keep(queryClient: QueryClient, organization: Organization): void {
  queryClient.setQueryData(organizationsQuery.queryKey, (before = []) => [
    ...before.filter(({ id }) => id !== organization.id),
    organization,
  ])
  void queryClient.invalidateQueries({ queryKey: organizationsQuery.queryKey })
}

/** `leaveFirst` goes to a screen that does without it: only then is it taken out of the list that screens stand on. */
export async function deleteOrganization(
  queryClient: QueryClient,
  { id, version }: Organization,
  leaveFirst: (answer: object | undefined) => Promise<void>,
): Promise<void> {
  const answer = await call<object | undefined>('deleteOrganization', {
    params: { organizationId: id },
    ifMatch: version,
  })
  await leaveFirst(answer)
  forgetOrganization(id)
  queryClient.setQueryData(organizationsQuery.queryKey, (before = []) => before.filter((each) => each.id !== id))
  void queryClient.invalidateQueries({ queryKey: organizationsQuery.queryKey })
}

export function seriesQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['series', organizationId],
    queryFn: ({ signal }) => call<SeriesReportList>('listSeries', { params: { organizationId }, signal }),
  })
}
