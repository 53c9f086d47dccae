import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { countsOf } from '#shared/outbox.ts'
import { unsentQuery } from '#page/device/outbox-calls.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { rules } from '#page/forms/rules.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog } from '#page/ui/dialog.tsx'
import { FieldErrorsContext, TextField } from '#page/ui/field.tsx'
import { Section } from '#page/ui/screen.tsx'
import { deleteOrganization } from './queries.ts'

const t = text.organizations

/** For owners: nothing else in Docket wants a name typed. */
export function DeleteOrganization({
  organization,
  onDeleted,
  onReload,
}: {
  organization: Organization
  onDeleted: (answer: object | undefined) => Promise<void>
  onReload: () => void
}) {
  const [asking, setAsking] = useState(false)
  return (
    <Section title={t.close} danger>
      <p className="text-sm text-muted">{t.closeLead}</p>
      <Button look="danger" className="justify-self-start" onClick={() => setAsking(true)}>
        {t.close}
      </Button>
      <Dialog open={asking} onOpenChange={setAsking} title={t.closeTitle(organization.name)}>
        <Confirm
          organization={organization}
          onDeleted={onDeleted}
          onReload={onReload}
          onCancel={() => setAsking(false)}
        />
      </Dialog>
    </Section>
  )
}

function Confirm({
  organization,
  onDeleted,
  onReload,
  onCancel,
}: {
  organization: Organization
  onDeleted: (answer: object | undefined) => Promise<void>
  onReload: () => void
  onCancel: () => void
}) {
  const queryClient = useQueryClient()
  const state = useFormState()
  const [typed, setTyped] = useState('')
  const { data: unsent } = useQuery(unsentQuery)
  const inIt = unsent?.entries.filter(({ organizationId }) => organizationId === organization.id) ?? []
  // Changes of the organization itself hold its end up until they are decided, whatever they wait for.
  const { attention } = countsOf(inIt.filter(({ kind }) => kind !== 'organization'))
  const waiting = inIt.length - attention
  const points = [
    ...t.closePoints,
    ...(waiting > 0 ? [t.closeWaiting(waiting)] : []),
    ...(attention > 0 ? [t.closeAttention(attention)] : []),
  ]
  const isSame = rules<{ typed: string }>((values) => ({
    typed: asShown(values.typed) === asShown(organization.name) ? null : t.closeMismatch(organization.name),
  }))
  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void state.submit({ typed }, isSame, () => deleteOrganization(queryClient, organization, onDeleted))
        }}
      >
        <ul className="grid list-disc gap-1 pl-5 text-muted">
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
        <TextField
          label={t.closeType(organization.name)}
          name="typed"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          required
        />
        <FormEnd state={state} submit={t.close} look="danger" onCancel={onCancel} onReload={onReload} />
      </form>
    </FieldErrorsContext>
  )
}

/** A screen shows one space for several, and a letter with its accent may be typed as two characters. */
function asShown(name: string): string {
  return name.normalize().replace(/\s+/g, ' ').trim()
}
