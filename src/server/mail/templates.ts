// What mails say: plain text, and the same as HTML. A person's own words are escaped; nothing is loaded from elsewhere.

export interface Content {
  subject: string
  text: string
  html: string
}

export function verificationMail(name: string, link: string): Content {
  return compose('Verify your email for Docket', [
    greeting(name),
    'click the link to finish setting up your account:',
    { link, label: 'Verify my email' },
    'The link is good for 24 hours. If you did not create an account at Docket, ignore this mail.',
  ])
}

export function resetMail(name: string, link: string): Content {
  return compose('Set a new password for Docket', [
    greeting(name),
    'somebody, probably you, asked for a new password. Choose it here:',
    { link, label: 'Set a new password' },
    'The link is good for one hour and works once. All your devices are signed out when it is used. If this was not you, ignore this mail: nothing has changed.',
  ])
}

export function changeFromMail(name: string, newEmail: string, link: string): Content {
  return compose('Confirm the change of your email', [
    greeting(name),
    `the email of your Docket account is to become ${newEmail}. Confirm that this is what you want:`,
    { link, label: 'Confirm the change' },
    'The change is made when the link sent to the new address has been opened as well. Links are good for 24 hours. If this was not you, do not open it and change your password.',
  ])
}

export function changeToMail(name: string, link: string): Content {
  return compose('Confirm your new email for Docket', [
    greeting(name),
    'this address is to become the email of your Docket account. Confirm that it is yours:',
    { link, label: 'Confirm this address' },
    'The change is made when the link sent to the old address has been opened as well. Links are good for 24 hours.',
  ])
}

export function emailChangedMail(name: string, newEmail: string): Content {
  return compose('The email of your Docket account was changed', [
    greeting(name),
    `your account now uses ${newEmail}. This address no longer opens it.`,
    'If this was not you, answer this mail at once.',
  ])
}

export function passwordChangedMail(name: string): Content {
  return compose('Your Docket password was changed', [
    greeting(name),
    'the password of your account was changed, and other devices were signed out.',
    'If this was not you, set a new one with "Forgot your password?" on the sign-in screen.',
  ])
}

export function passkeyAddedMail(name: string, passkey: string): Content {
  return compose('A passkey was added to your Docket account', [
    greeting(name),
    `a passkey (${passkey}) was added to your account: it signs in without the password.`,
    'If this was not you, remove it in your account settings and change your password.',
  ])
}

export function passkeyRemovedMail(name: string, passkey: string): Content {
  return compose('A passkey was removed from your Docket account', [
    greeting(name),
    `a passkey (${passkey}) was removed from your account: it signs nobody in any more.`,
    'If this was not you, change your password and sign out all other devices in your account settings.',
  ])
}

export function accountClosedMail(name: string): Content {
  return compose('Your Docket account was closed', [
    greeting(name),
    'your account is closed and all devices are signed out. What is kept about you is erased in 30 days.',
  ])
}

/** Sent at a member's wish to whoever they name: the names in it are theirs, and say nothing that looks like an address. */
export function invitationMail(inviter: string, organization: string, role: string, link: string): Content {
  return compose(`Invitation to ${plain(organization, 'an organization')} on Docket`, [
    'Hello,',
    `${plain(inviter, 'Somebody')} invites you to work on the invoices of ${plain(organization, 'an organization')} at Docket, as ${role}.`,
    { link, label: 'See the invitation' },
    'The link is good for 7 days. Sign in, or create an account, with this very address. If you do not know them, ignore this mail.',
  ])
}

/** An invoice on its way to a customer: the sender's own words, and where to see it. The sender gives it a subject. */
export function invoiceMail(message: string, link: string): Content {
  return compose('Invoice', [...message.split(/\n{2,}/), { link, label: 'View the invoice' }])
}

/** As an invoice's; the link leads to where it can be answered. */
export function quoteMail(message: string, link: string): Content {
  return compose('Quote', [...message.split(/\n{2,}/), { link, label: 'View and answer the quote' }])
}

/** To the member who sent it. The name was typed by whoever had the link. */
export function quoteAnsweredMail(
  { number, customerName }: { number: string | null; customerName: string | null },
  { answer, name }: { answer: 'accepted' | 'declined'; name: string },
  link: string,
): Content {
  const who = plain(name, 'Somebody with the link')
  return compose(`Quote ${number ?? ''} was ${answer}`, [
    'Hello,',
    `${who} has ${answer} the quote ${number ?? ''} for ${plain(customerName ?? '', 'your customer')}.`,
    { link, label: 'Open the quote' },
  ])
}

/** To who asked for it; the file is fetched where they are signed in, so the link opens nothing by itself. */
export function exportMail(organization: string, link: string): Content {
  return compose(`Your export of ${plain(organization, 'your organization')} is ready`, [
    'Hello,',
    `the export of ${plain(organization, 'your organization')} is ready to download:`,
    { link, label: 'Download the export' },
    'It is kept for 7 days. You have to be signed in to download it.',
  ])
}

/** Anybody may register anybody's address: a name that mail programs would turn into a link is not passed on to them. */
function greeting(name: string): string {
  return looksLikeLink(name) ? 'Hello,' : `Hello ${name},`
}

/** Line breaks would begin a header of their own in a subject. */
function plain(name: string, instead: string): string {
  return looksLikeLink(name) ? instead : name.replace(/\s+/g, ' ')
}

function looksLikeLink(name: string): boolean {
  return /\/\/|@|\.\p{L}{2}/u.test(name)
}

type Paragraph = string | { link: string; label: string }

function compose(subject: string, paragraphs: readonly Paragraph[]): Content {
  const text = paragraphs.map((each) => (typeof each === 'string' ? each : each.link)).join('\n\n')
  const body = paragraphs.map((each) =>
    typeof each === 'string'
      ? `<p>${escapeHtml(each).replaceAll('\n', '<br>')}</p>`
      : `<p><a href="${escapeHtml(each.link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f766e;color:#ffffff;text-decoration:none">${escapeHtml(each.label)}</a></p>` +
        `<p style="font-size:13px;color:#57606a">${escapeHtml(each.link)}</p>`,
  )
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(subject)}</title>
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c2128">
<div style="max-width:32rem;margin:0 auto">${body.join('\n')}</div></body></html>`
  return { subject, text: `${text}\n`, html }
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
