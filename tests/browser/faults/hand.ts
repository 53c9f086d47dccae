// The person at the screen: some writes by the real forms, most of them as the page's own `api` sends them, because forms are slow.
import type { Page } from '@playwright/test'
import { apiPath, personHeader } from '#shared/endpoint.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Unsent, UnsentEntry } from '#shared/outbox.ts'
import type { Session } from '#shared/session.ts'
import { marked, placeOf, type Kind, type Write } from './ledger.ts'

export interface Answered {
  status: number
  // Whatever came: who asks knows what it must be.
  body: any // oxlint-disable-line typescript/no-explicit-any
}

/** A call by the page, below `/api/v1`. */
export function callIn(
  page: Page,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answered> {
  const asked = {
    url: apiPath + path,
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  }
  return page.evaluate(async ({ url, ...init }) => {
    if (!navigator.serviceWorker.controller) throw new Error('This page is not controlled')
    const answer = await fetch(url, init)
    const text = await answer.text()
    return { status: answer.status, body: (text ? JSON.parse(text) : null) as unknown }
  }, asked)
}

/** Where a row is read and changed. */
export function pathOf(organizationId: string, { kind, id }: Pick<Write, 'kind' | 'id'>): string {
  return kind === 'organization'
    ? `/organizations/${organizationId}`
    : `/organizations/${organizationId}/${kind}s/${id}`
}

/**
 * Sends the write as the page does: with its key, and what is changed with the row that the device shows. Null when the device does not have the row.
 * `body`: of what is made.
 */
export async function write(
  page: Page,
  userId: string,
  organizationId: string,
  { key, kind, id, act, mark, opened }: Write,
  body: object = {},
): Promise<Answered | null> {
  const [, field] = marked[kind].here
  const headers: Record<string, string> = { 'idempotency-key': key!, [personHeader]: userId }
  if (act === 'create') {
    const list = kind === 'organization' ? '/organizations' : `/organizations/${organizationId}/${kind}s`
    return callIn(page, 'POST', list, { body: { id, [field]: mark, ...body }, headers })
  }
  const path = pathOf(organizationId, { kind, id })
  if (opened) {
    headers['if-match'] = `"${String(opened['version'])}"`
    return callIn(page, 'PUT', path, { body: { ...opened, [marked[kind].aside![1]]: mark }, headers })
  }
  const shown = await callIn(page, 'GET', path, { headers: { [personHeader]: userId } })
  if (shown.status !== 200) return null
  headers['if-match'] = `"${shown.body.version}"`
  if (act === 'save') return callIn(page, 'PUT', path, { body: { ...shown.body, [field]: mark }, headers })
  return act === 'issue'
    ? callIn(page, 'POST', `${path}/issue`, { headers })
    : callIn(page, 'DELETE', path, { headers })
}

/** As this device shows it to this person; null when it does not. */
export async function invoiceIn(
  page: Page,
  userId: string,
  organizationId: string,
  id: string,
): Promise<Invoice | null> {
  const headers = { [personHeader]: userId }
  const { status, body } = await callIn(page, 'GET', pathOf(organizationId, { kind: 'invoice', id }), { headers })
  return status === 200 ? (body as Invoice) : null
}

export async function unsentIn(page: Page): Promise<UnsentEntry[]> {
  const { status, body } = await callIn(page, 'GET', '/device/outbox')
  return status === 200 ? (body as Unsent).entries : []
}

/** Mine, but for what somebody elsewhere changes and this device never does, and what is older here than there: marks are given in their order. */
export async function keepMine(page: Page, { key, kind, body, theirs }: UnsentEntry): Promise<void> {
  const fields = Object.entries(marked[kind as Kind]).flatMap(([by, names]) => (names ? [[by, names[1]] as const] : []))
  const taken = fields.filter(([by, field]) => by === 'elsewhere' || placeOf(body?.[field]) < placeOf(theirs?.[field]))
  const both = body && { ...body, ...(theirs && Object.fromEntries(taken.map(([, field]) => [field, theirs[field]]))) }
  const decided = { body: both, baseVersion: theirs?.['version'] ?? null }
  await callIn(page, 'PUT', `/device/outbox/${key}`, { body: decided })
}

export async function sessionIn(page: Page): Promise<Session> {
  return (await callIn(page, 'GET', '/auth/session')).body as Session
}
