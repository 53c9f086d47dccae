// What changed in an organization since a device last looked: rows and tombstones in one order (OFFLINE.md "Three layers of reading" 3).
import * as z from 'zod'
import { customer } from './customers.ts'
import { invoice } from './invoices.ts'
import { item } from './items.ts'
import { payment } from './payments.ts'
import { id } from './common.ts'
import { member } from './members.ts'

/** `row` is null for what was deleted. Several rows may share a revision: they changed together. */
const changed = <Kind extends string, Row extends z.ZodType>(kind: Kind, row: Row) =>
  z.object({ kind: z.literal(kind), id, revision: z.int(), row: row.nullable() })

export const change = z.discriminatedUnion('kind', [
  changed('customer', customer),
  changed('item', item),
  changed('invoice', invoice),
  changed('payment', payment),
  changed('member', member),
])
export type Change = z.infer<typeof change>

export const changesQuery = z.object({
  /** Empty: from the beginning. */
  since: z.string().max(200).default(''),
  limit: z.coerce
    .number('Must be 1 to 500')
    .int('Must be 1 to 500')
    .min(1, 'Must be 1 to 500')
    .max(500, 'Must be 1 to 500')
    .default(200),
})

export const changes = z
  .object({
    data: z.array(change),
    page: z.object({
      /** Where to go on, also when there is nothing more yet. */
      next: z.string(),
      more: z.boolean(),
      limit: z.int(),
      /** All rows there are, when the device asks from the beginning: what its progress is measured by. */
      total: z.int().optional(),
    }),
  })
  .meta({ id: 'Changes' })
export type Changes = z.infer<typeof changes>
