// The rules of EN 16931 (BR-*) and Peppol BIS Billing 3.0 (PEPPOL-EN16931-*, NL-R-*, DE-R-*) that Docket's XML relies on, written anew from their
// texts over the parsed XML: nothing here is the product's own code. Also the order of elements that the schemas of both syntaxes want.
import { XMLParser } from 'fast-xml-parser'
import { readCii } from './cii-reading.ts'
import { isInOrder } from './e-invoice-order.ts'

const lists =
  /^(cac:(InvoiceLine|CreditNoteLine|AllowanceCharge|TaxTotal|TaxSubtotal|PartyTaxScheme|PaymentMeans|BillingReference)|cbc:Note)$/

// oxlint-disable-next-line typescript/no-explicit-any
type Node = any

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  isArray: (name) => lists.test(name),
})

/** Digits of a decimal text at `scale` places; text with more places throws. */
function scaled(text: string, scale: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match || (match[3] ?? '').length > scale) throw new RangeError(`"${text}" is no number of ${scale} places`)
  const digits = BigInt(match[2]! + (match[3] ?? '').padEnd(scale, '0'))
  return match[1] ? -digits : digits
}

const textOf = (node: Node): string | undefined =>
  node === undefined ? undefined : typeof node === 'string' ? node : String(node['#text'] ?? '')
const cents = (node: Node): bigint => (node === undefined ? 0n : scaled(textOf(node)!, 2))
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
const abs = (value: bigint) => (value < 0n ? -value : value)
const each = (node: Node): Node[] => node ?? []

/** Names of the rules that this XML breaks. */
export function brokenRules(xml: string): string[] {
  const isCii = xml.includes('CrossIndustryInvoice')
  const document = isCii ? null : parser.parse(xml)
  const cii = isCii ? readCii(xml) : null
  const isCredit = cii ? cii.type === '381' : 'CreditNote' in document
  const root: Node = cii?.root ?? document.CreditNote ?? document.Invoice
  const broken = new Set<string>()
  const must = (rule: string, holds: unknown) => {
    if (!holds) broken.add(rule)
  }
  const seller = root['cac:AccountingSupplierParty']?.['cac:Party'] ?? {}
  const buyer = root['cac:AccountingCustomerParty']?.['cac:Party'] ?? {}
  const lines = each(root[isCredit ? 'cac:CreditNoteLine' : 'cac:InvoiceLine'])
  const adjustments = each(root['cac:AllowanceCharge'])
  const taxTotals = each(root['cac:TaxTotal'])
  const [withGroups, ...moreWithGroups] = taxTotals.filter((total) => total['cac:TaxSubtotal'])
  const sumsAlone = taxTotals.filter((total) => !total['cac:TaxSubtotal'])
  const groups = each(withGroups?.['cac:TaxSubtotal'])
  const taxCurrency = textOf(root['cbc:TaxCurrencyCode'])
  const totals = root['cac:LegalMonetaryTotal'] ?? {}
  const currency = textOf(root['cbc:DocumentCurrencyCode'])
  const isPeppol = textOf(root['cbc:CustomizationID'])?.includes('poacc:billing:3.0') ?? false
  const isOf = (indicator: boolean) => (node: Node) => textOf(node['cbc:ChargeIndicator']) === String(indicator)

  // What is there at all.
  must('BR-01', root['cbc:CustomizationID'])
  must('BR-02', root['cbc:ID'])
  must('BR-03', /^\d{4}-\d\d-\d\d$/.test(textOf(root['cbc:IssueDate']) ?? ''))
  must(
    'BR-04',
    (textOf(root['cbc:InvoiceTypeCode']) ?? textOf(root['cbc:CreditNoteTypeCode'])) === (isCredit ? '381' : '380'),
  )
  must('BR-05', currency)
  // None of the codes of subjects is ever written.
  for (const note of each(root['cbc:Note'])) must('BR-CL-08', !/^[^#]*#[^#]{3}#/u.test(textOf(note) ?? ''))
  must('BR-06', seller['cac:PartyLegalEntity']?.['cbc:RegistrationName'])
  must('BR-07', buyer['cac:PartyLegalEntity']?.['cbc:RegistrationName'])
  must('BR-09', seller['cac:PostalAddress']?.['cac:Country']?.['cbc:IdentificationCode'])
  must('BR-11', buyer['cac:PostalAddress']?.['cac:Country']?.['cbc:IdentificationCode'])
  must('BR-16', lines.length > 0)
  for (const party of [seller, buyer])
    must('BR-62', party['cbc:EndpointID'] === undefined || party['cbc:EndpointID']['@_schemeID'])
  const taxIds = (party: Node, scheme: string) =>
    each(party['cac:PartyTaxScheme'])
      .filter((node) => (textOf(node['cac:TaxScheme']?.['cbc:ID']) === 'VAT') === (scheme === 'VAT'))
      .map((node) => textOf(node['cbc:CompanyID'])!)
  const sellerVat = taxIds(seller, 'VAT')
  const sellerTax = taxIds(seller, 'other')
  const buyerVat = taxIds(buyer, 'VAT')
  const registered = (party: Node) => party['cac:PartyLegalEntity']?.['cbc:CompanyID']
  must('BR-CO-26', sellerVat.length > 0 || registered(seller) || seller['cac:PartyIdentification'])
  for (const vat of [...sellerVat, ...buyerVat]) must('BR-CO-09', /^(?:[A-Z]{2})[A-Z0-9+*]+$/.test(vat))
  const payable = cents(totals['cbc:PayableAmount'])
  must('BR-CO-25', payable <= 0n || root['cbc:DueDate'] || root['cac:PaymentTerms']?.['cbc:Note'])
  for (const means of each(root['cac:PaymentMeans'])) {
    must('BR-49', means['cbc:PaymentMeansCode'])
    if (['30', '58'].includes(textOf(means['cbc:PaymentMeansCode'])!))
      must('BR-61', textOf(means['cac:PayeeFinancialAccount']?.['cbc:ID']))
  }
  if (root['cac:BillingReference'])
    for (const reference of root['cac:BillingReference'])
      must('BR-55', reference['cac:InvoiceDocumentReference']?.['cbc:ID'])

  // Two decimals, one currency.
  for (const [path, text, attributes] of amountsIn(root)) {
    if (!path.endsWith('PriceAmount')) must(`BR-DEC (${path})`, /^-?\d+(\.\d{1,2})?$/.test(text))
    // But for the VAT in the accounting currency (BT-111).
    const isOther = path === '/cac:TaxTotal/cbc:TaxAmount' && attributes['@_currencyID'] === taxCurrency
    must('PEPPOL-EN16931-R051', isOther || attributes['@_currencyID'] === currency)
  }
  if (broken.size > 0 && [...broken].some((rule) => rule.startsWith('BR-DEC'))) return [...broken]

  // Lines.
  const ids = lines.map((line) => textOf(line['cbc:ID']))
  must('BR-21', new Set(ids).size === lines.length)
  for (const line of lines) {
    const quantity = line[isCredit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity']
    const price = line['cac:Price']
    must('BR-22', quantity)
    must('BR-23', /^[A-Z0-9]{2,3}$/.test(quantity?.['@_unitCode'] ?? ''))
    must('BR-25', textOf(line['cac:Item']?.['cbc:Name']))
    must('BR-26', price?.['cbc:PriceAmount'])
    must('BR-27', scaled(textOf(price['cbc:PriceAmount'])!, 6) >= 0n)
    must('BR-CO-04', line['cac:Item']?.['cac:ClassifiedTaxCategory']?.['cbc:ID'])
    const own = each(line['cac:AllowanceCharge'])
    for (const node of own) {
      must(isOf(true)(node) ? 'BR-44' : 'BR-42', textOf(node['cbc:AllowanceChargeReason']))
      must('BR-41', cents(node['cbc:Amount']) >= 0n)
    }
    const base = price['cbc:BaseQuantity']
    must('PEPPOL-EN16931-R121', scaled(textOf(base)!, 4) > 0n)
    must('PEPPOL-EN16931-R130', base['@_unitCode'] === quantity['@_unitCode'])
    // R120 allows two cents; the half cent of one rounding is what Docket promises.
    const rest =
      cents(line['cbc:LineExtensionAmount']) -
      sum(own.filter(isOf(true)).map((node) => cents(node['cbc:Amount']))) +
      sum(own.filter(isOf(false)).map((node) => cents(node['cbc:Amount'])))
    const exact = scaled(textOf(quantity)!, 4) * scaled(textOf(price['cbc:PriceAmount'])!, 6)
    const baseQuantity = scaled(textOf(base)!, 4)
    must('PEPPOL-EN16931-R120', 2n * abs(rest * baseQuantity * 10_000n - exact) <= baseQuantity * 10_000n)
  }

  // Discounts and charges of the document.
  for (const node of adjustments) {
    must(isOf(true)(node) ? 'BR-38' : 'BR-33', textOf(node['cbc:AllowanceChargeReason']))
    must(isOf(true)(node) ? 'BR-37' : 'BR-32', node['cac:TaxCategory']?.['cbc:ID'])
    must('PEPPOL-EN16931-R043', ['true', 'false'].includes(textOf(node['cbc:ChargeIndicator'])!))
  }

  // Totals.
  const lineSum = sum(lines.map((line) => cents(line['cbc:LineExtensionAmount'])))
  const allowanceSum = sum(adjustments.filter(isOf(false)).map((node) => cents(node['cbc:Amount'])))
  const chargeSum = sum(adjustments.filter(isOf(true)).map((node) => cents(node['cbc:Amount'])))
  must('BR-CO-10', cents(totals['cbc:LineExtensionAmount']) === lineSum)
  must('BR-CO-11', cents(totals['cbc:AllowanceTotalAmount']) === allowanceSum)
  must('BR-CO-12', cents(totals['cbc:ChargeTotalAmount']) === chargeSum)
  must('BR-CO-13', cents(totals['cbc:TaxExclusiveAmount']) === lineSum - allowanceSum + chargeSum)
  const tax = cents(withGroups?.['cbc:TaxAmount'])
  must('BR-CO-14', tax === sum(groups.map((group) => cents(group['cbc:TaxAmount']))))
  must('BR-CO-15', cents(totals['cbc:TaxInclusiveAmount']) === cents(totals['cbc:TaxExclusiveAmount']) + tax)
  must('BR-CO-16', payable === cents(totals['cbc:TaxInclusiveAmount']))
  must('BR-CO-18', groups.length > 0)
  must('PEPPOL-EN16931-R053', withGroups && moreWithGroups.length === 0)
  must('PEPPOL-EN16931-R054', sumsAlone.length === (taxCurrency === undefined ? 0 : 1))
  if (taxCurrency !== undefined) {
    const [accounted] = sumsAlone.filter((total) => total['cbc:TaxAmount']['@_currencyID'] === taxCurrency)
    must('BR-53', accounted)
    must('BR-CL-05', /^[A-Z]{3}$/.test(taxCurrency) && taxCurrency !== 'STN' && (taxCurrency !== 'XCG' || !isPeppol))
    must('PEPPOL-EN16931-R005', taxCurrency !== currency)
    must('PEPPOL-EN16931-R055', cents(accounted?.['cbc:TaxAmount']) * tax >= 0n)
  }

  // The VAT breakdown.
  // Category O has no rate on a line, and 0 or none in the breakdown.
  const keyOf = (category: Node) => {
    const name = textOf(category['cbc:ID'])
    return name === 'O' ? name : `${name} ${rateOf(category)}`
  }
  const parts = [
    ...lines.map((line) => ({
      category: line['cac:Item']['cac:ClassifiedTaxCategory'],
      amount: cents(line['cbc:LineExtensionAmount']),
    })),
    ...adjustments.map((node) => ({
      category: node['cac:TaxCategory'],
      amount: cents(node['cbc:Amount']) * (isOf(true)(node) ? 1n : -1n),
    })),
  ]
  const used = new Set(parts.map(({ category }) => textOf(category['cbc:ID'])!))
  const keys = groups.map((group) => keyOf(group['cac:TaxCategory']))
  must('BR-S-01', new Set(keys).size === keys.length && parts.every(({ category }) => keys.includes(keyOf(category))))
  for (const group of groups) {
    const category = group['cac:TaxCategory']
    const name = textOf(category['cbc:ID'])!
    const inside = sum(parts.filter((part) => keyOf(part.category) === keyOf(category)).map(({ amount }) => amount))
    must(`BR-${name}-08`, cents(group['cbc:TaxableAmount']) === inside)
    const rate = scaled(textOf(category['cbc:Percent']) ?? '0', 4)
    const product = cents(group['cbc:TaxableAmount']) * rate
    const taxed = cents(group['cbc:TaxAmount'])
    // The rule allows less than a whole unit; with prices that hold their VAT the rounding of the base may show as one cent. Some currencies are whole.
    const slack = /^(JPY|ISK|KRW)$/.test(currency!) ? 99_999_999n : 1_500_000n
    // And to it a rate below 0.5 is none.
    must('BR-CO-17', rate < 5000n ? abs(taxed) < 50n : abs(taxed * 1_000_000n - product) <= slack)
    const reason = textOf(category['cbc:TaxExemptionReason']) ?? textOf(category['cbc:TaxExemptionReasonCode'])
    if (name === 'S' || name === 'Z') must(`BR-${name}-10`, reason === undefined)
    else must(`BR-${name}-10`, reason)
    if (name !== 'S') must(`BR-${name}-09`, cents(group['cbc:TaxAmount']) === 0n)
    const code = textOf(category['cbc:TaxExemptionReasonCode'])
    const codes: Record<string, string> = {
      'VATEX-EU-AE': 'AE',
      'VATEX-EU-IC': 'K',
      'VATEX-EU-G': 'G',
      'VATEX-EU-O': 'O',
    }
    if (code !== undefined) must('PEPPOL-EN16931-P0104', codes[code] === name)
    if (name !== 'O') must('BR-48', category['cbc:Percent'] !== undefined)
    else must('DE-R-014', rate === 0n)
  }
  for (const { category } of parts) {
    const name = textOf(category['cbc:ID'])!
    must('BR-CL-18', ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'].includes(name))
    if (name === 'O') must('BR-O-05', category['cbc:Percent'] === undefined)
    else if (name === 'S') must('BR-S-05', scaled(textOf(category['cbc:Percent'])!, 4) > 0n)
    else must(`BR-${name}-05`, scaled(textOf(category['cbc:Percent'])!, 4) === 0n)
  }
  if (['S', 'Z', 'E', 'AE'].some((name) => used.has(name))) must('BR-S-02', sellerVat.length + sellerTax.length > 0)
  if (used.has('AE')) must('BR-AE-02', buyerVat.length > 0 || registered(buyer))
  if (used.has('K')) {
    must('BR-IC-02', sellerVat.length > 0 && buyerVat.length > 0)
    must('BR-IC-11', root['cac:Delivery']?.['cbc:ActualDeliveryDate'])
    must(
      'BR-IC-12',
      root['cac:Delivery']?.['cac:DeliveryLocation']?.['cac:Address']?.['cac:Country']?.['cbc:IdentificationCode'],
    )
  }
  if (used.has('G')) must('BR-G-02', sellerVat.length > 0)
  if (used.has('O')) {
    must('BR-O-02', sellerVat.length === 0 && buyerVat.length === 0)
    must('BR-O-11', groups.length === 1 && used.size === 1)
  }

  must('PEPPOL-EN16931-R008', emptyElements(root).length === 0)
  if (isPeppol) {
    must('PEPPOL-EN16931-R001', textOf(root['cbc:ProfileID']) === 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0')
    must('PEPPOL-EN16931-R002', each(root['cbc:Note']).length <= 1)
    must('PEPPOL-EN16931-R003', root['cbc:BuyerReference'] || root['cac:OrderReference']?.['cbc:ID'])
    must('PEPPOL-EN16931-R010', textOf(buyer['cbc:EndpointID']))
    must('PEPPOL-EN16931-R020', textOf(seller['cbc:EndpointID']))
    national(must, root, seller, buyer, payable, isCredit)
  }
  must(isCii ? 'CII order' : 'UBL order', isInOrder(xml))
  return [...broken]
}

function national(
  must: (rule: string, holds: unknown) => void,
  root: Node,
  seller: Node,
  buyer: Node,
  payable: bigint,
  isCredit: boolean,
): void {
  const countryOf = (party: Node) => textOf(party['cac:PostalAddress']['cac:Country']['cbc:IdentificationCode'])
  const has = (party: Node, ...names: string[]) =>
    names.every((name) => textOf(party['cac:PostalAddress'][`cbc:${name}`]))
  const means = each(root['cac:PaymentMeans'])
  if (countryOf(seller) === 'NL') {
    must('NL-R-001', !isCredit || root['cac:BillingReference'])
    must('NL-R-002', has(seller, 'StreetName', 'CityName', 'PostalZone'))
    must('NL-R-003', ['0106', '0190'].includes(seller['cac:PartyLegalEntity']['cbc:CompanyID']?.['@_schemeID']))
    must('NL-R-007', payable <= 0n || means.length > 0)
    if (countryOf(buyer) === 'NL') {
      must('NL-R-004', has(buyer, 'StreetName', 'CityName', 'PostalZone'))
      for (const each of means)
        must('NL-R-008', ['30', '48', '49', '57', '58', '59'].includes(textOf(each['cbc:PaymentMeansCode'])!))
    }
  }
  if (countryOf(seller) === 'DE' && countryOf(buyer) === 'DE') {
    must('DE-R-001', means.length > 0)
    must('DE-R-004', has(seller, 'CityName', 'PostalZone'))
    must(
      'DE-R-005',
      ['Name', 'Telephone', 'ElectronicMail'].every((name) => textOf(seller['cac:Contact']?.[`cbc:${name}`])),
    )
    must('DE-R-009', has(buyer, 'CityName', 'PostalZone'))
    must('DE-R-015', textOf(root['cbc:BuyerReference']))
  }
}

/** 21 and 21.00 are one rate. */
function rateOf(category: Node): string {
  const percent = textOf(category['cbc:Percent'])
  return percent === undefined ? 'none' : scaled(percent, 4).toString()
}

function amountsIn(node: Node, path = ''): [path: string, text: string, attributes: Node][] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries<Node>(node).flatMap(([name, child]) => {
    const children = Array.isArray(child) ? child : [child]
    return children.flatMap((one) =>
      /^cbc:\w*Amount$/.test(name) ? [[`${path}/${name}`, textOf(one)!, one]] : amountsIn(one, `${path}/${name}`),
    ) as [string, string, Node][]
  })
}

function emptyElements(node: Node, path = ''): string[] {
  if (node === '') return [path]
  if (typeof node !== 'object' || node === null) return []
  return Object.entries<Node>(node).flatMap(([name, child]) =>
    name.startsWith('@_')
      ? []
      : (Array.isArray(child) ? child : [child]).flatMap((one) => emptyElements(one, `${path}/${name}`)),
  )
}
