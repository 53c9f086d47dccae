// Every kind of mail as it is sent, in both languages, on one sheet: each in a frame of its own, as a mail program shows it.
import { ownReminder } from '#documents/reminder-words.ts'
import { wordsOf } from '#documents/words.ts'
import * as mails from '#server/mail/templates.ts'
import type { Language } from '#shared/language.ts'
import { fillReminder } from '#shared/reminders.ts'

const address = 'https://docket.example'
const link = (path: string, name: string) => `${address}/${path}?${name}=wq7Vn2kZ0sJc4bR9yTfXhL1mDpA6uE3g`
const publicLink = (path: string) => `${address}/api/v1/public/${path}/i_wq7Vn2kZ0sJc4bR9yTfXhL1mDpA6uE3g`
const name = 'Eva Vermeulen'
const organization = 'Vermeulen Plumbing & Heating'
const quote = { number: 'Q-0007', customerName: 'Anna and Jeroen Peters' }

/** To the firm's customers. */
function toCustomers(language: Language): mails.Content[] {
  const { mail } = wordsOf(language)
  const isGerman = language === 'de'
  const [amount, due, until] = isGerman
    ? ['1.228,15 €', '03.12.2026', '20.12.2026']
    : ['€2,206.05', '5 Dec 2026', '20 Dec 2026']
  const customer = isGerman ? 'Herr Küpper' : 'Marieke Janssen'
  const number = isGerman ? 'INV-2026-0034' : 'INV-2026-0037'
  const reminder = ownReminder(language, 0)
  const values = { customer, number, amount, due, organization }
  return [
    {
      ...mails.invoiceMail(
        { type: '380', language },
        mail.message(customer, mail.invoiceOver(amount), due, organization),
        publicLink('invoices'),
      ),
      subject: mail.subject(number, organization),
    },
    {
      ...mails.invoiceMail({ type: '380', language }, fillReminder(reminder.message, values), publicLink('invoices')),
      subject: fillReminder(reminder.subject, values),
    },
    {
      ...mails.quoteMail(language, mail.quoteMessage(customer, amount, until, organization), publicLink('quotes')),
      subject: mail.quoteSubject(organization),
    },
  ]
}

/** To the people of the firm. */
function toMembers(language: Language): mails.Content[] {
  const newEmail = 'eva@vermeulen.example'
  return [
    mails.verificationMail(language, name, link('verify-email', 'verificationToken')),
    mails.resetMail(language, name, link('reset-password', 'resetToken')),
    mails.invitationMail(
      language,
      { inviter: name, organization, role: 'accountant' },
      link('invitation', 'invitationToken'),
    ),
    mails.quoteAnsweredMail(language, quote, { answer: 'accepted', name: 'Anna Peters' }, `${address}/quotes`),
    mails.exportMail(language, organization, `${address}/data`),
    mails.changeFromMail(language, name, newEmail, link('confirm-email', 'confirmToken')),
    mails.changeToMail(language, name, link('confirm-email', 'confirmToken')),
    mails.emailChangedMail(language, name, newEmail),
    mails.passwordChangedMail(language, name),
    mails.passkeyAddedMail(language, name, 'Eva’s phone'),
    mails.passkeyRemovedMail(language, name, 'Eva’s phone'),
    mails.accountClosedMail(language, name),
  ]
}

/** Sheets by their names. */
export const mailSheets: Readonly<Record<string, string>> = {
  customers: sheet([...toCustomers('en'), ...toCustomers('de')], 3),
  'members-english': sheet(toMembers('en'), 4),
  'members-german': sheet(toMembers('de'), 4),
}

function sheet(contents: readonly mails.Content[], columns: number): string {
  const frames = contents.map(
    ({ subject, html }) =>
      `<figure><figcaption>${mails.escapeHtml(subject)}</figcaption><iframe srcdoc="${mails.escapeHtml(html)}"></iframe></figure>`,
  )
  return `<!doctype html><meta charset="utf-8"><style>
:root{color-scheme:light dark;font:600 14px/1.4 system-ui,sans-serif}
body{margin:0;padding:24px;display:grid;grid-template-columns:repeat(${columns},390px);gap:24px;width:max-content;background:light-dark(#e5e7eb,#0b0f14)}
figure{margin:0;border-radius:12px;overflow:hidden;background:light-dark(#fff,#0d1117);display:flex;flex-direction:column}
figcaption{padding:14px 24px;border-bottom:1px solid light-dark(#d1d5db,#30363d)}iframe{border:0;width:100%}
</style>${frames.join('')}`
}
