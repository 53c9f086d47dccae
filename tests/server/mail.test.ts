// Mails are rows: written with what causes them, handed over to a real SMTP server, kept until that works.
import { once } from 'node:events'
import fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeAll, afterAll, describe, expect, test } from 'vitest'
import { openQueue } from '#server/jobs/queue.ts'
import { createLog } from '#server/log.ts'
import { mailboxPage } from '#server/mail/mailbox.ts'
import { queueMail } from '#server/mail/queue.ts'
import { startSender, type Transport } from '#server/mail/sender.ts'
import * as templates from '#server/mail/templates.ts'
import { mailboxTransport, smtpTransport } from '#server/mail/transport.ts'
import { uuidv7 } from '#shared/ids.ts'
import { register, startTestApp, verifiedActor, type TestApp } from '#tests/support/app.ts'
import { makeOrganization } from '#tests/support/builders.ts'
import { password, until } from '#tests/support/people.ts'
import { engines, openFresh } from '#tests/support/database.ts'

interface Delivered {
  to: string[]
  source: string
  secure: boolean
}

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  const logLines: string[] = []
  const log = createLog({ write: (line) => void logLines.push(line) })
  const ends: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
  })
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })
  afterAll(() => app.db.close())

  async function smtpServer(port = 0, refuse = false) {
    const delivered: Delivered[] = []
    const server = new SMTPServer({
      authOptional: true,
      logger: false,
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address)
          if (refuse) return done(new Error('Not today'))
          delivered.push({ to, source: Buffer.concat(chunks).toString(), secure: session.secure })
          done()
        })
      },
    })
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
    const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
    ends.push(close)
    return { delivered, close, port: (server.server.address() as AddressInfo).port }
  }

  /** A process as far as mails go; answers how it ends. */
  async function sendBy(transport: Transport): Promise<() => Promise<void>> {
    const queue = await openQueue(app.db, log)
    const sender = await startSender({ db: app.db, queue, transport, log })
    const end = async () => {
      sender.stop()
      await queue.stop()
      transport.close()
    }
    ends.push(end)
    return end
  }

  test('goes out by SMTP within five seconds, upgraded to TLS when offered, and its body is then forgotten', async () => {
    const { delivered, port } = await smtpServer()
    const url = `smtp://127.0.0.1:${port}?tls.rejectUnauthorized=false`
    await sendBy(smtpTransport(url, 'Docket <docket@example.com>'))
    const { email } = await register(app)
    const token = await app.mailedToken(email)
    const began = Date.now()
    const mail = await until(() => delivered.find(({ to }) => to.includes(email)))
    expect(Date.now() - began).toBeLessThan(5000)
    expect(mail.secure).toBe(true)
    const parsed = await PostalMime.parse(mail.source)
    expect(parsed.from).toMatchObject({ name: 'Docket', address: 'docket@example.com' })
    expect(parsed.text).toContain(`/verify-email?verificationToken=${token}`)
    expect(parsed.html).toContain(token)
    await until(async () => (await rowOf(email)).sentAt)
    expect(await rowOf(email)).toMatchObject({ bodyText: '', bodyHtml: '' })
    expect(logLines.join('')).not.toContain(token)
  })

  test.each([
    ['Müller & Söhne', 'Docket <docket@example.com>', 'Müller & Söhne via Docket'],
    ['"Bob", Inc. <ceo@bank.example>\r\nBcc: eve@example.com', 'Docket <docket@example.com>', null],
    ['Bob', 'docket@example.com', 'Bob'],
  ])('comes from the firm by name, %j, and from our own address', async (senderName, from, name) => {
    const { delivered, port } = await smtpServer()
    await sendBy(smtpTransport(`smtp://127.0.0.1:${port}?ignoreTLS=true`, from))
    const to = `${uuidv7()}@example.com`
    const { id: organizationId } = await makeOrganization(await verifiedActor(app))
    const mail = { to, kind: 'test', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', organizationId, senderName }
    await app.db.asApp({ organizationIds: [organizationId] }, (tx) => queueMail(tx, mail, new Date().toISOString()))
    const { source, to: recipients } = await until(() => delivered.find((each) => each.to.includes(to)))
    expect(recipients).toEqual([to])
    const parsed = await PostalMime.parse(source)
    expect(parsed.from?.address).toBe('docket@example.com')
    expect(parsed.bcc).toBeUndefined()
    if (name !== null) expect(parsed.from?.name).toBe(name)
  })

  test('a dead SMTP server never fails a registration; the mail goes out when it is back, once', async () => {
    const { port, close } = await smtpServer()
    await close()
    const die = await sendBy(smtpTransport(`smtp://127.0.0.1:${port}`, 'a@example.com'))
    const { email } = await register(app)
    await until(async () => (await rowOf(email)).lastError)
    expect(await rowOf(email)).toMatchObject({ sentAt: null, attempts: 1 })
    await die()
    const { delivered } = await smtpServer(port)
    await sendBy(smtpTransport(`smtp://127.0.0.1:${port}?ignoreTLS=true`, 'a@example.com'))
    await until(() => delivered.some(({ to }) => to.includes(email)))
    await until(async () => (await rowOf(email)).sentAt)
    expect(delivered.filter(({ to }) => to.includes(email))).toHaveLength(1)
  })

  test('several processes share the queue: each mail goes out once', async () => {
    const { delivered, port } = await smtpServer()
    const people = await Promise.all(Array.from({ length: 12 }, () => register(app)))
    const process = () => sendBy(smtpTransport(`smtp://127.0.0.1:${port}?ignoreTLS=true`, 'a@example.com'))
    await Promise.all([process(), process(), process()])
    const wanted = people.map(({ email }) => email)
    const arrived = () => delivered.flatMap(({ to }) => to).filter((to) => wanted.includes(to))
    await until(() => arrived().length >= wanted.length)
    expect(arrived().toSorted()).toEqual(wanted.toSorted())
  })

  const lookAlikes = [
    `<script>alert(1)</script>"&'`,
    '</p></div><a href="https://evil.example">Verify</a><!--',
    '=?utf-8?Q?=0D=0ABcc:_eve=40evil.example?=',
    'Ann%0d%0aBcc: eve@evil.example',
    'Ann\u2028Bcc: eve@evil.example\u2029',
    'Ann\u0085Bcc: eve@evil.example',
    'Ann\\r\\nBcc: eve@evil.example',
    '"Ann" <eve@evil.example>, eve@evil.example',
    '&lt;script&gt; &#60;b&#62;',
    '.',
    `x${'\u202e'}gpj.exe`,
  ]
  test('a name is only ever text: escaped in the HTML, as it is in the text, and in no header', async () => {
    const { delivered, port } = await smtpServer()
    await sendBy(smtpTransport(`smtp://127.0.0.1:${port}?ignoreTLS=true`, 'Docket <docket@example.com>'))
    const people = await Promise.all(
      lookAlikes.map(async (name) => ({ name, email: (await register(app, undefined, name)).email })),
    )
    for (const { name, email } of people) {
      const { to, source } = await until(() => delivered.find((each) => each.to.includes(email)))
      expect(to).toEqual([email])
      const parsed = await PostalMime.parse(source)
      expect(parsed.headers.map(({ key }) => key).toSorted()).toEqual(
        ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].toSorted(),
      )
      expect([parsed.to, parsed.cc, parsed.bcc, parsed.replyTo]).toEqual([
        [{ address: email, name: '' }],
        undefined,
        undefined,
        undefined,
      ])
      expect(parsed.from).toMatchObject({ name: 'Docket', address: 'docket@example.com' })
      expect(parsed.subject).toBe('Verify your email for Docket')
      const greeted = parsed.text!.split(',\n')[0]!
      expect([`Hello ${name}`, 'Hello']).toContain(greeted)
      // The same elements as in anybody's mail; the name is one piece of text among them.
      expect(parsed.html!.match(/<\/?\w+/g)).toEqual(
        '<html <meta <meta <title </title <style </style <body <div <p </p <p </p <p <a </a </p <p </p <p </p </div </body </html'.split(
          ' ',
        ),
      )
      const said = /<p>(.*?),<\/p>/s.exec(parsed.html!)![1]!
      expect(said).toMatch(/^[^<>"']*$/)
      expect(unescaped(said)).toBe(greeted)
    }
  })

  test('a name that would become a link is left out: a stranger’s mail greets nobody with an address of theirs', async () => {
    for (const name of [
      'Win now: https://evil.example/x',
      'www.evil.example',
      'evil.example',
      'eve@evil.example',
      '//evil.example',
    ]) {
      const { email } = await register(app, undefined, name)
      const { bodyText, bodyHtml } = await rowOf(email)
      expect(bodyText).toMatch(/^Hello,\n/)
      expect(bodyText + bodyHtml).not.toContain('evil')
    }
    for (const name of ['Ann', 'J. R. Smith', 'Dr. Ünal', 'O’Neill & Sons', 'A.J.']) {
      const { email } = await register(app, undefined, name)
      expect((await rowOf(email)).bodyText).toMatch(`Hello ${name},\n`)
    }
  })

  test('what a person typed is escaped in every mail there is', () => {
    const builders = Object.entries(templates).filter(([name]) => name.endsWith('Mail'))
    expect(builders.length).toBeGreaterThanOrEqual(8)
    const languages = ['en', 'de']
    for (const [[name, make], language] of builders.flatMap((each) => languages.map((one) => [each, one] as const))) {
      const build = (text: string) => {
        if (name === 'invitationMail')
          return templates.invitationMail(language as 'en', { inviter: text, organization: text, role: 'member' }, text)
        if (name === 'quoteAnsweredMail') {
          const quote = { number: 'Q-1', customerName: text }
          return templates.quoteAnsweredMail(language as 'en', quote, { answer: 'accepted', name: text }, text)
        }
        if (name === 'invoiceMail')
          return templates.invoiceMail({ type: '381', language: language as 'en' }, text, text)
        return (make as (...texts: string[]) => templates.Content)(language, text, text, text)
      }
      const plain = build('x')
      for (const evil of lookAlikes) {
        const { subject, html } = build(evil)
        // A subject is text: what it names is no link, and begins no header.
        const instead = ['an organization', 'einer Organisation', 'your organization', 'Ihrer Organisation']
        const named = [evil.replace(/\s+/g, ' '), ...instead]
        const bare = named.reduce((text, each) => text.replace(` ${each} `, ' x '), subject)
        expect({ name, subject: bare }).toEqual({ name, subject: plain.subject })
        expect(html.match(/<\/?\w+| \w+="/g)).toEqual(plain.html.match(/<\/?\w+| \w+="/g))
      }
    }
  })

  test('a mail says how it looks in the dark, and its address breaks where a phone ends', () => {
    const { html } = templates.verificationMail('en', 'Ann', 'https://docket.example/verify-email')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toMatch(/@media \(prefers-color-scheme:dark\)\{body\{[^}]+\}\.link\{color:/)
    expect(html).toMatch(/<p class="link" style="[^"]*word-break:break-all">https:/)
  })

  test('control characters in a name, and an address that is more than one, are refused before there is a mail', async () => {
    const email = () => `${uuidv7()}@example.com`
    const addresses = (good: string) => [
      `${good},eve@evil.example`,
      `${good},evil`,
      `${good}>,evil`,
      `${good};evil`,
      `<${good}>`,
      `Ann <${good}>`,
      `"eve@evil.example" ${good}`,
      `${good} (eve)`,
      `${good}(eve)`,
      `${good}\r\nBcc: eve@evil.example`,
      `${good}\nRCPT TO:<eve>`,
      `${good}"x`,
      `eve@[127.0.0.1]`,
      `group:${good};`,
    ]
    const before = await mailCount()
    for (const body of [
      ...['Ann\r\nBcc: eve@evil.example', 'Ann\nBcc: eve', 'Ann\rBcc: eve', 'Ann\0', 'Ann\u001b[2J'].map((name) => ({
        name,
        email: email(),
      })),
      ...addresses(email()).map((address) => ({ name: 'Ann', email: address })),
    ]) {
      const answer = await app.send('POST', '/api/v1/auth/register', { body: { ...body, password } })
      expect({ ...body, status: answer.status }).toEqual({ ...body, status: 422 })
    }
    expect(await mailCount()).toBe(before)
  })

  test('the development mailbox keeps each mail as .eml and shows its link, to this machine alone', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-mailbox-'))
    ends.push(async () => fs.rmSync(folder, { recursive: true }))
    await sendBy(mailboxTransport(folder, 'Docket <docket@localhost>'))
    const { email } = await register(app)
    const token = await app.mailedToken(email)
    const name = await until(() =>
      fs.readdirSync(folder).find((each) => fs.readFileSync(path.join(folder, each), 'utf8').includes(email)),
    )
    expect(name).toMatch(/\.eml$/)
    const show = (url: string, headers = {}) => mailboxPage(new Request(url, { headers }), folder)
    const page = await (await show('http://localhost:8080/dev/mailbox')).text()
    expect(page).toContain(`<a href="http://localhost:8080/verify-email?verificationToken=${token}">`)
    for (const refused of [
      () => show('http://evil.example/dev/mailbox'),
      () => show('http://localhost:8080/dev/mailbox', { 'x-forwarded-for': '1.2.3.4' }),
      () => show('http://localhost:8080/dev/mailbox', { forwarded: 'for=1.2.3.4' }),
      () => show('http://localhost:8080/dev/mailbox', { 'x-real-ip': '1.2.3.4' }),
      () => show('http://localhost:8080/dev/mailbox', { 'x-forwarded-proto': 'https' }),
    ]) {
      await expect(refused()).rejects.toMatchObject({ code: 'forbidden' })
    }
  })

  test('an app that has SMTP has no mailbox', async () => {
    const { status, text } = await app.send('GET', '/dev/mailbox')
    expect(text).not.toContain('Development mailbox')
    expect(status).toBe(404)
  })

  const mailCount = () => app.db.asJobs(async (tx) => (await tx.selectFrom('mails').select('id').execute()).length)

  function unescaped(html: string): string {
    return html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
  }

  function rowOf(recipient: string) {
    return app.db.asJobs((tx) =>
      tx.selectFrom('mails').selectAll().where('recipient', '=', recipient).executeTakeFirstOrThrow(),
    )
  }
})
