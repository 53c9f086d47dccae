// The invoice as the paper it becomes: what stands there is what stands on the PDF, said by the same module. An issued one shows what was frozen; a draft shows
// what issuing would freeze now.
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { PrintedDocument } from '#documents/content.ts'
import { contentOf, type Content, type Row } from '#documents/pdf/content.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { Buyer, Invoice, Seller } from '#shared/contract/invoices.ts'
import type { Logo, Organization } from '#shared/contract/organizations.ts'
import { lazily } from '#page/lazily.ts'
import { logoQuery } from '#page/device/logo.ts'

// Of few documents, and below what one comes to see.
const PaperCode = lazily(() => import('./paper-code.tsx').then((module) => module.PaperCode))

/** An invoice, a credit note or a quote. */
export type Paper = PrintedDocument & Pick<Invoice, 'customerName'>

interface Props {
  invoice: Paper
  organization: Organization
  /** The draft's customer; null for none, or while it loads. */
  customer: Customer | null
  /** Nothing of it is paid, credited or void: the code asks for the whole amount. */
  isOpen?: boolean
  /** It bears a mark, and nothing on it says how to pay. */
  isVoid?: boolean
}

export function InvoicePaper({ invoice, organization, customer, isOpen = true, isVoid = false }: Props) {
  const seller: Seller = invoice.seller ?? organization
  const buyer: Buyer | null = invoice.buyer ?? customer
  const content = contentOf({ document: invoice, seller, buyer, size: 'A4', isVoid })
  const { words, rows, note, totals, total, texts, bank, transfer } = content
  return (
    <article
      data-theme="light"
      lang={content.language}
      className="grid grid-cols-[minmax(0,1fr)] gap-8 rounded-xl border border-line bg-surface p-5 text-ink sm:p-10 print:border-0 print:p-0"
    >
      <header className="flex flex-wrap items-start justify-between gap-6 sm:flex-nowrap">
        <div className="min-w-0 text-left wrap-anywhere">
          {seller.logo && <PaperLogo organizationId={organization.id} logo={seller.logo} />}
          <p dir="auto" className="text-xl font-semibold">
            {content.seller.name}
          </p>
          <Lines of={content.seller.lines} />
        </div>
        <div className="grid gap-1 sm:max-w-3/5 sm:shrink-0">
          {isVoid && (
            <p className="justify-self-start rounded-md border-2 border-danger px-3 py-1 text-2xl font-bold tracking-widest text-danger sm:justify-self-end">
              {words.void}
            </p>
          )}
          <p className="text-xl font-semibold sm:text-right">{content.heading}</p>
          <dl className="grid grid-cols-[fit-content(55%)_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_auto] sm:text-base">
            <Pairs of={content.facts} />
          </dl>
        </div>
      </header>
      <section className="text-left">
        <h2 className="text-sm text-muted">{words.to}</h2>
        {buyer ? (
          <>
            <p dir="auto" className="text-lg font-semibold">
              {content.buyer.name}
            </p>
            <Lines of={content.buyer.lines} />
          </>
        ) : (
          <p dir="auto" className="text-muted">
            {invoice.customerName ?? content.buyer.name}
          </p>
        )}
      </section>
      <table className="w-full border-collapse text-left">
        <thead className="hidden border-b border-line text-sm text-muted sm:table-header-group">
          <tr className="whitespace-nowrap">
            <th className="py-2 pr-4 font-medium">{words.item}</th>
            <th className="py-2 pr-4 text-right font-medium">{words.quantity}</th>
            <th className="py-2 pr-4 text-right font-medium">{words.price}</th>
            <th className="py-2 pr-4 text-right font-medium">{words.vat}</th>
            <th className="py-2 text-right font-medium">{words.amount}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <PaperRow key={invoice.lines[index]!.id} row={row} />
          ))}
        </tbody>
      </table>
      {note !== null && <p className="-mt-6 text-right text-sm text-muted">{note}</p>}
      <dl className="ml-auto grid w-full max-w-sm text-left grid-cols-[minmax(0,1fr)] gap-y-1">
        {totals.map(([label, value], index) => (
          <div key={index} className={sum}>
            <dt dir="auto" className="wrap-normal text-muted">
              {label}
            </dt>
            <dd className="amount ml-auto">{value}</dd>
          </div>
        ))}
        <div className={`mt-1 border-t border-line pt-2 text-lg font-semibold ${sum}`}>
          <dt>{total[0]}</dt>
          <dd className="amount ml-auto">{total[1]}</dd>
        </div>
      </dl>
      {texts.length + bank.length > 0 && (
        <footer className="grid gap-3">
          {texts.map((each, index) => (
            <p key={index} dir="auto" className={paragraphs}>
              {each}
            </p>
          ))}
          {bank.length > 0 && (
            <div className="flex flex-wrap items-end justify-between gap-6">
              <dl className="grid text-left grid-cols-[fit-content(50%)_auto] gap-x-4 gap-y-1">
                {bank.map(([label, value]) => (
                  <div key={label} className="contents">
                    <dt className="wrap-normal text-muted">{label}</dt>
                    <dd dir="auto">{value}</dd>
                  </div>
                ))}
              </dl>
              {transfer && isOpen && (
                <Suspense>
                  <PaperCode transfer={transfer} caption={words.scan} />
                </Suspense>
              )}
            </div>
          )}
        </footer>
      )}
    </article>
  )
}

/** Each of its paragraphs has the direction that it begins in, as on the PDF. Names and addresses stand on the left there, whatever their direction. */
const paragraphs = 'whitespace-pre-line [unicode-bidi:plaintext]'

/** An amount that has no room beside what it is of stands below it, whole. */
const sum = 'flex flex-wrap justify-between gap-x-6'

/** On a narrow screen the quantity, the price and the VAT stand in one line below the name. */
function PaperRow({ row: { name, details, quantity, price, vat, amount } }: { row: Row }) {
  return (
    <tr className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2 align-top sm:table-row sm:py-0">
      <td className="basis-full font-medium wrap-anywhere sm:py-2 sm:pr-4">
        <span dir="auto" className="block text-start">
          {name}
        </span>
        {details.map((each, index) => (
          <span key={index} dir="auto" className={`block text-start font-normal text-muted tabular-nums ${paragraphs}`}>
            {each}
          </span>
        ))}
      </td>
      <td className="text-sm text-muted tabular-nums sm:py-2 sm:text-base sm:pr-4 sm:text-right sm:whitespace-nowrap">
        {quantity}
        <span className="sm:hidden">
          {' '}
          <span className="whitespace-nowrap">× {price}</span> <span className="whitespace-nowrap">· {vat}</span>
        </span>
      </td>
      <td className="amount hidden text-muted sm:table-cell sm:py-2 sm:pr-4 sm:text-right">{price}</td>
      <td className="amount hidden text-muted sm:table-cell sm:py-2 sm:pr-4 sm:text-right">{vat}</td>
      <td className="amount ml-auto text-right sm:py-2">{amount}</td>
    </tr>
  )
}

function Pairs({ of }: { of: Content['facts'] }) {
  return of.map(([label, value], index) => (
    <div key={index} className="contents">
      <dt className="wrap-normal text-muted">{label}</dt>
      <dd dir="auto" className="sm:text-right">
        {value}
      </dd>
    </div>
  ))
}

function Lines({ of }: { of: readonly string[] }) {
  return of.map((line, index) => (
    <p key={index} dir="auto">
      {line}
    </p>
  ))
}

/** Its name stands below it. */
function PaperLogo({ organizationId, logo }: { organizationId: string; logo: Logo }) {
  const { data } = useQuery(logoQuery(organizationId, logo))
  return data ? <img src={data} alt="" className="mb-3 max-h-16 max-w-56 object-contain" /> : null
}
