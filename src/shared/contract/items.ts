// What an organization sells, to fill in lines of invoices from.
import * as z from 'zod'
import { plainDecimal, unitPriceLimits } from '#shared/decimal.ts'
import {
  currency,
  decimalText,
  id,
  line,
  oneOf,
  optionalLine,
  optionalText,
  page,
  pageQuery,
  rowFields,
  unit,
  vat,
} from './common.ts'
import { taxMode } from './organizations.ts'

const editable = {
  name: line(200, 'Enter a name'),
  /** The firm's own number of it. */
  sku: optionalLine(60),
  description: optionalText(2000),
  unit,
  unitPrice: decimalText(unitPriceLimits).transform(plainDecimal),
  /** Null: the organization's. */
  currency: currency.nullable().default(null),
  /** Whether the price is without VAT or with it. */
  taxMode: taxMode.default('net'),
  vat: vat.prefault({ category: 'S', rate: '0' }),
}

export const newItem = z.object({ id, ...editable }).meta({ id: 'NewItem' })
export type NewItem = z.infer<typeof newItem>
export type NewItemInput = z.input<typeof newItem>

export const itemEdit = z.object(editable).meta({ id: 'ItemEdit' })
export type ItemEdit = z.infer<typeof itemEdit>
export type ItemEditInput = z.input<typeof itemEdit>

export const item = z.object({ id, organizationId: id, ...editable, ...rowFields }).meta({ id: 'Item' })
export type Item = z.infer<typeof item>

const itemSorts = ['name', '-name', '-updatedAt'] as const
export const itemQuery = pageQuery.extend({ sort: oneOf(itemSorts).default('name') })
export type ItemQuery = z.infer<typeof itemQuery>

export const itemPage = page(item).meta({ id: 'ItemPage' })
export type ItemPage = z.infer<typeof itemPage>
