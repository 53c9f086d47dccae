import * as z from 'zod'
import { languages } from '#shared/language.ts'
import {
  address,
  blankAsNull,
  country,
  currency,
  electronicEndpoint,
  email,
  id,
  line,
  oneOf,
  optionalLine,
  optionalText,
  page,
  pageQuery,
  rowFields,
  termsDays,
} from './common.ts'

const editable = {
  kind: oneOf(['business', 'person']).default('business'),
  name: line(200, 'Enter a name'),
  country,
  email: blankAsNull(email),
  phone: optionalLine(40),
  contactName: optionalLine(200),
  address: address.prefault({}),
  vatNumber: optionalLine(30),
  registrationNumber: optionalLine(60),
  endpoint: electronicEndpoint.nullable().default(null),
  /** Null: the organization's. */
  currency: currency.nullable().default(null),
  termsDays: termsDays.nullable().default(null),
  buyerReference: optionalLine(200),
  notes: optionalText(4000),
}
/** Of the documents they get; null: the organization's. */
const language = oneOf(languages).nullable()

export const newCustomer = z.object({ id, ...editable, language: language.default(null) }).meta({ id: 'NewCustomer' })
export type NewCustomer = z.infer<typeof newCustomer>
export type NewCustomerInput = z.input<typeof newCustomer>

/** A language that is left out stays as it is: a change that an older build kept on a device does not know of it. */
export const customerEdit = z.object({ ...editable, language: language.optional() }).meta({ id: 'CustomerEdit' })
export type CustomerEdit = z.infer<typeof customerEdit>
export type CustomerEditInput = z.input<typeof customerEdit>

export const customer = z
  .object({ id, organizationId: id, ...editable, language, ...rowFields })
  .meta({ id: 'Customer' })
export type Customer = z.infer<typeof customer>

const customerSorts = ['name', '-name', '-updatedAt'] as const
export const customerQuery = pageQuery.extend({ sort: oneOf(customerSorts).default('name') })
export type CustomerQuery = z.infer<typeof customerQuery>

export const customerPage = page(customer).meta({ id: 'CustomerPage' })
export type CustomerPage = z.infer<typeof customerPage>
