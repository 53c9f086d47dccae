import type { EInvoiceFormat } from '#shared/e-invoice.ts'
import { ciiXml } from '#documents/cii/cii.ts'
import type { IssuedDocument } from '#documents/content.ts'
import { ublXml } from '#documents/ubl/ubl.ts'

/** The XML of an issued document in the syntax of its profile; `e-invoice.ts` said beforehand that nothing is missing. */
export function eInvoiceXml(document: IssuedDocument, format: EInvoiceFormat): string {
  return format === 'facturx' ? ciiXml(document) : ublXml(document, format)
}
