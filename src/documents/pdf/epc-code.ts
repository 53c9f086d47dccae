// The code that a banking app scans (EPC069-12, version 002): a SEPA credit transfer with its amount and reference.
import { encode } from 'uqr'

export interface Transfer {
  iban: string
  bic: string | null
  holder: string
  /** In euros, such as 917.18. */
  amount: string
  reference: string
}

/** The scheme's limits. */
const longestName = 70
const longestReference = 140
/** 999,999,999.99 in cents. */
export const largestTransfer = 99_999_999_999n

export function epcText({ iban, bic, holder, amount, reference }: Transfer): string {
  const name = Array.from(holder).slice(0, longestName).join('')
  const text = Array.from(reference).slice(0, longestReference).join('')
  return ['BCD', '002', '1', 'SCT', bic ?? '', name, iban, `EUR${amount}`, '', '', text].join('\n')
}

/** The code as a picture of its own: a path of one unit to the module, black on white, with `quiet` modules of nothing around it. */
export function epcPicture(transfer: Transfer, quiet = 4): { viewBox: string; path: string } {
  const modules = epcCode(transfer)
  const size = modules.length + 2 * quiet
  return {
    viewBox: `${-quiet} ${-quiet} ${size} ${size}`,
    path: modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join(''),
  }
}

/** Rows of modules, true for black. */
export function epcCode(transfer: Transfer): boolean[][] {
  return encode(epcText(transfer), { ecc: 'M', boostEcc: false, border: 0 }).data
}
