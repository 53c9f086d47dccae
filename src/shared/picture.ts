// What a picture file is, read from its own first bytes: neither its name nor what a client says of it counts.

export interface Picture {
  mediaType: 'image/png' | 'image/jpeg'
  /** Pixels. */
  width: number
  height: number
}

/** Of a logo; a device makes it smaller before it sends it. */
export const mostLogoBytes = 200_000
/** Pixels of a logo's longer side. */
export const mostLogoSide = 1200

/** Null for what is neither a PNG (W3C PNG, 11.2.1) nor a JPEG (ITU T.81, B.2.2). */
export function pictureOf(bytes: Uint8Array): Picture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    if (view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a && view.getUint32(12) === 0x49484452)
      return sized('image/png', view.getUint32(16), view.getUint32(20))
    return view.getUint16(0) === 0xffd8 ? jpeg(view) : null
  } catch (error) {
    // It ends before it has said how large it is.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** From segment to segment until a frame begins (SOF0 to SOF15, which are not DHT, JPG and DAC). */
function jpeg(view: DataView): Picture | null {
  let at = 2
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    // Four colours are CMYK, which no PDF/A may mix with the sRGB that it names.
    if (isFrame && view.getUint8(at + 9) === 4) return null
    if (isFrame) return sized('image/jpeg', view.getUint16(at + 7), view.getUint16(at + 5))
    at += 2 + view.getUint16(at + 2)
  }
  return null
}

function sized(mediaType: Picture['mediaType'], width: number, height: number): Picture | null {
  return width > 0 && height > 0 ? { mediaType, width, height } : null
}
