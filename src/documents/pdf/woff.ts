// A WOFF file back into the font it packs (W3C WOFF 1.0, 4 and 5). The PDF library reads WOFF too, but unpacks a whole table for each glyph it
// looks at: a page of Chinese took a minute.
import { unzlibSync } from 'fflate'

const woffHeader = 44
const woffEntry = 20
const fontHeader = 12
const fontEntry = 16

const unpacked = new WeakMap<Uint8Array, Uint8Array<ArrayBuffer>>()

/** Once for as long as whoever draws keeps the file. */
export function unpackWoff(woff: Uint8Array): Uint8Array<ArrayBuffer> {
  let font = unpacked.get(woff)
  if (!font) unpacked.set(woff, (font = unpack(woff)))
  return font
}

function unpack(woff: Uint8Array): Uint8Array<ArrayBuffer> {
  const from = new DataView(woff.buffer, woff.byteOffset, woff.byteLength)
  if (from.getUint32(0) !== 0x774f4646) throw new TypeError('This is no WOFF file')
  const tables = Array.from({ length: from.getUint16(12) }, (_, index) => {
    const at = woffHeader + index * woffEntry
    const [offset, packedLength, length] = [from.getUint32(at + 4), from.getUint32(at + 8), from.getUint32(at + 12)]
    const packed = woff.subarray(offset, offset + packedLength)
    const bytes = packedLength < length ? unzlibSync(packed) : packed
    return { tag: from.getUint32(at), checksum: from.getUint32(at + 16), bytes }
  })
  const padded = (length: number) => (length + 3) & ~3
  const start = fontHeader + tables.length * fontEntry
  const font = new Uint8Array(tables.reduce((size, { bytes }) => size + padded(bytes.length), start))
  const to = new DataView(font.buffer)
  to.setUint32(0, from.getUint32(4))
  to.setUint16(4, tables.length)
  // For binary search: the largest power of two that is no more than the number of tables.
  const power = 2 ** Math.floor(Math.log2(tables.length))
  to.setUint16(6, power * fontEntry)
  to.setUint16(8, Math.log2(power))
  to.setUint16(10, (tables.length - power) * fontEntry)
  let offset = start
  for (const [index, { tag, checksum, bytes }] of tables.entries()) {
    const at = fontHeader + index * fontEntry
    to.setUint32(at, tag)
    to.setUint32(at + 4, checksum)
    to.setUint32(at + 8, offset)
    to.setUint32(at + 12, bytes.length)
    font.set(bytes, offset)
    offset += padded(bytes.length)
  }
  return font
}
