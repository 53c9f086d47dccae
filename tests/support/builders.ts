// Things that tests need to be there.
import { expect } from 'vitest'
import { holdAccount, type Database } from '#server/db/database.ts'
import { addMember } from '#server/rows/member-row.ts'
import { nextRevision } from '#server/rows/revision.ts'
import type { Role } from '#shared/permissions.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Item } from '#shared/contract/items.ts'
import type { Payment } from '#shared/contract/payments.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { Quote } from '#shared/contract/quotes.ts'
import type { Recurring } from '#shared/contract/recurring.ts'
import type { Actor } from './app.ts'
import { organizationBody, customerBody, itemBody, recurringBody, invoiceBody, paymentBody } from './bodies.ts'

export async function makeOrganization(actor: Actor, more?: object): Promise<Organization> {
  return made(await actor.send('POST', '/organizations', { body: organizationBody(more) }))
}

export async function makeCustomer(actor: Actor, organizationId: string, more?: object): Promise<Customer> {
  return made(await actor.send('POST', `/organizations/${organizationId}/customers`, { body: customerBody(more) }))
}

export async function makeItem(actor: Actor, organizationId: string, more?: object): Promise<Item> {
  return made(await actor.send('POST', `/organizations/${organizationId}/items`, { body: itemBody(more) }))
}

export async function makeInvoice(
  actor: Actor,
  organizationId: string,
  customerId: string | null,
  more?: object,
): Promise<Invoice> {
  const body = invoiceBody(customerId, more)
  return made(await actor.send('POST', `/organizations/${organizationId}/invoices`, { body }))
}

export async function issue(actor: Actor, { organizationId, id, version }: Invoice): Promise<Invoice> {
  const path = `/organizations/${organizationId}/invoices/${id}/issue`
  const answer = await actor.send('POST', path, { headers: { 'if-match': `"${version}"` } })
  expect(answer.status).toBe(200)
  return answer.body
}

/** What is left of an invoice, or the lines that are made of it, in a credit note that is issued. */
export async function credit(
  actor: Actor,
  { organizationId, id, version }: Invoice,
  lines?: object[],
): Promise<Invoice> {
  const path = `/organizations/${organizationId}/invoices`
  const headers = { 'if-match': `"${version}"` }
  const draft = made<Invoice>(
    await actor.send('POST', `${path}/${id}/credit-notes`, { body: { id: uuidv7() }, headers }),
  )
  if (!lines) return issue(actor, draft)
  const { totals: _, ...body } = { ...draft, lines }
  const saved = await actor.send('PUT', `${path}/${draft.id}`, { body, headers: { 'if-match': `"${draft.version}"` } })
  expect(saved.status).toBe(200)
  return issue(actor, saved.body)
}

export async function recordPayment(actor: Actor, invoice: Invoice, amount?: string, more?: object): Promise<Payment> {
  const body = paymentBody(invoice, amount, more)
  return made(await actor.send('POST', `/organizations/${invoice.organizationId}/payments`, { body }))
}

export async function makeRecurring(
  actor: Actor,
  organizationId: string,
  customerId: string,
  more?: object,
): Promise<Recurring> {
  const body = recurringBody(customerId, more)
  return made(await actor.send('POST', `/organizations/${organizationId}/recurring-invoices`, { body }))
}

export async function makeQuote(
  actor: Actor,
  organizationId: string,
  customerId: string | null,
  more?: object,
): Promise<Quote> {
  const body = invoiceBody(customerId, more)
  return made(await actor.send('POST', `/organizations/${organizationId}/quotes`, { body }))
}

/** One of the actions that a quote's version goes with. */
export async function moveQuote(
  actor: Actor,
  { organizationId, id, version }: Quote,
  action: 'issue' | 'revise' | 'answer',
  body?: object,
): Promise<Quote> {
  const path = `/organizations/${organizationId}/quotes/${id}/${action}`
  const answer = await actor.send('POST', path, { ...(body && { body }), headers: { 'if-match': `"${version}"` } })
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 })
  return answer.body
}

function made<T>({ status, body }: { status: number; body: T }): T {
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

/** A person becomes a member as an accepted invitation makes them one. */
export function join(db: Database, organizationId: string, { userId }: { userId: string }, role: Role): Promise<void> {
  return db.asApp({ organizationIds: [organizationId] }, async (tx) => {
    const person = await holdAccount(tx, userId)
    await addMember(tx, organizationId, person!, role, await nextRevision(tx, organizationId), new Date().toISOString())
  })
}

/** A PNG in base64 that is no other: a dot, and a comment that readers pass over. */
export function anyPicture(): string {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  return Buffer.concat([Buffer.from(dot, 'base64'), Buffer.from(uuidv7())]).toString('base64')
}

/** Hash of the organization's new logo. */
export async function saveLogo(owner: Actor, organizationId: string): Promise<string> {
  const { headers } = await owner.send('GET', `/organizations/${organizationId}`)
  const answer = await owner.send('PUT', `/organizations/${organizationId}/logo`, {
    body: { content: anyPicture() },
    headers: { 'if-match': headers.get('etag')! },
  })
  return answer.body.logo.hash
}
