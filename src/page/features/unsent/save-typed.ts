import type { QueryClient } from '@tanstack/react-query'
import type { AggregateKind } from '#shared/endpoint.ts'
import type { EndpointName } from '#shared/endpoints.ts'
import { intentOf, type UnsentEntry } from '#shared/outbox.ts'
import { ProblemError } from '#shared/problem.ts'
import { call } from '#page/api.ts'
import { orDecide } from '#page/device/decide.ts'
import { resolveEntry } from '#page/device/outbox-calls.ts'
import type { Writer } from '#page/device/stored.ts'
import { versionOf } from './words.ts'

type Body = Record<string, unknown>

const calls: Readonly<Record<AggregateKind, [save: EndpointName, get: EndpointName, param: string]>> = {
  organization: ['saveOrganization', 'getOrganization', 'organizationId'],
  customer: ['saveCustomer', 'getCustomer', 'customerId'],
  item: ['saveItem', 'getItem', 'itemId'],
  invoice: ['saveInvoice', 'getInvoice', 'invoiceId'],
}

/**
 * What is saved in the form of an unsent write takes its place as long as that waits. Where it is being sent, or was, what is saved is a change of the row that it
 * makes, and of no later one: who was faster is asked about.
 */
export async function saveTyped(
  queryClient: QueryClient,
  entry: UnsentEntry,
  body: Body,
  writer: Writer | undefined,
): Promise<void> {
  const { key, kind, organizationId, id } = entry
  const theirs = versionOf(entry.theirs)
  try {
    return await resolveEntry(key, { body, baseVersion: theirs })
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'not_found') throw error
    // A payment or a mail that is on its way is not to be changed any more.
    if (intentOf(entry.name)) throw error
    const [save, get, param] = calls[kind]
    const params = { organizationId, [param]: id }
    const sent = (theirs ?? versionOf(entry.base) ?? 0) + 1
    const saving = call<object>(save, { params, ifMatch: sent, body, writer, decides: true })
    await orDecide(queryClient, null, saving, () => call<object>(get, { params }))
    void queryClient.invalidateQueries()
  }
}
