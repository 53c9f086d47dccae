// A mail is a row written in the transaction that causes it (so none is lost and none is sent for what was rolled back).
import { uuidv7 } from '#shared/ids.ts'
import type { Tx } from '#server/db/database.ts'

export interface Mail {
  to: string
  kind: string
  subject: string
  text: string
  html: string
}

/** Goes out at `dueAt`, as soon as it can unless that is later. */
export async function queueMail(tx: Tx, mail: Mail, now: string, dueAt = now): Promise<void> {
  await tx
    .insertInto('mails')
    .values({
      id: uuidv7(Date.parse(now)),
      organizationId: null,
      recipient: mail.to,
      kind: mail.kind,
      subject: mail.subject,
      bodyText: mail.text,
      bodyHtml: mail.html,
      createdAt: now,
      dueAt,
      attempts: 0,
      sentAt: null,
      lastError: null,
    })
    .execute()
}
