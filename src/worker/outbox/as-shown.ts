// What a draft leaves out is its customer's or its organization's as the person sees it, not as it is by the time that the server hears of it.
import { withDefaults, type DraftChoices } from '#shared/invoice-draft.ts'
import { isCreate, isSave } from '#shared/outbox.ts'
import type { Change } from '#worker/copy/stores.ts'
import type { Body, Entry } from './entry.ts'

type Left = Pick<Entry, 'kind' | 'name' | 'body'>

const choices = [
  'currency',
  'taxMode',
  'language',
  'termsDays',
  'buyerReference',
  'notes',
] as const satisfies readonly (keyof DraftChoices)[]

/** Whether it leaves something to the customer or the organization: what that is sent with depends on when. */
export function leavesOut({ kind, name, body }: Left): boolean {
  if (kind !== 'invoice' || !body || !(isCreate(name) || isSave(name))) return false
  const said = withoutBlankReference(body)
  return choices.some((field) => said[field] === undefined)
}

/** The body with what it leaves out said as this device shows it; itself where nothing is left out, or where it is not known here. */
export async function asShown(tx: Change, of: Left & Pick<Entry, 'organizationId'>): Promise<Body | null> {
  const { body, organizationId } = of
  if (!body || !leavesOut(of)) return body
  const { customerId } = body
  const [organization, customer] = await Promise.all([
    tx.objectStore('organizations').get(organizationId),
    typeof customerId === 'string' ? tx.objectStore('customers').get([organizationId, customerId]) : null,
  ])
  if (!organization || customer === undefined) return body
  const left = withoutBlankReference(body) as DraftChoices
  return { ...body, ...withDefaults(left, { organization, customer: customer?.row ?? null }) }
}

/** Blank it is left out, and so the customer's; null is none. */
export function withoutBlankReference(body: Body): Body {
  const { buyerReference } = body as DraftChoices
  return buyerReference?.trim() === '' ? { ...body, buyerReference: undefined } : body
}
