// Documents as files. What is issued comes as the server keeps it; without a connection, and for drafts, the same layout is drawn here.
import type { PrintedDocument } from '#documents/content.ts'
import { documentFileName } from '#documents/file-name.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { ProblemError } from '#shared/problem.ts'
import { call } from '#page/api.ts'
import { offerFile } from '#page/offer-file.ts'
import { text } from '#page/words/app-text.ts'
import { notify } from '#page/ui/notify.ts'
import { loadLogo } from '#page/device/logo.ts'
import { loadFont } from './pdf-fonts.ts'

const t = text.invoices

interface Shown {
  invoice: Invoice
  organization: Organization
  /** The draft's. */
  customer: Customer | null
}

interface Drawn extends Omit<Shown, 'invoice'> {
  invoice: PrintedDocument
  isVoid?: boolean
}

export async function downloadPdf(shown: Shown): Promise<void> {
  if (shown.invoice.status === 'draft') return offerFile(`${t.draftNumber}.pdf`, await drawn(shown))
  const { file, isCopy } = await issuedPdf(shown)
  offerFile(`${fileNameOf(shown.invoice)}.pdf`, file)
  if (isCopy) notify('info', t.pdfCopy)
}

/** That of record (of a void one a copy that says so), or, where that is not to be had now, a copy of it. */
export async function issuedPdf(shown: Shown): Promise<{ file: Blob; isCopy: boolean }> {
  const { id: invoiceId, organizationId } = shown.invoice
  try {
    return { file: await call<Blob>('getInvoicePdf', { params: { organizationId, invoiceId } }), isCopy: false }
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.status < 500) throw error
    return { file: await drawn({ ...shown, isVoid: shown.invoice.status === 'void' }), isCopy: true }
  }
}

export async function downloadXml(invoice: Invoice): Promise<void> {
  const { id: invoiceId, organizationId } = invoice
  offerFile(`${fileNameOf(invoice)}.xml`, await call<Blob>('getInvoiceXml', { params: { organizationId, invoiceId } }))
}

/** Of what is issued. */
export function fileNameOf({ number, id }: Pick<Invoice, 'number' | 'id'>): string {
  return documentFileName({ number: number!, id })
}

/** A draft, or a copy: of an invoice, or of what looks like one. */
export async function drawn({ invoice, organization, customer, isVoid = false }: Drawn): Promise<Blob> {
  const { invoicePdf } = await import('#documents/pdf/pdf.ts')
  const seller = invoice.seller ?? organization
  const logo = await loadLogo(organization.id, seller.logo)
  const paper = {
    document: invoice,
    seller,
    logo: logo && new Uint8Array(await logo.arrayBuffer()),
    buyer: invoice.buyer ?? customer,
    // A paint cache of an earlier build does not know it.
    size: organization.paperSize ?? 'A4',
    isVoid,
  }
  return new Blob([await invoicePdf(paper, loadFont)], { type: 'application/pdf' })
}
