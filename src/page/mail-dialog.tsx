// Sends a document by mail, in the person's own words, and gives or takes back links to its public page.
import { Link2, Link2Off } from 'lucide-react'
import { useState } from 'react'
import { invoiceSending, type InvoiceSending } from '#shared/contract/invoices.ts'
import { useAppForm } from '#page/forms/app-form.tsx'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { beginAnew, KeptNotice } from '#page/forms/kept-notice.tsx'
import { useKeepForm, useKept } from '#page/forms/kept.ts'
import { problemText } from '#page/words/problem-text.ts'
import type { Writer } from '#page/device/stored.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from './ui/button.tsx'
import { Dialog } from './ui/dialog.tsx'
import { FieldErrorsContext } from './ui/field.tsx'
import { notify } from './ui/notify.ts'

const t = text.sending

export interface LinkActions {
  lead: string
  revoked: string
  make: () => Promise<string>
  revoke: () => Promise<void>
}

interface Props {
  title: string
  lead: string
  /** Of what document and which version of it: what is typed is kept on this device under it. */
  keptName: string
  first: InvoiceSending
  send: (words: InvoiceSending, writer: Writer) => Promise<void>
  onClose: () => void
  /** Words: why there is nothing yet that a link could show. Null where links are not the matter. */
  links: LinkActions | string | null
}

export function MailDialog({ title, lead, keptName, first, send, onClose, links }: Props) {
  const state = useFormState()
  const kept = useKept<InvoiceSending>(keptName, () => first)
  const [defaultValues] = useState(() => kept.found ?? first)
  const form = useAppForm({
    defaultValues,
    onSubmit: async ({ value }) => {
      await state.submit(value, invoiceSending, async () => {
        await send(value, kept)
        kept.forget()
        onClose()
      })
    },
  })
  useKeepForm(form, kept)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={lead}>
      <FieldErrorsContext value={state.errors}>
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            void form.handleSubmit()
          }}
        >
          <KeptNotice
            kept={kept}
            onStartFresh={() => beginAnew(form, first)}
            onPutBack={(older) => beginAnew(form, older)}
          />
          <form.AppField name="to">
            {(field) => <field.Text label={t.to} type="email" inputMode="email" autoComplete="off" required />}
          </form.AppField>
          <form.AppField name="subject">
            {(field) => <field.Text label={t.subject} autoComplete="off" required />}
          </form.AppField>
          <form.AppField name="message">{(field) => <field.TextArea label={t.message} rows={7} />}</form.AppField>
          <FormEnd
            state={state}
            submit={t.send}
            onCancel={() => {
              kept.discard()
              onClose()
            }}
          />
        </form>
      </FieldErrorsContext>
      {links === null ? null : typeof links === 'string' ? (
        <p className="text-sm text-muted">{links}</p>
      ) : (
        <Links {...links} />
      )}
    </Dialog>
  )
}

function Links({ lead, revoked, make: makeLink, revoke: revokeLinks }: LinkActions) {
  const [made, setMade] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    await work().catch((error: unknown) => notify('error', problemText(error, 'action')))
    setBusy(false)
  }
  const make = () =>
    run(async () => {
      const link = await makeLink()
      setMade(link)
      // Where the clipboard is not given, the link stands there to be copied.
      await navigator.clipboard?.writeText(link).then(
        () => notify('success', t.copied),
        () => {},
      )
    })
  const revoke = () =>
    run(async () => {
      await revokeLinks()
      setMade(null)
      notify('success', revoked)
    })
  return (
    <section className="grid gap-3 border-t border-line pt-4">
      <p className="text-sm text-muted">{lead}</p>
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
