// A thread of its own that draws PDFs: shaping text takes up to half a second, which the server's one thread would otherwise not answer in.
import fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { parentPort } from 'node:worker_threads'
import { packageOf, type FontFile } from '#documents/pdf/fonts.ts'
import { invoicePdf, type Paper } from '#documents/pdf/pdf.ts'

export interface Drawing {
  paper: Paper
  /** The XML of it that goes inside, of Factur-X. */
  xml: string | null
}
export type Drawn = { id: number; content: Uint8Array<ArrayBuffer> } | { id: number; failure: string }

// What is drawn ahead gives way to who is waiting for an answer; elsewhere than on Linux the call would slow down the whole process.
if (process.platform === 'linux') os.setPriority(10)

const { resolve } = createRequire(import.meta.url)
const read = new Map<string, Promise<Uint8Array>>()

parentPort!.on('message', ({ id, drawing }: { id?: number; drawing: Drawing }) => {
  // `node --watch` sends messages of its own on the same line.
  if (id === undefined) return
  void draw(drawing).then(
    (content) => parentPort!.postMessage({ id, content } satisfies Drawn, [content.buffer]),
    (error: unknown) => parentPort!.postMessage({ id, failure: String(error) } satisfies Drawn),
  )
})

async function draw({ paper, xml }: Drawing): Promise<Uint8Array<ArrayBuffer>> {
  const facturX = xml === null ? null : { xml, colors: await readOnce(colorProfile()) }
  return invoicePdf(paper, readFont, facturX)
}

function readFont(file: FontFile): Promise<Uint8Array> {
  return readOnce(resolve(`${packageOf(file)}/files/${file}`))
}

/** The sRGB profile that comes with the PDF library. */
function colorProfile(): string {
  return path.join(path.dirname(resolve('pdfkit')), 'data', 'sRGB_IEC61966_2_1.icc')
}

function readOnce(file: string): Promise<Uint8Array> {
  let bytes = read.get(file)
  if (!bytes) read.set(file, (bytes = fs.readFile(file)))
  return bytes
}
