// The command palette: go to a place, create something, or open an invoice or a customer by typing a few letters of it.
import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import type { CustomerPage } from '#shared/contract/customers.ts'
import type { ItemPage } from '#shared/contract/items.ts'
import type { InvoicePage } from '#shared/contract/invoices.ts'
import { matchesSearch, searchKey } from '#shared/search-key.ts'
import { call } from '#page/api.ts'
import { screenCommands } from '#page/commands.ts'
import { useCurrentOrganization } from '#page/current-organization.ts'
import { text } from '#page/app-text.ts'

interface Command {
  id: string
  label: string
  detail?: string
  run: () => void
}

const found = 5

export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const organization = useCurrentOrganization()
  const [typed, setTyped] = useState('')
  const [ofScreen] = useState(screenCommands)
  const q = useDeferredValue(typed.trim())
  const organizationId = organization?.id ?? ''
  const { data: matches } = useQuery({
    queryKey: ['palette', organizationId, q],
    enabled: organizationId !== '' && q.length > 1,
    queryFn: async ({ signal }) => {
      const options = { params: { organizationId }, query: { q, limit: found }, signal }
      const [invoices, customers, items] = await Promise.all([
        call<InvoicePage>('listInvoices', options),
        call<CustomerPage>('listCustomers', options),
        call<ItemPage>('listItems', options),
      ])
      return { invoices: invoices.data, customers: customers.data, items: items.data }
    },
  })
  const go =
    (
      to:
        | '/dashboard'
        | '/invoices'
        | '/customers'
        | '/items'
        | '/items/new'
        | '/dashboard/organizations'
        | '/invoices/new'
        | '/quotes'
        | '/quotes/new'
        | '/customers/new'
        | '/dashboard/organizations/new'
        | '/account'
        | '/unsent',
    ) =>
    () =>
      void navigate({ to })
  const fixed: Command[] = [
    ...ofScreen,
    { id: 'new-invoice', label: text.invoices.new, detail: 'N', run: go('/invoices/new') },
    { id: 'new-quote', label: text.quotes.new, run: go('/quotes/new') },
    { id: 'new-customer', label: text.customers.new, run: go('/customers/new') },
    { id: 'new-item', label: text.items.new, run: go('/items/new') },
    { id: 'dashboard', label: text.nav.dashboard, run: go('/dashboard') },
    { id: 'invoices', label: text.nav.invoices, run: go('/invoices') },
    { id: 'quotes', label: text.quotes.title, run: go('/quotes') },
    {
      id: 'payments',
      label: text.payments.title,
      run: () => void navigate({ to: '/organization/$organizationId/payments', params: { organizationId } }),
    },
    { id: 'customers', label: text.nav.customers, run: go('/customers') },
    { id: 'items', label: text.nav.items, run: go('/items') },
    { id: 'organizations', label: text.nav.organizations, run: go('/dashboard/organizations') },
    { id: 'new-organization', label: text.organizations.new, run: go('/dashboard/organizations/new') },
    { id: 'unsent', label: text.unsent.title, run: go('/unsent') },
    { id: 'account', label: text.account.title, run: go('/account') },
  ]
  const commands: Command[] = [
    ...fixed.filter(({ label }) => matchesSearch(searchKey(label), typed)),
    ...(matches?.invoices ?? []).map((invoice) => ({
      id: invoice.id,
      label: `${invoice.number ?? text.invoices.draftNumber} · ${invoice.customerName ?? text.invoices.noCustomer}`,
      detail: text.nav.invoices,
      run: () =>
        void navigate({
          to: '/organization/$organizationId/invoices/$invoiceId',
          params: { organizationId, invoiceId: invoice.id },
        }),
    })),
    ...(matches?.customers ?? []).map((customer) => ({
      id: customer.id,
      label: customer.name,
      detail: text.nav.customers,
      run: () =>
        void navigate({
          to: '/organization/$organizationId/customers/$customerId',
          params: { organizationId, customerId: customer.id },
        }),
    })),
    ...(matches?.items ?? []).map((item) => ({
      id: item.id,
      label: item.name,
      detail: text.nav.items,
      run: () =>
        void navigate({
          to: '/organization/$organizationId/items/$itemId/edit',
          params: { organizationId, itemId: item.id },
        }),
    })),
  ]
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fade fixed inset-0 z-40 bg-black/60" />
        <Dialog.Popup
          aria-label={text.nav.search}
          className="fade fixed inset-x-2 top-[8dvh] z-50 mx-auto max-h-[70dvh] max-w-xl overflow-hidden rounded-2xl border border-line bg-surface shadow-xl"
        >
          <Autocomplete.Root
            open
            inline
            items={commands}
            value={typed}
            onValueChange={setTyped}
            filter={null}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(item: Command) => item.label}
          >
            <Autocomplete.Input
              aria-label={text.nav.search}
              placeholder={text.nav.searchPlaceholder}
              className="block min-h-14 w-full border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-muted"
            />
            <Autocomplete.Empty className="p-4 text-muted empty:hidden">{text.nav.nothing}</Autocomplete.Empty>
            <Autocomplete.List className="max-h-[55dvh] overflow-auto p-1">
              {(item: Command) => (
                <Autocomplete.Item
                  key={item.id}
                  value={item}
                  onClick={() => {
                    onClose()
                    item.run()
                  }}
                  className="flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-lg px-3 data-highlighted:bg-raised"
                >
                  <span className="truncate">{item.label}</span>
                  {item.detail && <span className="text-sm text-muted">{item.detail}</span>}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
