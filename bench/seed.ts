// A person with an organization, a customer and fifty invoices, made over the API.
import { uuidv7 } from '#shared/ids.ts'
import { verifiedAccount, type Account } from '#tests/support/api-client.ts'
import { customerBody, invoiceBody, organizationBody } from '#tests/support/bodies.ts'

export interface Seeded {
  account: Account
  /** Path of the list of fifty invoices, below /api/v1. */
  list: string
  organizationId: string
}

export async function seed(url: string): Promise<Seeded> {
  const account = await verifiedAccount(url)
  const organization = organizationBody()
  const base = `/organizations/${organization.id}`
  const customer = customerBody({ id: uuidv7() })
  await account.call('POST', '/organizations', organization)
  await account.call('POST', `${base}/customers`, customer)
  for (let each = 0; each < 50; each += 1) {
    const draft = invoiceBody(customer.id)
    await account.call('POST', `${base}/invoices`, draft)
    await account.call('POST', `${base}/invoices/${draft.id}/issue`, undefined, { 'if-match': '"1"' })
  }
  return { account, list: `${base}/invoices?limit=50`, organizationId: organization.id }
}
