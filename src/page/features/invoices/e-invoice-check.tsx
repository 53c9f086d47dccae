// What a draft lacks to be an e-invoice: with a profile it cannot be issued before, without one it is good to know.
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { eInvoiceErrors } from '#shared/e-invoice.ts'
import { text } from '#page/app-text.ts'
import { said } from '#page/said.ts'
import { Notice } from '#page/ui/screen.tsx'

interface Props {
  invoice: Invoice
  organization: Organization
  /** Null for none, or while it loads: then nothing is said. */
  customer: Customer | null
}

export function EInvoiceCheck({ invoice, organization, customer }: Props) {
  if (!customer || invoice.lines.length === 0) return null
  // A paint cache of an earlier build does not know the profile.
  const profile = organization.eInvoiceProfile ?? 'none'
  const missing = eInvoiceErrors(profile === 'none' ? 'en16931' : profile, invoice, organization, customer)
  if (missing.length === 0) return null
  const list = (
    <ul className="grid list-disc gap-1 pl-5">
      {missing.map(({ pointer, detail }) => (
        <li key={pointer}>{said(detail)}</li>
      ))}
    </ul>
  )
  return (
    <div className="screen-only">
      {profile === 'none' ? (
        <details className="text-sm text-muted">
          <summary className="min-h-11 content-center">{text.eInvoice.warnTitle(missing.length)}</summary>
          {list}
        </details>
      ) : (
        <Notice>
          <p>{text.eInvoice.missingTitle}</p>
          {list}
        </Notice>
      )}
    </div>
  )
}
