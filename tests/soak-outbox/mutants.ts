// The outbox, broken on purpose (tests/soak/mutants.ts): the model must catch each by name.
import type { Mutant } from '#tests/soak/mutants.ts'
import type { Rule } from './watch.ts'

const queue = 'src/worker/outbox/queue.ts'
const enqueue = 'src/worker/outbox/enqueue.ts'
const drain = 'src/worker/outbox/drain.ts'
const entry = 'src/worker/outbox/entry.ts'

export const mutants: Record<string, Mutant<Rule>> = {
  'dropped-on-4xx': {
    does: 'what the server refuses is taken off the device',
    file: drain,
    from: "return settled(entry, outcome, await park(database, entry, 'rejected', said))",
    to: 'await done(database, entry, null)\n    return settled(entry, outcome, null)',
    caughtBy: ['lost-write', 'out-of-order'],
  },
  'deleted-before-the-answer': {
    does: 'an entry goes as it is sent, not when it is answered',
    file: drain,
    from: 'const answer = await ifUndeliverable(sent, undefined)',
    to: 'await done(database, entry, null)\n    const answer = await ifUndeliverable(sent, undefined)',
    caughtBy: ['lost-write', 'child-before-parent', 'lane-crossed', 'out-of-order'],
  },
  'fresh-key-on-retry': {
    does: 'a try that failed is repeated under a key of its own',
    file: queue,
    from: "({ ...entry, state: 'queued', nextAttemptAtMs, notBeforeMs, lastProblem })",
    to: "({ ...entry, key: crypto.randomUUID(), state: 'queued', nextAttemptAtMs, notBeforeMs, lastProblem })",
    caughtBy: ['invented-key'],
  },
  'parents-forgotten': {
    does: 'what is made here is not waited for by what names it',
    file: entry,
    from: 'return isSecond || entry.dependsOn.some((key) => isFirst(entry, byKey.get(key)))',
    to: 'return isSecond',
    caughtBy: ['child-before-parent'],
  },
  'lanes-forgotten': {
    does: 'a later write of a row does not wait for the earlier one',
    file: entry,
    from: 'return isSecond || entry',
    to: 'return entry',
    caughtBy: ['out-of-order', 'lane-crossed', 'child-before-parent'],
  },
  'other-invoices-forgotten': {
    does: 'a payment on several invoices waits only with the first',
    file: 'src/worker/outbox/write.ts',
    from: 'lanes: ids.map((each) => laneOf({ kind, id: each }))',
    to: 'lanes: [laneOf({ kind, id })]',
    caughtBy: ['out-of-order', 'lane-crossed', 'copy-differs', 'invented-key'],
  },
  'sending-for-ever': {
    does: 'what a killed worker was sending is not sent again',
    file: drain,
    from: 'const stuckAfterMs = parts.lock ? -1 : leaseMs',
    to: 'const stuckAfterMs = Infinity',
    caughtBy: ['never-drains'],
  },
  'attempted-replaced': {
    does: 'a save that may have arrived gives its place to the next one',
    file: enqueue,
    from: 'last.attempts > 0 || ',
    to: '',
    caughtBy: ['lost-write', 'out-of-order'],
  },
  'acknowledged-before-stored': {
    does: 'the page hears that it is stored although it is not',
    file: enqueue,
    from: 'const seq = await outbox.put(entry as Entry)',
    to: 'const seq = -1',
    caughtBy: ['lost-write'],
  },
  'pull-over-unsent': {
    does: 'a pull puts the server’s row in the place of what is unsent, and forgets it as a base',
    file: 'src/worker/copy/apply.ts',
    from: "await tx.objectStore('bases').put({ organizationId, kind, id, row })\n  await showProjected",
    to: 'await showProjected',
    caughtBy: ['copy-differs', 'invented-key'],
  },
  'conflict-overwritten': {
    does: 'a merge of somebody else’s change and one’s own is sent and the entry forgotten',
    file: drain,
    from: 'if (!(await unlessFull(resolve(database, entry.key, merged, key, false), () => false))) return parked',
    to: 'await done(database, entry, theirs)\n    void [resolve, merged]',
    caughtBy: ['lost-write', 'out-of-order'],
  },
  'answers-forgotten': {
    does: 'the server does a repeated write again',
    file: 'src/server/http/idempotency.ts',
    from: 'if (numInsertedOrUpdatedRows === 0n) return',
    to: 'if (false) return',
    caughtBy: ['done-twice', 'lost-write', 'number-gap', 'invented-key'],
  },
  // Nothing is lost and nothing is done twice by these: only what the fields say is wrong.
  'stale-form-wins': {
    does: 'what a form that was opened before another save did not change takes the place of that save',
    file: enqueue,
    from: '    body,\n    ...(follows',
    to: '    body: write.body,\n    ...(follows',
    caughtBy: ['overwritten', 'lost-write'],
  },
  'repeated-after-merge': {
    does: 'a save upon one that was merged with somebody else’s puts back what they changed',
    file: 'src/worker/outbox/decisions.ts',
    from: 'if (body) await bringOn(tx, entry, { ...decided.base, ...body }, freshKey, isUnseen)',
    to: '',
    caughtBy: ['overwritten'],
  },
}
