/** True for the canonical textual form of a UUID of any RFC 9562 version, in either case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(text)
}

let lastMs = 0
let counter = 0

/**
 * A new UUIDv7 (RFC 9562 section 5.7), lower case: 48 bits of milliseconds, a 12-bit counter, 62 random bits.
 * Ids made in one context sort in the order they were made, also inside one millisecond and when the clock steps back.
 */
export function uuidv7(nowMs: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  if (nowMs > lastMs) {
    lastMs = nowMs
    // Starting low leaves room to count up within the millisecond.
    counter = ((bytes[6]! & 0x07) << 8) | bytes[7]!
  } else if (++counter > 0xfff) {
    lastMs += 1
    counter = 0
  }
  const ms = lastMs.toString(16).padStart(12, '0')
  const variantByte = (bytes[8]! & 0x3f) | 0x80
  const tail = [variantByte, ...bytes.subarray(9)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const sequence = counter.toString(16).padStart(3, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${sequence}-${tail.slice(0, 4)}-${tail.slice(4)}`
}
