// What a write asks of the database: each statement is about a millisecond of the processor, and a device that was offline brings hundreds of writes at once.
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { startTestApp, verifiedActor } from '#tests/support/app.ts'
import { customerBody, invoiceBody, itemBody, websiteLine } from '#tests/support/bodies.ts'
import { makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'

it.each(engines)('what a queue is full of takes no more statements than it did, on %s', async (engine) => {
  const app = await startTestApp(await openFresh(engine))
  onTestFinished(() => app.db.close())
  const ann = await verifiedActor(app)
  const { id: organizationId } = await makeOrganization(ann)
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => asked.mockRestore())

  /** From `begin` to `commit`; not those that ask who is calling, which is not asked anew for every call. */
  async function statementsOf(method: string, path: string, body?: object, version?: number): Promise<number> {
    asked.mockClear()
    const { status } = await ann.send(method, `/organizations/${organizationId}${path}`, {
      ...(body && { body }),
      headers: { 'idempotency-key': uuidv7(), ...(version && { 'if-match': `"${version}"` }) },
    })
    expect(status).toBeLessThan(300)
    const begun = asked.mock.calls.findLastIndex(([query]) => String(query).includes('set local role docket_app'))
    return asked.mock.calls.length - begun
  }

  const customer = customerBody()
  const { id, ...draft } = invoiceBody(customer.id)
  const changed = { ...draft, lines: [websiteLine, { ...websiteLine, name: 'Hosting' }] }
  expect({
    createCustomer: await statementsOf('POST', '/customers', customer),
    createItem: await statementsOf('POST', '/items', itemBody()),
    createInvoice: await statementsOf('POST', '/invoices', { id, ...draft }),
    saveInvoice: await statementsOf('PUT', `/invoices/${id}`, changed, 1),
    issueInvoice: await statementsOf('POST', `/invoices/${id}/issue`, undefined, 2),
  }).toEqual({ createCustomer: 8, createItem: 8, createInvoice: 11, saveInvoice: 13, issueInvoice: 19 })
})
