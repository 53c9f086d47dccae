// A chosen picture as the logo that is kept: drawn anew, so that neither its metadata nor its size comes along.
import { mostLogoBytes } from '#shared/picture.ts'
import { text } from '#page/words/app-text.ts'

/** Pixels: sharp on paper at the size it is printed in. */
const longestSide = 800
const shrinkBy = 0.75

/** Throws an Error in the person's words for what no browser can draw. */
export async function asLogo(file: Blob): Promise<Blob> {
  if (file.type !== 'image/png' && file.type !== 'image/jpeg') throw new Error(text.logo.wrongKind)
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) throw new Error(text.logo.unreadable)
  for (let side = longestSide; ; side *= shrinkBy) {
    const scale = Math.min(1, side / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    const pen = canvas.getContext('2d')!
    // On paper: what was transparent is white.
    pen.fillStyle = '#ffffff'
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height)
    // A drawing stays sharp as PNG; a photograph would be too large.
    for (const [type, quality] of [['image/png'], ['image/jpeg', 0.9]] as const) {
      const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
      if (made && made.size <= mostLogoBytes) return made
    }
  }
}

export async function asBase64(picture: Blob): Promise<string> {
  const bytes = new Uint8Array(await picture.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
