import type { Organization } from '#shared/contract/organizations.ts'
import { withFieldGroup } from './app-form.tsx'
import { text } from '#page/words/app-text.ts'

export const blankEndpoint = { scheme: '', id: '' }

/** The two fields of an e-invoice address, of an organization or a customer. */
export const EndpointFields = withFieldGroup({
  defaultValues: blankEndpoint,
  render: ({ group }) => (
    <>
      <group.AppField name="scheme">
        {(field) => (
          <field.Text
            label={text.eInvoice.scheme}
            hint={text.eInvoice.schemeHint}
            autoCapitalize="characters"
            autoComplete="off"
          />
        )}
      </group.AppField>
      <group.AppField name="id">
        {(field) => <field.Text label={text.eInvoice.address} autoComplete="off" />}
      </group.AppField>
    </>
  ),
})

/** Both left empty is none. */
export function endpointFrom(typed: typeof blankEndpoint | undefined): Organization['endpoint'] {
  // What an earlier build kept of a form has no such fields.
  const { scheme, id } = typed ?? blankEndpoint
  return scheme.trim() === '' && id.trim() === '' ? null : { scheme, id }
}
