// Invoices and credit notes as UBL 2.1, in the core of EN 16931-1:2017, as Peppol BIS Billing 3.0 or as XRechnung 3.0. A later edition of the standard gets a module
// of its own beside this one: what was issued is written by the rules of its time.
import { create } from 'xmlbuilder2'
import type { EInvoiceFormat } from '#shared/e-invoice.ts'
import { invoiceAmounts } from '#shared/invoice-totals.ts'
import { formatAmount, type MinorUnits } from '#shared/money.ts'
import type { VatCategory } from '#shared/vat.ts'
import type { IssuedDocument } from '#documents/content.ts'
import { text, type Element } from '#documents/e-invoice/element.ts'
import { netPrice } from '#documents/e-invoice/prices.ts'
import { adjustmentReason, exemptionOf, paymentMeansCode, paymentTermsNote } from '#documents/e-invoice/terms.ts'
import { buyerParty, sellerParty } from './parties.ts'

/** The profiles that are written in this syntax. */
export type UblFormat = Exclude<EInvoiceFormat, 'facturx'>

const billing = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'
const customizations: Readonly<Record<UblFormat, { customization: string; profile?: string }>> = {
  en16931: { customization: 'urn:cen.eu:en16931:2017' },
  peppol: {
    customization: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
    profile: billing,
  },
  xrechnung: {
    customization: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
    profile: billing,
  },
}

/** The kinds differ in these names and in where the due date stands. */
const kinds = {
  '380': { root: 'Invoice', line: 'cac:InvoiceLine', quantity: 'cbc:InvoicedQuantity', code: 'cbc:InvoiceTypeCode' },
  '381': {
    root: 'CreditNote',
    line: 'cac:CreditNoteLine',
    quantity: 'cbc:CreditedQuantity',
    code: 'cbc:CreditNoteTypeCode',
  },
} as const

const oasis = 'urn:oasis:names:specification:ubl:schema:xsd'

/** The XML of an issued document; `e-invoice.ts` said beforehand that nothing is missing. */
export function ublXml(document: IssuedDocument, format: UblFormat): string {
  const { root } = kinds[document.type]
  const { customization, profile } = customizations[format]
  const content: Element = {
    '@xmlns': `${oasis}:${root}-2`,
    '@xmlns:cac': `${oasis}:CommonAggregateComponents-2`,
    '@xmlns:cbc': `${oasis}:CommonBasicComponents-2`,
    'cbc:CustomizationID': customization,
    'cbc:ProfileID': profile,
    ...body(document),
  }
  return create({ version: '1.0', encoding: 'UTF-8' }, { [root]: content }).end({ prettyPrint: true })
}

function body(document: IssuedDocument): Element {
  const { type, currency, dueDate, notes, vat, creditedInvoice } = document
  const seller = document.seller!
  const buyer = document.buyer!
  const categories = new Set(vat.map(({ category }) => category))
  const withVat = !categories.has('O')
  const isInvoice = type === '380'
  return {
    'cbc:ID': document.number!,
    'cbc:IssueDate': document.issueDate!,
    'cbc:DueDate': isInvoice ? (dueDate ?? undefined) : undefined,
    [kinds[type].code]: type,
    'cbc:Note': note(notes),
    'cbc:DocumentCurrencyCode': currency,
    'cbc:TaxCurrencyCode': document.accountingTax?.currency,
    'cbc:BuyerReference': text(document.buyerReference),
    'cac:OrderReference': document.orderReference === null ? undefined : { 'cbc:ID': text(document.orderReference) },
    'cac:BillingReference': creditedInvoice
      ? {
          'cac:InvoiceDocumentReference': {
            'cbc:ID': creditedInvoice.number,
            'cbc:IssueDate': creditedInvoice.issueDate,
          },
        }
      : undefined,
    'cac:AccountingSupplierParty': sellerParty(seller, { withVat }),
    'cac:AccountingCustomerParty': buyerParty(buyer, { withVat }),
    'cac:Delivery': delivery(document, categories),
    'cac:PaymentMeans': paymentMeans(document),
    'cac:PaymentTerms': paymentTerms(document),
    ...amounts(document),
  }
}

/** BR-CL-08 reads three signs between the first two `#` as the code of a subject; here they are what somebody wrote. */
function note(notes: string | null): string | undefined {
  return text(notes)?.replace(/^([^#]*#)(?=[^#]{3}#)/u, '$1 ')
}

/** BR-IC-11 and BR-IC-12: an intra-community supply says when and to which country; DE-R-010 and DE-R-011 want the place with it. */
function delivery({ supplyDate, buyer }: IssuedDocument, categories: ReadonlySet<VatCategory>): Element | undefined {
  const abroad = categories.has('K')
  if (supplyDate === null && !abroad) return undefined
  const { address, country } = buyer!
  const place: Element = {
    'cbc:CityName': text(address.city),
    'cbc:PostalZone': text(address.postalCode),
    'cac:Country': { 'cbc:IdentificationCode': country },
  }
  return {
    'cbc:ActualDeliveryDate': supplyDate ?? undefined,
    'cac:DeliveryLocation': abroad ? { 'cac:Address': place } : undefined,
  }
}

/** A credit transfer to the seller's account. */
function paymentMeans(document: IssuedDocument): Element | undefined {
  const { type, dueDate, number } = document
  const { iban, bic, holder } = document.seller!.bank
  if (iban === null) return undefined
  return {
    'cbc:PaymentMeansCode': paymentMeansCode(document),
    'cbc:PaymentDueDate': type === '381' ? (dueDate ?? undefined) : undefined,
    'cbc:PaymentID': number!,
    'cac:PayeeFinancialAccount': {
      'cbc:ID': iban,
      'cbc:Name': text(holder),
      'cac:FinancialInstitutionBranch': bic === null ? undefined : { 'cbc:ID': bic },
    },
  }
}

function paymentTerms(document: IssuedDocument): Element | undefined {
  const note = paymentTermsNote(document)
  return note === null ? undefined : { 'cbc:Note': note }
}

function amounts(document: IssuedDocument): Element {
  const { type, currency, allowances, charges, vat, totals } = document
  // The frozen lines hold their nets; those of the document's discounts and charges are reckoned again, by the same rules.
  const computed = invoiceAmounts(document)
  const money = (amount: string, of = currency): Element => ({ '@currencyID': of, '#': amount })
  const { accountingTax } = document
  const adjustments = (isCharge: boolean) =>
    (isCharge ? charges : allowances).map((each, index) => ({
      ...allowanceCharge(
        document,
        isCharge,
        each.reason,
        (isCharge ? computed.charges : computed.allowances)[index]!.net,
      ),
      'cac:TaxCategory': taxCategory(each.vat),
    }))
  const { line, quantity } = kinds[type]
  return {
    'cac:AllowanceCharge': [...adjustments(false), ...adjustments(true)],
    'cac:TaxTotal': [
      {
        'cbc:TaxAmount': money(totals.tax.amount),
        'cac:TaxSubtotal': vat.map((group) => ({
          'cbc:TaxableAmount': money(group.base.amount),
          'cbc:TaxAmount': money(group.tax.amount),
          'cac:TaxCategory': breakdownCategory(group),
        })),
      },
      // In the accounting currency there is the sum alone (PEPPOL-EN16931-R054).
      ...(accountingTax ? [{ 'cbc:TaxAmount': money(accountingTax.amount, accountingTax.currency) }] : []),
    ],
    'cac:LegalMonetaryTotal': {
      'cbc:LineExtensionAmount': money(totals.lines.amount),
      'cbc:TaxExclusiveAmount': money(totals.net.amount),
      'cbc:TaxInclusiveAmount': money(totals.gross.amount),
      'cbc:AllowanceTotalAmount': allowances.length > 0 ? money(totals.allowances.amount) : undefined,
      'cbc:ChargeTotalAmount': charges.length > 0 ? money(totals.charges.amount) : undefined,
      'cbc:PayableAmount': money(totals.gross.amount),
    },
    [line]: document.lines.map((each, index) => {
      const price = netPrice(each, document)
      const unit = { '@unitCode': each.unit }
      return {
        'cbc:ID': String(index + 1),
        [quantity]: { ...unit, '#': each.quantity },
        'cbc:LineExtensionAmount': money(each.net.amount),
        'cac:AllowanceCharge': [
          ...price.allowances.map((part) => allowanceCharge(document, false, part.reason, part.amount)),
          ...price.charges.map((part) => allowanceCharge(document, true, part.reason, part.amount)),
        ],
        'cac:Item': {
          'cbc:Description': text(each.description),
          'cbc:Name': text(each.name),
          'cac:ClassifiedTaxCategory': taxCategory(each.vat),
        },
        'cac:Price': {
          'cbc:PriceAmount': money(price.price),
          'cbc:BaseQuantity': { ...unit, '#': price.baseQuantity },
        },
      }
    }),
  }
}

function allowanceCharge(
  { currency, language }: IssuedDocument,
  isCharge: boolean,
  reason: string | null,
  amount: MinorUnits,
): Element {
  return {
    'cbc:ChargeIndicator': String(isCharge),
    'cbc:AllowanceChargeReason': text(adjustmentReason(isCharge, reason, language)),
    'cbc:Amount': { '@currencyID': currency, '#': formatAmount(amount, currency) },
  }
}

/** Category O has no rate (BR-O-05). */
function taxCategory({ category, rate }: { category: VatCategory; rate: string }): Element {
  return {
    'cbc:ID': category,
    'cbc:Percent': category === 'O' ? undefined : rate,
    'cac:TaxScheme': { 'cbc:ID': 'VAT' },
  }
}

/** In the breakdown also category O has its rate, which is 0 (DE-R-014), and says why there is no VAT. */
function breakdownCategory(group: IssuedDocument['vat'][number]): Element {
  const exemption = exemptionOf(group)
  return {
    'cbc:ID': group.category,
    'cbc:Percent': group.rate,
    'cbc:TaxExemptionReasonCode': exemption?.code,
    'cbc:TaxExemptionReason': text(exemption?.reason ?? null),
    'cac:TaxScheme': { 'cbc:ID': 'VAT' },
  }
}
