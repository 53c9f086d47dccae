// What a customer said on the telephone or on paper, written down by a member.
import { useQueryClient } from '@tanstack/react-query'
import { quoteAnswer, type Quote, type QuoteAnswer } from '#shared/contract/quotes.ts'
import { useAppForm } from '#page/forms/app-form.tsx'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { text } from '#page/words/app-text.ts'
import { Dialog } from '#page/ui/dialog.tsx'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { answerQuote } from './queries.ts'

const t = text.quotes
const choices = (['accepted', 'declined'] as const).map((value) => ({ value, label: t.answers[value] }))

export function AnswerDialog({ quote, onClose }: { quote: Quote; onClose: () => void }) {
  const queryClient = useQueryClient()
  const state = useFormState()
  const form = useAppForm({
    defaultValues: { answer: 'accepted' as string, name: quote.buyer?.contactName ?? quote.buyer?.name ?? '' },
    onSubmit: async ({ value }) => {
      await state.submit(value, quoteAnswer, async () => {
        await answerQuote(queryClient, quote, value as QuoteAnswer)
        notify('success', t.answered)
        onClose()
      })
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t.answerTitle(quote.number ?? '')}
      description={t.answerLead}
    >
      <FieldErrorsContext value={state.errors}>
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            void form.handleSubmit()
          }}
        >
          <form.AppField name="answer">{(field) => <field.Select label={t.answer} choices={choices} />}</form.AppField>
          <form.AppField name="name">{(field) => <field.Text label={t.by} autoComplete="off" />}</form.AppField>
          <FormEnd state={state} submit={t.noteAnswer} onCancel={onClose} />
        </form>
      </FieldErrorsContext>
    </Dialog>
  )
}
