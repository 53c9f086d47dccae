import { Copy, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import { text } from '#page/words/app-text.ts'
import { Menu, MenuItem } from '#page/ui/menu.tsx'
import { useDuplicate } from './duplicate.ts'

const t = text.invoices

/** What can be done with an invoice from its list. A list is long: the menu is made when it is asked for. */
export function RowMenu({ invoice }: { invoice: InvoiceSummary }) {
  const [asked, setAsked] = useState(false)
  const duplicate = useDuplicate()
  const label = t.rowMenu(invoice.number ?? invoice.customerName ?? t.draftNumber)
  const look = 'min-w-11 shrink-0 justify-center'
  const dots = <Ellipsis className="size-5" aria-hidden />
  if (!asked)
    return (
      <button
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        className={`flex min-h-11 items-center rounded-lg px-2 hover:bg-raised ${look}`}
        onClick={() => setAsked(true)}
      >
        {dots}
      </button>
    )
  return (
    <Menu label={label} className={look} trigger={dots} defaultOpen>
      <MenuItem icon={<Copy className="size-5" aria-hidden />} onSelect={() => void duplicate(invoice)}>
        {t.duplicate}
      </MenuItem>
    </Menu>
  )
}
