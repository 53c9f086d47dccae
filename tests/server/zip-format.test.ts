// The frame of a ZIP, read by others: by Python's reader and by fflate, in the old form and in the 64-bit one.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import zlib from 'node:zlib'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { oldLimits, zipFrame, type ZippedFile } from '#server/exports/zip-format.ts'

const madeAt = '2026-11-22T10:30:08.000Z'
const wideEnd = 0x06064b50

function zip(files: readonly { name: string; text: string; isPacked: boolean }[], limits?: typeof oldLimits): Buffer {
  const frame = zipFrame(madeAt, limits)
  const parts = files.flatMap(({ name, text, isPacked }) => {
    const bytes = Buffer.from(text)
    const content = isPacked ? zlib.deflateRawSync(bytes) : bytes
    const measured = { crc: zlib.crc32(bytes), size: bytes.length, packedSize: content.length }
    return [frame.begin({ name, isPacked, ...measured }), content]
  })
  return Buffer.concat([...parts, frame.end()])
}

/** By Python: every file's name, bytes, place and time, each held against its checksum; none where it is broken. */
function pythonReads(bytes: Buffer): [string, number, number, number[]][] {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'docket-zip-')), 'read.zip')
  fs.writeFileSync(file, bytes)
  const program =
    'import json, sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); bad = z.testzip(); print(json.dumps(None if bad else [[i.filename, i.file_size, i.header_offset, i.date_time] for i in z.infolist()]))'
  const said = execFileSync('python3', ['-c', program, file], { encoding: 'utf8', maxBuffer: 1 << 28 })
  return JSON.parse(said)
}

const holdsWideEnd = (bytes: Buffer) => bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x06, 0x06])) !== -1

describe('a ZIP', () => {
  const files = [
    { name: 'rechnungen/Müller.csv', text: 'a,b\r\n'.repeat(500), isPacked: true },
    { name: 'documents/1.pdf', text: '%PDF-', isPacked: false },
    { name: 'empty.json', text: '', isPacked: false },
  ]

  test.each([
    ['in the old form', oldLimits, false],
    ['where every number is beyond it', { bytes: 1, files: 1 }, true],
    ['where one file is beyond it, and what comes after that', { bytes: 60, files: 100 }, true],
    ['where there are too many files', { ...oldLimits, files: 3 }, true],
  ])('%s is read with all that is in it', (_, limits, isWide) => {
    const bytes = zip(files, limits)
    expect(holdsWideEnd(bytes)).toBe(isWide)
    expect(pythonReads(bytes).map(([name, size]) => [name, size])).toEqual(
      files.map(({ name, text }) => [name, Buffer.byteLength(text)]),
    )
    expect(pythonReads(bytes)[0]![3]).toEqual([2026, 11, 22, 10, 30, 8])
    const read = unzipSync(bytes)
    for (const { name, text } of files) expect(Buffer.from(read[name]!).toString()).toBe(text)
  })

  test('of 70,000 files holds each', () => {
    const many = Array.from({ length: 70_000 }, (_, index) => ({ name: `${index}`, text: `${index}`, isPacked: false }))
    const bytes = zip(many)
    expect(holdsWideEnd(bytes)).toBe(true)
    expect(pythonReads(bytes)).toHaveLength(70_000)
  })

  test('of more than 4 GiB says where each file lies and how long it is', () => {
    const frame = zipFrame(madeAt)
    const gib = 2 ** 30
    const large: ZippedFile = { name: 'large', crc: 1, size: 5 * gib, packedSize: 5 * gib, isPacked: false }
    const small: ZippedFile = { name: 'small', crc: 2, size: 9, packedSize: 9, isPacked: false }
    const [first, second] = [frame.begin(large), frame.begin(small)]
    const end = frame.end()
    // Sizes in the wider fields of the local header: the 64-bit ones follow the name.
    expect([first.readUInt16LE(4), first.readUInt32LE(18), first.readUInt32LE(22)]).toEqual([
      45,
      2 ** 32 - 1,
      2 ** 32 - 1,
    ])
    expect(first.subarray(35).toString('hex')).toBe('01001000' + '0000004001000000'.repeat(2))
    expect([second.readUInt16LE(4), second.readUInt32LE(18)]).toEqual([20, 9])
    const place = first.length + 5 * gib
    // The second one's place is wide, its sizes are not.
    const entry = end.lastIndexOf('small') - 46
    expect([end.readUInt32LE(entry + 20), end.readUInt32LE(entry + 42)]).toEqual([9, 2 ** 32 - 1])
    expect(end.readBigUInt64LE(entry + 46 + 5 + 4)).toBe(BigInt(place))
    const wide = entry + 46 + 5 + 12
    expect(end.readUInt32LE(wide)).toBe(wideEnd)
    const directoryAt = BigInt(place + second.length + 9)
    expect([end.readBigUInt64LE(wide + 24), end.readBigUInt64LE(wide + 40), end.readBigUInt64LE(wide + 48)]).toEqual([
      2n,
      BigInt(wide),
      directoryAt,
    ])
    expect(end.readBigUInt64LE(wide + 56 + 8)).toBe(directoryAt + BigInt(wide))
  })
})
