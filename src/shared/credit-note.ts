// What a credit note (type 381) takes from its invoice, and how much of the invoice it may take back (DOMAIN.md "States": corrections are credit notes).
import type { Invoice, NewCreditNoteInput } from './contract/invoices.ts'
import { asTyped } from './format.ts'
import type { DraftContent } from './invoice-content.ts'
import { invoiceAmounts } from './invoice-totals.ts'
import { formatAmount, minorUnitsOf, type MinorUnits, type Money } from './money.ts'
import type { FieldError } from './problem-form.ts'
import { uuidv7 } from './ids.ts'
import { longestVatReason } from './vat.ts'

type Whole = Pick<
  Invoice,
  'currency' | 'customerId' | 'taxMode' | 'lines' | 'allowances' | 'charges' | 'vat' | 'gross' | 'number'
>

/**
 * All that is left of the invoice. While nothing was credited that is the invoice itself, line by line, so that every total is the same to the cent.
 * After a part it is one line for each VAT rate, with the VAT included: what each rate has left is then exact, however the parts before were rounded.
 */
export function creditContent(
  invoice: Whole &
    Pick<Invoice, 'language' | 'supplyDate' | 'buyerReference' | 'orderReference' | 'exchange' | 'accountingCurrency'>,
  notes: readonly Whole[],
): DraftContent {
  const { currency, customerId, taxMode, language, supplyDate, buyerReference, orderReference } = invoice
  const { exchange, accountingCurrency } = invoice
  const same = {
    currency,
    customerId,
    language,
    supplyDate,
    buyerReference,
    orderReference,
    exchange,
    accountingCurrency,
    dueDate: null,
    termsDays: null,
    notes: null,
  }
  if (notes.length === 0) {
    const lines = invoice.lines.map(({ net: _, ...line }) => line)
    return { ...same, taxMode, lines, allowances: invoice.allowances, charges: invoice.charges }
  }
  const left = leftByRate(invoice, notes)
  const groups = invoice.vat.filter((group) => left.get(keyOf(group)) !== 0n)
  const lines = groups.map(({ category, rate, reason }) => {
    const gross = left.get(keyOf({ category, rate }))!
    return {
      id: uuidv7(),
      name: `${invoice.number}, ${asTyped(rate, language)} % ${language === 'de' ? 'MwSt.' : 'VAT'}`,
      description: null,
      // A price is never negative (EN 16931): what was taken off is a negative quantity.
      quantity: gross < 0n ? '-1' : '1',
      unit: 'C62',
      unitPrice: formatAmount(gross < 0n ? -gross : gross, currency),
      baseQuantity: '1',
      allowances: [],
      charges: [],
      // Those of a whole group may be more than a line has room for.
      vat: { category, rate, reason: reason === null ? null : shortened(reason, longestVatReason) },
    }
  })
  return { ...same, taxMode: 'gross', lines, allowances: [], charges: [] }
}

/** What a device sends to make it. At which rate is not asked: it is the invoice's. */
export function newCreditNoteOf(
  invoice: Parameters<typeof creditContent>[0],
  notes: readonly Whole[],
  id: string,
): NewCreditNoteInput {
  const { exchange: _, accountingCurrency: __, ...content } = creditContent(invoice, notes)
  return { id, ...content }
}

/** Cut between two letters: half an emoji is no text, and no database keeps it. */
function shortened(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}

/** Where a credit note goes beyond what its invoice has left: in a line of it, in a VAT rate, in the whole. None: it may be issued. */
export function creditErrors(invoice: Whole, notes: readonly Whole[], note: Whole): FieldError[] {
  if (note.customerId !== invoice.customerId)
    return [{ pointer: '/customerId', detail: 'Must be the customer of the invoice' }]
  if (note.currency !== invoice.currency)
    return [{ pointer: '/currency', detail: `Must be the currency of the invoice, ${invoice.currency}` }]
  const { currency } = invoice
  const gross = minorUnitsOf(note.gross)
  if (gross <= 0n) return [{ pointer: '/lines', detail: 'A credit note must be more than 0' }]
  const linesLeft = leftByLine(invoice, notes)
  const entered = invoiceAmounts(note).lines
  const errors = note.lines.flatMap(({ id }, index) => {
    const left = note.taxMode === invoice.taxMode ? linesLeft.get(id) : undefined
    if (left === undefined) return []
    // A line may be there more than once.
    linesLeft.set(id, left - entered[index]!.entered)
    if (!isBeyond(entered[index]!.entered, left)) return []
    return [
      {
        pointer: `/lines/${index}/quantity`,
        detail: `Only ${formatAmount(left, currency)} ${currency} of this line is left`,
      },
    ]
  })
  if (errors.length > 0) return errors
  const ratesLeft = leftByRate(invoice, notes)
  const taken = new Set(invoice.vat.filter((group) => grossOf(group) < 0n).map(keyOf))
  for (const group of note.vat) {
    const left = ratesLeft.get(keyOf(group))
    const words = `VAT ${group.rate} %`
    // What the invoice took off is put back by a credit note, and nothing but that.
    const isTurned = taken.has(keyOf(group)) && (grossOf(group) > 0n || grossOf(group) < left!)
    if (left === undefined) errors.push({ pointer: '/lines', detail: `The invoice has nothing with ${words}` })
    else if (isTurned || isBeyond(grossOf(group), left))
      errors.push({
        pointer: '/lines',
        detail: `Only ${formatAmount(left, currency)} ${currency} is left with ${words}`,
      })
  }
  const whole = minorUnitsOf(invoice.gross) - sum(notes.map((each) => minorUnitsOf(each.gross)))
  if (errors.length === 0 && gross > whole)
    errors.push({
      pointer: '/lines',
      detail: `Only ${formatAmount(whole, currency)} ${currency} of the invoice is left`,
    })
  return errors
}

/** Of each line what was typed and not credited; lines of credit notes made in another tax mode count for their VAT rate alone. */
function leftByLine(invoice: Whole, notes: readonly Whole[]): Map<string, MinorUnits> {
  const left = new Map<string, MinorUnits>()
  const add = ({ lines, ...whole }: Whole, sign: bigint) =>
    invoiceAmounts({ ...whole, lines }).lines.forEach(({ entered }, index) => {
      const { id } = lines[index]!
      if (sign > 0n || left.has(id)) left.set(id, (left.get(id) ?? 0n) + sign * entered)
    })
  add(invoice, 1n)
  for (const note of notes) if (note.taxMode === invoice.taxMode) add(note, -1n)
  return left
}

/** Of each VAT rate what is not credited, with its VAT. */
function leftByRate(invoice: Whole, notes: readonly Whole[]): Map<string, MinorUnits> {
  const left = new Map(invoice.vat.map((group) => [keyOf(group), grossOf(group)]))
  for (const group of notes.flatMap(({ vat }) => vat))
    left.set(keyOf(group), (left.get(keyOf(group)) ?? 0n) - grossOf(group))
  return left
}

function isBeyond(part: MinorUnits, left: MinorUnits): boolean {
  return left >= 0n ? part > left : part < left
}

function grossOf({ base, tax }: { base: Money; tax: Money }): MinorUnits {
  return minorUnitsOf(base) + minorUnitsOf(tax)
}

function keyOf({ category, rate }: { category: string; rate: string }): string {
  return `${category} ${rate}`
}

function sum(amounts: readonly MinorUnits[]): MinorUnits {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
