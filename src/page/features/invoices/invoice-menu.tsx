// What can be done with an invoice that is issued: offered where role and state allow it, asked once because it cannot be undone.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ban, CircleDashed, EllipsisVertical, FileMinus } from 'lucide-react'
import { useState } from 'react'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { canCredit, canVoid, canWriteOff, sumsOf } from '#shared/invoice-balance.ts'
import { uuidv7 } from '#shared/ids.ts'
import { may } from '#shared/permissions.ts'
import { problemText } from '#page/problem-text.ts'
import { markOf } from '#page/saved.ts'
import { text } from '#page/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog } from '#page/ui/dialog.tsx'
import { Menu, MenuItem } from '#page/ui/menu.tsx'
import { notify } from '#page/ui/notify.ts'
import { createCreditNote, invoiceQuery, pressInvoice, type Press } from './queries.ts'

const t = text.invoices.presses
const size = 'size-5'

export function InvoiceMenu({ invoice, organization }: { invoice: Invoice; organization: Organization }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Press | null>(null)
  // Asked for again it is the same one.
  const [noteId] = useState(uuidv7)
  const sums = sumsOf(invoice)
  const presses = [
    ...(canVoid(sums, invoice.sentAt ?? invoice.viewedAt) && may(organization, 'invoice.void')
      ? (['voidInvoice'] as const)
      : []),
    ...(canWriteOff(sums) && may(organization, 'invoice.uncollectible') ? (['markUncollectible'] as const) : []),
  ]
  // What waits already would be refused a second time.
  const mayCredit = canCredit(sums) && may(organization, 'creditNote.write')
  if ((presses.length === 0 && !mayCredit) || markOf(invoice)) return null
  const icons = {
    voidInvoice: <Ban className={size} aria-hidden />,
    markUncollectible: <CircleDashed className={size} aria-hidden />,
  }

  const press = (name: Press) =>
    run(async () => {
      setAsked(null)
      const answer = await pressInvoice(queryClient, name, invoice)
      notify('success', markOf(answer) ? t[name].waits : t[name].done)
    })
  const credit = () =>
    run(async () => {
      const { organizationId, id: invoiceId } = await createCreditNote(queryClient, invoice, noteId)
      await navigate({
        to: '/organization/$organizationId/invoices/$invoiceId',
        params: { organizationId, invoiceId },
      })
    })

  async function run(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      notify('error', problemText(error))
      // Somebody else was faster: what stands here must be true.
      const { queryKey } = invoiceQuery(invoice.organizationId, invoice.id)
      void queryClient.invalidateQueries({ queryKey })
    }
  }
  return (
    <>
      <Menu
        label={t.more}
        trigger={<EllipsisVertical className={size} aria-hidden />}
        className="min-w-11 justify-center border border-line"
      >
        {mayCredit && (
          <MenuItem icon={<FileMinus className={size} aria-hidden />} onSelect={() => void credit()}>
            {t.creditNote}
          </MenuItem>
        )}
        {presses.map((name) => (
          <MenuItem key={name} icon={icons[name]} onSelect={() => setAsked(name)}>
            {t[name].label}
          </MenuItem>
        ))}
      </Menu>
      <Dialog
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title={asked ? t[asked].ask(invoice.number ?? '') : ''}
        description={asked && t[asked].lead}
      >
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={() => setAsked(null)}>{text.cancel}</Button>
          {asked && (
            <Button look="danger" onClick={() => void press(asked)}>
              {t[asked].label}
            </Button>
          )}
        </div>
      </Dialog>
    </>
  )
}
