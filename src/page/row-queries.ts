// Reading and writing rows that go by a name (customers, items): the calls, what keeps their answers, and what else shows them.
import { infiniteQueryOptions, keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { EndpointName } from '#shared/endpoints.ts'
import { ProblemError } from '#shared/problem.ts'
import { call } from './api.ts'
import { keepRow } from './keep-row.ts'
import { paint } from './query-client.ts'
import { saveForm } from '#page/device/decide.ts'
import type { Removal } from '#page/device/deletion.ts'
import type { Writer } from '#page/device/stored.ts'

interface Kept {
  organizationId: string
  id: string
  version: number
}

export interface RowPage<Row> {
  data: Row[]
  page: { nextCursor: string | null; limit: number }
}

interface Names {
  /** First parts of the query keys: of the lists, and of one row. */
  list: string
  one: string
  /** The name of the row's id in a path. */
  param: string
  calls: Record<'list' | 'get' | 'create' | 'save' | 'delete', EndpointName>
  /** What else shows such a row: first parts of query keys. */
  shownIn: readonly string[]
}

export function rowQueries<Row extends Kept, New extends { id: string }, Edit extends object>({
  list,
  one,
  param,
  calls,
  shownIn,
}: Names) {
  const readRow = (organizationId: string, id: string, signal?: AbortSignal) =>
    call<Row>(calls.get, { params: { organizationId, [param]: id }, signal })

  const rowQuery = (organizationId: string, id: string) =>
    queryOptions({
      queryKey: [one, organizationId, id],
      queryFn: ({ signal }) => readRow(organizationId, id, signal),
      ...paint,
    })

  function save(
    queryClient: QueryClient,
    { organizationId, id, version }: Kept,
    opened: Row | null,
    body: Edit | New,
    writer?: Writer,
  ): Promise<Row> {
    const params = { organizationId, [param]: id }
    return saveForm(
      queryClient,
      { opened, shown: queryClient.getQueryData<Row>([one, organizationId, id]), body, version },
      (now, ifMatch, key) => call<Row>(calls.save, { params, ifMatch, body: now, writer, key, decides: true }),
      () => readRow(organizationId, id),
    )
  }

  function refresh(queryClient: QueryClient, organizationId: string): void {
    for (const key of [list, ...shownIn]) void queryClient.invalidateQueries({ queryKey: [key, organizationId] })
  }

  function keep(queryClient: QueryClient, row: Row): Row {
    keepRow<Row>(queryClient, [one, row.organizationId, row.id], () => row)
    refresh(queryClient, row.organizationId)
    return row
  }

  return {
    rowQuery,

    listQuery: (organizationId: string, q: string) =>
      infiniteQueryOptions({
        queryKey: [list, organizationId, q],
        queryFn: ({ pageParam, signal }) =>
          call<RowPage<Row>>(calls.list, {
            params: { organizationId },
            query: { q: q || undefined, cursor: pageParam || undefined },
            signal,
          }),
        // Text, because a stored list comes back from JSON, which knows no undefined.
        initialPageParam: '',
        getNextPageParam: ({ page }) => page.nextCursor ?? undefined,
        placeholderData: keepPreviousData,
        ...(q === '' && paint),
      }),

    async createRow(queryClient: QueryClient, organizationId: string, body: New, writer?: Writer): Promise<Row> {
      const params = { organizationId, [param]: body.id }
      const created = await call<Row>(calls.create, { params, body, writer }).catch((error: unknown) => {
        if (!(error instanceof ProblemError) || error.code !== 'id_taken') throw error
        // An earlier save had arrived although its answer was lost, and more was typed since: this is a change of that first version, and of no later one.
        return save(queryClient, { organizationId, id: body.id, version: 1 }, null, body, writer)
      })
      return keep(queryClient, created)
    },

    async saveRow(queryClient: QueryClient, row: Row, body: Edit, writer?: Writer): Promise<Row> {
      return keep(queryClient, await save(queryClient, row, row, body, writer))
    },

    async deleteRow(
      queryClient: QueryClient,
      { organizationId, id, version }: Row,
      removal: Removal,
    ): Promise<object | undefined> {
      const params = { organizationId, [param]: id }
      const answer = await call<object | undefined>(calls.delete, { params, ifMatch: version, ...removal })
      queryClient.removeQueries({ queryKey: [one, organizationId, id] })
      refresh(queryClient, organizationId)
      return answer
    },
  }
}
