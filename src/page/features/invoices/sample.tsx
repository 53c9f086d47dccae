// For who has nothing yet: an invoice to look at and to delete, with a customer of its own (UX.md "Empty states teach").
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { uuidv7 } from '#shared/ids.ts'
import { may } from '#shared/permissions.ts'
import { usualVat } from '#shared/vat.ts'
import { call } from '#page/api.ts'
import { tellSaved } from '#page/device/saved.ts'
import { text } from '#page/words/app-text.ts'
import { problemText } from '#page/words/problem-text.ts'
import { Button } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { createInvoice } from './queries.ts'

const t = text.invoices.sample

export function SampleInvoice({ organization }: { organization: Organization }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  async function press(): Promise<void> {
    const { id: organizationId, country, defaults } = organization
    const vat = usualVat(organization, defaults.vatRate ?? '0')
    const lines = [
      { name: t.work, quantity: '3', unit: 'HUR', unitPrice: '80', vat },
      { name: t.travel, quantity: '1', unitPrice: '45', vat },
    ]
    setBusy(true)
    try {
      const customerId = uuidv7()
      const customer = { id: customerId, name: t.customer, country }
      await call('createCustomer', { params: { organizationId, customerId }, body: customer })
      const draft = { id: uuidv7(), customerId, taxMode: defaults.taxMode, lines, notes: t.notes }
      const made = await createInvoice(queryClient, organizationId, draft)
      tellSaved(text.saved.what.draft, made)
      const params = { organizationId, invoiceId: made.id }
      await navigate({ to: '/organization/$organizationId/invoices/$invoiceId', params })
    } catch (error) {
      notify('error', problemText(error, 'action'))
    } finally {
      setBusy(false)
    }
  }
  if (!may(organization, 'invoice.draft') || !may(organization, 'customer.write')) return null
  return (
    <Button busy={busy} onClick={() => void press()}>
      {t.make}
    </Button>
  )
}
