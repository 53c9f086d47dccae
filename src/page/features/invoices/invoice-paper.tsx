// The invoice as the paper it becomes. An issued one shows what was frozen; a draft shows what issuing would freeze now.
import { useQuery } from '@tanstack/react-query'
import { documentLocale, ibanInFours, wordsOf, type Words } from '#documents/words.ts'
import type { Address } from '#shared/contract/common.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { Buyer, Invoice, Seller } from '#shared/contract/invoices.ts'
import type { Logo, Organization } from '#shared/contract/organizations.ts'
import { dueDateAt } from '#shared/invoice-draft.ts'
import { invoiceAmounts } from '#shared/invoice-totals.ts'
import { minorUnitsOf, toMoney } from '#shared/money.ts'
import { vatCategories } from '#shared/vat.ts'
import { addressLines, formatDate, formatMoney, formatPrice } from '#page/format.ts'
import { asTyped } from '#page/typed-number.ts'
import { logoQuery } from '#page/logo.ts'
import { PaperAdjustments } from './paper-adjustments.tsx'
import { formatQuantity } from './quantity.ts'
import { Totals } from './totals.tsx'

/** An invoice or a credit note; a quote looks the same, but for its dates and that nothing is paid on it. */
export type Paper = Pick<
  Invoice,
  | 'number'
  | 'issueDate'
  | 'dueDate'
  | 'termsDays'
  | 'supplyDate'
  | 'buyerReference'
  | 'orderReference'
  | 'notes'
  | 'customerName'
  | 'currency'
  | 'taxMode'
  | 'lines'
  | 'allowances'
  | 'charges'
  | 'vat'
  | 'totals'
  | 'seller'
  | 'buyer'
> & {
  type: Invoice['type'] | 'quote'
  language?: Invoice['language'] | undefined
  creditedInvoice?: Invoice['creditedInvoice']
  validUntil?: string | null
}

const numberLabels = { '380': 'invoiceNumber', '381': 'creditNoteNumber', quote: 'quoteNumber' } as const

interface Props {
  invoice: Paper
  organization: Organization
  /** The draft's customer; null for none, or while it loads. */
  customer: Customer | null
}

export function InvoicePaper({ invoice, organization, customer }: Props) {
  const seller: Seller = invoice.seller ?? organization
  const buyer: Buyer | null = invoice.buyer ?? customer
  const { language } = invoice
  const words = wordsOf(language)
  const locale = documentLocale(language, seller.locale)
  const iban = invoice.type === 'quote' ? null : seller.bank.iban
  const amounts = {
    vat: invoice.vat.map((group) => ({ ...group, base: minorUnitsOf(group.base), tax: minorUnitsOf(group.tax) })),
    totals: {
      lines: minorUnitsOf(invoice.totals.lines),
      allowances: minorUnitsOf(invoice.totals.allowances),
      charges: minorUnitsOf(invoice.totals.charges),
      net: minorUnitsOf(invoice.totals.net),
      tax: minorUnitsOf(invoice.totals.tax),
      gross: minorUnitsOf(invoice.totals.gross),
    },
  }
  // In gross mode the customer sees what was typed: 1 x 500.00 is 500.00 (DOMAIN.md "Money" 3).
  const included = invoice.taxMode === 'gross'
  const lineAmounts = included
    ? invoiceAmounts(invoice).lines.map(({ entered }) => toMoney(entered, invoice.currency))
    : invoice.lines.map(({ net }) => net)
  const reasons = [...new Set(invoice.vat.flatMap(({ reason }) => (reason ? [reason] : [])))]
  return (
    <article
      data-theme="light"
      lang={language}
      className="grid gap-8 rounded-xl border border-line bg-surface p-5 text-ink sm:p-10 print:border-0 print:p-0"
    >
      <header className="flex flex-wrap items-start justify-between gap-6">
        <div>
          {seller.logo && <PaperLogo organizationId={organization.id} logo={seller.logo} />}
          <p className="text-xl font-semibold">{seller.name}</p>
          {seller.legalName && <p>{seller.legalName}</p>}
          <AddressLines address={seller.address} country={seller.country} locale={locale} />
          {seller.vatNumber && (
            <p>
              {words.vatNumber} {seller.vatNumber}
            </p>
          )}
          {seller.registrationNumber && (
            <p>
              {words.registrationNumber} {seller.registrationNumber}
            </p>
          )}
          {seller.contact.email && <p>{seller.contact.email}</p>}
          {seller.contact.phone && <p>{seller.contact.phone}</p>}
        </div>
        <dl className="grid grid-cols-[auto_auto] gap-x-4 gap-y-1">
          {invoice.type === '381' && (
            <>
              <dt className="font-semibold">{words.title['381']}</dt>
              <dd className="text-right">{words.credits(invoice.creditedInvoice?.number ?? '')}</dd>
            </>
          )}
          {invoice.type === 'quote' && (
            <>
              <dt className="font-semibold">{words.title.quote}</dt>
              <dd />
            </>
          )}
          <dt className="text-muted">{words[numberLabels[invoice.type]]}</dt>
          <dd className="text-right font-semibold">{invoice.number ?? words.noNumber}</dd>
          <dt className="text-muted">{invoice.type === 'quote' ? words.quoteDate : words.issueDate}</dt>
          <dd className="text-right">{formatDate(invoice.issueDate, locale)}</dd>
          {invoice.type === '380' && (
            <>
              <dt className="text-muted">{words.dueDate}</dt>
              <dd className="text-right">
                {formatDate(invoice.issueDate ? dueDateAt(invoice.issueDate, invoice) : invoice.dueDate, locale)}
              </dd>
            </>
          )}
          {invoice.validUntil && (
            <>
              <dt className="text-muted">{words.validUntil}</dt>
              <dd className="text-right">{formatDate(invoice.validUntil, locale)}</dd>
            </>
          )}
          {invoice.supplyDate && (
            <>
              <dt className="text-muted">{words.supplyDate}</dt>
              <dd className="text-right">{formatDate(invoice.supplyDate, locale)}</dd>
            </>
          )}
          {invoice.buyerReference && (
            <>
              <dt className="text-muted">{words.buyerReference}</dt>
              <dd className="text-right">{invoice.buyerReference}</dd>
            </>
          )}
          {invoice.orderReference && (
            <>
              <dt className="text-muted">{words.orderReference}</dt>
              <dd className="text-right">{invoice.orderReference}</dd>
            </>
          )}
        </dl>
      </header>
      <section>
        <h2 className="text-sm text-muted">{words.to}</h2>
        {buyer ? (
          <>
            <p className="text-lg font-semibold">{buyer.name}</p>
            {buyer.contactName && <p>{buyer.contactName}</p>}
            <AddressLines address={buyer.address} country={buyer.country} locale={locale} />
            {buyer.vatNumber && (
              <p>
                {words.vatNumber} {buyer.vatNumber}
              </p>
            )}
          </>
        ) : (
          <p className="text-muted">{invoice.customerName ?? words.noCustomer}</p>
        )}
      </section>
      <table className="w-full border-collapse text-left">
        <thead className="hidden border-b border-line text-sm text-muted sm:table-header-group">
          <tr>
            <th className="py-2 pr-4 font-medium">{words.item}</th>
            <th className="py-2 pr-4 text-right font-medium">{words.quantity}</th>
            <th className="py-2 pr-4 text-right font-medium">{words.price}</th>
            <th className="py-2 pr-4 text-right font-medium">{words.vat}</th>
            <th className="py-2 text-right font-medium">{words.amount}</th>
          </tr>
        </thead>
        <tbody>
          {invoice.lines.map((line, index) => (
            <tr
              key={line.id}
              className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line py-2 align-top sm:table-row sm:py-0"
            >
              <td className="col-span-2 font-medium wrap-anywhere sm:py-2 sm:pr-4">
                {line.name}
                {line.description && (
                  <span className="block font-normal whitespace-pre-line text-muted">{line.description}</span>
                )}
                <PaperAdjustments of={line} currency={invoice.currency} words={words} locale={locale} />
              </td>
              <td className="text-muted tabular-nums sm:py-2 sm:pr-4 sm:text-right sm:whitespace-nowrap">
                {formatQuantity(line.quantity, line.unit, locale, words.units)}
                <span className="sm:hidden">
                  {' '}
                  × {priceOf(line, invoice.currency, words, locale)} · {vatLabel(line.vat, words, locale)}
                </span>
              </td>
              <td className="amount hidden text-muted sm:table-cell sm:py-2 sm:pr-4 sm:text-right">
                {priceOf(line, invoice.currency, words, locale)}
              </td>
              <td className="amount hidden text-muted sm:table-cell sm:py-2 sm:pr-4 sm:text-right">
                {vatLabel(line.vat, words, locale)}
              </td>
              <td className="amount text-right sm:py-2">{formatMoney(lineAmounts[index]!, locale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {included && <p className="-mt-6 text-right text-sm text-muted">{words.vatIncluded}</p>}
      {invoice.allowances.length + invoice.charges.length > 0 && (
        <div className="-mt-4 justify-self-end text-right">
          <PaperAdjustments of={invoice} currency={invoice.currency} words={words} locale={locale} />
        </div>
      )}
      <Totals amounts={amounts} currency={invoice.currency} words={words} locale={locale} />
      {(invoice.notes || reasons.length > 0 || iban) && (
        <footer className="grid gap-3">
          {reasons.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
          {invoice.notes && <p className="whitespace-pre-line">{invoice.notes}</p>}
          {iban && (
            <p className="text-muted">
              {words.iban} <span className="text-ink">{ibanInFours(iban)}</span>
              {seller.bank.bic && ` · ${words.bic} ${seller.bank.bic}`}
            </p>
          )}
        </footer>
      )}
    </article>
  )
}

/** The price, and of how many units it is where it is not of one. */
function priceOf(
  { unitPrice, baseQuantity, unit }: Invoice['lines'][number],
  currency: string,
  words: Words,
  locale: string,
): string {
  const price = formatPrice(unitPrice, currency, locale)
  return baseQuantity === '1'
    ? price
    : `${price} ${words.perQuantity(formatQuantity(baseQuantity, unit, locale, words.units))}`
}

/** The rate, or why there is none. */
function vatLabel({ category, rate }: Invoice['lines'][number]['vat'], words: Words, locale: string): string {
  return vatCategories[category].taxed ? `${asTyped(rate, locale)} %` : words.categories[category]
}

function AddressLines({ address, country, locale }: { address: Address; country: string; locale: string }) {
  return addressLines(address, country, locale).map((line) => <p key={line}>{line}</p>)
}

/** Its name stands below it. */
function PaperLogo({ organizationId, logo }: { organizationId: string; logo: Logo }) {
  const { data } = useQuery(logoQuery(organizationId, logo))
  return data ? <img src={data} alt="" className="mb-3 max-h-16 max-w-56 object-contain" /> : null
}
