// What a draft leaves out is its customer's or its organization's as the person sees it, not as it is by the time that the server hears of it.
import { withDefaults, type DraftChoices } from '#shared/invoice-draft.ts'
import { isCreate, isSave } from '#shared/outbox.ts'
import type { Change } from '#worker/copy/stores.ts'
import type { Body, Entry } from './entry.ts'

/** The body with what it leaves out said as this device shows it; itself where nothing is left out, or where it is not known here. */
export async function asShown(
  tx: Change,
  { kind, name, organizationId }: Pick<Entry, 'kind' | 'name' | 'organizationId'>,
  body: Body | null,
): Promise<Body | null> {
  if (kind !== 'invoice' || !body || !(isCreate(name) || isSave(name))) return body
  const { customerId } = body
  const [organization, customer] = await Promise.all([
    tx.objectStore('organizations').get(organizationId),
    typeof customerId === 'string' ? tx.objectStore('customers').get([organizationId, customerId]) : null,
  ])
  if (!organization || customer === undefined) return body
  const choices = withoutBlankReference(body) as DraftChoices
  const shown = withDefaults(choices, { organization, customer: customer?.row ?? null })
  const isSaid = Object.keys(shown).every((field) => choices[field as keyof DraftChoices] !== undefined)
  return isSaid ? body : { ...body, ...shown }
}

/** Blank it is left out, and so the customer's; null is none. */
export function withoutBlankReference(body: Body): Body {
  const { buyerReference } = body as DraftChoices
  return buyerReference?.trim() === '' ? { ...body, buyerReference: undefined } : body
}
