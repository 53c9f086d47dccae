// Reads a CII invoice into the shape of the UBL tree that the rules of `e-invoice-rules.ts` are written over: one reading of both syntaxes, so that
// a rule is written once. Nothing here is the product's own code; where a value stands is the syntax binding of EN 16931-3.
import { XMLParser } from 'fast-xml-parser'

// oxlint-disable-next-line typescript/no-explicit-any
type Node = any

const lists =
  /^ram:(IncludedSupplyChainTradeLineItem|SpecifiedTradeAllowanceCharge|ApplicableTradeTax|SpecifiedTaxRegistration|SpecifiedTradeSettlementPaymentMeans|IncludedNote|TaxTotalAmount)$/
const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  removeNSPrefix: false,
  isArray: (name) => lists.test(name),
})

export function readCii(xml: string): { root: Node; type: string } {
  const document = parser.parse(xml)['rsm:CrossIndustryInvoice']
  const head = document['rsm:ExchangedDocument']
  const trade = document['rsm:SupplyChainTradeTransaction']
  const agreement = trade['ram:ApplicableHeaderTradeAgreement']
  const delivered = trade['ram:ApplicableHeaderTradeDelivery']
  const settlement = trade['ram:ApplicableHeaderTradeSettlement']
  const sums = settlement['ram:SpecifiedTradeSettlementHeaderMonetarySummation']
  const currency = settlement['ram:InvoiceCurrencyCode']
  const type = head['ram:TypeCode']
  const money = (text: Node) => text && { '#text': textOf(text), '@_currencyID': text['@_currencyID'] ?? currency }
  const taxes: Node[] = sums['ram:TaxTotalAmount'] ?? []
  const isOwn = (tax: Node) => tax['@_currencyID'] === currency
  const terms = settlement['ram:SpecifiedTradePaymentTerms']
  const reference = settlement['ram:InvoiceReferencedDocument']
  const shipTo = delivered['ram:ShipToTradeParty']?.['ram:PostalTradeAddress']
  const quantityName = type === '381' ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity'
  const adjustment = (node: Node) => ({
    'cbc:ChargeIndicator': node['ram:ChargeIndicator']['udt:Indicator'],
    'cbc:AllowanceChargeReason': node['ram:Reason'],
    'cbc:Amount': money(node['ram:ActualAmount']),
    ...(node['ram:CategoryTradeTax'] && { 'cac:TaxCategory': category(node['ram:CategoryTradeTax']) }),
  })
  const root = {
    'cbc:CustomizationID':
      document['rsm:ExchangedDocumentContext']['ram:GuidelineSpecifiedDocumentContextParameter']['ram:ID'],
    'cbc:ID': head['ram:ID'],
    'cbc:IssueDate': dayOf(head['ram:IssueDateTime']),
    [type === '381' ? 'cbc:CreditNoteTypeCode' : 'cbc:InvoiceTypeCode']: type,
    'cbc:Note': head['ram:IncludedNote']?.map((note: Node) => note['ram:Content']),
    'cbc:DocumentCurrencyCode': currency,
    'cbc:TaxCurrencyCode': settlement['ram:TaxCurrencyCode'],
    'cbc:DueDate': dayOf(terms?.['ram:DueDateDateTime']),
    'cbc:BuyerReference': agreement['ram:BuyerReference'],
    'cac:OrderReference': { 'cbc:ID': agreement['ram:BuyerOrderReferencedDocument']?.['ram:IssuerAssignedID'] },
    ...(reference && {
      'cac:BillingReference': [
        {
          'cac:InvoiceDocumentReference': {
            'cbc:ID': reference['ram:IssuerAssignedID'],
            'cbc:IssueDate': dayOf(reference['ram:FormattedIssueDateTime'], 'qdt'),
          },
        },
      ],
    }),
    'cac:AccountingSupplierParty': { 'cac:Party': party(agreement['ram:SellerTradeParty']) },
    'cac:AccountingCustomerParty': { 'cac:Party': party(agreement['ram:BuyerTradeParty']) },
    'cac:Delivery': {
      'cbc:ActualDeliveryDate': dayOf(delivered['ram:ActualDeliverySupplyChainEvent']?.['ram:OccurrenceDateTime']),
      'cac:DeliveryLocation': shipTo && {
        'cac:Address': { 'cac:Country': { 'cbc:IdentificationCode': shipTo['ram:CountryID'] } },
      },
    },
    'cac:PaymentMeans': settlement['ram:SpecifiedTradeSettlementPaymentMeans']?.map((means: Node) => ({
      'cbc:PaymentMeansCode': means['ram:TypeCode'],
      'cac:PayeeFinancialAccount': { 'cbc:ID': means['ram:PayeePartyCreditorFinancialAccount']?.['ram:IBANID'] },
    })),
    'cac:PaymentTerms': { 'cbc:Note': terms?.['ram:Description'] },
    'cac:AllowanceCharge': settlement['ram:SpecifiedTradeAllowanceCharge']?.map(adjustment),
    'cac:TaxTotal': [
      {
        'cbc:TaxAmount': money(taxes.find(isOwn)),
        'cac:TaxSubtotal': settlement['ram:ApplicableTradeTax']?.map((group: Node) => ({
          'cbc:TaxableAmount': money(group['ram:BasisAmount']),
          'cbc:TaxAmount': money(group['ram:CalculatedAmount']),
          'cac:TaxCategory': category(group),
        })),
      },
      ...taxes.filter((tax) => !isOwn(tax)).map((tax) => ({ 'cbc:TaxAmount': money(tax) })),
    ],
    'cac:LegalMonetaryTotal': {
      'cbc:LineExtensionAmount': money(sums['ram:LineTotalAmount']),
      'cbc:TaxExclusiveAmount': money(sums['ram:TaxBasisTotalAmount']),
      'cbc:TaxInclusiveAmount': money(sums['ram:GrandTotalAmount']),
      'cbc:AllowanceTotalAmount': money(sums['ram:AllowanceTotalAmount']),
      'cbc:ChargeTotalAmount': money(sums['ram:ChargeTotalAmount']),
      'cbc:PayableAmount': money(sums['ram:DuePayableAmount']),
    },
    [type === '381' ? 'cac:CreditNoteLine' : 'cac:InvoiceLine']: trade['ram:IncludedSupplyChainTradeLineItem']?.map(
      (line: Node) => {
        const settled = line['ram:SpecifiedLineTradeSettlement']
        const price = line['ram:SpecifiedLineTradeAgreement']['ram:NetPriceProductTradePrice']
        return {
          'cbc:ID': line['ram:AssociatedDocumentLineDocument']['ram:LineID'],
          [quantityName]: line['ram:SpecifiedLineTradeDelivery']['ram:BilledQuantity'],
          'cbc:LineExtensionAmount': money(
            settled['ram:SpecifiedTradeSettlementLineMonetarySummation']['ram:LineTotalAmount'],
          ),
          'cac:AllowanceCharge': settled['ram:SpecifiedTradeAllowanceCharge']?.map(adjustment),
          'cac:Item': {
            'cbc:Name': line['ram:SpecifiedTradeProduct']['ram:Name'],
            'cac:ClassifiedTaxCategory': category(settled['ram:ApplicableTradeTax'][0]),
          },
          'cac:Price': {
            'cbc:PriceAmount': money(price['ram:ChargeAmount']),
            'cbc:BaseQuantity': price['ram:BasisQuantity'],
          },
        }
      },
    ),
  }
  return { root: withoutNothing(root), type }
}

function textOf(node: Node): string {
  return typeof node === 'string' ? node : node['#text']
}

/** Format 102 as a date; one of another format stays what it is, and no rule takes it. */
function dayOf(node: Node, prefix = 'udt'): string | undefined {
  const text = node?.[`${prefix}:DateTimeString`]
  if (text === undefined) return undefined
  if (text['@_format'] !== '102') return textOf(text)
  return textOf(text).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
}

function category(tax: Node): Node {
  return {
    'cbc:ID': tax['ram:CategoryCode'],
    'cbc:Percent': tax['ram:RateApplicablePercent'],
    'cbc:TaxExemptionReasonCode': tax['ram:ExemptionReasonCode'],
    'cbc:TaxExemptionReason': tax['ram:ExemptionReason'],
  }
}

function party(node: Node): Node {
  const address = node['ram:PostalTradeAddress']
  const legal = node['ram:SpecifiedLegalOrganization']
  const contact = node['ram:DefinedTradeContact']
  return {
    'cbc:EndpointID': node['ram:URIUniversalCommunication']?.['ram:URIID'],
    'cac:PartyIdentification': node['ram:ID'] && { 'cbc:ID': node['ram:ID'] },
    'cac:PostalAddress': {
      'cbc:StreetName': address['ram:LineOne'],
      'cbc:CityName': address['ram:CityName'],
      'cbc:PostalZone': address['ram:PostcodeCode'],
      'cac:Country': { 'cbc:IdentificationCode': address['ram:CountryID'] },
    },
    'cac:PartyTaxScheme': node['ram:SpecifiedTaxRegistration']?.map((each: Node) => ({
      'cbc:CompanyID': textOf(each['ram:ID']),
      'cac:TaxScheme': { 'cbc:ID': each['ram:ID']['@_schemeID'] === 'VA' ? 'VAT' : 'TAX' },
    })),
    'cac:PartyLegalEntity': { 'cbc:RegistrationName': node['ram:Name'], 'cbc:CompanyID': legal?.['ram:ID'] },
    'cac:Contact': contact && {
      'cbc:Name': contact['ram:PersonName'],
      'cbc:Telephone': contact['ram:TelephoneUniversalCommunication']?.['ram:CompleteNumber'],
      'cbc:ElectronicMail': contact['ram:EmailURIUniversalCommunication']?.['ram:URIID'],
    },
  }
}

/** What was not there is not there, and neither is what held nothing else. */
function withoutNothing(node: Node): Node {
  if (Array.isArray(node)) return node.map(withoutNothing)
  if (typeof node !== 'object' || node === null) return node
  const left = Object.entries<Node>(node).flatMap(([name, child]) => {
    const kept = withoutNothing(child)
    return kept === undefined ? [] : [[name, kept]]
  })
  return left.length === 0 ? undefined : Object.fromEntries(left)
}
