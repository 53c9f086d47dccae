// What stands between a draft and a good invoice: what issuing needs, and what the law or the customer's bookkeeping may ask for besides (DOMAIN.md "REST").
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { missingToIssue } from '#shared/invoice-draft.ts'
import { minorUnitsOf } from '#shared/money.ts'
import type { VatCategory } from '#shared/vat.ts'
import { text } from '#page/app-text.ts'
import { said } from '#page/said.ts'

const t = text.invoices.findings

export interface Finding {
  /** Without it there is no invoice; else it is advice. */
  isNeeded: boolean
  words: string
  /** Whose form it is mended in. */
  of: 'draft' | 'customer' | 'organization'
  /** The field's name in that form. */
  field: string
}

type Draft = Pick<Invoice, 'customerId' | 'dueDate' | 'termsDays' | 'supplyDate' | 'lines' | 'vat' | 'totals'>

/** `customer`: null for none, or while it loads; `today` as `YYYY-MM-DD`. */
export function issueFindings(
  draft: Draft,
  organization: Pick<Organization, 'address' | 'vatNumber' | 'bank'>,
  customer: Pick<Customer, 'address' | 'vatNumber'> | null,
  today: string,
): Finding[] {
  const used = (...categories: VatCategory[]) => draft.vat.some(({ category }) => categories.includes(category))
  const standardAtZero = draft.lines.findIndex(({ vat }) => vat.category === 'S' && vat.rate === '0')
  const advice = (isWanting: boolean, of: Finding['of'], field: string, words: string): Finding[] =>
    isWanting ? [{ isNeeded: false, words, of, field }] : []
  const isBlank = ({ line1, city }: Organization['address']) => line1 === null && city === null
  return [
    ...missingToIssue(draft).map(({ pointer, detail }): Finding => ({
      isNeeded: true,
      words: said(detail),
      of: 'draft',
      field: pointer === '/lines' ? 'lines.0.name' : pointer.slice(1).replaceAll('/', '.'),
    })),
    ...advice(isBlank(organization.address), 'organization', 'address.line1', t.ownAddress),
    ...advice(
      organization.vatNumber === null && used('S', 'AE', 'K', 'G'),
      'organization',
      'vatNumber',
      t.ownVatNumber,
    ),
    ...advice(organization.bank.iban === null, 'organization', 'bank.iban', t.iban),
    ...(customer
      ? [
          ...advice(isBlank(customer.address), 'customer', 'address.line1', t.customerAddress),
          ...advice(customer.vatNumber === null && used('AE', 'K'), 'customer', 'vatNumber', t.customerVatNumber),
        ]
      : []),
    ...advice(standardAtZero >= 0, 'draft', `lines.${standardAtZero}.vat.rate`, t.standardAtZero(standardAtZero + 1)),
    ...advice(draft.supplyDate === null && used('K'), 'draft', 'supplyDate', t.supplyDate),
    ...advice(draft.dueDate === null && draft.termsDays === null, 'draft', 'termsDays', t.due),
    ...advice(draft.dueDate !== null && draft.dueDate < today, 'draft', 'dueDate', t.pastDue),
    ...advice(
      draft.lines.length > 0 && minorUnitsOf(draft.totals.gross) <= 0n,
      'draft',
      'lines.0.unitPrice',
      t.nothingToPay,
    ),
  ]
}
