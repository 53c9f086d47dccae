// Sends an issued invoice by mail, in the person's own words, and gives or takes back links to its public page.
import { useQueryClient } from '@tanstack/react-query'
import { Link2, Link2Off } from 'lucide-react'
import { useState } from 'react'
import { documentLocale, wordsOf } from '#documents/words.ts'
import { invoiceSending, type Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { useAppForm } from '#page/app-form.tsx'
import { formatDate, formatMoney } from '#page/format.ts'
import { FormEnd } from '#page/form-end.tsx'
import { useFormState } from '#page/form.ts'
import { problemText } from '#page/problem-text.ts'
import { text } from '#page/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog } from '#page/ui/dialog.tsx'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { createPublicLink, revokePublicLinks, sendInvoice } from './sending.ts'

const t = text.sending

interface Props {
  invoice: Invoice
  organization: Organization
  onClose: () => void
}

export function SendDialog({ invoice, organization, onClose }: Props) {
  const queryClient = useQueryClient()
  const state = useFormState()
  const form = useAppForm({
    defaultValues: firstWords(invoice, organization),
    onSubmit: async ({ value }) => {
      await state.submit(value, invoiceSending, async () => {
        await sendInvoice(queryClient, invoice, value)
        notify('success', t.queued(value.to))
        onClose()
      })
    },
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t.title(invoice.number!)} description={t.lead}>
      <FieldErrorsContext value={state.errors}>
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            void form.handleSubmit()
          }}
        >
          <form.AppField name="to">
            {(field) => <field.Text label={t.to} type="email" inputMode="email" autoComplete="off" required />}
          </form.AppField>
          <form.AppField name="subject">
            {(field) => <field.Text label={t.subject} autoComplete="off" required />}
          </form.AppField>
          <form.AppField name="message">{(field) => <field.TextArea label={t.message} rows={7} />}</form.AppField>
          <FormEnd state={state} submit={t.send} onCancel={onClose} />
        </form>
      </FieldErrorsContext>
      <Links invoice={invoice} />
    </Dialog>
  )
}

function Links({ invoice }: { invoice: Invoice }) {
  const [made, setMade] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    await work().catch((error: unknown) => notify('error', problemText(error, 'action')))
    setBusy(false)
  }
  const make = () =>
    run(async () => {
      const link = await createPublicLink(invoice)
      setMade(link)
      // Where the clipboard is not given, the link stands there to be copied.
      await navigator.clipboard?.writeText(link).then(
        () => notify('success', t.copied),
        () => {},
      )
    })
  const revoke = () =>
    run(async () => {
      await revokePublicLinks(invoice)
      setMade(null)
      notify('success', t.revoked)
    })
  return (
    <section className="grid gap-3 border-t border-line pt-4">
      <p className="text-sm text-muted">{t.linkLead}</p>
      {made !== null && (
        <a href={made} target="_blank" rel="noreferrer" className="text-sm text-accent underline wrap-anywhere">
          {made}
        </a>
      )}
      <div className="flex flex-wrap gap-3">
        <Button icon={<Link2 className="size-5" aria-hidden />} busy={busy} onClick={() => void make()}>
          {t.makeLink}
        </Button>
        <Button icon={<Link2Off className="size-5" aria-hidden />} busy={busy} onClick={() => void revoke()}>
          {t.revoke}
        </Button>
      </div>
    </section>
  )
}

/** In the language of the invoice: its customer reads it. */
function firstWords({ number, buyer, amountDue, dueDate, language }: Invoice, organization: Organization) {
  const { name } = organization
  const { mail } = wordsOf(language)
  const locale = documentLocale(language, organization.locale)
  const amount = formatMoney(amountDue, locale)
  return {
    to: buyer?.email ?? '',
    subject: mail.subject(number!, name),
    message: mail.message(
      buyer?.contactName ?? buyer?.name ?? '',
      amount,
      dueDate && formatDate(dueDate, locale),
      name,
    ),
  }
}
