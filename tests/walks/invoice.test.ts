// One walk in one process: the page's own calls -> the worker -> the server -> the database, and back.
import { QueryClient } from '@tanstack/react-query'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { customerBody, organizationBody } from '#tests/support/bodies.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { password } from '#tests/support/people.ts'
import { openFresh } from '#tests/support/database.ts'
import { openBrowser, type Browser } from '#tests/support/worker-scope.ts'

let app: TestApp
let browser: Browser
beforeAll(async () => {
  app = await startTestApp(await openFresh('embedded'))
  browser = openBrowser((request) => app.fetch(request))
  await browser.startWorker()
  // The worker has its network; from here on this is a page that the worker controls.
  const kept = new Map<string, string>()
  vi.stubGlobal('fetch', (request: Request) => browser.fetch(request))
  vi.stubGlobal('navigator', { serviceWorker: { controller: {} }, languages: ['en'] })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await app.db.close()
})

test('"19,99" typed into a line is 19.99 on the invoice that was issued, to the cent on every floor', async () => {
  const auth = await import('#page/features/auth/queries.ts')
  const organizations = await import('#page/features/organizations/queries.ts')
  const customers = await import('#page/features/customers/queries.ts')
  const invoices = await import('#page/features/invoices/queries.ts')
  const { toBody, liveAmounts } = await import('#page/features/invoices/draft-body.ts')
  const { toValues } = await import('#page/features/invoices/draft-values.ts')
  const { knownSession } = await import('#page/session.ts')
  const { uuidv7 } = await import('#shared/ids.ts')
  const queryClient = new QueryClient()

  const email = `${uuidv7()}@example.com`
  await auth.register({ name: 'Ann', email, password })
  expect(knownSession()).toMatchObject({ status: 'WAITING_FOR_EMAIL_VERIFICATION' })
  await auth.verifyEmail(await app.mailedToken(email))
  expect(knownSession()).toMatchObject({ status: 'ACTIVE' })

  const organization = await organizations.createOrganization(queryClient, organizationBody())
  const customer = await customers.createCustomer(queryClient, organization.id, customerBody())
  const values = { ...toValues(null, organization), customerId: customer.id }
  const typed = {
    ...values,
    lines: [
      {
        ...values.lines[0]!,
        name: 'Bread',
        quantity: '3',
        unitPrice: '19,99',
        vat: { category: 'S', rate: '9', reason: '' },
      },
    ],
  }
  const seen = liveAmounts(typed).totals
  const draft = await invoices.createInvoice(queryClient, organization.id, {
    id: uuidv7(),
    ...toBody(typed, null),
  })
  const issued = await invoices.issueInvoice(queryClient, draft)
  expect(issued).toMatchObject({
    status: 'issued',
    number: expect.stringMatching(/^INV-\d{4}-0001$/),
    lines: [{ unitPrice: '19.99', net: { amount: '59.97' } }],
    totals: { net: { amount: '59.97' }, tax: { amount: '5.40' }, gross: { amount: '65.37', currency: 'EUR' } },
  })
  expect([seen.net, seen.tax, seen.gross]).toEqual([5997n, 540n, 6537n])
  const stored = await app.db.asApp({ organizationIds: [organization.id] }, (tx) =>
    tx.selectFrom('invoices').select(['netAmount', 'taxAmount', 'grossAmount']).executeTakeFirstOrThrow(),
  )
  expect(stored).toEqual({ netAmount: 5997n, taxAmount: 540n, grossAmount: 6537n })

  const listed = await queryClient.fetchInfiniteQuery(invoices.invoicesQuery(organization.id, {}))
  expect(listed.pages[0]!.data).toMatchObject([{ id: issued.id, gross: { amount: '65.37' } }])

  // Issued or not, another like it is a draft of its own: the same content, no number and no dates.
  const { likeInvoice } = await import('#shared/like-invoice.ts')
  const copy = await invoices.createInvoice(
    queryClient,
    organization.id,
    likeInvoice(issued, uuidv7(), issued.customerId),
  )
  expect(copy).toMatchObject({
    status: 'draft',
    number: null,
    issueDate: null,
    dueDate: null,
    termsDays: issued.termsDays,
    customerId: customer.id,
    totals: issued.totals,
  })
  expect([copy.id, copy.lines[0]!.id]).not.toContain(issued.id)
  expect(copy.lines[0]!.id).not.toBe(issued.lines[0]!.id)
  expect(issued.dueDate).not.toBeNull()

  // A refusal comes back as what it is, with the field it is about.
  const { ProblemError } = await import('#shared/problem.ts')
  const refused = await invoices.issueInvoice(queryClient, issued).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ProblemError)
  expect(refused).toMatchObject({ code: 'invalid_transition' })
  const noPrice = {
    ...toBody(typed, null),
    id: uuidv7(),
    lines: [{ name: 'x', quantity: '1', unitPrice: 'abc' }],
  }
  await expect(invoices.createInvoice(queryClient, organization.id, noPrice)).rejects.toMatchObject({
    problem: { status: 422, errors: [{ pointer: '/lines/0/unitPrice' }] },
  })

  // No token ever reached the page's side of the wall.
  const { authToken, refreshToken } = (await browser.vault())!.state
  expect(JSON.stringify([knownSession(), browser.told])).not.toContain(authToken)
  expect(authToken && refreshToken).toBeTruthy()

  await (await import('#page/session.ts')).signOut(null)
  expect(knownSession()).toEqual({ status: 'anonymous' })
  expect((await browser.vault())!.state).toEqual({ authToken: '', refreshToken: '' })
})
