// A real SMTP server for a test: it keeps what it is given, and refuses whom it is told to.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  port: number
  /** What has arrived for this address so far. */
  mailsTo(address: string): Promise<Email[]>
  close(): Promise<void>
}

interface MailServerOptions {
  /** Why it takes nothing for an address, for ever; null where it does. */
  refuse?: (address: string) => string | null
  /** To whose mails it says nothing once it has them. */
  isSilentTo?: string
}

export async function startMailServer({
  refuse = () => null,
  isSilentTo,
}: MailServerOptions = {}): Promise<MailServer> {
  const delivered: { to: string[]; source: Buffer }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo({ address }, _, done) {
      const refusal = refuse(address)
      done(refusal === null ? null : Object.assign(new Error(refusal), { responseCode: 550 }))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address)
        delivered.push({ to, source: Buffer.concat(chunks) })
        if (!isSilentTo || !to.includes(isSilentTo)) done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    mailsTo: (address) =>
      Promise.all(delivered.filter(({ to }) => to.includes(address)).map(({ source }) => PostalMime.parse(source))),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
