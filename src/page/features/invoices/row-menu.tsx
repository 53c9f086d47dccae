import { Copy, Ellipsis } from 'lucide-react'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import { text } from '#page/words/app-text.ts'
import { Menu, MenuItem } from '#page/menu.tsx'
import { useDuplicate } from './duplicate.ts'

const t = text.invoices

/** What can be done with an invoice from its list. */
export function RowMenu({ invoice }: { invoice: InvoiceSummary }) {
  const duplicate = useDuplicate()
  return (
    <Menu
      label={t.rowMenu(invoice.number ?? invoice.customerName ?? t.draftNumber)}
      className="min-w-11 shrink-0 justify-center"
      trigger={<Ellipsis className="size-5" aria-hidden />}
    >
      <MenuItem icon={<Copy className="size-5" aria-hidden />} onSelect={() => void duplicate(invoice)}>
        {t.duplicate}
      </MenuItem>
    </Menu>
  )
}
