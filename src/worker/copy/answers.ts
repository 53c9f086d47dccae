// Answers reads from the device's copy, or says that it cannot: then the call goes to the network (OFFLINE.md "Three layers of reading" 2).
import { paramsOf, type DeviceEndpointName } from '#shared/device-endpoints.ts'
import type { Member } from '#shared/contract/members.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { todayIn } from '#shared/dates.ts'
import { onDay } from '#shared/invoice-summary.ts'
import type { Marked } from '#shared/outbox.ts'
import { byName } from '#shared/search-key.ts'
import { dashboardOf } from './dashboard.ts'
import { listInvoices, listNamed, listPayments, waitingPayments } from './lists.ts'
import { allOf, personOf, wholeList, type CopyDatabase } from './stores.ts'

export interface CopyAnswer {
  /** Null: there is no such row. */
  body: object | null
  /** The row's version; lists have none. */
  etag: number | null
  /** From when it is, in milliseconds of the server's time; 0: that is not known before all is here. */
  asOfMs: number
  /** False when it is drawn from more rows than are here. */
  isComplete: boolean
}

/** Null: the copy does not have it, not yet or not ever. `nowMs`: the server's time, for what depends on the day. */
export async function answerFromCopy(
  database: CopyDatabase,
  name: DeviceEndpointName,
  url: URL,
  nowMs: number,
): Promise<CopyAnswer | null> {
  // In their order in the path.
  const [organizationId = '', id = ''] = Object.values(paramsOf(name, url.pathname))
  if (name === 'listOrganizations') return organizations(database)
  const feed = await database.get('feeds', organizationId)
  const organization = await database.get('organizations', organizationId)
  if (!organization) return null
  const { isComplete = false, asOfMs = 0, isCapped = false } = feed ?? {}
  const today = todayIn(organization.timeZone, nowMs)
  const found = <Row extends { version: number } & Marked>(row: Row | undefined): CopyAnswer | null => {
    // Before all is here, only what has something unsent on it, which the server's row would hide.
    if (!isComplete && !row?.unsent) return null
    return { body: row ?? null, etag: row?.version ?? null, asOfMs, isComplete: true }
  }
  const rowOf = async (store: 'customers' | 'items') => found((await database.get(store, [organizationId, id]))?.row)
  /** Before all is here, what there is: without a network somebody looks for what they have just made. */
  const listed = async (list: () => Promise<object | null>, isWhole = true): Promise<CopyAnswer | null> => {
    const body = await list()
    return body && { body, etag: null, asOfMs, isComplete: isComplete && isWhole }
  }
  /** What says something of all rows together says nothing of some. */
  const whole: typeof listed = async (list, isWhole) => (isComplete ? listed(list, isWhole) : null)
  switch (name) {
    case 'getOrganization':
      // Of no version, with more to come, it is what `changes_lost` has left of it.
      return isComplete || organization.version ? found(organization) : null
    case 'getMember':
      return found((await membersOf(database, organization)).find((each) => each.id === id))
    case 'getCustomer':
      return rowOf('customers')
    case 'getItem':
      return rowOf('items')
    case 'getInvoice': {
      const stored = await database.get('invoiceDetails', [organizationId, id])
      return !stored && isCapped ? null : found(stored && onDay(stored.row, today))
    }
    case 'getPayment': {
      const stored = (await database.get('payments', [organizationId, id]))?.row
      return found(stored && { ...stored, ...(await waitingPayments(database, organizationId)).reversed.get(id) })
    }
    case 'listMembers':
      return whole(async () => ({ data: (await membersOf(database, organization)).toSorted(byName) }))
    case 'listCustomers':
      return listed(() => listNamed(database, 'customers', organizationId, url.searchParams))
    case 'listItems':
      return listed(() => listNamed(database, 'items', organizationId, url.searchParams))
    case 'listInvoices':
      return listed(() => listInvoices(database, organizationId, url.searchParams, today), !isCapped)
    case 'listPayments':
      return listed(() => listPayments(database, organizationId, url.searchParams))
    case 'getDashboard':
      return whole(() => dashboardOf(database, organization, today), !isCapped)
    default:
      return null
  }
}

/**
 * Where the server has told of nobody yet the organization was made here, and whoever made it is in it. What they are called another organization may know;
 * in their first one they have no name until it is sent.
 */
async function membersOf(database: CopyDatabase, organization: Organization): Promise<Member[]> {
  const { id: organizationId, role, version, revision, createdAt } = organization
  const known = (await database.getAll('members', allOf(organizationId))).map(({ row }) => row)
  if (known.length > 0) return known
  const id = personOf(database)
  const elsewhere = (await database.getAll('members')).find((each) => each.id === id)?.row
  const { name, email } = elsewhere ?? { name: '', email: '' }
  return [{ id, organizationId, name, email, role, version, revision, createdAt, updatedAt: createdAt }]
}

/** As the server lists them: by name, then id. Until the list itself was pulled, what was made here is all that is known of it. */
async function organizations(database: CopyDatabase): Promise<CopyAnswer | null> {
  const [data, pulled] = await Promise.all([
    database.getAll('organizations'),
    database.get('feeds', wholeList.organizationId),
  ])
  const [made] = data
  const asOfMs = (pulled ?? (made && (await database.get('feeds', made.id))))?.asOfMs
  if (asOfMs === undefined) return null
  return { body: { data: data.toSorted(byName) }, etag: null, asOfMs, isComplete: !!pulled }
}
