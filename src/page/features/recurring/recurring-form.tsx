import { useStore } from '@tanstack/react-form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import {
  newRecurring,
  recurringActions,
  recurringEdit,
  recurringSupplies,
  type NewRecurringInput,
  type Recurring,
  type RecurringEditInput,
} from '#shared/contract/recurring.ts'
import { addDays, todayIn } from '#shared/dates.ts'
import { uuidv7 } from '#shared/ids.ts'
import { mayRepeat } from '#shared/permissions.ts'
import { nextOccurrence, recurrenceIntervals, type RecurrenceInterval } from '#shared/recurrence.ts'
import { now } from '#page/device/clock.ts'
import { useAppForm } from '#page/forms/app-form.tsx'
import { NeedsServer } from '#page/loaded.tsx'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { beginAnew, KeptNotice } from '#page/forms/kept-notice.tsx'
import { useKeepForm, useKept } from '#page/forms/kept.ts'
import { formatDate } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { Section } from '#page/ui/screen.tsx'
import { createRecurring, saveRecurring } from './queries.ts'

const t = text.recurring
const intervalChoices = recurrenceIntervals.map((value) => ({ value, label: t.intervals[value] }))
const supplyChoices = recurringSupplies.map((value) => ({ value, label: t.supplies[value] }))
const stateChoices = (['running', 'paused'] as const).map((value) => ({ value, label: t.states[value] }))

interface Props {
  organization: Organization
  /** Null: a new one, which repeats `invoice`. */
  recurring: Recurring | null
  /** Under which name what is typed is kept on this device. */
  keptName: string
  invoice: NewRecurringInput['invoice']
  onSaved: (recurring: Recurring) => void
  onReload?: () => void
}

/** How often, from when to when, and what becomes of each. It works with a connection only: the server writes them. */
export function RecurringForm({ organization, recurring, keptName, invoice, onSaved, onReload }: Props) {
  const queryClient = useQueryClient()
  const [today] = useState(() => todayIn(organization.timeZone, now()))
  const fresh = () => toValues(recurring, today)
  const kept = useKept<Values>(keptName, fresh)
  const state = useFormState(kept)
  const { lastOn = null } = recurring ?? {}
  // That of today may be made already.
  const begins = lastOn !== null && lastOn >= today ? addDays(lastOn, 1) : today
  const [defaultValues] = useState(() => ({ ...fresh(), ...kept.found }))
  const form = useAppForm({
    defaultValues,
    onSubmit: async ({ value }) => {
      const body = { ...toBody(value), invoice }
      const { id } = value
      // Its id outlives the page, also where nothing was typed: what is sent twice is one.
      if (!recurring) kept.keep(value)
      kept.flush()
      await state.submit(recurring ? body : { id, ...body }, recurring ? recurringEdit : newRecurring, async () => {
        const saved = recurring
          ? await saveRecurring(queryClient, recurring, body)
          : await createRecurring(queryClient, organization.id, { id, ...body })
        kept.forget()
        onSaved(saved)
      })
    },
  })
  useKeepForm(form, kept)
  const values = useStore(form.store, ({ values: now }) => now)
  const actionChoices = recurringActions
    .filter((action) => mayRepeat(organization, { action }))
    .map((value) => ({ value, label: t.actions[value] }))
  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        className="grid gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          void form.handleSubmit()
        }}
      >
        <KeptNotice
          kept={kept}
          onStartFresh={() => beginAnew(form, fresh())}
          onPutBack={(older) => beginAnew(form, older)}
        />
        <NeedsServer>{text.atServer.saving}</NeedsServer>
        <Section title={t.schedule}>
          <div className="grid gap-4 sm:grid-cols-2">
            <form.AppField name="every">
              {(field) => <field.Text label={t.every} inputMode="numeric" autoComplete="off" />}
            </form.AppField>
            <form.AppField name="interval">
              {(field) => <field.Select label={t.interval} choices={intervalChoices} />}
            </form.AppField>
            <form.AppField name="startsOn">{(field) => <field.Text label={t.startsOn} type="date" />}</form.AppField>
            <form.AppField name="endsOn">
              {(field) => <field.Text label={t.endsOn} type="date" hint={t.endsHint} />}
            </form.AppField>
            <form.AppField name="action">
              {(field) => (
                <field.Select
                  label={t.action}
                  choices={actionChoices}
                  hint={values.action === 'send' ? t.sendHint : undefined}
                />
              )}
            </form.AppField>
            <form.AppField name="supplyOn">
              {(field) => <field.Select label={text.invoices.supplyDate} choices={supplyChoices} hint={t.supplyHint} />}
            </form.AppField>
            {recurring && (
              <form.AppField name="state">
                {(field) => <field.Select label={t.state} choices={stateChoices} />}
              </form.AppField>
            )}
          </div>
          <p className="text-muted" aria-live="polite">
            {datesOf(values, begins, organization.locale)}
          </p>
        </Section>
        <FormEnd state={state} submit={recurring ? t.save : t.create} onReload={onReload} />
      </form>
    </FieldErrorsContext>
  )
}

type Values = ReturnType<typeof toValues>

function toValues(recurring: Recurring | null, today: string) {
  return {
    // Made once: however often it is sent, also after the page was loaded anew, it is one.
    id: recurring?.id ?? uuidv7(),
    interval: (recurring?.interval ?? 'month') as string,
    every: String(recurring?.every ?? 1),
    startsOn: recurring?.startsOn ?? today,
    endsOn: recurring?.endsOn ?? '',
    action: (recurring?.action ?? 'draft') as string,
    // What one begins now says when its work was done; one that was begun without goes on without until somebody chooses.
    supplyOn: (recurring?.supplyOn ?? 'day') as string,
    state: recurring?.paused ? 'paused' : 'running',
  }
}

function toBody({
  every,
  endsOn,
  state,
  interval,
  action,
  supplyOn,
  startsOn,
}: Values): Omit<RecurringEditInput, 'invoice'> {
  return {
    startsOn,
    interval: interval as RecurrenceInterval,
    action: action as Recurring['action'],
    supplyOn: supplyOn as Recurring['supplyOn'],
    every: /^\d+$/.test(every.trim()) ? Number(every) : Number.NaN,
    endsOn: endsOn || null,
    paused: state === 'paused',
  }
}

/** The next three days, none before it begins again, so that nobody has to reckon. */
function datesOf(values: Values, begins: string, locale: string): string {
  const { every, ...body } = toBody(values)
  if (!(every >= 1 && every <= 99) || !/^\d{4}-\d\d-\d\d$/.test(values.startsOn)) return ''
  const rule = { ...body, every, endsOn: values.endsOn || null }
  const dates: string[] = []
  let next = nextOccurrence(rule, begins)
  while (next !== null && dates.length < 3) {
    dates.push(next)
    next = nextOccurrence(rule, addDays(next, 1))
  }
  return dates.length === 0 ? t.never : t.dates(dates.map((each) => formatDate(each, locale)).join(' · '))
}
