// Every route that the router knows and where it leads in full books: whoever visits all screens begins here, so that none is forgotten.
import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { expect } from './browser.ts'
import type { FullBooks } from './full-books.ts'
import { unsentIn } from './session-faults.ts'

/** The routes as the router knows them: one that is added is visited without being named here. */
const routeTree = fs.readFileSync(new URL('../../src/page/route-tree.gen.ts', import.meta.url), 'utf8')
export const routes: readonly string[] = [
  ...routeTree
    .split('export interface FileRoutesByTo {')[1]!
    .split('}')[0]!
    .matchAll(/'([^']+)':/g),
].map(([, route]) => route!)
/** Of who is not signed in, with what else their links hold. */
export const outside: Record<string, string[]> = {
  '/': ['/'],
  '/login': ['/login'],
  '/register': ['/register'],
  '/forgot-password': ['/forgot-password'],
  '/reset-password': ['/reset-password', '/reset-password?resetToken=p_any'],
  '/confirm-email': ['/confirm-email?confirmToken=e_any'],
  '/invitation': ['/invitation', '/invitation?invitationToken=v_any'],
}
/** Where a route leads in these books: of an invoice's screen there is one address for each state. */
export function addressesOf(route: string, books: FullBooks, unsentKey: string): string[] {
  const { organizationId, customerId, itemId, recurringId, quoteId, draftQuoteId, draftId, issuedIds } = books
  const isEdit = route.endsWith('/edit')
  /** What a screen is about, where its address names it behind a question mark. */
  const asked: Record<string, string> = {
    '/organization/$organizationId/recurring/new': `?from=${issuedIds[0]}`,
    '/organization/$organizationId/payments/new': `?customerId=${customerId}`,
  }
  return [draftId, ...(route.includes('$invoiceId') && !isEdit ? issuedIds : [])].map((invoiceId) => {
    const places: Record<string, string> = {
      organizationId,
      customerId,
      itemId,
      recurringId,
      quoteId: isEdit ? draftQuoteId : quoteId,
      kind: 'invoices',
      invoiceId,
      key: unsentKey,
    }
    const address = route.replace(/\$(\w+)/g, (_, name: string) => {
      const place = places[name]
      if (!place) throw new Error(`${route}: no row is made for $${name}; make one in full-books.ts`)
      return place
    })
    return address + (asked[route] ?? '')
  })
}

/** A change that somebody else was faster than: it waits for the person. */
export async function makeConflict(page: Page, { organizationId, customerId }: FullBooks): Promise<string> {
  const key = uuidv7()
  const path = `/api/v1/organizations/${organizationId}/customers/${customerId}`
  const save = (name: string, idempotencyKey: string) =>
    page.evaluate(
      async ([address, value, each]) => {
        const headers = { 'content-type': 'application/json', 'idempotency-key': each, 'if-match': '"1"' }
        await fetch(address, { method: 'PUT', body: JSON.stringify({ name: value, country: 'NL' }), headers })
      },
      [path, name, idempotencyKey] as const,
    )
  const unsent = async () => (await unsentIn(page)).map((each) => [each.key, each.state])
  await save('Somebody else was here', uuidv7())
  await expect.poll(unsent).toEqual([])
  await save('And I was here', key)
  await expect.poll(unsent).toEqual([[key, 'conflict']])
  return key
}
