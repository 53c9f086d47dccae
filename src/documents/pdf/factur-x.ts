// Makes a PDF a Factur-X (ZUGFeRD) invoice: PDF/A-3b with the CII XML inside (ISO 19005-3; Factur-X 1.0 "Technical Appendix"). The library's own
// PDF/A mode is not used: it looks for its colour profile at an address that it cannot read, and writes no schema for what Factur-X says of itself.
import { strToU8 } from 'fflate'
import type PDFDocument from 'pdfkit'

export interface FacturX {
  /** CII, profile EN 16931. */
  xml: string
  /** The sRGB profile (ICC) that the page's colours are meant in. */
  colors: Uint8Array
}

/** The name that every reader looks for. */
const fileName = 'factur-x.xml'

export function addFacturX(pdf: PDFDocument, { xml, colors }: FacturX, date: Date): void {
  pdf.file(strToU8(xml), {
    name: fileName,
    type: 'text/xml',
    relationship: 'Alternative',
    description: 'Factur-X invoice',
    creationDate: date,
    modifiedDate: date,
  })
  const profile = pdf.ref({ N: 3 })
  profile.end(colors)
  const intent = pdf.ref({
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    // The library writes String objects as text, and plain ones as names.
    Info: new String('sRGB IEC61966-2.1'),
    OutputConditionIdentifier: new String('sRGB IEC61966-2.1'),
    DestOutputProfile: profile,
  })
  intent.end()
  pdf._root.data['OutputIntents'] = [intent]
  pdf.appendXML(conformance)
}

/** What PDF/A wants said: which part this keeps, what Factur-X says, and the schema of that, because no reader knows it. */
const conformance = `
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
  <pdfaid:part>3</pdfaid:part>
  <pdfaid:conformance>B</pdfaid:conformance>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">
  <fx:DocumentType>INVOICE</fx:DocumentType>
  <fx:DocumentFileName>${fileName}</fx:DocumentFileName>
  <fx:Version>1.0</fx:Version>
  <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
  <pdfaExtension:schemas>
    <rdf:Bag>
      <rdf:li rdf:parseType="Resource">
        <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
        <pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>
        <pdfaSchema:prefix>fx</pdfaSchema:prefix>
        <pdfaSchema:property>
          <rdf:Seq>
            ${[
              ['DocumentFileName', 'The name of the embedded XML document'],
              ['DocumentType', 'The type of the hybrid document in capital letters, such as INVOICE'],
              ['Version', 'The version of the standard that the embedded XML document keeps'],
              ['ConformanceLevel', 'The conformance level of the embedded XML document'],
            ]
              .map(
                ([name, description]) => `<rdf:li rdf:parseType="Resource">
              <pdfaProperty:name>${name}</pdfaProperty:name>
              <pdfaProperty:valueType>Text</pdfaProperty:valueType>
              <pdfaProperty:category>external</pdfaProperty:category>
              <pdfaProperty:description>${description}</pdfaProperty:description>
            </rdf:li>`,
              )
              .join('\n            ')}
          </rdf:Seq>
        </pdfaSchema:property>
      </rdf:li>
    </rdf:Bag>
  </pdfaExtension:schemas>
</rdf:Description>
`
