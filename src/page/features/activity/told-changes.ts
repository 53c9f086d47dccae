// What changed, as a person reads it before and after.
import type { Activity } from '#shared/contract/activity.ts'
import { isRefund } from '#shared/invoice-balance.ts'
import type { Zoned } from '#page/words/format.ts'
import { knownLabel } from '#page/words/field-text.ts'
import { fieldLines } from '#page/forms/field-lines.ts'

interface Told {
  field: string
  label: string
  sides: [before: string, after: string]
}

/** What has no word tells a person nothing; nor does an object full of nothing. */
export function toldChanges(activity: Activity, { locale, timeZone }: Zoned): Told[] {
  const kind = kindOf(activity)
  const { changes } = activity
  // Rows were written down whole: nothing else is known of them.
  const known = { kind, base: null, theirs: null, label: '', currency: currencyIn(changes), timeZone } as const
  const lines = (field: string, value: unknown) => fieldLines(known, field, value, locale).join('\n')
  return (
    changes
      // A customer is told by name.
      .filter(({ field }) => field !== 'customerId')
      .flatMap(({ field, before, after }) => {
        const label = knownLabel(kind, field)
        return label === null
          ? []
          : [{ field, label, sides: [lines(field, before), lines(field, after)] } satisfies Told]
      })
      .filter(({ sides: [before, after] }) => before !== after)
  )
}

/** What it was about, by the name that its words go by: money given back is a payment of less than nothing. */
export function kindOf({ kind, changes }: Activity): string {
  const amount = changes.find(({ field }) => field === 'amount')?.after
  return kind === 'payment' && isRefund({ amount }) ? 'refund' : kind
}

/** The one that any of it names: amounts of lines and discounts have none beside them. */
function currencyIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  const { currency, field, after, before } = value as Record<string, unknown>
  if (typeof currency === 'string') return currency
  if (field === 'currency') return [after, before].find((each) => typeof each === 'string') ?? null
  for (const each of Object.values(value)) {
    const found = currencyIn(each)
    if (found !== null) return found
  }
  return null
}
