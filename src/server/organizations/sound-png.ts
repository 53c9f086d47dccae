// Whether a PNG is one to its last byte. What draws it on paper trusts it: a chunk's length that is none keeps that busy for ever, a second size or a picture
// that unpacks to more than it says takes all memory, and one that does not unpack leaves the invoice without its paper.
import { inflateSync } from 'node:zlib'

const headChunk = 'IHDR'
/** By colour type (W3C PNG, 11.2.1): samples of a pixel, and how many bits each may have. */
const samplesOf: Readonly<Record<number, { count: number; bits: readonly number[] }>> = {
  0: { count: 1, bits: [1, 2, 4, 8, 16] },
  2: { count: 3, bits: [8, 16] },
  3: { count: 1, bits: [1, 2, 4, 8] },
  4: { count: 2, bits: [8, 16] },
  6: { count: 4, bits: [8, 16] },
}
/** Adam7 (W3C PNG, 8.1): where each pass begins, and how far apart its pixels are. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const mostFilter = 4

export function isSoundPng(bytes: Uint8Array): boolean {
  const chunks = chunksOf(Buffer.from(bytes))
  if (chunks === null) return false
  const [head, ...rest] = chunks
  if (head?.type !== headChunk || head.data.length !== 13 || rest.some(({ type }) => type === headChunk)) return false
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)]
  const [bits, colour, compression, filter, interlace] = head.data.subarray(8) as unknown as number[]
  const samples = samplesOf[colour!]
  if (!samples?.bits.includes(bits!) || compression !== 0 || filter !== 0 || interlace! > 1) return false
  if (colour === 3 && !rest.some(({ type, data }) => type === 'PLTE' && data.length > 0 && data.length % 3 === 0))
    return false
  const bitsPerPixel = samples.count * bits!
  const rows = (interlace === 1 ? passes : [[0, 0, 1, 1] as const]).flatMap(([x, y, apartX, apartY]) => {
    const [across, down] = [Math.ceil((width - x) / apartX), Math.ceil((height - y) / apartY)]
    const rowBytes = 1 + Math.ceil((across * bitsPerPixel) / 8)
    return across > 0 && down > 0 ? Array.from({ length: down }, () => rowBytes) : []
  })
  const size = rows.reduce((sum, each) => sum + each, 0)
  try {
    const packed = Buffer.concat(rest.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
    const pixels = inflateSync(packed, { maxOutputLength: size })
    let at = 0
    const areFiltered = rows.every((rowBytes) => {
      const isKnown = (pixels[at] ?? mostFilter + 1) <= mostFilter
      at += rowBytes
      return isKnown
    })
    return areFiltered && pixels.length === size
  } catch {
    return false
  }
}

interface Chunk {
  type: string
  data: Buffer
}

/** Up to its end chunk; null for what goes beyond the file or has no end. */
function chunksOf(file: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at)
    if (at + 12 + length > file.length) return null
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'IEND') return chunks
    chunks.push({ type, data: file.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return null
}
