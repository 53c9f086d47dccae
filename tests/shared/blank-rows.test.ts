// The device's defaults are the contract's: what a schema makes of the least body is what the device shows of it.
import { expect, test } from 'vitest'
import { newCustomer } from '#shared/contract/customers.ts'
import { newInvoice } from '#shared/contract/invoices.ts'
import { newItem } from '#shared/contract/items.ts'
import { newOrganization } from '#shared/contract/organizations.ts'
import { blankCustomer, blankDraft, blankItem, blankLine, blankOrganization } from '#shared/blank-rows.ts'
import { uuidv7 } from '#shared/ids.ts'

test('a customer, an organization, an item, a draft and its line of which nothing was said', () => {
  const least = { id: uuidv7(), name: 'Ann', country: 'NL' }
  expect({ ...blankCustomer, ...least }).toEqual(newCustomer.parse(least))
  expect({ ...blankOrganization, ...least, currency: 'EUR' }).toEqual(
    newOrganization.parse({ ...least, currency: 'EUR' }),
  )
  const item = { id: least.id, name: 'Hour', unitPrice: '85' }
  expect({ ...blankItem, ...item }).toEqual(newItem.parse(item))
  const line = { name: 'Website', quantity: '1', unitPrice: '1.00' }
  const { id } = least
  expect(newInvoice.parse({ id })).toEqual({ id, ...blankDraft })
  expect(newInvoice.parse({ id, lines: [line] })).toEqual({ id, ...blankDraft, lines: [{ ...blankLine, ...line }] })
})
