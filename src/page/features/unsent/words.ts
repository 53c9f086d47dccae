// An unsent write in a person's words: what it is, and why it is still here.
import { isRefund, unsigned } from '#shared/invoice-balance.ts'
import { changedFields } from '#shared/merge.ts'
import type { Money } from '#shared/money.ts'
import { intentOf, isDelete, isReversal, isSave, needsPerson, type UnsentEntry } from '#shared/outbox.ts'
import { formatClock, formatMoney } from '#page/words/format.ts'
import { problemWords } from '#page/words/problem-text.ts'
import { said } from '#page/words/said.ts'
import { text } from '#page/words/app-text.ts'
import { fieldLabel, knownLabel } from '#page/words/field-text.ts'

const t = text.unsent

/** A refund is a payment to the server alone, and a credit note an invoice. */
function callOf({ name, body, base }: UnsentEntry): string {
  if (name === 'issueInvoice' && base?.['type'] === '381') return 'issueCreditNote'
  return isRefund(body) ? 'recordRefund' : name
}

/** Of a payment on several invoices, which of them; null for all else. */
function numberAt({ body, id, label, alsoOf = [] }: UnsentEntry, pointer: string): string | null {
  const [, index] = /^\/allocations\/(\d+)/.exec(pointer) ?? []
  if (index === undefined || alsoOf.length === 0) return null
  const allocations = (body?.['allocations'] ?? []) as { invoiceId: string }[]
  const invoiceId = allocations[Number(index)]?.invoiceId
  return [{ id, label }, ...alsoOf].find((row) => row.id === invoiceId)?.label || null
}

export function whatText(entry: UnsentEntry): string {
  const { kind, label, alsoOf = [] } = entry
  const named = label && alsoOf.length > 0 ? t.andMore(label, alsoOf.length) : label
  // An invoice goes by its customer's name, which is not its own.
  return [t.calls[callOf(entry)] ?? t.call, named].filter(Boolean).join(kind === 'invoice' ? ' · ' : ' ')
}

/** With what tells it from others of the same customer: the amount, or why it is done. */
export function wholeText(entry: UnsentEntry, locale: string): string {
  // Of which payment it is that is reversed stands in no field that was saved.
  const telling = isReversal(entry.name) ? entry.body?.['reason'] : amountText(entry, locale)
  return [whatText(entry), telling].filter((each) => typeof each === 'string' && each).join(' · ')
}

/** What is paid, else what the invoice comes to that this is done to; null for a change, which makes it another. It may be of a file, in which it may be anything. */
function amountText({ kind, name, base, body }: UnsentEntry, locale: string): string | null {
  if (kind !== 'invoice' || (!intentOf(name) && !isDelete(name))) return null
  const { amount, currency } = (body?.['amount'] ?? base?.['gross'] ?? {}) as Partial<Money>
  if (typeof amount !== 'string' || !/^[A-Z]{3}$/.test(String(currency))) return null
  return formatMoney(unsigned({ amount, currency: currency! }), locale)
}

/** Which of several changes of one row it is; null for what is no change of a row. */
export function changeText({ name, kind, base, body }: UnsentEntry): string | null {
  if (!isSave(name) || !base || !body) return null
  const labels = changedFields(base, body).flatMap((field) => knownLabel(kind, field) ?? [])
  return labels.length > 0 ? t.changed([...new Set(labels)].join(', ')) : null
}

/** The row is at the server no more. */
function isGone({ state, theirs, lastProblem }: UnsentEntry): boolean {
  return state === 'conflict' && theirs === null && lastProblem?.code === 'not_found'
}

/** `isAnswered`: the server has said why not yet, so no connection is missing. */
function stateText(entry: UnsentEntry, isAnswered: boolean): string {
  const { state, theirs, body } = entry
  if (isGone(entry)) return t.deletedElsewhere
  // There is nothing to be seen beside it; and what a press meets may as well have been changed here, where a refused draft was mended.
  if (state === 'conflict' && (theirs === null || body === null)) return t.doneMeanwhile
  return state === 'queued' && isAnswered ? t.triedAgain : t.states[state]
}

/** The most telling first. */
export function whyTexts(entry: UnsentEntry): string[] {
  const { kind, state, lastProblem, attempts, nextAttemptAt } = entry
  const problem =
    lastProblem && lastProblem.code !== 'undeliverable' && lastProblem.code !== 'stale' ? lastProblem : null
  // Of its organization nothing is found: another try is of use when that is there again.
  if (state === 'rejected' && problem?.code === 'not_found') return [t.noAccess]
  // It was never tried and is not yet to be: a deletion that can be taken back.
  if (nextAttemptAt && attempts === 0) return [t.held]
  const fields = problem?.errors ?? []
  const labelOf = (field: string) => knownLabel(callOf(entry), field) ?? fieldLabel(kind, field)
  const tries = [
    ...(attempts > 0 && !needsPerson(state) ? [t.tried(attempts)] : []),
    ...(nextAttemptAt ? [t.next(formatClock(Date.parse(nextAttemptAt)))] : []),
  ]
  return [
    stateText(entry, problem !== null),
    // That it is gone is said already.
    ...(problem && !isGone(entry) && fields.length === 0 ? [problemWords(problem, 'action')] : []),
    ...fields.map(
      ({ pointer, detail }) => `${numberAt(entry, pointer) ?? labelOf(pointer.split('/')[1] ?? '')}: ${said(detail)}`,
    ),
    tries.join(' '),
  ].filter(Boolean)
}

/** What has a form; the rest are presses, which there is nothing to edit in. */
const editable: readonly string[] = [
  'createOrganization',
  'saveOrganization',
  'createCustomer',
  'saveCustomer',
  'createItem',
  'saveItem',
  'createInvoice',
  'createCreditNote',
  'saveInvoice',
  'recordPayment',
  'sendInvoice',
]

export function isEditable({ name, body }: Pick<UnsentEntry, 'name' | 'body'>): boolean {
  return body !== null && editable.includes(name)
}

/** The change is of an invoice that somebody issued meanwhile. What a reversal is refused for, the server says, and it may go. */
export function isFrozen({ kind, name, state, theirs, lastProblem }: UnsentEntry): boolean {
  if (kind !== 'invoice' || (isReversal(name) && state === 'rejected')) return false
  return theirs ? theirs['status'] !== 'draft' : lastProblem?.code === 'invalid_transition'
}

/** Upon an invoice that is issued: that it is, is no reason for a refusal. So is what credits it. */
export function isPress(name: UnsentEntry['name']): boolean {
  const intent = intentOf(name)
  return (intent !== undefined && intent !== 'issue') || name === 'createCreditNote'
}

/** Null for what is not there. */
export function versionOf(row: UnsentEntry['base']): number | null {
  return typeof row?.['version'] === 'number' ? row['version'] : null
}
