import { describe, expect, test } from 'vitest'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import { may, roles } from '#shared/permissions.ts'
import { isChoosable, works, type WorkName } from '#page/features/invoices/bulk-works.ts'

const names = Object.keys(works) as WorkName[]

function invoice(parts: object): InvoiceSummary {
  const money = { gross: '10.00', paid: '0.00', credited: '0.00', amountDue: '10.00' }
  const sums = Object.fromEntries(Object.entries(money).map(([name, amount]) => [name, { amount, currency: 'EUR' }]))
  return { type: '380', status: 'issued', currency: 'EUR', overdue: false, ...sums, ...parts } as InvoiceSummary
}

describe('what is offered for several invoices', () => {
  test('by role', () => {
    const offered = (standing: Parameters<typeof may>[0]) =>
      names.filter((name) => may(standing, works[name].permission))
    expect(Object.fromEntries(roles.map((role) => [role, offered({ role })]))).toEqual({
      owner: names,
      admin: names,
      accountant: names,
      member: names,
      viewer: ['pdf'],
    })
    expect(offered({ role: 'member', membersMayIssue: false })).toEqual(['pdf', 'delete'])
  })

  test.each<[string, object, WorkName[]]>([
    ['a draft', { status: 'draft' }, ['issue', 'delete']],
    ['one that was issued', {}, ['send', 'pdf']],
    ['one that is late', { overdue: true }, ['send', 'remind', 'pdf']],
    ['one that is uncollectible', { status: 'uncollectible' }, ['send', 'pdf']],
    ['a void one', { status: 'void' }, ['pdf']],
    ['a credit note', { type: '381' }, ['send', 'pdf']],
    ['one whose mail waits', { unsent: 'send' }, ['pdf']],
    ['one that is late and whose mail was refused', { unsent: 'attention', overdue: true }, ['remind', 'pdf']],
  ])('of %s', (_, parts, expected) => {
    expect(names.filter((name) => works[name].fits(invoice(parts), { role: 'owner' }))).toEqual(expected)
  })

  test('the draft of a credit note is nothing that a member can issue or delete', () => {
    const draft = invoice({ type: '381', status: 'draft' })
    const offered = (role: (typeof roles)[number]) => names.filter((name) => works[name].fits(draft, { role }))
    expect(offered('member')).toEqual([])
    expect(offered('accountant')).toEqual(['issue', 'delete'])
  })

  test('a draft that waits to be issued is not chosen at all', () => {
    expect(isChoosable(invoice({ status: 'draft' }))).toBe(true)
    expect(isChoosable(invoice({ status: 'draft', unsent: 'waiting' }))).toBe(true)
    expect(isChoosable(invoice({ status: 'draft', unsent: 'issue' }))).toBe(false)
  })
})
