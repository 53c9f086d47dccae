import type { FieldError } from '#shared/problem-form.ts'
import { said } from '#page/words/said.ts'

/** The part of a contract that a form needs; typed by its shape, so that screens without one do not load the schema library. */
export interface ContractLike {
  safeParse(
    value: unknown,
  ): { success: true } | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } }
}

/** The first complaint of each field, by JSON pointer. */
export function asFieldErrors(contract: ContractLike, values: unknown): FieldError[] {
  const parsed = contract.safeParse(values)
  if (parsed.success) return []
  const found = new Map<string, string>()
  for (const { path, message } of parsed.error.issues) {
    const pointer = path.map((part) => `/${String(part)}`).join('')
    if (!found.has(pointer)) found.set(pointer, message)
  }
  return [...found].map(([pointer, detail]) => ({ pointer, detail: said(detail) }))
}
