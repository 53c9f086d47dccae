// The name of a line: typed freely, or chosen from the organization's items.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Item } from '#shared/contract/items.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { formatPrice } from '#page/words/format.ts'
import { SuggestField } from '#page/ui/suggest-field.tsx'
import { itemsQuery } from './queries.ts'

interface Props {
  organization: Organization
  label: string
  'aria-label': string
  name: string
  className: string
  value: string
  onValue: (typed: string) => void
  onItem: (item: Item) => void
}

export function ItemLookup({ organization, onItem, ...field }: Props) {
  const [open, setOpen] = useState(false)
  const q = useDeferredValue(field.value.trim())
  // A line that nobody is in asks nothing.
  const { data } = useInfiniteQuery({ ...itemsQuery(organization.id, q), enabled: open })
  const suggestions = (open ? (data?.pages[0]?.data ?? []) : []).map((item) => ({
    id: item.id,
    label: item.name,
    detail: [item.sku, item.description?.split('\n')[0]].filter(Boolean).join(' · '),
    end: formatPrice(item.unitPrice, item.currency ?? organization.currency, organization.locale),
    item,
  }))
  return <SuggestField {...field} suggestions={suggestions} onOpen={setOpen} onPick={({ item }) => onItem(item)} />
}
