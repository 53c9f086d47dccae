// Which e-invoice profile a document is issued in: the organization's, but for a customer whom its network does not reach, and for a credit note whose
// invoice was no such e-invoice (decision 024). Pure: the server issues by it, the page warns by it.
import type { EInvoiceProfile } from './contract/organizations.ts'
import { eInvoiceErrors, type EInvoiceFormat } from './e-invoice.ts'
import type { BuyerParty, Checked, SellerParty } from './e-invoice-parts.ts'
import type { FieldError } from './problem-form.ts'

/** An issued invoice, as it was frozen. */
type Corrected = Checked & { seller: SellerParty | null; buyer: BuyerParty | null }

export interface IssuedAs {
  profile: EInvoiceProfile
  /** What it is not issued without. */
  errors: FieldError[]
  /** Words: why it is not the profile that was chosen; null where it is. */
  why: string | null
}

/** `corrected`: of a credit note what it corrects; null while that is not known here, and then nothing is refused. */
export function issuedAs(
  chosen: EInvoiceProfile,
  document: Checked,
  seller: SellerParty,
  buyer: BuyerParty,
  corrected: Corrected | null,
): IssuedAs {
  const plain = (why: string | null): IssuedAs => ({ profile: 'none', errors: [], why })
  if (chosen === 'none') return plain(null)
  const isNote = document.type === '381'
  // Who got such an e-invoice gets its correction as one, or it is said what of them is missing since, whoever they became.
  const isHeld = isNote && isOne(chosen, corrected)
  if (!isHeld && !isReached(chosen, buyer))
    return plain('The customer is a private person without an e-invoice address')
  const errors = eInvoiceErrors(chosen, document, seller, buyer)
  if (errors.length > 0 && isNote && !isHeld)
    return plain('The invoice that it corrects lacks what the e-invoice profile needs')
  return { profile: chosen, errors, why: null }
}

/** Private people have no place on a network, unless they have an address there. What an older build froze may not say who is one. */
function isReached(format: EInvoiceFormat, { kind, endpoint }: BuyerParty): boolean {
  const isNetwork = format === 'peppol' || format === 'xrechnung'
  return !isNetwork || kind !== 'person' || endpoint !== null
}

/** It can no longer be mended: what it lacks, its credit note need not have. */
function isOne(format: EInvoiceFormat, invoice: Corrected | null): boolean {
  return invoice !== null && eInvoiceErrors(format, invoice, invoice.seller!, invoice.buyer!).length === 0
}
