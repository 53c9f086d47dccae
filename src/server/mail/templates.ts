// Mails as plain text, and the same as HTML; what they say is in words.ts. A person's own words are escaped; nothing is loaded from elsewhere.
import { wordsOf } from '#documents/words.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Language } from '#shared/language.ts'
import type { Role } from '#shared/permissions.ts'
import { mailWords } from './words.ts'

export interface Content {
  subject: string
  text: string
  html: string
}

export function verificationMail(language: Language, name: string, link: string): Content {
  const { subject, lead, label, end } = mailWords[language].verification
  return compose(language, subject, [greeting(language, name), lead, { link, label }, end])
}

export function resetMail(language: Language, name: string, link: string): Content {
  const { subject, lead, label, end } = mailWords[language].reset
  return compose(language, subject, [greeting(language, name), lead, { link, label }, end])
}

export function changeFromMail(language: Language, name: string, newEmail: string, link: string): Content {
  const { subject, lead, label, end } = mailWords[language].changeFrom
  return compose(language, subject, [greeting(language, name), lead(newEmail), { link, label }, end])
}

export function changeToMail(language: Language, name: string, link: string): Content {
  const { subject, lead, label, end } = mailWords[language].changeTo
  return compose(language, subject, [greeting(language, name), lead, { link, label }, end])
}

export function emailChangedMail(language: Language, name: string, newEmail: string): Content {
  const { subject, lead, end } = mailWords[language].emailChanged
  return compose(language, subject, [greeting(language, name), lead(newEmail), end])
}

export function passwordChangedMail(language: Language, name: string): Content {
  const { subject, lead, end } = mailWords[language].passwordChanged
  return compose(language, subject, [greeting(language, name), lead, end])
}

export function passkeyAddedMail(language: Language, name: string, passkey: string): Content {
  const { subject, lead, end } = mailWords[language].passkeyAdded
  return compose(language, subject, [greeting(language, name), lead(passkey), end])
}

export function passkeyRemovedMail(language: Language, name: string, passkey: string): Content {
  const { subject, lead, end } = mailWords[language].passkeyRemoved
  return compose(language, subject, [greeting(language, name), lead(passkey), end])
}

export function accountClosedMail(language: Language, name: string): Content {
  const { subject, lead } = mailWords[language].accountClosed
  return compose(language, subject, [greeting(language, name), lead])
}

/**
 * Sent at a member's wish to whoever they name, in the member's language: the invited person's is not known. The names in it are theirs, and say
 * nothing that looks like an address.
 */
export function invitationMail(
  language: Language,
  { inviter, organization, role }: { inviter: string; organization: string; role: Role },
  link: string,
): Content {
  const { hello, invitation } = mailWords[language]
  const name = plain(organization, invitation.organization)
  return compose(language, invitation.subject(name), [
    hello,
    invitation.lead(plain(inviter, invitation.somebody), name, invitation.roles[role]),
    { link, label: invitation.label },
    invitation.end,
  ])
}

/** An invoice or a credit note on its way to a customer, in its language: the sender's own words, and where to see it. The sender gives it a subject. */
export function invoiceMail(
  { type, language }: Pick<Invoice, 'type' | 'language'>,
  message: string,
  link: string,
): Content {
  const { title, mail } = wordsOf(language)
  return compose(language, title[type], [...message.split(/\n{2,}/), { link, label: mail.view[type] }])
}

/** As an invoice's; the link leads to where it can be answered. */
export function quoteMail(language: Language | undefined, message: string, link: string): Content {
  const { title, mail } = wordsOf(language)
  return compose(language, title.quote, [...message.split(/\n{2,}/), { link, label: mail.viewQuote }])
}

/** To the member who sent it, in the organization's language: theirs is not known. The name was typed by whoever had the link. */
export function quoteAnsweredMail(
  language: Language,
  { number, customerName }: { number: string | null; customerName: string | null },
  { answer, name }: { answer: 'accepted' | 'declined'; name: string },
  link: string,
): Content {
  const { hello, quoteAnswered } = mailWords[language]
  const who = plain(name, quoteAnswered.somebody)
  const whose = plain(customerName ?? '', quoteAnswered.customer)
  return compose(language, quoteAnswered.subject[answer](number ?? ''), [
    hello,
    quoteAnswered.lead[answer](who, number ?? '', whose),
    { link, label: quoteAnswered.label },
  ])
}

/** To who asked for it, in the organization's language; the file is fetched where they are signed in, so the link opens nothing by itself. */
export function exportMail(language: Language, organization: string, link: string): Content {
  const { hello, exported } = mailWords[language]
  const name = plain(organization, exported.organization)
  const { label, end } = exported
  return compose(language, exported.subject(name), [hello, exported.lead(name), { link, label }, end])
}

/** Anybody may register anybody's address: a name that mail programs would turn into a link is not passed on to them. */
function greeting(language: Language, name: string): string {
  const { hello, helloNamed } = mailWords[language]
  return looksLikeLink(name) ? hello : helloNamed(name)
}

/** Line breaks would begin a header of their own in a subject. */
function plain(name: string, instead: string): string {
  return looksLikeLink(name) ? instead : name.replace(/\s+/g, ' ')
}

function looksLikeLink(name: string): boolean {
  return /\/\/|@|\.\p{L}{2}/u.test(name)
}

type Paragraph = string | { link: string; label: string }

/** Where a mail program shows mails dark: what is written on white in line, for programs that know no style sheets, is written anew. */
const dark =
  '@media (prefers-color-scheme:dark){body{background:#0d1117!important;color:#e6edf3!important}.link{color:#9aa7b4!important}}'

function compose(language: Language | undefined, subject: string, paragraphs: readonly Paragraph[]): Content {
  const text = paragraphs.map((each) => (typeof each === 'string' ? each : `${each.label}:\n${each.link}`)).join('\n\n')
  const body = paragraphs.map((each) =>
    typeof each === 'string'
      ? `<p>${escapeHtml(each).replaceAll('\n', '<br>')}</p>`
      : `<p><a href="${escapeHtml(each.link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f766e;color:#ffffff;text-decoration:none">${escapeHtml(each.label)}</a></p>` +
        `<p class="link" style="font-size:13px;color:#57606a;word-break:break-all">${escapeHtml(each.link)}</p>`,
  )
  const html = `<!doctype html><html lang="${language ?? 'en'}"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title><style>${dark}</style>
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c2128;overflow-wrap:anywhere">
<div style="max-width:32rem;margin:0 auto">${body.join('\n')}</div></body></html>`
  return { subject, text: `${text}\n`, html }
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
