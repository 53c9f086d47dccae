// The public page of a quote: as an invoice's, and it can be answered there.
import { contentOf } from '#documents/pdf/content.ts'
import { documentLocale, wordsOf, type Words } from '#documents/words.ts'
import type { Quote } from '#shared/contract/quotes.ts'
import { todayIn } from '#shared/dates.ts'
import { formatDate } from '#shared/format.ts'
import { canQuote } from '#shared/quote-state.ts'
import type { LogoFile } from '#server/outgoing/logo-file.ts'
import type { SentContent } from '#server/rows/quote-row.ts'
import { article, documentOf, headersFor, html, seenScript } from './page.ts'

/**
 * Without scripts the page is readable and says how to answer all the same. Refused because the quote has moved on, the page loaded anew says to what,
 * in the customer's language.
 */
const script = `${seenScript}
const form=document.querySelector('form.answer');
if(form){
form.hidden=false;
const said=form.querySelector('[role=alert]'),name=form.elements.name,buttons=form.querySelectorAll('button');
const tell=(words)=>{said.textContent=words};
form.addEventListener('submit',async(event)=>{
event.preventDefault();
name.ariaInvalid=String(name.value.trim()==='');
if(name.ariaInvalid==='true'){tell(form.dataset.noName);name.focus();return}
buttons.forEach((button)=>{button.disabled=true});tell('');
try{
const body={answer:event.submitter.value,name:name.value,edition:Number(form.dataset.edition)};
const answer=await fetch(location.pathname+'/answer',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify(body)});
if(answer.ok||answer.status===409)return location.reload();
tell(answer.status===422?form.dataset.noName:form.dataset.failed);
}catch{tell(form.dataset.failed)}
buttons.forEach((button)=>{button.disabled=false});
});
}
`

export const quotePageHeaders = headersFor(script)

interface Shown {
  quote: Quote
  /** What has gone out last; the quote itself may be in change again. */
  sent: SentContent
  /** The seller's, in which they answer for their days. */
  timeZone: string
  path: string
  logo: LogoFile | null
}

export function quotePage({ quote, sent, timeZone, path, logo }: Shown): string {
  const { quotes: t } = wordsOf(sent.language)
  const document = { ...sent, type: 'quote', dueDate: null, supplyDate: null, creditedInvoice: null } as const
  const content = contentOf({ document, seller: sent.seller!, buyer: sent.buyer, size: 'A4' })
  const said = stateOf(quote, sent, timeZone, t)
  const first = said === null ? '' : `<p><strong>${html(said)}</strong></p>`
  const last = canQuote('answer', quote.status) ? form(quote.edition, t) : ''
  return documentOf(
    content.title,
    article(content, path, { first, last, logo }),
    `<script>${script}</script>`,
    content.language,
    quote.organizationId,
  )
}

function stateOf({ status, answer }: Quote, sent: SentContent, timeZone: string, t: Words['quotes']): string | null {
  const { validUntil, language, seller } = sent
  const locale = documentLocale(language, seller!.locale)
  if (answer) return t[answer.answer](answer.name, formatDate(todayIn(timeZone, Date.parse(answer.at)), locale))
  if (status === 'expired') return t.expired(formatDate(validUntil, locale))
  return status === 'draft' ? t.revised : null
}

function form(edition: number, t: Words['quotes']): string {
  return `<noscript><p>${html(t.noScript)}</p></noscript>
<form class="answer" hidden novalidate data-edition="${edition}" data-no-name="${html(t.noName)}" data-failed="${html(t.failed)}">
<h2>${html(t.answer)}</h2><p>${html(t.lead)}</p>
<label>${html(t.name)}<input name="name" autocomplete="name" maxlength="200" required aria-describedby="said"></label>
<p id="said" role="alert"></p>
<div><button class="yes" value="accepted">${html(t.accept)}</button><button value="declined">${html(t.decline)}</button></div>
</form>`
}
