// The rules of shared/account-rules in the shape that forms ask contracts in, for screens that do without the schema library.
import type { ContractLike } from './form-errors.ts'

/** What is wrong with each field; null means fine. */
export function rules<Values>(
  complaints: (values: Values) => { [Field in keyof Values]?: string | null },
): ContractLike {
  return {
    safeParse(values) {
      const issues = Object.entries(complaints(values as Values)).flatMap(([field, message]) =>
        typeof message === 'string' ? [{ path: [field], message }] : [],
      )
      return issues.length === 0 ? { success: true } : { success: false, error: { issues } }
    },
  }
}
