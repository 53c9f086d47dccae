// The order of elements that the schemas of UBL 2.1 and CII D16B want, as far as Docket uses them.
import { XMLParser } from 'fast-xml-parser'

// oxlint-disable-next-line typescript/no-explicit-any
type Node = any

const parser = new XMLParser({ preserveOrder: true, ignoreAttributes: false, parseTagValue: false })

const head = (type: string) =>
  `CustomizationID ProfileID ID IssueDate DueDate ${type} Note DocumentCurrencyCode TaxCurrencyCode BuyerReference OrderReference BillingReference ` +
  'AccountingSupplierParty AccountingCustomerParty Delivery PaymentMeans PaymentTerms AllowanceCharge TaxTotal LegalMonetaryTotal InvoiceLine CreditNoteLine'
/** The sequences of the UBL 2.1 and CII D16B schemas, as far as Docket uses them. */
const sequences: Record<string, string> = {
  Invoice: head('InvoiceTypeCode'),
  CreditNote: head('CreditNoteTypeCode').replace('DueDate ', ''),
  Party: 'EndpointID PartyIdentification PartyName PostalAddress PartyTaxScheme PartyLegalEntity Contact',
  PostalAddress: 'StreetName AdditionalStreetName CityName PostalZone CountrySubentity Country',
  PartyTaxScheme: 'CompanyID TaxScheme',
  PartyLegalEntity: 'RegistrationName CompanyID',
  Contact: 'Name Telephone ElectronicMail',
  Delivery: 'ActualDeliveryDate DeliveryLocation',
  PaymentMeans: 'PaymentMeansCode PaymentDueDate PaymentID PayeeFinancialAccount',
  PayeeFinancialAccount: 'ID Name FinancialInstitutionBranch',
  AllowanceCharge: 'ChargeIndicator AllowanceChargeReason Amount TaxCategory',
  TaxTotal: 'TaxAmount TaxSubtotal',
  TaxSubtotal: 'TaxableAmount TaxAmount TaxCategory',
  TaxCategory: 'ID Percent TaxExemptionReasonCode TaxExemptionReason TaxScheme',
  ClassifiedTaxCategory: 'ID Percent TaxScheme',
  LegalMonetaryTotal:
    'LineExtensionAmount TaxExclusiveAmount TaxInclusiveAmount AllowanceTotalAmount ChargeTotalAmount PayableAmount',
  InvoiceLine: 'ID InvoicedQuantity LineExtensionAmount AllowanceCharge Item Price',
  CreditNoteLine: 'ID CreditedQuantity LineExtensionAmount AllowanceCharge Item Price',
  Item: 'Description Name ClassifiedTaxCategory',
  Price: 'PriceAmount BaseQuantity',
  CrossIndustryInvoice: 'ExchangedDocumentContext ExchangedDocument SupplyChainTradeTransaction',
  ExchangedDocument: 'ID TypeCode IssueDateTime IncludedNote',
  SupplyChainTradeTransaction:
    'IncludedSupplyChainTradeLineItem ApplicableHeaderTradeAgreement ApplicableHeaderTradeDelivery ApplicableHeaderTradeSettlement',
  IncludedSupplyChainTradeLineItem:
    'AssociatedDocumentLineDocument SpecifiedTradeProduct SpecifiedLineTradeAgreement SpecifiedLineTradeDelivery SpecifiedLineTradeSettlement',
  SpecifiedTradeProduct: 'Name Description',
  NetPriceProductTradePrice: 'ChargeAmount BasisQuantity',
  SpecifiedLineTradeSettlement:
    'ApplicableTradeTax SpecifiedTradeAllowanceCharge SpecifiedTradeSettlementLineMonetarySummation',
  ApplicableHeaderTradeAgreement: 'BuyerReference SellerTradeParty BuyerTradeParty BuyerOrderReferencedDocument',
  SellerTradeParty:
    'ID Name SpecifiedLegalOrganization DefinedTradeContact PostalTradeAddress URIUniversalCommunication SpecifiedTaxRegistration',
  BuyerTradeParty:
    'Name SpecifiedLegalOrganization DefinedTradeContact PostalTradeAddress URIUniversalCommunication SpecifiedTaxRegistration',
  SpecifiedLegalOrganization: 'ID TradingBusinessName',
  Address: 'StreetName AdditionalStreetName CityName PostalZone CountrySubentity Country',
  DefinedTradeContact: 'PersonName TelephoneUniversalCommunication EmailURIUniversalCommunication',
  PostalTradeAddress: 'PostcodeCode LineOne LineTwo CityName CountryID CountrySubDivisionName',
  ApplicableHeaderTradeDelivery: 'ShipToTradeParty ActualDeliverySupplyChainEvent',
  ApplicableHeaderTradeSettlement:
    'PaymentReference TaxCurrencyCode InvoiceCurrencyCode SpecifiedTradeSettlementPaymentMeans ApplicableTradeTax SpecifiedTradeAllowanceCharge ' +
    'SpecifiedTradePaymentTerms SpecifiedTradeSettlementHeaderMonetarySummation InvoiceReferencedDocument',
  SpecifiedTradeSettlementPaymentMeans:
    'TypeCode PayeePartyCreditorFinancialAccount PayeeSpecifiedCreditorFinancialInstitution',
  ApplicableTradeTax:
    'CalculatedAmount TypeCode ExemptionReason BasisAmount CategoryCode ExemptionReasonCode RateApplicablePercent',
  SpecifiedTradeAllowanceCharge: 'ChargeIndicator ActualAmount Reason CategoryTradeTax',
  SpecifiedTradePaymentTerms: 'Description DueDateDateTime',
  SpecifiedTradeSettlementHeaderMonetarySummation:
    'LineTotalAmount ChargeTotalAmount AllowanceTotalAmount TaxBasisTotalAmount TaxTotalAmount GrandTotalAmount DuePayableAmount',
}

/** Whether every element stands where its schema has it, and none that the schema has not. */
export function isInOrder(xml: string): boolean {
  return areInOrder(parser.parse(xml))
}

function areInOrder(nodes: Node[]): boolean {
  return nodes.every((node) => {
    const [tag] = Object.keys(node).filter((key) => key !== ':@')
    const children = node[tag!] as Node[]
    if (!Array.isArray(children)) return true
    const sequence = sequences[tag!.replace(/^\w+:/, '')]?.split(' ')
    const names = children
      .flatMap((child) => Object.keys(child).filter((key) => key !== ':@' && key !== '#text'))
      .map((name) => name.replace(/^\w+:/, ''))
    const places = sequence && names.map((name) => sequence.indexOf(name))
    const inOrder = !places || places.every((place, index) => place >= 0 && place >= (places[index - 1] ?? 0))
    return inOrder && areInOrder(children)
  })
}
