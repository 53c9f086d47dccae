// Invoices and credit notes as UN/CEFACT Cross Industry Invoice D16B in the core of EN 16931-1:2017: the XML of Factur-X and ZUGFeRD, profile
// EN 16931 (COMFORT). A later edition gets a module of its own beside this one.
import { create } from 'xmlbuilder2'
import { invoiceAmounts } from '#shared/invoice-totals.ts'
import { formatAmount, type MinorUnits } from '#shared/money.ts'
import type { VatCategory } from '#shared/vat.ts'
import type { IssuedDocument } from '#documents/content.ts'
import { text, type Element } from '#documents/e-invoice/element.ts'
import { netPrice } from '#documents/e-invoice/prices.ts'
import { adjustmentReason, exemptionOf, paymentMeansCode, paymentTermsNote } from '#documents/e-invoice/terms.ts'
import { buyerParty, sellerParty, tradeAddress } from './parties.ts'

const unece = 'urn:un:unece:uncefact:data:standard'

/** The XML of an issued document; `e-invoice.ts` said beforehand that nothing is missing. */
export function ciiXml(document: IssuedDocument): string {
  const content: Element = {
    '@xmlns:rsm': `${unece}:CrossIndustryInvoice:100`,
    '@xmlns:qdt': `${unece}:QualifiedDataType:100`,
    '@xmlns:ram': `${unece}:ReusableAggregateBusinessInformationEntity:100`,
    '@xmlns:udt': `${unece}:UnqualifiedDataType:100`,
    'rsm:ExchangedDocumentContext': {
      'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': 'urn:cen.eu:en16931:2017' },
    },
    'rsm:ExchangedDocument': {
      'ram:ID': text(document.number),
      'ram:TypeCode': document.type,
      'ram:IssueDateTime': day(document.issueDate!),
      'ram:IncludedNote': document.notes === null ? undefined : { 'ram:Content': text(document.notes) },
    },
    'rsm:SupplyChainTradeTransaction': transaction(document),
  }
  return create({ version: '1.0', encoding: 'UTF-8' }, { 'rsm:CrossIndustryInvoice': content }).end({
    prettyPrint: true,
  })
}

function transaction(document: IssuedDocument): Element {
  const categories = new Set(document.vat.map(({ category }) => category))
  const withVat = !categories.has('O')
  return {
    'ram:IncludedSupplyChainTradeLineItem': document.lines.map((line, index) => lineItem(document, line, index)),
    'ram:ApplicableHeaderTradeAgreement': {
      'ram:BuyerReference': text(document.buyerReference),
      'ram:SellerTradeParty': sellerParty(document.seller!, { withVat }),
      'ram:BuyerTradeParty': buyerParty(document.buyer!, { withVat }),
      'ram:BuyerOrderReferencedDocument':
        document.orderReference === null ? undefined : { 'ram:IssuerAssignedID': text(document.orderReference) },
    },
    'ram:ApplicableHeaderTradeDelivery': delivery(document, categories),
    'ram:ApplicableHeaderTradeSettlement': settlement(document),
  }
}

type InvoiceLine = IssuedDocument['lines'][number]

function lineItem(document: IssuedDocument, line: InvoiceLine, index: number): Element {
  const price = netPrice(line, document)
  const unit = { '@unitCode': line.unit }
  const adjustments = (isCharge: boolean) =>
    (isCharge ? price.charges : price.allowances).map(({ amount, reason }) =>
      allowanceCharge(document, isCharge, reason, amount),
    )
  return {
    'ram:AssociatedDocumentLineDocument': { 'ram:LineID': String(index + 1) },
    'ram:SpecifiedTradeProduct': { 'ram:Name': text(line.name), 'ram:Description': text(line.description) },
    'ram:SpecifiedLineTradeAgreement': {
      'ram:NetPriceProductTradePrice': {
        'ram:ChargeAmount': price.price,
        'ram:BasisQuantity': { ...unit, '#': price.baseQuantity },
      },
    },
    'ram:SpecifiedLineTradeDelivery': { 'ram:BilledQuantity': { ...unit, '#': line.quantity } },
    'ram:SpecifiedLineTradeSettlement': {
      'ram:ApplicableTradeTax': tradeTax(line.vat),
      'ram:SpecifiedTradeAllowanceCharge': [...adjustments(false), ...adjustments(true)],
      'ram:SpecifiedTradeSettlementLineMonetarySummation': { 'ram:LineTotalAmount': line.net.amount },
    },
  }
}

/** BR-IC-11 and BR-IC-12: an intra-community supply says when and to which country. The element itself is always there. */
function delivery({ supplyDate, buyer }: IssuedDocument, categories: ReadonlySet<VatCategory>): Element {
  const { address, country } = buyer!
  const place = { address: { ...address, line1: null, line2: null, region: null }, country }
  return {
    'ram:ShipToTradeParty': categories.has('K') ? { 'ram:PostalTradeAddress': tradeAddress(place) } : undefined,
    'ram:ActualDeliverySupplyChainEvent':
      supplyDate === null ? undefined : { 'ram:OccurrenceDateTime': day(supplyDate) },
  }
}

function settlement(document: IssuedDocument): Element {
  const { currency, vat, totals, allowances, charges, dueDate, creditedInvoice, accountingTax } = document
  // The frozen lines hold their nets; those of the document's discounts and charges are reckoned again, by the same rules.
  const computed = invoiceAmounts(document)
  const adjustments = (isCharge: boolean) =>
    (isCharge ? charges : allowances).map((each, index) => ({
      ...allowanceCharge(
        document,
        isCharge,
        each.reason,
        (isCharge ? computed.charges : computed.allowances)[index]!.net,
      ),
      'ram:CategoryTradeTax': tradeTax(each.vat),
    }))
  const terms = paymentTermsNote(document)
  return {
    'ram:PaymentReference': document.seller!.bank.iban === null ? undefined : text(document.number),
    'ram:TaxCurrencyCode': accountingTax?.currency,
    'ram:InvoiceCurrencyCode': currency,
    'ram:SpecifiedTradeSettlementPaymentMeans': paymentMeans(document),
    'ram:ApplicableTradeTax': vat.map((group) => {
      const exemption = exemptionOf(group)
      return {
        'ram:CalculatedAmount': group.tax.amount,
        'ram:TypeCode': 'VAT',
        'ram:ExemptionReason': text(exemption?.reason ?? null),
        'ram:BasisAmount': group.base.amount,
        'ram:CategoryCode': group.category,
        'ram:ExemptionReasonCode': exemption?.code,
        'ram:RateApplicablePercent': group.rate,
      }
    }),
    'ram:SpecifiedTradeAllowanceCharge': [...adjustments(false), ...adjustments(true)],
    'ram:SpecifiedTradePaymentTerms':
      terms === null && dueDate === null
        ? undefined
        : {
            'ram:Description': text(terms),
            'ram:DueDateDateTime': dueDate === null ? undefined : day(dueDate),
          },
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation': {
      'ram:LineTotalAmount': totals.lines.amount,
      'ram:ChargeTotalAmount': charges.length > 0 ? totals.charges.amount : undefined,
      'ram:AllowanceTotalAmount': allowances.length > 0 ? totals.allowances.amount : undefined,
      'ram:TaxBasisTotalAmount': totals.net.amount,
      'ram:TaxTotalAmount': [totals.tax, ...(accountingTax ? [accountingTax] : [])].map((tax) => ({
        '@currencyID': tax.currency,
        '#': tax.amount,
      })),
      'ram:GrandTotalAmount': totals.gross.amount,
      'ram:DuePayableAmount': totals.gross.amount,
    },
    'ram:InvoiceReferencedDocument': creditedInvoice
      ? {
          'ram:IssuerAssignedID': creditedInvoice.number,
          'ram:FormattedIssueDateTime': day(creditedInvoice.issueDate, 'qdt'),
        }
      : undefined,
  }
}

/** A credit transfer to the seller's account. */
function paymentMeans(document: IssuedDocument): Element | undefined {
  const { iban, bic, holder } = document.seller!.bank
  if (iban === null) return undefined
  return {
    'ram:TypeCode': paymentMeansCode(document),
    'ram:PayeePartyCreditorFinancialAccount': { 'ram:IBANID': iban, 'ram:AccountName': text(holder) },
    'ram:PayeeSpecifiedCreditorFinancialInstitution': bic === null ? undefined : { 'ram:BICID': bic },
  }
}

function allowanceCharge(
  { currency, language }: IssuedDocument,
  isCharge: boolean,
  reason: string | null,
  amount: MinorUnits,
): Element {
  return {
    'ram:ChargeIndicator': { 'udt:Indicator': String(isCharge) },
    'ram:ActualAmount': formatAmount(amount, currency),
    'ram:Reason': text(adjustmentReason(isCharge, reason, language)),
  }
}

/** Of a line, a discount or a charge: category O has no rate there (BR-O-05). */
function tradeTax({ category, rate }: { category: VatCategory; rate: string }): Element {
  return {
    'ram:TypeCode': 'VAT',
    'ram:CategoryCode': category,
    'ram:RateApplicablePercent': category === 'O' ? undefined : rate,
  }
}

/** UNCL 2379 format 102: CCYYMMDD. */
function day(date: string, prefix: 'udt' | 'qdt' = 'udt'): Element {
  return { [`${prefix}:DateTimeString`]: { '@format': '102', '#': date.replaceAll('-', '') } }
}
