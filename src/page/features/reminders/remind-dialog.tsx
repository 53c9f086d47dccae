// A reminder sent by hand: the words of the rule that the invoice has come to, which the person may change.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { invoiceSending, type Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { ReminderRules } from '#shared/contract/reminders.ts'
import { useAppForm } from '#page/app-form.tsx'
import { text } from '#page/app-text.ts'
import { FormEnd } from '#page/form-end.tsx'
import { useFormState } from '#page/form.ts'
import { Loaded } from '#page/loaded.tsx'
import { Dialog } from '#page/ui/dialog.tsx'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { reminderRulesQuery, remindInvoice } from './queries.ts'
import { firstWords } from './remind-words.ts'

const t = text.reminders

interface Props {
  invoice: Invoice
  organization: Organization
  recipient: string | null
  onClose: () => void
}

export function RemindDialog(props: Props) {
  const { invoice, organization, onClose } = props
  const query = useQuery(reminderRulesQuery(organization.id))
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t.remindTitle(invoice.number!)}
      description={t.remindLead}
    >
      <Loaded query={query} rows={3}>
        {(rules) => <Words {...props} rules={rules} />}
      </Loaded>
    </Dialog>
  )
}

function Words({ invoice, organization, recipient, rules, onClose }: Props & { rules: ReminderRules }) {
  const queryClient = useQueryClient()
  const state = useFormState()
  const form = useAppForm({
    defaultValues: { to: recipient ?? '', ...firstWords(invoice, organization, rules) },
    onSubmit: async ({ value }) => {
      await state.submit(value, invoiceSending, async () => {
        await remindInvoice(queryClient, invoice, value)
        notify('success', t.reminded(value.to))
        onClose()
      })
    },
  })
  return (
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
          {(field) => <field.Text label={text.sending.to} type="email" inputMode="email" autoComplete="off" required />}
        </form.AppField>
        <form.AppField name="subject">
          {(field) => <field.Text label={text.sending.subject} autoComplete="off" required />}
        </form.AppField>
        <form.AppField name="message">
          {(field) => <field.TextArea label={text.sending.message} rows={9} />}
        </form.AppField>
        <FormEnd state={state} submit={t.send} onCancel={onClose} />
      </form>
    </FieldErrorsContext>
  )
}
