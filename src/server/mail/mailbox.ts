// The development mailbox at /dev/mailbox: every mail that would have gone out, with its link. Only on this machine, only without SMTP_URL.
import fs from 'node:fs/promises'
import path from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { ProblemError } from '#shared/problem.ts'
import { isLoopback } from '#server/http/proof.ts'
import { escapeHtml } from './templates.ts'

export const mailboxPath = '/dev/mailbox'
const mailsShown = 50
/** Any of these says that the request came through something that may be reached from elsewhere. */
const setByProxies = /^(forwarded|via|x-forwarded.*|x-real-ip|x-original-.*|cf-.*|.*client-ip)$/

/** The page of the mailbox in `folder`. Refuses other Hosts (DNS rebinding) and forwarded requests: it shows secrets. */
export async function mailboxPage(request: Request, folder: string): Promise<Response> {
  const forwarded = [...request.headers.keys()].some((name) => setByProxies.test(name))
  if (forwarded || !isLoopback(new URL(request.url))) throw new ProblemError('forbidden')
  const names = await fs.readdir(folder).catch(() => [])
  const newest = names
    .filter((name) => name.endsWith('.eml'))
    .toSorted()
    .toReversed()
    .slice(0, mailsShown)
  const mails = await Promise.all(
    newest.map(async (name) => PostalMime.parse(await fs.readFile(path.join(folder, name)))),
  )
  const body =
    mails.length === 0
      ? '<p>No mail yet. What Docket sends appears here; reload the page.</p>'
      : mails.map(article).join('\n')
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Development mailbox</title><h1>Development mailbox</h1><p>Mails of this development server, newest first.</p>${body}</html>`
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } })
}

function article(mail: Email): string {
  const text = mail.text ?? ''
  const links = (text.match(/https?:\/\/\S+/g) ?? []).map(
    (link) => `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`,
  )
  const to = mail.to?.map((each) => each.address ?? '').join(', ') ?? ''
  return `<article><h2>${escapeHtml(mail.subject ?? '')}</h2><p>To ${escapeHtml(to)}, ${escapeHtml(mail.date ?? '')}</p>
<pre>${escapeHtml(text)}</pre>${links.join('')}</article><hr>`
}
