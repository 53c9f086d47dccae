import type PDFDocument from 'pdfkit'

interface Said {
  title: string
  author: string
  date: Date
}

/** What the file says of itself as XMP. The library would write the same, but a firm's name with an & in it would break its XML. */
export function describe(pdf: PDFDocument, { title, author, date }: Said): void {
  const at = `${date.toISOString().slice(0, 19)}Z`
  pdf._addInfo = () => {
    pdf.appendXML(`
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
  <xmp:CreatorTool>Docket</xmp:CreatorTool>
  <xmp:CreateDate>${at}</xmp:CreateDate>
  <xmp:ModifyDate>${at}</xmp:ModifyDate>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt></dc:title>
  <dc:creator><rdf:Seq><rdf:li>${escaped(author)}</rdf:li></rdf:Seq></dc:creator>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
  <pdf:Producer>Docket</pdf:Producer>
</rdf:Description>
`)
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escaped(text: string): string {
  // Nor may a character stand there that XML has not.
  return text.replace(/[&<>]/g, (character) => entities[character]!).replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
}
