// A mail is a row written in the transaction that causes it (so none is lost and none is sent for what was rolled back).
import { uuidv7 } from '#shared/ids.ts'
import type { Tx } from '#server/db/database.ts'

export interface Mail {
  /** Where something else is kept under it too. */
  id?: string
  to: string
  kind: string
  subject: string
  text: string
  html: string
  /** Whose mail it is; null for an account's own. */
  organizationId?: string
  replyTo?: string | null
  /** Who it is from, where that is not Docket itself. */
  senderName?: string
  attachments?: readonly Attachment[]
}

/** A document that goes out with the mail, by what it is of: it is made or read when the mail is handed over. */
export type Attachment =
  | { invoiceId: string; kind: 'pdf' | 'en16931' | 'peppol' | 'xrechnung' }
  | { quoteId: string; edition: number; kind: 'pdf' }

/** Goes out at `dueAt`, as soon as it can unless that is later. */
export async function queueMail(tx: Tx, mail: Mail, now: string, dueAt = now): Promise<void> {
  await tx
    .insertInto('mails')
    .values({
      id: mail.id ?? uuidv7(Date.parse(now)),
      organizationId: mail.organizationId ?? null,
      recipient: mail.to,
      kind: mail.kind,
      subject: mail.subject,
      bodyText: mail.text,
      bodyHtml: mail.html,
      replyTo: mail.replyTo ?? null,
      senderName: mail.senderName ?? null,
      attachments: mail.attachments ? JSON.stringify(mail.attachments) : null,
      createdAt: now,
      dueAt,
      attempts: 0,
      sentAt: null,
      lastError: null,
      failure: null,
      givenUpAt: null,
      endedAt: null,
      endedAs: null,
      handedOverAt: null,
    })
    .execute()
}
