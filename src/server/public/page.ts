// The public page of an invoice: its own look, no session, nothing loaded from anywhere, readable without its script.
import { createHash } from 'node:crypto'
import { contentOf, type Content, type Row } from '#documents/pdf/content.ts'
import { epcPicture, type Transfer } from '#documents/pdf/epc-code.ts'
import { documentLocale, wordsOf } from '#documents/words.ts'
import type { Language } from '#shared/language.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { formatDate, formatMoney } from '#shared/format.ts'
import { isRefund } from '#shared/invoice-balance.ts'
import { minorUnitsOf, type Money } from '#shared/money.ts'
import type { LogoFile } from '#server/outgoing/logo-file.ts'
import { escapeHtml } from '#server/mail/templates.ts'

const style = `
:root{color-scheme:light dark;--ink:#111827;--muted:#4b5563;--line:#d1d5db;--paper:#fff;--ground:#f3f4f6;--accent:#0f766e;--on-accent:#fff;--wrong:#b42318}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--muted:#9aa7b4;--line:#30363d;--paper:#161b22;--ground:#0d1117;--accent:#2dd4bf;--on-accent:#042f2e;--wrong:#ffa198}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:46rem;margin:0 auto;padding:1rem}
article{background:var(--paper);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem;display:grid;gap:1.5rem;overflow-wrap:anywhere}
img.logo{display:block;max-width:12rem;max-height:4rem;padding:.25rem;border-radius:.25rem;background:#fff;margin-bottom:.75rem}h1{font-size:1.25rem;margin:0}h2{font-size:.9rem;font-weight:400;color:var(--muted);margin:0}p{margin:0}section,header,dt{text-align:left}.pre{white-space:pre-line;unicode-bidi:plaintext}
.total{font-size:2rem;font-weight:600;font-variant-numeric:tabular-nums}.muted{color:var(--muted);font-size:.9rem}
header{display:flex;flex-wrap:wrap;gap:1rem;justify-content:space-between;align-items:end}
.two{display:grid;gap:1.5rem}@media (min-width:40rem){h1{font-size:1.4rem}.two{grid-template-columns:1fr 1fr}main{padding:2.5rem 1rem}article{padding:2.5rem}}
dl{display:grid;grid-template-columns:fit-content(55%) minmax(0,1fr);gap:.15rem .75rem;margin:0;max-width:24rem;font-size:.875rem}dt{color:var(--muted);overflow-wrap:normal}dd{margin:0;text-align:right;font-variant-numeric:tabular-nums}
p.void{display:inline-block;margin-top:.5rem;padding:.1rem .75rem;border:2px solid;border-radius:.375rem;color:var(--wrong);font-size:1.5rem;font-weight:700;letter-spacing:.1em}
dl.sum{font-size:1rem;justify-self:end;min-width:min(20rem,100%);grid-template-columns:1fr auto;column-gap:0}dl.sum dd{white-space:nowrap;padding-left:1rem}dl.sum .last{font-weight:600;font-size:1.15rem;border-top:1px solid var(--line);padding-top:.4rem;margin-top:.3rem;color:var(--ink)}
ul{list-style:none;margin:0;padding:0}li{display:grid;grid-template-columns:1fr auto;gap:.1rem 1rem;padding:.6rem 0;border-top:1px solid var(--line)}li .amount{text-align:right;font-variant-numeric:tabular-nums}li .muted{grid-column:1/-1}
a.button{display:inline-flex;align-items:center;min-height:44px;padding:0 1.25rem;border-radius:.5rem;background:var(--accent);color:var(--on-accent);text-decoration:none;font-weight:600}
a.button:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
.pay{display:flex;flex-wrap:wrap;gap:1rem 2rem;justify-content:space-between;align-items:start}figure{margin:0;max-width:9rem}figure svg{display:block;width:9rem;background:#fff}
form.answer{display:grid;gap:.75rem;border:1px solid var(--line);border-radius:.75rem;padding:1.25rem}form.answer[hidden]{display:none}form.answer h2{font-size:1.1rem;font-weight:600;color:var(--ink)}
form.answer label{display:grid;gap:.25rem}form.answer input{min-height:44px;padding:0 .75rem;border:1px solid var(--muted);border-radius:.5rem;background:var(--paper);color:var(--ink);font:inherit}
form.answer [role=alert]{color:var(--wrong)}form.answer div{display:flex;flex-wrap:wrap;gap:.75rem}form.answer button{min-height:44px;padding:0 1.25rem;border-radius:.5rem;border:1px solid var(--muted);background:var(--paper);color:var(--ink);font:inherit;font-weight:600;cursor:pointer}
form.answer button.yes{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}form.answer :focus-visible{outline:3px solid var(--ink);outline-offset:2px}
@media print{body{background:none}a.button,form.answer{display:none}article{border:0;padding:0}}
`

/**
 * Says that a person has seen it. A mail server that looks at the links of a mail runs no script; a device on which the organization's own people
 * are signed in has its id in the paint cache, and what it downloads is no view either.
 */
export const seenScript = `
const {organization}=document.documentElement.dataset;
let own=false;
try{own=Object.keys(localStorage).some((key)=>localStorage.getItem(key).includes(organization))}catch{}
if(own)document.querySelector('a.button').href+='?own';
else fetch(location.pathname+'/viewed',{method:'POST',keepalive:true}).catch(()=>{});
`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Of a page with this one script. */
export const headersFor = (script: string): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-robots-tag': 'noindex, nofollow, noarchive',
})
export const pageHeaders = headersFor(seenScript)

export const html = (text: string) => escapeHtml(text)
const pairs = (list: readonly (readonly [string, string])[]) =>
  list.map(([label, value]) => `<dt dir="auto">${html(label)}</dt><dd dir="auto">${html(value)}</dd>`).join('')

export function publicPage(invoice: Invoice, path: string, logo: LogoFile | null): string {
  const isVoid = invoice.status === 'void'
  const content = contentOf({ document: invoice, seller: invoice.seller!, buyer: invoice.buyer, size: 'A4', isVoid })
  const said = standingOf(invoice, content)
  const first = said === null ? '' : `<p><strong>${html(said)}</strong></p>`
  // Where nothing is due nobody is told how to pay.
  const isDue = minorUnitsOf(invoice.amountDue) > 0n
  const bank = isDue ? content.bank : []
  // Of what is left, where the paper has the whole: a page is of today.
  const transfer = isDue && content.transfer ? { ...content.transfer, amount: invoice.amountDue.amount } : null
  const body = article({ ...content, bank, transfer }, path, { first, logo })
  return documentOf(content.title, body, `<script>${seenScript}</script>`, content.language, invoice.organizationId)
}

/** What became of it since it was issued; null while all of it is due. */
function standingOf(invoice: Invoice, { words, language }: Content): string | null {
  const { status, paymentStatus, payments, paid, credited, gross, amountDue } = invoice
  const locale = documentLocale(language, invoice.seller!.locale)
  const shown = (amount: Money) => (minorUnitsOf(amount) === 0n ? null : formatMoney(amount, locale))
  if (status === 'void') return words.isVoid
  if (paymentStatus === 'credited') return words.isCredited
  if (shown(paid) === null && shown(credited) === null) return null
  const last = payments
    .filter((payment) => payment.reversal === null && !isRefund(payment))
    .map(({ date }) => date)
    .toSorted()
    .at(-1)
  if (paymentStatus === 'paid') return last === undefined ? words.isCredited : words.isPaid(formatDate(last, locale))
  return words.isDue(shown(paid), shown(credited), formatMoney(gross, locale), formatMoney(amountDue, locale))
}

/** The document as a page. What somebody typed has the direction that it begins in, and stands where it does on the PDF; `first` stands above the amounts, `last` at its end. */
export function article(
  content: Content,
  path: string,
  { first = '', last = '', logo = null }: { first?: string; last?: string; logo?: LogoFile | null },
): string {
  const { seller, buyer, facts, rows, totals, total, texts, bank, transfer, words } = content
  const block = (title: string, name: string, lines: readonly string[]) =>
    `<section><h2>${html(title)}</h2><p dir="auto"><strong>${html(name)}</strong></p>${lines.map((each) => `<p dir="auto">${html(each)}</p>`).join('')}</section>`
  return `<article>
<header><div>${logo === null ? '' : pictureOf(logo)}<p dir="auto" class="muted">${html(seller.name)}</p><h1>${html(content.title)}</h1>${content.isVoid ? `<p class="void">${html(words.void)}</p>` : ''}</div><a class="button" href="${html(path)}/pdf">${html(words.download)}</a></header>
${first}
<p><span class="muted">${html(total[0])}</span><br><span class="total">${html(total[1])}</span></p>
<dl>${pairs(facts)}</dl>
<div class="two">${block(words.from, seller.name, seller.lines)}${block(words.to, buyer.name, buyer.lines)}</div>
<ul>${rows.map(rowOf).join('')}</ul>
${content.note === null ? '' : `<p class="muted">${html(content.note)}</p>`}
<dl class="sum">${pairs(totals)}<dt class="last">${html(total[0])}</dt><dd class="last">${html(total[1])}</dd></dl>
${texts.map((each) => `<p dir="auto" class="pre">${html(each)}</p>`).join('')}
${bank.length > 0 ? `<section class="pay"><div><h2>${html(words.pay)}</h2><dl>${pairs(bank)}</dl></div>${transfer === null ? '' : codeOf(transfer, words.scan)}</section>` : ''}
${last}
</article>`
}

function codeOf(transfer: Transfer, caption: string): string {
  const { viewBox, path } = epcPicture(transfer)
  return `<figure><svg viewBox="${viewBox}" shape-rendering="crispEdges" aria-hidden="true"><path d="${path}"/></svg><figcaption class="muted">${html(caption)}</figcaption></figure>`
}

/** Within the page, which loads nothing. On white, as on paper: a logo is seldom made for the dark. */
function pictureOf({ content, mediaType }: LogoFile): string {
  return `<img class="logo" alt="" src="data:${mediaType};base64,${Buffer.from(content).toString('base64')}">`
}

/** In the reader's language: whose invoice it was is not known. */
export function missingPage(language: Language): string {
  const { noLink, noLinkLead } = wordsOf(language)
  return documentOf(noLink, `<article><h1>${html(noLink)}</h1><p>${html(noLinkLead)}</p></article>`, '', language)
}

function rowOf({ name, details, quantity, price, vat, amount }: Row): string {
  return `<li><span dir="auto">${html(name)}</span><span class="amount">${html(amount)}</span><span class="muted">${html(`${quantity} ×\u00a0${unbroken(price)} ·\u00a0${unbroken(vat)}`)}</span>${details
    .map((each) => `<span dir="auto" class="muted pre">${html(each)}</span>`)
    .join('')}</li>`
}

/** A number and its sign stand on one line. */
const unbroken = (text: string) => text.replaceAll(' ', '\u00a0')

export function documentOf(title: string, body: string, end: string, language: Language, organizationId = ''): string {
  return `<!doctype html><html lang="${language}" data-organization="${html(organizationId)}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${html(title)}</title><style>${style}</style><main>${body}</main>${end}</html>`
}
