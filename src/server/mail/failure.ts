// Why a mail did not go out, in one word for a screen; the mail server's own answer stands beside it.
import type { FailedMail } from '#shared/contract/failures.ts'

type MailFailure = FailedMail['failure']

/** What making a mail's documents threw: of no mail server's doing. */
export class DocumentsMissing extends Error {}

/** The mail server took too long before it had the whole message, or the process ends. */
export class GaveUp extends Error {}

/** The mail server has the whole message, and nobody knows whether it took it: sent again, it may arrive twice. */
export class AnswerMissing extends Error {}

interface Failed {
  failure: MailFailure
  lastError: string
  /** Trying again changes nothing: the mail server knows nobody at this address. */
  isFinal: boolean
}

/** By the codes that nodemailer gives its errors, and the mail server's (RFC 5321: 5yz is for ever). */
export function failureOf(error: unknown): Failed {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const lastError = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
  const isForEver = typeof responseCode === 'number' && responseCode >= 500
  const failure = ((): MailFailure => {
    if (error instanceof DocumentsMissing) return 'documents'
    if (error instanceof AnswerMissing) return 'unknown'
    if (error instanceof GaveUp) return 'unreachable'
    if (code === 'EAUTH') return 'sign-in'
    if (code === 'EENVELOPE') return 'address'
    if (code === 'EMESSAGE' || typeof responseCode === 'number') return 'refused'
    if (typeof code === 'string' && /^(ECONN|ETIMEDOUT|ESOCKET|EDNS|ETLS|ENOTFOUND|EAI_)/.test(code))
      return 'unreachable'
    return 'other'
  })()
  return { failure, lastError, isFinal: failure === 'address' && isForEver }
}
