// The numbers that were given: whether each series runs from 1 without a gap and without a double.
import * as z from 'zod'
import { numberResets } from '#shared/invoice-number.ts'
import { id, oneOf } from './common.ts'

const numberPeriodReport = z
  .object({
    /** `2026`, `2026-11`, or empty where counting never starts again. */
    period: z.string(),
    /** How many numbers were given. */
    issued: z.int(),
    first: z.string().meta({ example: 'INV-2026-0001' }),
    last: z.string(),
    /** Places in the count that no number has, at most 100. */
    missing: z.array(
      z.object({
        from: z.int(),
        to: z.int(),
        /** Passed over, because an earlier pattern had given this very number already. */
        isPassedOver: z.boolean(),
      }),
    ),
    /** Numbers that were given more than once. */
    doubled: z.array(z.string()),
  })
  .meta({ id: 'NumberPeriodReport' })

const seriesReport = z
  .object({
    id,
    kind: z.string(),
    pattern: z.string(),
    reset: oneOf(numberResets),
    /** What the next number would be today. */
    next: z.string(),
    periods: z.array(numberPeriodReport),
  })
  .meta({ id: 'SeriesReport' })
export type SeriesReport = z.infer<typeof seriesReport>

export const seriesReportList = z.object({ data: z.array(seriesReport) }).meta({ id: 'SeriesReportList' })
export type SeriesReportList = z.infer<typeof seriesReportList>
