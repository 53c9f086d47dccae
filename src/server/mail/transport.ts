// Ways out for a mail: an SMTP server, or the development mailbox, a folder of .eml files.
import fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import nodemailer from 'nodemailer'
import addressparser from 'nodemailer/lib/addressparser'
import type SMTPTransport from 'nodemailer/lib/smtp-transport'
import { AnswerMissing, GaveUp } from './failure.ts'
import type { AttachedFile, QueuedMail, Transport } from './sender.ts'

/** A customer knows the firm and not Docket; the address stays Docket's own, which may send for nobody else's. */
function sender({ senderName }: QueuedMail, from: string) {
  const [own] = addressparser(from, { flatten: true })
  if (senderName === null || !own) return from
  return { name: own.name ? `${senderName} via ${own.name}` : senderName, address: own.address }
}

function message(mail: QueuedMail, from: string, files: readonly AttachedFile[]) {
  return {
    from: sender(mail, from),
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

/** How long the mail server may take for one mail, in milliseconds. */
interface SmtpPatience {
  /** For everything before the end of the message. */
  handOver: number
  /** For its word on the whole message, while it scans what it has: RFC 5321, 4.5.3.2.6. */
  answer: number
}
const usual: SmtpPatience = { handOver: 5 * 60_000, answer: 10 * 60_000 }

/** `smtp://` upgrades to TLS when the server offers it, `smtps://` begins with it. */
export function smtpTransport(smtpUrl: string, from: string, patience = usual): Transport {
  // Of a machine that is not there nobody need wait long. The library counts only how long nothing came; how long all of it may take is told below.
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, dnsTimeout: 5000 }
  const options = { url: smtpUrl, ...limits, socketTimeout: Math.max(patience.handOver, patience.answer) }
  const closing = new AbortController()
  return {
    async send(mail, files, noteHandedOver) {
      const smtp = nodemailer.createTransport(options as SMTPTransport.Options, { from })
      const tooLong = new AbortController()
      const giveUpAfter = (ms: number) => setTimeout(() => tooLong.abort(), ms)
      let timer = giveUpAfter(patience.handOver)
      let isHandedOver = false
      smtp.use('stream', ({ message: letter }, done) => {
        // Read, and so sent, only when the server has asked for it; what is still to come then is the end.
        letter.processFunc((source) => Readable.from(withEnd(source), { objectMode: false }))
        done()
      })
      async function* withEnd(source: Readable): AsyncGenerator<Buffer> {
        yield* source as AsyncIterable<Buffer>
        await noteHandedOver()
        isHandedOver = true
        clearTimeout(timer)
        timer = giveUpAfter(patience.answer)
      }
      try {
        const signal = AbortSignal.any([tooLong.signal, closing.signal])
        await smtp.sendMail({ ...message(mail, from, files), signal })
      } catch (error) {
        const { message: why, responseCode } = error as Error & { responseCode?: unknown }
        if (isHandedOver && typeof responseCode !== 'number') throw new AnswerMissing(why)
        throw tooLong.signal.aborted || closing.signal.aborted ? new GaveUp(why) : error
      } finally {
        clearTimeout(timer)
        smtp.close()
      }
    },
    close: () => closing.abort(),
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
