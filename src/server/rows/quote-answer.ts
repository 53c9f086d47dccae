// What is answered to a quote: once, to the edition that was seen, by whoever has the link or by a member who was told.
import type { PublicQuoteAnswer, Quote } from '#shared/contract/quotes.ts'
import { canQuote } from '#shared/quote-state.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Tx } from '#server/db/database.ts'

interface Answering {
  quote: Quote
  asked: PublicQuoteAnswer
  /** Null: whoever has the link. */
  notedBy: string | null
  now: string
}

/** False when the very same was answered before: its answer may have been lost on the way. */
export async function answerQuote(tx: Tx, { quote, asked, notedBy, now }: Answering): Promise<boolean> {
  const { organizationId, id: quoteId, status, answer } = quote
  const { edition } = asked
  if (answer && quote.edition === edition && answer.answer === asked.answer && answer.name === asked.name) return false
  if (!canQuote('answer', status) || quote.edition !== edition) throw refusal(quote)
  // Of two at once the second waits here, and then finds it answered.
  const { numUpdatedRows } = await tx
    .updateTable('quotes')
    .set((eb) => ({ status: asked.answer, version: eb('version', '+', 1), updatedAt: now }))
    .where('organizationId', '=', organizationId)
    .where('id', '=', quoteId)
    .where('status', '=', 'sent')
    .where('edition', '=', edition)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new ProblemError('invalid_transition', { detail: words.answered })
  await tx
    .insertInto('quoteAnswers')
    .values({ organizationId, quoteId, edition, answer: asked.answer, name: asked.name, notedBy, answeredAt: now })
    .execute()
  return true
}

const words = {
  answered: 'This quote was answered already.',
  expired: 'This quote has expired. Ask its sender for a new one.',
  changed: 'This quote was changed meanwhile. Load the page again to see what it says now.',
}

function refusal({ status }: Quote): ProblemError {
  const detail =
    status === 'accepted' || status === 'declined'
      ? words.answered
      : status === 'expired'
        ? words.expired
        : words.changed
  return new ProblemError('invalid_transition', { detail })
}
