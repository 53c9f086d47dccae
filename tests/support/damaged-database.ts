// What a kill in the middle of a write leaves in Chromium's IndexedDB: found at the next start, it has the browser begin with an empty one (decision 039).
import fs from 'node:fs'
import path from 'node:path'

/** Of a browser that is not running. */
export function damageDatabase(profile: string): void {
  const databases = path.join(profile, 'Default/IndexedDB')
  for (const folder of fs.readdirSync(databases).filter((name) => name.endsWith('.leveldb')))
    for (const name of fs.readdirSync(path.join(databases, folder)).filter((each) => each.endsWith('.log')))
      damage(path.join(databases, folder, name))
}

const headerBytes = 7

/** The first byte of its first record: the checksum in the record's header is wrong then. */
function damage(file: string): void {
  const bytes = fs.readFileSync(file)
  if (bytes.length <= headerBytes) return
  bytes[headerBytes] = bytes[headerBytes]! ^ 0xff
  fs.writeFileSync(file, bytes)
}
