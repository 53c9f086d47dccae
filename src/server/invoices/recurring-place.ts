// Where the job of recurring invoices works: one organization, one transaction; and how it tells what it did.
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { Tx } from '#server/db/database.ts'
import { changesBetween, recordActivity } from '#server/rows/activity-log.ts'
import { findInvoice } from '#server/rows/whole-invoice.ts'

export interface Place {
  tx: Tx
  organization: Organization
  today: string
  now: string
}

/** In the activity: what the job did, nobody did. */
export async function tell(
  { tx, organization, today, now }: Place,
  action: 'createInvoice' | 'issueInvoice' | 'sendInvoice',
  before: Invoice | null,
  id: string,
): Promise<void> {
  const after = await findInvoice(tx, organization.id, id, today)
  const { label, changes } = changesBetween('invoice', before && { ...before }, { ...after })
  const place = { tx, organizationId: organization.id, userId: null, now }
  await recordActivity(place, action, { kind: 'invoice', id }, label, changes)
}
