// The PDF's fonts on the device: those of most papers come with the app, the others are fetched when an invoice first needs them, then kept, because it is drawn
// without a connection too.
import { ProblemError } from '#shared/problem.ts'
import { text } from '#page/words/app-text.ts'

const cacheName = 'pdf-fonts'
const addresses = Object.entries(
  import.meta.glob<string>(
    [
      '/node_modules/@fontsource/noto-sans/files/noto-sans-{latin,latin-ext,greek,greek-ext,cyrillic,cyrillic-ext,vietnamese,devanagari}-{400,700}-normal.woff',
      '/node_modules/@fontsource/noto-sans-{hebrew,arabic}/files/noto-sans-{hebrew-hebrew,arabic-arabic}-{400,700}-normal.woff',
      '/node_modules/@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal.woff',
      '/node_modules/@fontsource/nanum-gothic/files/nanum-gothic-korean-{400,700}-normal.woff',
      '/node_modules/@fontsource/noto-sans-{armenian,bengali,ethiopic,georgian,gujarati,gurmukhi,kannada,khmer,lao,malayalam,oriya,sinhala,tamil,telugu,thai}/files/noto-sans-{armenian-armenian,bengali-bengali,ethiopic-ethiopic,georgian-georgian,gujarati-gujarati,gurmukhi-gurmukhi,kannada-kannada,khmer-khmer,lao-lao,malayalam-malayalam,oriya-oriya,sinhala-sinhala,tamil-tamil,telugu-telugu,thai-thai}-{400,700}-normal.woff',
      '/node_modules/@fontsource/noto-{emoji,sans-math}/files/noto-{emoji-emoji,sans-math-latin}-400-normal.woff',
    ],
    { query: '?url', import: 'default', eager: true },
  ),
)

export async function loadFont(file: string): Promise<Uint8Array> {
  const address = addresses.find(([name]) => name.endsWith(`/${file}`))![1]
  const cache = await caches.open(cacheName).catch(() => null)
  const kept = await cache?.match(address)
  const answer = kept ?? (await fetch(address).catch(() => null))
  if (!answer?.ok) throw new ProblemError('undeliverable', { detail: text.invoices.pdfFonts })
  // A device without room draws it all the same.
  if (!kept) await cache?.put(address, answer.clone()).catch(() => {})
  return new Uint8Array(await answer.arrayBuffer())
}
