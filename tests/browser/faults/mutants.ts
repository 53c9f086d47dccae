// The product, broken on purpose: what the model of the outbox breaks (tests/soak-outbox/mutants.ts), and what only these schedules look for.
import type { Mutant } from '#tests/soak/mutants.ts'
import { mutants as ofOutbox } from '#tests/soak-outbox/mutants.ts'
import type { Rule } from './watch.ts'

const enqueue = 'src/worker/outbox/enqueue.ts'

/** Stored once more, under a key and an id of its own. */
const twice = (name: string) => ({
  file: enqueue,
  from: 'const seq = await outbox.put(entry as Entry)',
  to: `const again = { ...entry, key: crypto.randomUUID(), body: { ...entry.body, id: crypto.randomUUID() } }
  const seq = await outbox.put(entry as Entry)
  if (name === '${name}') await outbox.put(again as Entry)`,
})

export const mutants: Record<string, Mutant<string>> = {
  ...ofOutbox,
  ...({
    'customer-twice': { does: 'a new customer is stored twice', ...twice('createCustomer'), caughtBy: ['unasked'] },
    // The second may be more than is due.
    'payment-twice': {
      does: 'a payment is stored twice',
      ...twice('recordPayment'),
      caughtBy: ['done-twice', 'refused'],
    },
    'paid-too-much': {
      does: 'the server takes two times what was paid off what is due',
      file: 'src/server/payments/record.ts',
      from: 'by: minorUnitsOf(amount), revision',
      to: 'by: 2n * minorUnitsOf(amount), revision',
      caughtBy: ['wrong-sum', 'refused'],
    },
    'no-second-copy': {
      does: 'what a lost database had not sent is not brought back',
      file: 'src/worker/outbox/spare.ts',
      from: "await importEntries(database, fileOf(userId, latest), userId, 'every-one')",
      to: 'fileOf(userId, latest)',
      caughtBy: ['lost-write'],
    },
    'always-synced': {
      does: 'what waits is not counted',
      file: 'src/shared/outbox.ts',
      from: 'return { waiting: entries.length - attention, attention }',
      to: 'return { waiting: 0, attention }',
      caughtBy: ['false-screen'],
    },
    'due-as-before': {
      does: 'the screen of an invoice goes on showing as due what was paid',
      file: 'src/page/features/payments/invoice-payments.tsx',
      from: "[t.due, dueOf(invoice), 'font-semibold']",
      to: "[t.due, invoice.gross, 'font-semibold']",
      caughtBy: ['false-screen'],
    },
  } satisfies Record<string, Mutant<Rule>>),
}
