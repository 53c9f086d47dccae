// The frame of a ZIP around files whose bytes are known before they are written (PKWARE's APPNOTE 6.3.9): in the old form where that can hold it, so that
// every program reads it, else with the wider fields of its 64-bit form (4.3.14, 4.3.15, 4.5.3).

export interface ZippedFile {
  name: string
  /** Of what is in it, and its bytes. */
  crc: number
  size: number
  /** Its bytes as they are written; `size` where it is not packed. */
  packedSize: number
  /** By deflate. */
  isPacked: boolean
}

export interface ZipFrame {
  /** Stands before the bytes of a file. */
  begin(file: ZippedFile): Buffer<ArrayBuffer>
  /** Stands after the last one. */
  end(): Buffer<ArrayBuffer>
}

/** What the old form's fields cannot hold: their largest value says to look in the wider ones. */
export const oldLimits = { bytes: 0xffff_ffff, files: 0xffff }

const wideVersion = 45
const plainVersion = 20
const utf8 = 0x0800
const deflated = 8

/** `madeAt`: stands at every file. The limits are lower in tests alone. */
export function zipFrame(madeAt: string, limits = oldLimits): ZipFrame {
  const stamp = timeOf(madeAt)
  const directory: Buffer[] = []
  let written = 0
  const isWide = (value: number) => value >= limits.bytes
  const narrow = (value: number) => (isWide(value) ? oldLimits.bytes : value)

  return {
    begin({ name, crc, size, packedSize, isPacked }) {
      const bytes = Buffer.from(name)
      const place = written
      const hasWideSizes = isWide(size) || isWide(packedSize)
      const sizes = hasWideSizes ? [size, packedSize] : []
      const common = (wide: readonly number[]): Field[] => [
        [2, wide.length > 0 ? wideVersion : plainVersion],
        [2, utf8],
        [2, isPacked ? deflated : 0],
        [2, stamp.time],
        [2, stamp.date],
        [4, crc],
        [4, hasWideSizes ? oldLimits.bytes : packedSize],
        [4, hasWideSizes ? oldLimits.bytes : size],
        [2, bytes.length],
        [2, widened(wide).length],
      ]
      const local = Buffer.concat([record([4, 0x04034b50], ...common(sizes)), bytes, widened(sizes)])
      const inDirectory = isWide(place) ? [...sizes, place] : sizes
      directory.push(
        record(
          [4, 0x02014b50],
          [2, wideVersion],
          ...common(inDirectory),
          [2, 0],
          [2, 0],
          [2, 0],
          [4, 0],
          [4, narrow(place)],
        ),
        bytes,
        widened(inDirectory),
      )
      written += local.length + packedSize
      return local
    },

    end() {
      const entries = Buffer.concat(directory)
      const count = directory.length / 3
      const place = written + entries.length
      const needsWide = count >= limits.files || isWide(entries.length) || isWide(written)
      const wide = [
        record([4, 0x06064b50], [8, 44], [2, wideVersion], [2, wideVersion], [4, 0], [4, 0]),
        record([8, count], [8, count], [8, entries.length], [8, written]),
        record([4, 0x07064b50], [4, 0], [8, place], [4, 1]),
      ]
      const shown = count >= limits.files ? oldLimits.files : count
      const end = record([4, 0x06054b50], [2, 0], [2, 0], [2, shown], [2, shown], [4, narrow(entries.length)])
      return Buffer.concat([entries, ...(needsWide ? wide : []), end, record([4, narrow(written)], [2, 0])])
    },
  }
}

/** Width in bytes, value. */
type Field = readonly [2 | 4 | 8, number]

/** Little-endian, one after the other. */
function record(...fields: Field[]): Buffer<ArrayBuffer> {
  const buffer = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0))
  let at = 0
  for (const [width, value] of fields) {
    if (width === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, width)
    at += width
  }
  return buffer
}

/** What the old fields had no room for. */
function widened(values: readonly number[]): Buffer<ArrayBuffer> {
  if (values.length === 0) return Buffer.alloc(0)
  return record([2, 0x0001], [2, values.length * 8], ...values.map((value): Field => [8, value]))
}

/** As MS-DOS counts, every two seconds from 1980 on. */
function timeOf(instant: string): { time: number; date: number } {
  const at = new Date(instant)
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}
