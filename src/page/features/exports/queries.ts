import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { ExportList, OrganizationExport } from '#shared/contract/exports.ts'
import { uuidv7 } from '#shared/ids.ts'
import { call } from '#page/api.ts'

/** While one is being made its count moves. */
const whileMadeMs = 1500

export const exportsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['exports', organizationId],
    queryFn: ({ signal }) => call<ExportList>('listExports', { params: { organizationId }, signal }),
    refetchInterval: ({ state }) => (state.data?.data.some((each) => each.state !== 'ready') ? whileMadeMs : false),
  })

export async function createExport(queryClient: QueryClient, organizationId: string): Promise<void> {
  await call<OrganizationExport>('createExport', { params: { organizationId }, body: { id: uuidv7() } })
  await queryClient.invalidateQueries({ queryKey: exportsQuery(organizationId).queryKey })
}

export async function deleteExport(
  queryClient: QueryClient,
  { organizationId, id }: OrganizationExport,
): Promise<void> {
  await call('deleteExport', { params: { organizationId, exportId: id } })
  await queryClient.invalidateQueries({ queryKey: exportsQuery(organizationId).queryKey })
}

/** Through the session, as every call: its address alone opens nothing. */
export function downloadExport({ organizationId, id }: OrganizationExport): Promise<Blob> {
  return call<Blob>('getExportFile', { params: { organizationId, exportId: id } })
}
