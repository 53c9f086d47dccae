// Whether customers are reminded, when, and in which words. It works with a connection only: the server sends them.
import { useStore } from '@tanstack/react-form'
import { useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { noticeDays } from '#documents/reminder-words.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { reminderRulesEdit, type ReminderRules } from '#shared/contract/reminders.ts'
import { languages } from '#shared/language.ts'
import { may } from '#shared/permissions.ts'
import { mostReminderSteps } from '#shared/reminders.ts'
import { useAppForm } from '#page/forms/app-form.tsx'
import { text } from '#page/words/app-text.ts'
import { NeedsServer } from '#page/loaded.tsx'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { beginAnew, KeptNotice } from '#page/forms/kept-notice.tsx'
import { useKeepForm, useKept } from '#page/forms/kept.ts'
import { Button } from '#page/ui/button.tsx'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { Notice, Section } from '#page/ui/screen.tsx'
import { saveReminderRules } from './queries.ts'
import { dayOf, firstStep, toBody, toValues, type Values } from './rules-values.ts'

const t = text.reminders
const stateChoices = (['on', 'off'] as const).map((value) => ({ value, label: t.states[value] }))
const whenChoices = (['after', 'before'] as const).map((value) => ({ value, label: t.when[value] }))

interface Props {
  organization: Organization
  rules: ReminderRules
  onSaved: () => void
  onReload: () => void
}

export function ReminderRulesForm({ organization, rules, onSaved, onReload }: Props) {
  const queryClient = useQueryClient()
  const fresh = () => toValues(rules)
  const kept = useKept<Values>(`reminder-words.${organization.id}.${rules.version}`, fresh)
  const state = useFormState(kept)
  const [defaultValues] = useState(() => kept.found ?? fresh())
  const form = useAppForm({
    defaultValues,
    onSubmit: async ({ value }) => {
      const body = toBody(value)
      await state.submit(body, reminderRulesEdit, async () => {
        await saveReminderRules(queryClient, organization.id, rules, body)
        kept.forget()
        onSaved()
      })
    },
  })
  useKeepForm(form, kept)
  const steps = useStore(form.store, ({ values }) => values.steps)
  const isOn = useStore(form.store, ({ values }) => values.enabled) === 'on'
  const editable = may(organization, 'organization.edit')
  const add = () => {
    const last = steps.findLast(({ when }) => when === 'after')
    const days = last ? Number(last.days) + 14 : 7
    form.pushFieldValue('steps', firstStep(Number.isFinite(days) ? days : 7, steps.map(dayOf)))
  }
  const addBefore = () => form.pushFieldValue('steps', firstStep(noticeDays, []))
  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void form.handleSubmit()
        }}
      >
        <fieldset disabled={!editable} className="grid gap-6">
          <KeptNotice
            kept={kept}
            onStartFresh={() => beginAnew(form, fresh())}
            onPutBack={(older) => beginAnew(form, older)}
          />
          <NeedsServer>{text.atServer.saving}</NeedsServer>
          {!editable && <Notice>{text.organizations.readOnly}</Notice>}
          <Section title={t.rule}>
            <div className="grid gap-4 sm:grid-cols-2">
              <form.AppField name="enabled">
                {(field) => <field.Select label={t.state} choices={stateChoices} hint={isOn ? t.onHint : t.offHint} />}
              </form.AppField>
            </div>
            <p className="text-sm text-muted">{t.placeholders}</p>
            <p className="text-sm text-muted">{t.byLanguage}</p>
          </Section>
          {steps.map((step, index) => (
            <Section
              key={step.id}
              title={t.step(index + 1)}
              actions={
                editable && (
                  <Button
                    icon={<Trash2 className="size-5" aria-hidden />}
                    aria-label={t.removeNamed(index + 1)}
                    onClick={() => void form.removeFieldValue('steps', index)}
                  >
                    {t.remove}
                  </Button>
                )
              }
            >
              <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-4">
                <form.AppField name={`steps[${index}].days`}>
                  {(field) => <field.Text label={t.days} inputMode="numeric" autoComplete="off" />}
                </form.AppField>
                <form.AppField name={`steps[${index}].when`}>
                  {(field) => <field.Select label={t.whenLabel} choices={whenChoices} />}
                </form.AppField>
              </div>
              <div className="grid gap-4 lg:grid-cols-2">
                {languages.map((language) => (
                  <div key={language} className="grid content-start gap-4">
                    <form.AppField name={`steps[${index}].words.${language}.subject`}>
                      {(field) => (
                        <field.Text
                          label={t.inLanguage(text.sending.subject, t.languages[language])}
                          autoComplete="off"
                        />
                      )}
                    </form.AppField>
                    <form.AppField name={`steps[${index}].words.${language}.message`}>
                      {(field) => (
                        <field.TextArea label={t.inLanguage(text.sending.message, t.languages[language])} rows={8} />
                      )}
                    </form.AppField>
                  </div>
                ))}
              </div>
            </Section>
          ))}
          {editable && (
            <>
              {steps.length < mostReminderSteps && (
                <div className="flex flex-wrap gap-3">
                  <Button icon={<Plus className="size-5" aria-hidden />} onClick={add}>
                    {t.add}
                  </Button>
                  {!steps.some(({ when }) => when === 'before') && (
                    <Button icon={<Plus className="size-5" aria-hidden />} onClick={addBefore}>
                      {t.addBefore}
                    </Button>
                  )}
                </div>
              )}
              <FormEnd state={state} submit={t.save} onReload={onReload} />
            </>
          )}
        </fieldset>
      </form>
    </FieldErrorsContext>
  )
}
