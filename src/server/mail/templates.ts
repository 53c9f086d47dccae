// What mails say: plain text, and the same as HTML. A person's own words are escaped; nothing is loaded from elsewhere.

interface Content {
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

/** Anybody may register anybody's address: a name that mail programs would turn into a link is not passed on to them. */
function greeting(name: string): string {
  return /\/\/|@|\.\p{L}{2}/u.test(name) ? 'Hello,' : `Hello ${name},`
}

type Paragraph = string | { link: string; label: string }

function compose(subject: string, paragraphs: readonly Paragraph[]): Content {
  const text = paragraphs.map((each) => (typeof each === 'string' ? each : each.link)).join('\n\n')
  const body = paragraphs.map((each) =>
    typeof each === 'string'
      ? `<p>${escapeHtml(each)}</p>`
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
