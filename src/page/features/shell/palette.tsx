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
import { text } from '#page/words/app-text.ts'
import { places } from './places.ts'

interface Command {
  id: string
  label: string
  detail?: string
  /** Other words that people look for it by. */
  also?: string | undefined
  run: () => void
}

const found = 5

export function Palette({ first, onClose }: { /** Typed before it was there. */ first: string; onClose: () => void }) {
  const navigate = useNavigate()
  const organization = useCurrentOrganization()
  const [typed, setTyped] = useState(first)
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
  const fixed = [
    ...ofScreen,
    ...places(organization).map(({ open, ...place }) => ({ ...place, run: () => void open(navigate) })),
  ]
  const commands: Command[] = [
    ...fixed.filter(({ label, also }: Command) => matchesSearch(searchKey(label, also), typed)),
    ...(matches?.invoices ?? []).map((invoice) => ({
      id: invoice.id,
      label: `${invoice.number ?? text.invoices.draftNumber} · ${invoice.customerName ?? text.invoices.noCustomer}`,
      detail: text.frame.invoices,
      run: () =>
        void navigate({
          to: '/organization/$organizationId/invoices/$invoiceId',
          params: { organizationId, invoiceId: invoice.id },
        }),
    })),
    ...(matches?.customers ?? []).map((customer) => ({
      id: customer.id,
      label: customer.name,
      detail: text.frame.customers,
      run: () =>
        void navigate({
          to: '/organization/$organizationId/customers/$customerId',
          params: { organizationId, customerId: customer.id },
        }),
    })),
    ...(matches?.items ?? []).map((item) => ({
      id: item.id,
      label: item.name,
      detail: text.frame.items,
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
          aria-label={text.frame.search}
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
              aria-label={text.frame.search}
              placeholder={text.palette.placeholder}
              className="block min-h-14 w-full border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-muted"
            />
            <Autocomplete.Empty className="p-4 text-muted empty:hidden">{text.palette.nothing}</Autocomplete.Empty>
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
