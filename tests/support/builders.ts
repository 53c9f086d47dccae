// Things that tests need to be there: the smallest bodies that do (the issue of the walking skeleton), each with a fresh id.
import { expect } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Item } from '#shared/contract/items.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { Actor } from './app.ts'

export function organizationBody(more: object = {}) {
  return { id: uuidv7(), name: 'Ann Works', country: 'NL', currency: 'EUR', ...more }
}

export function customerBody(more: object = {}) {
  return { id: uuidv7(), name: 'Bob the Baker', country: 'NL', ...more }
}

export function itemBody(more: object = {}) {
  return { id: uuidv7(), name: 'Hour of work', unitPrice: '85', ...more }
}

export const websiteLine = { name: 'Website', quantity: '2', unitPrice: '379.00', vat: { category: 'S', rate: '21' } }

export function invoiceBody(customerId: string | null, more: object = {}) {
  return { id: uuidv7(), customerId, taxMode: 'net', lines: [websiteLine], ...more }
}

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

function made<T>({ status, body }: { status: number; body: T }): T {
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}
