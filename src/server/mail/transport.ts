// Ways out for a mail: an SMTP server, or the development mailbox, a folder of .eml files.
import fs from 'node:fs/promises'
import path from 'node:path'
import nodemailer from 'nodemailer'
import type SMTPTransport from 'nodemailer/lib/smtp-transport'
import type { AttachedFile, QueuedMail, Transport } from './sender.ts'

function message(mail: QueuedMail, from: string, files: readonly AttachedFile[]) {
  return {
    from,
    to: { name: '', address: mail.recipient },
    ...(mail.replyTo !== null && { replyTo: { name: '', address: mail.replyTo } }),
    subject: mail.subject,
    text: mail.bodyText,
    html: mail.bodyHtml,
    attachments: [...files],
    // The same mail handed over twice (a crash between handing over and writing it down) is recognised by receivers.
    messageId: `<${mail.id}@docket>`,
    date: new Date(mail.createdAt),
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** `smtp://` upgrades to TLS when the server offers it, `smtps://` begins with it. */
export function smtpTransport(smtpUrl: string, from: string): Transport {
  // All of them together stay below the sender's lease, so that no second process sends the same mail meanwhile.
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 5000 }
  const smtp = nodemailer.createTransport({ url: smtpUrl, ...limits } as SMTPTransport.Options, { from })
  return {
    async send(mail, files) {
      await smtp.sendMail(message(mail, from, files))
    },
    close: () => smtp.close(),
  }
}

/** Keeps each mail as `<id>.eml` in the folder. */
export function mailboxTransport(folder: string, from: string): Transport {
  const compose = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail, files) {
      const { message: eml } = await compose.sendMail(message(mail, from, files))
      await fs.mkdir(folder, { recursive: true, mode: 0o700 })
      await fs.writeFile(path.join(folder, `${mail.id}.eml`), eml as Buffer, { mode: 0o600 })
    },
    close: () => compose.close(),
  }
}
