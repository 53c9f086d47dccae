// A draft that was issued while it was open somewhere: it is changed no more, and what was typed into it goes into a new one.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { uuidv7 } from '#shared/ids.ts'
import { useKept } from '#page/forms/kept.ts'
import { beginNewRecord } from '#page/forms/new-record.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Notice } from '#page/ui/screen.tsx'
import { toValues, type DraftValues } from './draft-values.ts'
import { newInvoiceScope, savedInvoiceName } from './invoice-form.tsx'

export function FrozenDraft({ invoice, organization }: { invoice: Invoice; organization: Organization }) {
  const navigate = useNavigate()
  const kept = useKept<DraftValues>(savedInvoiceName(invoice), () => toValues(invoice, organization))
  const [typed, setTyped] = useState(kept.found ?? kept.older)
  const intoNew = () => {
    if (!typed) return
    // A line belongs to one document.
    beginNewRecord(newInvoiceScope(organization.id), {
      ...typed,
      lines: typed.lines.map((line) => ({ ...line, id: uuidv7() })),
    })
    kept.discard()
    void navigate({ to: '/invoices/new' })
  }
  const discard = () => {
    kept.discard()
    setTyped(null)
  }
  return (
    <div className="grid justify-items-start gap-3">
      <Notice tone="warn">
        {text.invoices.frozen}
        {typed && ` ${text.kept.frozen}`}
      </Notice>
      {typed && (
        <div className="flex flex-wrap gap-3">
          <Button look="primary" onClick={intoNew}>
            {text.kept.intoNew}
          </Button>
          <Button onClick={discard}>{text.kept.discard}</Button>
        </div>
      )}
    </div>
  )
}
