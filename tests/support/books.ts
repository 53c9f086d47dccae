// What tests of issued invoices begin with: a server on an engine, Ann, and before each test an organization of hers with a customer.
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { startTestApp, verifiedActor, type Actor, type TestApp } from './app.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization } from './builders.ts'
import { openFresh, type Engine } from './database.ts'

interface Books {
  app: TestApp
  ann: Actor
  buyer: Customer
  /** The organization's path. */
  base: string
}

/** For the describe that calls it. */
export function startBooks(engine: Engine) {
  const books = {} as Books
  beforeAll(async () => {
    books.app = await startTestApp(await openFresh(engine))
    books.ann = await verifiedActor(books.app)
  })
  afterAll(() => books.app.db.close())
  beforeEach(async () => {
    const { id } = await makeOrganization(books.ann)
    books.base = `/organizations/${id}`
    books.buyer = await makeCustomer(books.ann, id)
  })
  return {
    books,
    /** 917.18 EUR with VAT, due in a fortnight. */
    async issued(more?: object): Promise<Invoice> {
      const { ann, buyer } = books
      return issue(ann, await makeInvoice(ann, buyer.organizationId, buyer.id, more))
    },
    async now({ id }: { id: string }): Promise<Invoice> {
      return (await books.ann.send('GET', `${books.base}/invoices/${id}`)).body
    },
  }
}
