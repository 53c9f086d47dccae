import { useInfiniteQuery } from '@tanstack/react-query'
import type { Organization } from '#shared/contract/organizations.ts'
import { Loaded } from '#page/loaded.tsx'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { InvoiceRows } from './invoice-list.tsx'
import { invoicesQuery, type InvoiceSearch } from './queries.ts'

const most = 10

/** The first of an organization's list, where several organizations stand on one screen. */
export function FirstInvoices({
  organization,
  search,
  onAll,
}: {
  organization: Organization
  search: InvoiceSearch
  onAll: () => void
}) {
  const invoices = useInfiniteQuery(invoicesQuery(organization.id, search))
  return (
    <Loaded query={invoices} rows={3}>
      {({ pages: [first] }) => {
        const rows = first?.data ?? []
        if (rows.length === 0)
          return (
            <p className="text-muted">
              {search.q || search.status ? text.invoices.noneFound : text.invoices.emptyTitle}
            </p>
          )
        return (
          <div className="grid gap-3">
            <InvoiceRows invoices={rows.slice(0, most)} organization={organization} />
            {rows.length > most && (
              <Button look="quiet" className="justify-self-start" onClick={onAll}>
                {text.invoices.allOf(organization.name)}
              </Button>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}
