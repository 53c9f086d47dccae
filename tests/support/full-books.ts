// An organization in which every screen has something to show: invoices in every state, payments, a credit note, what recurs, who is invited.
import { uuidv7 } from '#shared/ids.ts'
import { postsOf, signedInAccount } from './api-client.ts'
import { customerBody, invoiceBody, itemBody, organizationBody, paymentBody, recurringBody } from './bodies.ts'
import { buyer, seller } from './issued-documents.ts'

/** Ids by the names that paths know them by. */
export interface FullBooks {
  organizationId: string
  customerId: string
  itemId: string
  recurringId: string
  draftQuoteId: string
  /** It has gone out, and waits for its answer. */
  quoteId: string
  draftId: string
  /** Issued and beyond: unpaid, overdue, paid in part and whole, credited, the credit note, void, uncollectible, and paid too much, given back in part. */
  issuedIds: string[]
}

/** Of somebody who is registered and verified. Names are long enough to be in the way. */
export async function makeFullBooks(url: string, email: string): Promise<FullBooks> {
  const send = postsOf(await signedInAccount(url, email))
  const { id: _, ...them } = buyer
  const organization = await send('/organizations', organizationBody({ ...seller, id: uuidv7() }))
  const base = `/organizations/${organization.id}`
  const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk Bauunterbeamtengesellschaft & Söhne'
  const customer = await send(`${base}/customers`, customerBody({ ...them, name }))
  const item = await send(`${base}/items`, itemBody())
  const draft = (more: object = {}) => send(`${base}/invoices`, invoiceBody(customer.id, more))
  const issue = async (more: object = {}) => {
    const { id, version } = await draft(more)
    return send(`${base}/invoices/${id}/issue`, undefined, version)
  }
  const vat = { category: 'S', rate: '21' }
  const large = { lines: [{ name: 'Everything', quantity: '1', unitPrice: '12345678.90', vat }] }
  const unpaid = await issue(large)
  const overdue = await issue({ dueDate: '2020-01-31' })
  const partly = await issue()
  await send(`${base}/payments`, paymentBody(partly, '17.18', { reference: 'Till 4' }))
  const paid = await issue()
  await send(`${base}/payments`, paymentBody(paid))
  const credit = async ({ id: creditedId, version: creditedVersion }: { id: string; version: number }) => {
    const { id, version } = await send(`${base}/invoices/${creditedId}/credit-notes`, { id: uuidv7() }, creditedVersion)
    return send(`${base}/invoices/${id}/issue`, undefined, version)
  }
  const credited = await issue()
  const note = await credit(credited)
  const over = await issue()
  await send(`${base}/payments`, paymentBody(over))
  await credit(over)
  await send(`${base}/payments`, paymentBody(over, '-17.18', { reference: 'Till 4' }))
  const gone = await issue()
  await send(`${base}/invoices/${gone.id}/void`, undefined, gone.version)
  const lost = await issue()
  await send(`${base}/invoices/${lost.id}/uncollectible`, undefined, lost.version)
  const recurring = await send(`${base}/recurring-invoices`, recurringBody(customer.id, { startsOn: '2030-01-31' }))
  const quote = () => send(`${base}/quotes`, invoiceBody(customer.id, large))
  const draftQuote = await quote()
  const { id: quoteId, version: quoteVersion } = await quote()
  await send(`${base}/quotes/${quoteId}/issue`, undefined, quoteVersion)
  await send(`${base}/invitations`, { id: uuidv7(), email: `${uuidv7()}@example.com`, role: 'member' })
  // Nobody, and no dates: what the check before issuing has to say.
  const open = await draft({ customerId: null })
  return {
    organizationId: organization.id,
    customerId: customer.id,
    itemId: item.id,
    recurringId: recurring.id,
    draftQuoteId: draftQuote.id,
    quoteId,
    draftId: open.id,
    issuedIds: [unpaid, overdue, partly, paid, credited, note, gone, lost, over].map(({ id }) => id),
  }
}
